/* SPDX-License-Identifier: MIT */
#include "inproc/mem/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "inproc/core/assert.h"
#include "inproc/core/held.h"
#include "inproc/mem/ticks.h"

enum { IMAGES = 100000 /* most images of a process */ };

static struct {
	char parent[PATH_MAX - 64], folder[PATH_MAX];
	uint64_t image;
} out;

void
out_init(const char *folder)
{
	if (folder != NULL)
		snprintf(out.parent, sizeof(out.parent), "%s", folder);
	out.folder[0] = '\0';
	if (getrandom(&out.image, sizeof(out.image), GRND_NONBLOCK) < 0)
		out.image = ticks_ns();
}

const char *
out_parent(void)
{
	return out.parent;
}

const char *
out_folder(void)
{
	return out.folder;
}

/* Takes the lowest free number: each exec makes a new image of the process. */
static bool
make_folder(void)
{
	for (int i = 0; out.folder[0] == '\0' && i < IMAGES; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%d-%d", out.parent, getpid(),
			i);
		if (mkdir(path, 0777) == 0)
			memcpy(out.folder, path, sizeof(path));
		else if (errno != EEXIST)
			break;
	}
	return out.folder[0] != '\0';
}

void
out_open(struct outbuf *o, enum mem_file file, int tid, const char *name)
{
	o->file = file;
	o->tid = tid;
	o->is_begun = false;
	o->n = 0;
	o->lost = 0;
	snprintf(o->name, sizeof(o->name), "%s", name);
}

static void
add_head(struct outbuf *o)
{
	struct mem_head h = { .version = MEM_VERSION,
		.file = o->file,
		.pid = getpid(),
		.tid = o->tid,
		.image = out.image,
		.time = ticks_ns(),
		.parent = (uint32_t)getppid(),
		.page = (uint32_t)sysconf(_SC_PAGESIZE) };
	struct timespec t;

	weft_kernel_clock(CLOCK_REALTIME, &t);
	h.realtime = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	memcpy(h.magic, MEM_MAGIC, sizeof(h.magic));
	h.check = mem_check(&h, offsetof(struct mem_head, check), 0);
	memcpy(o->bytes, &h, sizeof(h));
	o->n = sizeof(h);
	o->is_begun = true;
}

void
out_add(struct outbuf *o, enum mem_type type, const void *fixed,
	size_t fixed_bytes, const void *tail, size_t tail_bytes)
{
	size_t size = (fixed_bytes + tail_bytes + 7) & ~(size_t)7;
	struct mem_record r = { .size = (uint16_t)size,
		.type = (uint16_t)type };
	char *at;

	WEFT_ASSERT(files_are_the_drains, held_is(RANK_DRAIN));
	WEFT_ASSERT(file_is_open_for_records, o->name[0] != '\0');
	if (size > OUT_BYTES - sizeof(struct mem_head))
		return;
	if (!o->is_begun)
		add_head(o);
	if (o->n + size > OUT_BYTES)
		out_flush(o);
	WEFT_ASSERT(record_fits_the_buffer, o->n + size <= OUT_BYTES);
	at = o->bytes + o->n;
	memcpy(at, fixed, fixed_bytes);
	if (tail_bytes > 0)
		memcpy(at + fixed_bytes, tail, tail_bytes);
	memset(at + fixed_bytes + tail_bytes, 0,
		size - fixed_bytes - tail_bytes);
	memcpy(at, &r, sizeof(r));
	r.check = mem_record_check((const struct mem_record *)(void *)at);
	memcpy(at, &r, sizeof(r));
	o->n += size;
}

static bool
append(int fd, const char *bytes, size_t n)
{
	struct stat st;
	ssize_t done;

	do
		done = write(fd, bytes, n);
	while (done < 0 && errno == EINTR);
	if (done == (ssize_t)n)
		return true;
	if (done > 0 && fstat(fd, &st) == 0 &&
		ftruncate(fd, st.st_size - done) != 0)
		return false;
	return false;
}

void
out_flush(struct outbuf *o)
{
	char path[PATH_MAX + sizeof(o->name)];
	int fd = -1;

	WEFT_ASSERT(files_are_written_by_the_drain, held_is(RANK_DRAIN));
	if (o->n == 0)
		return;
	if (make_folder()) {
		snprintf(path, sizeof(path), "%s/%s", out.folder, o->name);
		fd = open(path,
			O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
			0666);
	}
	if (fd < 0 || !append(fd, o->bytes, o->n))
		o->lost += o->n;
	if (fd >= 0)
		close(fd);
	o->n = 0;
}
