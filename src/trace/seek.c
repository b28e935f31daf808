/* SPDX-License-Identifier: MIT */
#include "trace/seek.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"

#define BYTES_MAX (256u << 20)
#define VERSION 3
/* A number that reads differently in another byte order. */
#define ORDER UINT32_C(0x01020304)
/* The coarsest resolution of file times that is expected. */
#define TICK_NS 1000000000

static const char magic[8] = { 'w', 'e', 'f', 't', 's', 'e', 'e', 'k' };

struct head {
	char magic[8];
	uint32_t order, version;
	uint64_t bytes; /* bytes of the whole file */
	uint64_t sum;   /* over the whole file, with this member 0 */
	uint64_t nstreams;
};

/* An entry. Its uint64_t members are byte offsets in the file, or counts. */
struct entry {
	uint64_t name; /* offset of a string that ends with NUL */
	struct seek_identity is;
	int64_t clock_offset, first;
	uint64_t place, nplaces;
	uint64_t fault, nfaults;
};

static_assert(sizeof(struct head) == 40, "the seek file changed");
static_assert(sizeof(struct entry) == 96, "the seek file changed");
static_assert(sizeof(struct seek_offset) == 16, "the seek file changed");
static_assert(sizeof(struct seek_fault) == 24, "the seek file changed");

/* FNV-1a, 64 bits. */
static uint64_t
sum(uint64_t so_far, const void *data, size_t n)
{
	const uint8_t *at = data;

	for (size_t i = 0; i < n; i++)
		so_far = (so_far ^ at[i]) * UINT64_C(0x100000001b3);
	return so_far;
}

#define SUM_START UINT64_C(0xcbf29ce484222325)

static bool
sum_ends(int fd, int64_t size, uint64_t *to)
{
	uint8_t part[SEEK_ENDS];
	int64_t first = file_pread(fd, part, sizeof part, 0), last = 0;
	int64_t from = size > SEEK_ENDS ? size - SEEK_ENDS : size;

	if (first < 0)
		return false;
	*to = sum(SUM_START, part, (size_t)first);
	if (from < size)
		last = file_pread(fd, part, sizeof part, from);
	if (last < 0)
		return false;
	*to = sum(*to, part, (size_t)last);
	return true;
}

static bool
in_ns(const struct timespec *from, int64_t *to)
{
	return !__builtin_mul_overflow(from->tv_sec, INT64_C(1000000000), to) &&
		!__builtin_add_overflow(*to, from->tv_nsec, to);
}

bool
seek_identify(const char *file, struct seek_identity *to)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	bool ok;

	if (fd < 0)
		return false;
	ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		in_ns(&st.st_mtim, &to->changed) &&
		in_ns(&st.st_ctim, &to->written);
	if (ok) {
		to->size = st.st_size;
		to->inode = st.st_ino;
		ok = sum_ends(fd, to->size, &to->ends);
	}
	close(fd);
	return ok;
}

bool
seek_is_same(const struct seek_identity *a, const struct seek_identity *b)
{
	return a->size == b->size && a->changed == b->changed &&
		a->written == b->written && a->inode == b->inode &&
		a->ends == b->ends;
}

bool
seek_is_fresh(const struct seek_identity *is)
{
	struct timespec now;
	int64_t ns;

	clock_gettime(CLOCK_REALTIME, &now);
	ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	return ns < is->changed || ns - is->changed < TICK_NS;
}

/* Returns true if n elements of that size, aligned, are inside the file at that
 * offset. */
static bool
lies_in(size_t bytes, uint64_t at, uint64_t n, size_t size)
{
	return at <= bytes && n <= (bytes - at) / size && n <= INT32_MAX &&
		at % sizeof(uint64_t) == 0;
}

static bool
places_are_sorted(const struct seek_stream *s)
{
	int64_t offset = 0, time = s->first;

	for (int i = 0; i < s->place.n; i++) {
		const struct seek_offset *p = &s->place.at[i];

		if (p->offset <= offset || p->offset >= s->is.size ||
			p->time < time)
			return false;
		offset = p->offset;
		time = p->time;
	}
	return true;
}

static bool
faults_are_sorted(const struct seek_stream *s)
{
	int64_t offset = 0;

	for (int i = 0; i < s->fault.n; i++) {
		if (s->fault.at[i].offset <= offset)
			return false;
		offset = s->fault.at[i].offset;
	}
	return true;
}

/* Checks an entry. Its arrays are used in place. */
static bool
read_entry(struct seek_stream *to, char *data, size_t n, const struct entry *e)
{
	if (e->name >= n || memchr(data + e->name, '\0', n - e->name) == NULL ||
		!lies_in(n, e->place, e->nplaces, sizeof *to->place.at) ||
		!lies_in(n, e->fault, e->nfaults, sizeof *to->fault.at))
		return false;
	to->name = data + e->name;
	to->is = e->is;
	to->clock_offset = e->clock_offset;
	to->first = e->first;
	to->place.at = (struct seek_offset *)(void *)(data + e->place);
	to->place.n = to->place.cap = (int)e->nplaces;
	to->fault.at = (struct seek_fault *)(void *)(data + e->fault);
	to->fault.n = to->fault.cap = (int)e->nfaults;
	return places_are_sorted(to) && faults_are_sorted(to);
}

