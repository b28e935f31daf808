/* SPDX-License-Identifier: MIT */
#include "trace/obs/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/obs/wire.h"

#define POSITION_MAX (UINT64_C(1) << 62) /* sums of three stay in 64 bits */

/* Its name holds the process that made it, and would have it mapped. */
bool
obs_ring_is_used(const char *file)
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
	if (maps == NULL) /* another user's process: better not touched */
		return errno == EACCES || errno == EPERM;
	while (!found && fgets(line, sizeof line, maps) != NULL)
		found = strstr(line, name) != NULL;
	fclose(maps);
	return found;
}

static bool
refuse(char why[OBS_RING_WHY], const char *text)
{
	snprintf(why, OBS_RING_WHY, "%s", text);
	return false;
}

static bool
is_header(const struct ringfile *f, int64_t bytes, char why[OBS_RING_WHY])
{
	if (memcmp(f->magic, RINGFILE_MAGIC, sizeof f->magic) != 0)
		return refuse(why, "it is no ring");
	if (f->version != RINGFILE_VERSION) {
		snprintf(why, OBS_RING_WHY,
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

/* Where the ring goes on behind the bytes of stream.obs. */
static bool
fit(struct obs_ring *r, const struct ringfile *f, uint64_t stream_bytes,
	char why[OBS_RING_WHY])
{
	uint64_t from = stream_bytes - sizeof(struct obs_file_header) + f->skip;
	uint64_t oldest = f->first > f->tail ? f->first : f->tail;

	r->shift = f->skip;
	r->begin = (int64_t)stream_bytes;
	if (from < f->first) {
		r->overwritten = f->first - from;
		r->shift += r->overwritten;
		from = f->first;
	}
	if (from < oldest)
		return refuse(why,
			"stream.obs is shorter than what was written to it");
	if (from < f->head && f->head - from > f->size)
		return refuse(why, "it holds more than its size");
	r->end = (int64_t)(f->head - r->shift + sizeof(struct obs_file_header));
	return true;
}

static bool
look(struct obs_ring *r, const struct obs_ring_place *place, int fd,
	struct ringfile *page, char why[OBS_RING_WHY])
{
	struct stat ring, stream;

	if (fstat(fd, &ring) != 0 || !S_ISREG(ring.st_mode) ||
		file_pread(fd, page, sizeof *page, 0) != (int64_t)sizeof *page)
		return refuse(why, "it is no ring");
	if (!is_header(page, ring.st_size, why))
		return false;
	if (page->id != place->id)
		return refuse(why, "it belongs to another thread by now");
	/* Behind the page: then the file may only have more than it says. */
	if (stat(place->stream, &stream) != 0 ||
		stream.st_size < (int64_t)sizeof(struct obs_file_header) ||
		(uint64_t)stream.st_size > POSITION_MAX)
		return refuse(why, "stream.obs has no header");
	/* Killed behind an event that went past the ring. */
	if (page->tail > page->head)
		page->head = page->tail;
	r->id = page->id;
	r->size = page->size;
	return fit(r, page, (uint64_t)stream.st_size, why);
}

bool
obs_ring_open(struct obs_ring *r, const struct obs_ring_place *place,
	struct ringfile *page, char why[OBS_RING_WHY])
{
	int fd;
	bool ok;

	*r = (struct obs_ring){ .file = place->file };
	/* First: a process that ends now is still found complete. */
	r->live = obs_ring_is_used(place->file);
	fd = open(place->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return refuse(why, strerror(errno));
	ok = look(r, place, fd, page, why);
	close(fd);
	if (page->nlost > RINGFILE_LOST)
		page->nlost = RINGFILE_LOST;
	return ok;
}

/* Is the position still what it was, and the ring ours? */
static bool
is_still_there(const struct obs_ring *r, int fd, uint64_t position)
{
	struct ringfile now;

	if (file_pread(fd, &now, sizeof now, 0) != (int64_t)sizeof now ||
		now.id != r->id)
		return false;
	return position >= now.tail && position >= now.first;
}

/* Reads what may lie around the ring's end. */
static int64_t
read_around(const struct obs_ring *r, int fd, char *to, size_t n, uint64_t from)
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
obs_ring_read(const struct obs_ring *r, void *to, size_t n, int64_t offset)
{
	uint64_t from =
		(uint64_t)offset - sizeof(struct obs_file_header) + r->shift;
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
