/* SPDX-License-Identifier: MIT */
#include "mem/db/perfdata.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/file.h"

#define MAGIC "PERFILE2"
#define MOST_BYTES (2ull << 30)
#define EVENTS_MOST 4096

enum {
	HEADER = 104, /* bytes of the file header; that of a pipe has 16 */
	FEATURE_BUILDS = 2,
	FEATURE_EVENTS = 12,
	BUILD_HAS_SIZE = 1 << 15, /* bit in `misc` of an entry */
	RECORD_COMPRESSED = 81,
};

struct section {
	uint64_t offset, size;
};

struct header {
	uint64_t size, attr_size;
	struct section attrs, data;
	uint64_t features[4];
};

bool
perfdata_is(const char *path)
{
	char magic[8];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is;

	if (fd < 0)
		return false;
	is = file_is_regular(path) &&
		file_pread(fd, magic, sizeof magic, 0) == sizeof magic &&
		memcmp(magic, MAGIC, sizeof magic) == 0;
	close(fd);
	return is;
}

static struct section
read_section(struct bytes *b)
{
	struct section s;

	s.offset = bytes_u64(b);
	s.size = bytes_u64(b);
	return s;
}

/* Returns the bytes of a section, cut at the end of the file. */
static struct bytes
open_section(struct perfdata *p, struct section s)
{
	uint64_t begin = s.offset < p->size ? s.offset : p->size;
	uint64_t left = p->size - begin;

	return bytes_of(p->data + begin, s.size < left ? s.size : left);
}

static bool
damaged(struct perfdata *p, const void *at, const char *what)
{
	if (p->damage == NULL) {
		p->damage = what;
		p->damaged_at = (uint64_t)((const char *)at - p->data);
	}
	return false;
}

static bool
read_header(struct perfdata *p, struct header *h, struct err *err)
{
	struct bytes b = bytes_of(p->data, p->size);

	if (p->size < 16 || memcmp(bytes_take(&b, 8), MAGIC, 8) != 0)
		return err_set(err, ERR_INPUT, "not a file of perf record");
	h->size = bytes_u64(&b);
	if (h->size == 16)
		return err_set(err, ERR_INPUT,
			"perf wrote it to a pipe, which weft cannot read: "
			"record "
			"with -o FILE");
	h->attr_size = bytes_u64(&b);
	h->attrs = read_section(&b);
	h->data = read_section(&b);
	read_section(&b); /* event types, used by old versions only */
	for (int i = 0; i < 4; i++)
		h->features[i] = bytes_u64(&b);
	if (b.bad || h->size < HEADER)
		return err_set(err, ERR_INPUT, "the header is cut");
	if (h->attr_size < PERF_ATTR_SIZE_VER0 + 16 || h->attr_size > 4096)
		return err_set(err, ERR_INPUT, "attributes of %llu bytes",
			(unsigned long long)h->attr_size);
	return true;
}

/* Copies an attribute. A newer kernel has a longer struct, an older one a
 * shorter struct. */
static void
copy_attr(struct perf_event_attr *attr, const uint8_t *at, size_t size)
{
	memset(attr, 0, sizeof *attr);
	memcpy(attr, at, size < sizeof *attr ? size : sizeof *attr);
}

static void
add_ids(struct perfdata *p, struct bytes b, int event)
{
	while (bytes_left(&b) >= 8)
		*map_put(&p->ids, bytes_u64(&b)) = (uint64_t)event;
}

static bool
read_attrs(struct perfdata *p, const struct header *h, struct err *err)
{
	struct bytes b = open_section(p, h->attrs);

	while (bytes_left(&b) >= h->attr_size && p->event.n < EVENTS_MOST) {
		const uint8_t *at = bytes_take(&b, h->attr_size - 16);
		struct perfdata_event *e = VEC_ADD(&p->event, p->arena);

		copy_attr(&e->attr, at, h->attr_size - 16);
		e->name = "";
		add_ids(p, open_section(p, read_section(&b)), p->event.n - 1);
	}
	if (p->event.n == 0)
		return err_set(err, ERR_INPUT, "has no event");
	return true;
}

/* Returns the event of a description: the event with its first id, or the
 * i-th. */
static struct perfdata_event *
described(struct perfdata *p, struct bytes ids, uint32_t i)
{
	uint64_t *event = NULL;

	if (bytes_left(&ids) >= 8)
		event = map_get(&p->ids, bytes_u64(&ids));
	if (event != NULL)
		return &p->event.at[*event];
	return i < (uint32_t)p->event.n ? &p->event.at[i] : NULL;
}

/* Reads the names of events. Names are optional, so damage is ignored. */
static void
read_names(struct perfdata *p, struct bytes b)
{
	uint32_t n = bytes_u32(&b);
	uint32_t attr_size = bytes_u32(&b);

	for (uint32_t i = 0; i < n && !b.bad; i++) {
		struct perfdata_event *e;
		const uint8_t *name, *ids;
		uint32_t n_ids, length;

		bytes_take(&b, attr_size);
		n_ids = bytes_u32(&b);
		length = bytes_u32(&b);
		name = bytes_take(&b, length);
		ids = bytes_take(&b, 8ull * n_ids);
		if (b.bad)
			return;
		e = described(p, bytes_of(ids, 8ull * n_ids), i);
		if (e != NULL)
			e->name = arena_strndup(p->arena, (const char *)name,
				strnlen((const char *)name, length));
	}
}

/* Reads build ids. An entry has a record header, a PID, 20 bytes of id and
 * their number. */