static bool
check_head(char *data, size_t n, struct head *h)
{
	const uint64_t none = 0;

	if (n < sizeof *h)
		return false;
	memcpy(h, data, sizeof *h);
	memcpy(data + offsetof(struct head, sum), &none, sizeof none);
	return memcmp(h->magic, magic, sizeof magic) == 0 &&
		h->order == ORDER && h->version == VERSION && h->bytes == n &&
		h->nstreams <= (n - sizeof *h) / sizeof(struct entry) &&
		h->sum == sum(SUM_START, data, n);
}

static bool
read_all(struct seek_file *to, struct arena *a, char *data, size_t n)
{
	struct head h;

	if (!check_head(data, n, &h))
		return false;
	for (uint64_t i = 0; i < h.nstreams; i++) {
		struct seek_stream *s = VEC_ADD(&to->streams, a);
		struct entry e;

		memcpy(&e, data + sizeof h + i * sizeof e, sizeof e);
		if (!read_entry(s, data, n, &e) ||
			(i > 0 && strcmp(s[-1].name, s->name) >= 0))
			return false;
	}
	return true;
}

static const char *
path_in(struct arena *a, const char *folder)
{
	return arena_printf(a, "%s/%s", folder, SEEK_FILE);
}

void
seek_read(struct seek_file *to, struct arena *a, const char *folder)
{
	size_t n = 0;
	char *data = file_read(
		a, path_in(a, folder), BYTES_MAX, &n, &(struct err){ 0 });

	*to = (struct seek_file){ 0 };
	if (data != NULL && !read_all(to, a, data, n))
		*to = (struct seek_file){ 0 };
}

static uint64_t
append(char *data, uint64_t *n, const void *from, size_t bytes)
{
	uint64_t at = *n;

	if (bytes > 0)
		memcpy(data + at, from, bytes);
	*n += bytes;
	return at;
}

static size_t
bytes_of_file(const struct seek_file *from)
{
	size_t n = sizeof(struct head);

	for (int i = 0; i < from->streams.n; i++) {
		const struct seek_stream *s = &from->streams.at[i];

		n += sizeof(struct entry) + strlen(s->name) + 1 +
			(size_t)s->place.n * sizeof *s->place.at +
			(size_t)s->fault.n * sizeof *s->fault.at;
	}
	return n;
}

/* Writes the aligned parts first, then the names. */
static void
fill(char *data, size_t bytes, const struct seek_file *from)
{
	struct head h = { .order = ORDER,
		.version = VERSION,
		.bytes = bytes,
		.nstreams = (uint64_t)from->streams.n };
	struct entry *e = (struct entry *)(void *)(data + sizeof h);
	uint64_t n = sizeof h + h.nstreams * sizeof *e;

	memcpy(h.magic, magic, sizeof magic);
	for (int i = 0; i < from->streams.n; i++) {
		const struct seek_stream *s = &from->streams.at[i];

		e[i].is = s->is;
		e[i].clock_offset = s->clock_offset;
		e[i].first = s->first;
		e[i].nplaces = (uint64_t)s->place.n;
		e[i].place = append(data, &n, s->place.at,
			(size_t)s->place.n * sizeof *s->place.at);
		e[i].nfaults = (uint64_t)s->fault.n;
		e[i].fault = append(data, &n, s->fault.at,
			(size_t)s->fault.n * sizeof *s->fault.at);
	}
	for (int i = 0; i < from->streams.n; i++) {
		const char *name = from->streams.at[i].name;

		e[i].name = append(data, &n, name, strlen(name) + 1);
	}
	memcpy(data, &h, sizeof h);
	h.sum = sum(SUM_START, data, bytes);
	memcpy(data, &h, sizeof h);
}

static bool
is_other_than_file(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

void
seek_write(const struct seek_file *from, struct arena *a, const char *folder)
{
	const char *path = path_in(a, folder);
	size_t n = bytes_of_file(from);
	struct err unsaid = { 0 };
	struct outfile f;
	bool is_new, ok;
	char *data;

	/* Through a link, a file elsewhere would be overwritten. */
	if (n > BYTES_MAX || is_other_than_file(path))
		return;
	is_new = mkdir(folder, 0777) == 0;
	data = arena_alloc(a, n);
	memset(data, 0, n);
	fill(data, n, from);
	ok = outfile_open(&f, a, path, 4096, &unsaid);
	if (ok)
		outfile_write(&f, data, n);
	ok = outfile_close(&f, &unsaid) && ok;
	if (!ok && is_new)
		rmdir(folder);
}

void
seek_remove(struct arena *a, const char *folder)
{
	unlink(path_in(a, folder));
}

const struct seek_stream *
seek_find(const struct seek_file *file, const char *name)
{
	int low = 0, high = file->streams.n;

	while (low < high) {
		int middle = low + (high - low) / 2;
		int order = strcmp(file->streams.at[middle].name, name);

		if (order == 0)
			return &file->streams.at[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

int
seek_offset(const struct seek_stream *s, int64_t time)
{
	int low = 0, high = s->place.n;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (s->place.at[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}
