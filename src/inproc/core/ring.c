/* SPDX-License-Identifier: MIT */
#include "inproc/core/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#include "inproc/core/assert.h"
#include "inproc/core/config.h"
#include "inproc/core/hush.h"
#include "inproc/core/signals.h"

#define TMPFS 0x01021994
#define LEAN_BEGIN (UINT64_C(32) << 10) /* bytes that a new lean ring has */
#define STEP (UINT64_C(128) << 10)      /* it gets more in steps up to this */
#define BLOCK 4096

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static uint64_t
random_id(void)
{
	struct timespec now;
	uint64_t id = 0;

	if (getrandom(&id, sizeof(id), GRND_NONBLOCK) == sizeof(id) && id != 0)
		return id;
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Takes the page faults now, so that events do not. In a hole of a file it
 * allocates the blocks. Returns false if the kernel cannot. */
static bool
populate(void *at, size_t size)
{
	return madvise(at, size, MADV_POPULATE_WRITE) == 0;
}

static void
prefault(void *at, size_t size)
{
	volatile unsigned char *byte = at;

	if (populate(at, size))
		return;
	for (size_t i = 0; i < size; i += RINGFILE_PAGE) {
		unsigned char same = byte[i];

		byte[i] = same;
	}
}

/* Maps the ring twice in a row in one hole of the address space. */
static unsigned char *
map_twice(int fd, uint64_t size)
{
	unsigned char *hole = mmap(NULL, 2 * size, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (hole == MAP_FAILED)
		return NULL;
	for (int i = 0; i < 2; i++)
		if (mmap(hole + (uint64_t)i * size, size,
			    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			    RINGFILE_PAGE) == MAP_FAILED) {
			munmap(hole, 2 * size);
			return NULL;
		}
	return hole;
}

static void
prepare(struct ring_mem *m, void *page, uint64_t size)
{
	WEFT_ASSERT(ring_size_is_a_power_of_two,
		size > 2 * RING_SLACK && (size & (size - 1)) == 0);
	WEFT_ASSERT(
		ring_begins_on_a_page, (uintptr_t)m->data % RINGFILE_PAGE == 0);
	m->file = page;
	prefault(page, RINGFILE_PAGE);
	prefault(m->data, m->backed < size ? m->backed : 2 * size);
	/* A child of fork must not write to the ring. */
	madvise(page, RINGFILE_PAGE, MADV_DONTFORK);
	madvise(m->data, 2 * size, MADV_DONTFORK);
	memcpy(m->file->magic, RINGFILE_MAGIC, sizeof(m->file->magic));
	m->file->version = RINGFILE_VERSION;
	m->file->size = size;
}

static bool
map(struct ring_mem *m, int fd, uint64_t size)
{
	void *page = mmap(
		NULL, RINGFILE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return false;
	m->data = map_twice(fd, size);
	if (!m->data) {
		munmap(page, RINGFILE_PAGE);
		return false;
	}
	prepare(m, page, size);
	return true;
}

/* Allocates the first blocks of a new file, as posix_fallocate() does: some
 * file systems cannot do that by one call. Returns an errno, or 0. */
static int
allocate(int fd, uint64_t size)
{
	int error = syscall(SYS_fallocate, fd, 0, 0L, size) == 0 ? 0 : errno;

	if (error != EOPNOTSUPP)
		return error;
	for (uint64_t at = BLOCK; at <= size; at += BLOCK)
		if (pwrite(fd, "", 1, (off_t)at - 1) != 1)
			return errno;
	return 0;
}

/* Creates a file of that size, with blocks for `backed` bytes: a store into a
 * hole of a full disk would raise SIGBUS. */
static int
create(struct ring_mem *m, const char *folder, uint64_t size)
{
	int fd = -1, error;

	for (int i = 0; i < 16 && fd < 0; i++) {
		snprintf(m->path, sizeof(m->path), "%s/weft-%d-%016llx.ring",
			folder, (int)getpid(), (unsigned long long)random_id());
		fd = open(m->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	error = fd < 0 ? errno : allocate(fd, RINGFILE_PAGE + m->backed);
	if (error == 0 && m->backed < size &&
		ftruncate(fd, (off_t)(RINGFILE_PAGE + size)) != 0)
		error = errno;
	if (error == 0)
		return fd;
	if (fd >= 0) {
		unlink(m->path);
		close(fd);
	}
	errno = error;
	return -1;
}

static bool
make_in(struct ring_mem *m, const char *folder, uint64_t size)
{
	struct hush limit;
	int fd, error;
	bool ok, is_held;

	weft_rt_hush(&limit, SIGXFSZ);
	fd = create(m, folder, size);
	weft_rt_unhush(&limit);
	if (fd < 0)
		return false;
	is_held = ringfile_hold(fd);
	ok = map(m, fd, size);
	error = errno;
	if (ok)
		m->file->has_lock = is_held; /* now the mappings hold the
		                              * lock */
	if (!ok)
		unlink(m->path);
	close(fd);
	errno = error;
	return ok;
}

/* Requires room for two such rings, so that we do not use up the tmpfs. */
static bool
has_room(const char *folder, uint64_t size)
{
	struct statfs fs;

	if (statfs(folder, &fs) != 0)
		return false;
	errno = ENOSPC;
	if (fs.f_type == TMPFS && fs.f_blocks == 0)
		return true; /* no limit */
	return (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize >= 2 * size;
}

/* Makes a ring without a file, so that no limit on files or descriptors
 * matters. mremap() of 0 bytes of a shared mapping maps it a second time. */
static bool
make_anonymous(struct ring_mem *m, uint64_t size)
{
	unsigned char *at = mmap(NULL, RINGFILE_PAGE + 2 * size,
		PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned char *data = at + RINGFILE_PAGE;

	m->path[0] = '\0';
	m->backed = size;
	if (at == MAP_FAILED)
		return false;
	if (mremap(data, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, data + size) ==
		MAP_FAILED) {
		munmap(at, RINGFILE_PAGE + 2 * size);
		return false;
	}
	m->data = data;
	prepare(m, at, size);
	return true;
}

const char *
weft_rt_ring_folder(void)
{
	const char *folder = getenv("WEFT_RING_DIR");

	return folder && folder[0] != '\0' ? folder : "/dev/shm";
}

/* Returns how much of a ring on tmpfs gets memory at once: the rest needs a
 * call that says where there is none. */
static uint64_t
first_bytes(uint64_t size)
{
	static _Alignas(RINGFILE_PAGE) char page[RINGFILE_PAGE];

	return weft_rt_config.is_lean && size > LEAN_BEGIN &&
			weft_rt_config.full != FULL_OVERWRITE &&
			populate(page, sizeof(page))
		? LEAN_BEGIN
		: size;
}

bool
weft_rt_ring_make(struct ring_mem *m, uint64_t size, const char *beside)
{
	const char *folder = weft_rt_ring_folder();

	memset(m, 0, offsetof(struct ring_mem, path));
	m->kind = RING_TMPFS;
	m->backed = first_bytes(size);
	if (has_room(folder, size) && make_in(m, folder, size))
		return true;
	m->error = errno;
	if (!beside)
		return false;
	m->kind = RING_BESIDE;
	m->backed = size;
	if (make_in(m, beside, size))
		return true;
	m->kind = RING_ANONYMOUS;
	return make_anonymous(m, size);
}

/* Puts memory without a file in place of what has none, twice in a row. Nothing
 * is recorded there. If that fails, no memory is ever found there. */
static bool
replace_rest(struct ring_mem *m)
{
	uint64_t size = m->file->size, n = size - m->backed;
	unsigned char *rest = m->data + m->backed;

	if (mmap(rest, n, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) == MAP_FAILED ||
		mremap(rest, 0, n, MREMAP_MAYMOVE | MREMAP_FIXED,
			rest + size) == MAP_FAILED) {
		(void)mmap(rest, n, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		return false;
	}
	madvise(rest, n, MADV_DONTFORK);
	madvise(rest + size, n, MADV_DONTFORK);
	m->file->id = 0; /* the file lacks records from now on */
	m->kind = RING_ANONYMOUS;
	m->error = ENOSPC;
	return true;
}

/* The tmpfs is full. A handler that interrupted the caller may have seen that
 * before. */
static bool
go_on_without_file(struct ring_mem *m)
{
	sigset_t was;
	bool ok;

	signals_block(&was);
	ok = m->backed == m->file->size || replace_rest(m);
	if (ok)
		m->backed = m->file->size;
	signals_restore(&was);
	return ok;
}

/* A handler may have raised it further. */
static void
raise_backed(struct ring_mem *m, uint64_t to)
{
	uint64_t was = __atomic_load_n(&m->backed, __ATOMIC_RELAXED);

	while (was < to &&
		!__atomic_compare_exchange_n(&m->backed, &was, to, true,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

bool
weft_rt_ring_back(
	struct ring_mem *m, uint64_t res, uint64_t end, uint64_t *limit)
{
	uint64_t size = m->file->size, lap = res & ~(size - 1);
	uint64_t need = end - lap + RING_SLACK, to, most;
	uint64_t backed = __atomic_load_n(&m->backed, __ATOMIC_RELAXED);
	int error = errno;
	bool ok;

	if (backed == size)
		return true;
	for (to = backed; to < need && to < size;)
		to += to < STEP ? to : STEP;
	to = to < size ? to : size;
	ok = to == backed || populate(m->data + backed, to - backed);
	if (ok)
		raise_backed(m, to);
	else
		ok = go_on_without_file(m);
	errno = error;
	backed = __atomic_load_n(&m->backed, __ATOMIC_RELAXED);
	most = lap + backed - RING_SLACK;
	if (backed < size && most < *limit)
		*limit = most;
	return ok;
}

void
weft_rt_ring_reset(struct ring_mem *m, int pid, int tid, uint64_t start)
{
	struct ringfile *f = m->file;

	WEFT_ASSERT(ring_that_begins_is_nobodys,
		__atomic_load_n(&f->id, __ATOMIC_RELAXED) == 0);
	f->id = 0; /* a reader now finds a ring without owner */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	f->pid = pid;
	f->tid = tid;
	f->nlost = 0;
	f->skip = 0;
	f->first = f->head = f->tail = start;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	f->id = random_id();
}

void
weft_rt_ring_drop(struct ring_mem *m)
{
	if (!m->file)
		return;
	if (m->path[0] != '\0')
		unlink(m->path);
	munmap(m->data, 2 * m->file->size);
	munmap(m->file, RINGFILE_PAGE);
	m->file = NULL;
}

const char *
weft_rt_ring_kind(enum ring_kind kind)
{
	return kind == RING_TMPFS     ? "tmpfs"
		: kind == RING_BESIDE ? "beside the stream"
				      : "anonymous";
}
