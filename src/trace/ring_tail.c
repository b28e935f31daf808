/* SPDX-License-Identifier: MIT */
#include "trace/ring_tail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define POSITION_MAX \
	(UINT64_C(1) << 62) /* so that sums of three of them fit in \
	                     * 64 bits */

/* Returns true if the process that created a ring without a lock has it mapped.
 * The ring's name contains its pid. */
static bool
is_mapped(const char *file)
{
	const char *name = file_name(file);
	char path[64], line[8192];
	bool found = false;
	FILE *maps;

	if (strncmp(name, "weft-", 5) != 0)
		return false;
	snprintf(path, sizeof path, "/proc/%d/maps",
		(int)strtol(name + 5, NULL, 10));
	maps = fopen(path, "re");
	if (maps == NULL) /* the process belongs to another user: leave the ring
	                   * alone */
		return errno == EACCES || errno == EPERM;
	while (!found && fgets(line, sizeof line, maps) != NULL)
		found = strstr(line, name) != NULL;
	fclose(maps);
	return found;
}

/* Returns true if the ring's first page says that it has a lock. */
static bool
has_lock(int fd)
{
	struct ringfile f = { 0 };

	return file_pread(fd, &f, sizeof f, 0) == (int64_t)sizeof f &&
		f.has_lock == 1;
}

bool
ring_is_used(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	bool held = false, decides = false;

	if (fd >= 0) {
		held = ringfile_is_held(fd);
		decides = has_lock(fd);
		close(fd);
	}
	return held || (!decides && is_mapped(file));
}

static bool
refuse(char why[RING_WHY], const char *text)
{
	snprintf(why, RING_WHY, "%s", text);
	return false;
}

static bool
is_header(const struct ringfile *f, int64_t bytes, char why[RING_WHY])
{
	if (memcmp(f->magic, RINGFILE_MAGIC, sizeof f->magic) != 0)
		return refuse(why, "it is not a ring file");
	if (f->version != RINGFILE_VERSION) {
		snprintf(why, RING_WHY,
			"it has version %u, this build reads %d", f->version,
			RINGFILE_VERSION);
		return false;
	}
	if (f->size < RINGFILE_PAGE || (f->size & (f->size - 1)) != 0 ||
		f->size > POSITION_MAX ||
		(uint64_t)bytes < RINGFILE_PAGE + f->size)
		return refuse(why, "its size is wrong");
	if (f->head > POSITION_MAX || f->tail > POSITION_MAX ||
		f->first > f->head || f->skip > f->head)
		return refuse(why, "its positions are wrong");
	return true;
}

bool
ring_fit(struct ring_tail *r, const struct ringfile *f, int64_t bytes,
	uint64_t position, char why[RING_WHY])
{
	uint64_t from = position + f->skip;
	uint64_t oldest = f->first > f->tail ? f->first : f->tail;

	r->begin = bytes;
	r->overwritten = 0;
	if (from < f->first) {
		r->overwritten = f->first - from;
		from = f->first;
	}
	if (position > POSITION_MAX || from < oldest)
		return refuse(why,
			"the stream is shorter than what was written to it");
	if (from < f->head && f->head - from > f->size)
		return refuse(why, "it holds more bytes than its size");
	r->shift = from - (uint64_t)bytes;
	r->end = (int64_t)(f->head - r->shift);
	return true;
}

/* The recorder keeps the intervals in no particular order. */
static void
sort_lost(struct ringfile *page)
{
	struct ringfile_lost *l = page->lost;

	for (uint32_t i = 1; i < page->nlost; i++)
		for (uint32_t k = i; k > 0 && l[k].from < l[k - 1].from; k--) {
			struct ringfile_lost one = l[k];

			l[k] = l[k - 1];
			l[k - 1] = one;
		}
}

static bool
look(struct ring_tail *r, int fd, uint64_t id, struct ringfile *page,
	char why[RING_WHY])
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
		file_pread(fd, page, sizeof *page, 0) != (int64_t)sizeof *page)
		return refuse(why, "it is not a ring file");
	if (!is_header(page, st.st_size, why))
		return false;
	if (page->id != id)
		return refuse(why, "it belongs to another stream now");
	/* The process was killed just after it began an event that was written
	 * past the ring. */
	if (page->tail > page->head)
		page->head = page->tail;
	if (page->nlost > RINGFILE_LOST)
		page->nlost = RINGFILE_LOST;
	sort_lost(page);
	r->id = page->id;
	r->size = page->size;
	return true;
}

bool
ring_open(struct ring_tail *r, const char *file, uint64_t id,
	struct ringfile *page, char why[RING_WHY])
{
	int fd;
	bool ok;

	*r = (struct ring_tail){ .file = file };
	/* Checked first: if the process ends after this check, its ring is
	 * complete. */
	r->live = ring_is_used(file);
	fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return refuse(why, strerror(errno));
	ok = look(r, fd, id, page, why);
	close(fd);
	return ok;
}

/* Returns true if the ring is still ours and has not overwritten the
 * position. */
static bool
is_still_there(const struct ring_tail *r, int fd, uint64_t position)
{
	struct ringfile now;

	if (file_pread(fd, &now, sizeof now, 0) != (int64_t)sizeof now ||
		now.id != r->id)
		return false;
	return position >= now.tail && position >= now.first;
}

/* Reads bytes that may wrap around the end of the ring. */
static int64_t
read_around(
	const struct ring_tail *r, int fd, char *to, size_t n, uint64_t from)
{
	uint64_t at = from & (r->size - 1);
	size_t first = n < r->size - at ? n : (size_t)(r->size - at);
	int64_t got = file_pread(fd, to, first, (int64_t)(RINGFILE_PAGE + at));
	int64_t more;

	if (got < 0 || (size_t)got < first || first == n)
		return got;
	more = file_pread(fd, to + first, n - first, RINGFILE_PAGE);
	return more < 0 ? more : got + more;
}

int64_t
ring_read(const struct ring_tail *r, void *to, size_t n, int64_t offset)
{
	uint64_t from = (uint64_t)offset + r->shift;
	int64_t got = -1;
	int fd;

	if (offset < r->begin || offset >= r->end)
		return 0;
	if (n > (uint64_t)(r->end - offset))
		n = (size_t)(r->end - offset);
	if (n > r->size)
		n = (size_t)r->size;
	fd = open(r->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -1;
	got = read_around(r, fd, to, n, from);
	if (got >= 0 && !is_still_there(r, fd, from))
		got = -1;
	close(fd);
	return got;
}
