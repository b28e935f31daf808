/* SPDX-License-Identifier: MIT */
#include "mem/db/memfile.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"

#define MOST_BYTES (16ull << 30)

/* The least size of each type's record, and the greatest size of what follows
 * the struct. */
struct shape {
	uint16_t bytes;
	uint16_t growth; /* most bytes after the struct; only used to find the
	                  * next record after damage */
};

#define SHAPE(type, growth) \
	{ \
		sizeof(struct type), growth \
	}

static const struct shape shapes[] = {
	[MEM_EVENT] = SHAPE(mem_event, 64),
	[MEM_SETUP] = SHAPE(mem_setup, 64),
	[MEM_TEXT] = SHAPE(mem_text, 1024),
	[MEM_MODULE] = SHAPE(mem_module, 4160),
	[MEM_UNLOAD] = SHAPE(mem_unload, 64),
	[MEM_REGION] = SHAPE(mem_region, 4160),
	[MEM_THREAD] = SHAPE(mem_thread, 64),
	[MEM_THREAD_END] = SHAPE(mem_thread_end, 64),
	[MEM_PATH] = SHAPE(mem_path, 8 * MEM_PATH_MAX),
	[MEM_OBJECT] = SHAPE(mem_object, 64),
	[MEM_OBJECT_NAME] = SHAPE(mem_object_name, 1024),
	[MEM_SITE] = SHAPE(mem_site, 64),
	[MEM_HEAP] = SHAPE(mem_heap, 64),
	[MEM_END] = SHAPE(mem_end, 64),
	[MEM_LOCAL] = SHAPE(mem_local, 64),
	[MEM_SAMPLE] = SHAPE(mem_sample, 64),
	[MEM_FRAME] = SHAPE(mem_frame, 64),
	[MEM_LOSS] = SHAPE(mem_loss, 64),
};

static struct shape
shape_of(uint16_t type)
{
	return type < sizeof shapes / sizeof shapes[0] ? shapes[type]
						       : (struct shape){ 0 };
}

bool
memfile_is(const char *path)
{
	char magic[8];
	int fd;
	bool is;

	if (!file_is_regular(path))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	is = file_pread(fd, magic, sizeof magic, 0) == sizeof magic &&
		memcmp(magic, MEM_MAGIC, sizeof magic) == 0;
	close(fd);
	return is;
}

static bool
check_head(struct memfile *f, uint32_t file)
{
	struct mem_head *h = &f->head;

	if (f->size < sizeof *h) {
		mem_findings_add(f->findings, f->path, f->size,
			"shorter than its header: no record was written");
		return false;
	}
	memcpy(h, f->data, sizeof *h);
	if (memcmp(h->magic, MEM_MAGIC, sizeof h->magic) != 0) {
		mem_findings_add(f->findings, f->path, 0,
			"not a file of a memory measurement");
		return false;
	}
	if (h->version != MEM_VERSION) {
		mem_findings_add(f->findings, f->path, 8,
			"version %u; this build reads version %d", h->version,
			MEM_VERSION);
		return false;
	}
	if (mem_check(h, offsetof(struct mem_head, check), 0) != h->check) {
		mem_findings_add(
			f->findings, f->path, 0, "the header is damaged");
		return false;
	}
	if (file != 0 && h->file != file) {
		mem_findings_add(
			f->findings, f->path, 12, "a file of another kind");
		return false;
	}
	return true;
}

bool
memfile_open(struct memfile *f, struct arena *a, const char *path,
	uint32_t file, struct mem_findings *findings)
{
	struct err err = { 0 };

	*f = (struct memfile){ .path = path, .findings = findings };
	f->data = file_read(a, path, MOST_BYTES, &f->size, &err);
	if (f->data == NULL) {
		mem_findings_add(findings, path, 0, "%s", err.text);
		return false;
	}
	f->at = sizeof(struct mem_head);
	return check_head(f, file);
}

/* Returns true if there is a whole record at `at`. After damage only records of
 * a plausible type and size are checked: checking garbage at every 8 bytes
 * would take too long. */
static bool
is_record(const struct memfile *f, size_t at, bool in_step)
{
	struct mem_record r;
	struct shape s;

	if (f->size - at < sizeof r)
		return false;
	memcpy(&r, f->data + at, sizeof r);
	s = shape_of(r.type);
	if (!in_step &&
		(s.bytes == 0 || r.size < s.bytes ||
			r.size > s.bytes + s.growth))
		return false;
	return mem_is_whole(f->data + at, f->size - at);
}

/* Moves to the next whole record. Returns false if there is none. */
static bool
find_record(struct memfile *f)
{
	size_t at = f->at;

	if (is_record(f, at, true))
		return true;
	while (at < f->size && !is_record(f, at, false))
		at += f->size - at < 8 ? f->size - at : 8;
	if (at >= f->size && f->size - f->at < MEM_RECORD_MAX) {
		/* A record is written in one call, but a full disk may cut
		 * it. */
		mem_findings_add(f->findings, f->path, f->at,
			"the last %zu bytes are not a whole record",
			f->size - f->at);
	} else {
		mem_findings_add(f->findings, f->path, f->at,
			"%zu bytes are damaged", at - f->at);
	}
	f->at = at;
	return at < f->size;
}

/* Returns how many bytes after its struct a record claims to have. */
static uint64_t
behind(const struct mem_record *r)
{
	switch (r->type) {
	case MEM_TEXT:
		return ((const struct mem_text *)r)->bytes;
	case MEM_MODULE:
		return ((const struct mem_module *)r)->path_bytes;
	case MEM_REGION:
		return ((const struct mem_region *)r)->bytes;
	case MEM_PATH:
		return 8ull * ((const struct mem_path *)r)->n;
	case MEM_OBJECT_NAME:
		return ((const struct mem_object_name *)r)->bytes;
	default:
		return 0;
	}
}

static bool
has_room(const struct mem_record *r, struct shape s)
{
	if (r->size < s.bytes || behind(r) > (uint64_t)r->size - s.bytes)
		return false;
	return r->type != MEM_MODULE ||
		((const struct mem_module *)r)->build_bytes <= 32;
}

const struct mem_record *
memfile_next(struct memfile *f)
{
	while (f->at < f->size && find_record(f)) {
		const struct mem_record *r = (const void *)(f->data + f->at);
		struct shape s = shape_of(r->type);
		size_t at = f->at;

		f->at += r->size;
		if (s.bytes == 0) {
			f->unknown++;
			continue;
		}
		if (has_room(r, s))
			return r;
		mem_findings_add(f->findings, f->path, at,
			"a record of type %u is shorter than its members",
			r->type);
	}
	return NULL;
}