static void
read_builds(struct perfdata *p, struct bytes b)
{
	while (bytes_left(&b) > 8 + 28) {
		struct perf_event_header head;
		struct perfdata_build *new;
		const uint8_t *at;
		size_t name;

		memcpy(&head, bytes_take(&b, sizeof head), sizeof head);
		if (head.size <= sizeof head + 28 ||
			(at = bytes_take(&b, head.size - sizeof head)) == NULL)
			return;
		name = head.size - sizeof head - 28;
		new = VEC_ADD(&p->build, p->arena);
		new->path = arena_strndup(p->arena, (const char *)at + 28,
			strnlen((const char *)at + 28, name));
		new->bytes = sizeof new->id;
		if ((head.misc & BUILD_HAS_SIZE) && at[24] < new->bytes)
			new->bytes = at[24];
		memcpy(new->id, at + 4, sizeof new->id);
	}
}

/* Reads the sections of features, which follow the data: one for each set
 * bit. */
static void
read_features(struct perfdata *p, const struct header *h)
{
	struct section all = { h->data.offset + h->data.size, 256 * 16 };
	struct bytes b = open_section(p, all);

	for (unsigned bit = 0; bit < 256; bit++) {
		struct section s;

		if (!(h->features[bit / 64] & 1ull << bit % 64))
			continue;
		s = read_section(&b);
		if (b.bad)
			return;
		if (bit == FEATURE_BUILDS)
			read_builds(p, open_section(p, s));
		if (bit == FEATURE_EVENTS)
			read_names(p, open_section(p, s));
	}
}

static int
event_of(const struct perfdata *p, const void *at, size_t size)
{
	const uint64_t *event;

	if (p->event.n == 1)
		return 0;
	event = map_get(
		&p->ids, perf_record_id(&p->event.at[0].attr, at, size));
	return event != NULL ? (int)*event : 0;
}

static void
add_record(struct perfdata *p, const uint8_t *at, size_t size)
{
	struct perfdata_offset location = {
		.offset = (size_t)((const char *)at - p->data),
		.event = event_of(p, at, size),
	};
	struct perf_record r;

	if (perf_record_parse(
		    &r, &p->event.at[location.event].attr, at, size)) {
		location.time = r.time;
		VEC_PUSH(&p->record, p->arena, location);
	} else {
		p->bad++;
	}
}

static bool
read_records(struct perfdata *p, const struct header *h)
{
	struct bytes b = open_section(p, h->data);

	if (bytes_left(&b) < h->data.size)
		damaged(p, b.end, "the file ends before its data does");
	while (bytes_left(&b) > 0) {
		const uint8_t *at = b.at;
		struct perf_event_header head;

		if (bytes_left(&b) < sizeof head)
			return damaged(p, at, "the last record is cut");
		memcpy(&head, at, sizeof head);
		if (head.size < sizeof head)
			return damaged(p, at, "a record without a size");
		if (bytes_take(&b, head.size) == NULL)
			return damaged(p, at, "the last record is cut");
		if (head.type == RECORD_COMPRESSED)
			return damaged(p, at,
				"weft cannot read compressed records: record "
				"without -z");
		if (head.type < 64)
			add_record(p, at, head.size);
	}
	return true;
}

static int
by_time(const void *pa, const void *pb)
{
	const struct perfdata_offset *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

bool
perfdata_open(
	struct perfdata *p, struct arena *a, const char *path, struct err *err)
{
	struct header h = { 0 };

	*p = (struct perfdata){ .arena = a };
	p->data = file_read(a, path, MOST_BYTES, &p->size, err);
	if (p->data == NULL)
		return err_in(err, "%s", path);
	if (!read_header(p, &h, err) || !read_attrs(p, &h, err)) {
		perfdata_close(p);
		return err_in(err, "%s", path);
	}
	read_features(p, &h);
	read_records(p, &h);
	if (p->record.n > 0)
		qsort(p->record.at, (size_t)p->record.n, sizeof *p->record.at,
			by_time);
	return true;
}

static void
name_thread(struct perfdata *p, uint32_t tid, const char *name)
{
	*map_put(&p->comm, tid) = (uint64_t)(uintptr_t)name;
}

/* Keeps the thread names of a record for later records. */
static void
keep(struct perfdata *p, const struct perf_record *r)
{
	const char *name;

	switch (r->type) {
	case PERF_RECORD_COMM:
		name_thread(p, r->comm.tid, r->comm.name);
		break;
	case PERF_RECORD_FORK:
		name = perfdata_comm(p, r->task.ptid);
		if (name != NULL)
			name_thread(p, r->task.tid, name);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		p->lost += r->lost.n;
		break;
	default:
		break;
	}
}

const struct perfdata_event *
perfdata_next(struct perfdata *p, struct perf_record *r)
{
	while (p->next < p->record.n) {
		const struct perfdata_offset *at = &p->record.at[p->next++];
		const struct perfdata_event *e = &p->event.at[at->event];

		if (!perf_record_parse(r, &e->attr, p->data + at->offset,
			    p->size - at->offset))
			continue;
		keep(p, r);
		return e;
	}
	return NULL;
}

const char *
perfdata_comm(const struct perfdata *p, uint32_t tid)
{
	const uint64_t *name = map_get(&p->comm, tid);

	return name == NULL ? NULL : (const char *)(uintptr_t)*name;
}

void
perfdata_close(struct perfdata *p)
{
	map_fini(&p->ids);
	map_fini(&p->comm);
}
