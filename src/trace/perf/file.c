/* SPDX-License-Identifier: MIT */
#include "trace/perf/file.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/file.h"
#include "trace/perf/swap.h"

#define EVENTS_MAX 4096
#define SECTION_MAX (64u << 20)
#define CPUS_MAX 8192
#define BUILDS_MAX 65536
#define BUILD_ID_ROOM 24          /* bytes of an id with its size */
#define BUILD_HAS_SIZE (1u << 15) /* misc of an entry of build ids */

enum {
	HEADER = 104, /* bytes of the header of a file */
	HEADER_PIPE = 16,
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILDS = 2,
	FEATURE_HOST = 3,
	FEATURE_CPUS = 7,
	FEATURE_EVENTS = 12,
	FEATURES = 256,
	UPDATE_NAME = 2,
};

static const char magic[8] = { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' };
static const char swapped[8] = { '2', 'E', 'L', 'I', 'F', 'R', 'E', 'P' };

struct section {
	uint64_t offset, size;
};

bool
perf_file_is(const char *path)
{
	char head[8];
	int fd;
	bool is;

	if (!file_is_regular(path))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	is = fd >= 0 && file_pread(fd, head, sizeof head, 0) == sizeof head &&
		(memcmp(head, magic, sizeof magic) == 0 ||
			memcmp(head, swapped, sizeof swapped) == 0);
	if (fd >= 0)
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

/* Returns a cursor that reads numbers in the byte order of the file. */
static struct bytes
ordered(const struct perf_file *f, const void *at, size_t n)
{
	struct bytes b = bytes_of(at, n);

	b.swap = f->swapped;
	return b;
}

/* Reads the bytes of a section, as far as the file has them. */
static struct bytes
load(struct perf_file *f, struct section s)
{
	uint64_t left = s.offset < f->size ? f->size - s.offset : 0;
	size_t n = (size_t)(s.size < left ? s.size : left);
	uint8_t *at;
	int64_t got;

	if (n == 0 || n > SECTION_MAX)
		return bytes_of(NULL, 0);
	at = arena_alloc(f->arena, n);
	got = file_pread(f->fd, at, n, (int64_t)s.offset);
	return ordered(f, at, got < 0 ? 0 : (size_t)got);
}

/* Adds an event. A newer perf has longer attributes, an older one shorter
 * ones. */
static bool
add_event(struct perf_file *f, const uint8_t *attr, size_t size,
	struct bytes ids, struct err *err)
{
	struct perf_file_event *e;

	if (f->event.n == EVENTS_MAX)
		return err_set(
			err, ERR_LIMIT, "more than %d events", EVENTS_MAX);
	e = VEC_ADD(&f->event, f->arena);
	memcpy(&e->attr, attr, size < sizeof e->attr ? size : sizeof e->attr);
	if (f->swapped)
		perf_swap_attr(&e->attr);
	e->name = "";
	while (bytes_left(&ids) >= 8)
		*map_put(&f->ids, bytes_u64(&ids)) = (uint64_t)f->event.n - 1;
	return true;
}

static const char *
take_text(struct perf_file *f, struct bytes *b)
{
	uint32_t n = bytes_u32(b);
	const uint8_t *at = bytes_take(b, n);

	return at == NULL ? NULL
			  : arena_strndup(f->arena, (const char *)at,
				    strnlen((const char *)at, n));
}

/* Returns the event with the first of the ids, or else the i-th. */
static struct perf_file_event *
described(struct perf_file *f, struct bytes ids, uint32_t i)
{
	const uint64_t *event = bytes_left(&ids) >= 8
		? map_get(&f->ids, bytes_u64(&ids))
		: NULL;

	if (event != NULL)
		return &f->event.at[*event];
	return i < (uint32_t)f->event.n ? &f->event.at[i] : NULL;
}

static void
read_names(struct perf_file *f, struct bytes b)
{
	uint32_t n = bytes_u32(&b), attr_size = bytes_u32(&b);

	for (uint32_t i = 0; i < n && !b.bad; i++) {
		struct perf_file_event *e;
		const uint8_t *ids;
		const char *name;
		uint32_t nids;

		bytes_take(&b, attr_size);
		nids = bytes_u32(&b);
		name = take_text(f, &b);
		ids = bytes_take(&b, 8ull * nids);
		if (b.bad)
			return;
		e = described(f, ordered(f, ids, 8ull * nids), i);
		if (e != NULL)
			e->name = name;
	}
}

/* Takes an entry of build ids, behind its header: PID, id, path. */
static void
take_build(struct perf_file *f, struct bytes b, bool has_size)
{
	const uint8_t *id;
	struct perf_build *to;

	bytes_u32(&b); /* PID; -1: a file of any process */
	id = bytes_take(&b, BUILD_ID_ROOM);
	if (id == NULL || bytes_left(&b) == 0 || f->builds.at.n == BUILDS_MAX)
		return;
	to = VEC_ADD(&f->builds.at, f->arena);
	to->path = arena_strndup(f->arena, (const char *)b.at,
		strnlen((const char *)b.at, bytes_left(&b)));
	to->size = has_size && id[PERF_BUILD_MAX] < PERF_BUILD_MAX
		? id[PERF_BUILD_MAX]
		: PERF_BUILD_MAX;
	memcpy(to->id, id, PERF_BUILD_MAX);
}

static void
read_builds(struct perf_file *f, struct bytes b)
{
	struct perf_event_header head;

	while (bytes_left(&b) > sizeof head) {
		const uint8_t *at;

		memcpy(&head, bytes_take(&b, sizeof head), sizeof head);
		if (f->swapped)
			perf_swap_header(&head);
		if (head.size <= sizeof head ||
			(at = bytes_take(&b, head.size - sizeof head)) == NULL)
			return;
		take_build(f, ordered(f, at, head.size - sizeof head),
			(head.misc & BUILD_HAS_SIZE) != 0);
	}
}

/* Features are optional, so damage in them is ignored. */
static void
take_feature(struct perf_file *f, uint64_t which, struct bytes b)
{
	uint32_t n;

	switch (which) {
	case FEATURE_TRACING_DATA:
		perf_tracing_read(&f->tracepoints, f->arena, b);
		break;
	case FEATURE_HOST:
		f->host = take_text(f, &b);
		break;
	case FEATURE_CPUS:
		bytes_u32(&b); /* CPUs that are online */
		n = bytes_u32(&b);
		f->ncpus = b.bad || n > CPUS_MAX ? 0 : n;
		break;
	case FEATURE_EVENTS:
		read_names(f, b);
		break;
	case FEATURE_BUILDS:
		read_builds(f, b);
		break;
	default:
		break;
	}
}

static bool
read_attrs(
	struct perf_file *f, struct section all, uint64_t size, struct err *err)
{
	struct bytes b = load(f, all);

	if (size < PERF_ATTR_SIZE_VER0 + 16 || size > 4096)
		return err_set(err, ERR_INPUT, "attributes of %llu bytes",
			(unsigned long long)size);
	while (bytes_left(&b) >= size) {
		const uint8_t *at = bytes_take(&b, (size_t)size - 16);

		if (!add_event(f, at, (size_t)size - 16,
			    load(f, read_section(&b)), err))
			return false;
	}
	return f->event.n > 0 || err_set(err, ERR_INPUT, "it has no event");
}

/* Reads the sections that follow the records, one for each bit that is set. */
static void
read_features(struct perf_file *f, const uint64_t *bits)
{
	struct bytes b = load(f, (struct section){ f->end, FEATURES * 16 });

	for (unsigned i = 0; i < FEATURES; i++) {
		struct section s;

		if ((bits[i / 64] >> i % 64 & 1) == 0)
			continue;
		s = read_section(&b);
		if (b.bad)
			return;
		if (i == FEATURE_TRACING_DATA || i == FEATURE_HOST ||
			i == FEATURE_CPUS || i == FEATURE_EVENTS ||
			i == FEATURE_BUILDS)
			take_feature(f, i, load(f, s));
	}
}

static bool
read_file_header(struct perf_file *f, struct bytes b, struct err *err)
{
	uint64_t attr_size = bytes_u64(&b), bits[4];
	struct section attrs = read_section(&b), data = read_section(&b);

	read_section(&b); /* event types, which old versions used */
	for (int i = 0; i < 4; i++)
		bits[i] = bytes_u64(&b);
	if (b.bad)
		return err_set(err, ERR_INPUT, "the header is cut");
	f->data = data.offset;
	f->end = data.size > UINT64_MAX - data.offset ? UINT64_MAX
						      : data.offset + data.size;
	/* perf sets the size at its end. */
	f->unfinished = data.size == 0;
	if (f->unfinished)
		f->end = f->size;
	if (!read_attrs(f, attrs, attr_size, err))
		return false;
	if (!f->unfinished)
		read_features(f, bits);
	return true;
}

bool
perf_file_read(struct perf_file *f, struct err *err)
{
	struct bytes b = load(f, (struct section){ 0, HEADER });
	const uint8_t *head = bytes_take(&b, sizeof magic);
	uint64_t size;

	f->swapped = b.swap =
		head != NULL && memcmp(head, swapped, sizeof swapped) == 0;
	size = bytes_u64(&b);
	if (b.bad)
		return err_set(err, ERR_INPUT, "the header is cut");
	f->is_pipe = size == HEADER_PIPE;
	if (!f->is_pipe)
		return read_file_header(f, b, err);
	f->data = HEADER_PIPE;
	f->end = UINT64_MAX;
	return true;
}

/* Takes an attribute with the ids that follow it. */
static bool
take_attr(struct perf_file *f, struct bytes b, struct err *err)
{
	uint32_t size = 0;

	if (bytes_left(&b) >= PERF_ATTR_SIZE_VER0)
		memcpy(&size, b.at + 4, sizeof size);
	if (f->swapped)
		size = __builtin_bswap32(size);
	if (size < PERF_ATTR_SIZE_VER0 || size > bytes_left(&b))
		return err_set(err, ERR_INPUT, "a damaged attribute");
	return add_event(f, bytes_take(&b, size), size, b, err);
}

static void
take_update(struct perf_file *f, struct bytes b)
{
	uint64_t kind = bytes_u64(&b), id = bytes_u64(&b);
	const uint64_t *event = map_get(&f->ids, id);

	if (b.bad || kind != UPDATE_NAME || event == NULL)
		return;
	f->event.at[*event].name = arena_strndup(f->arena, (const char *)b.at,
		strnlen((const char *)b.at, bytes_left(&b)));
}

bool
perf_file_take(struct perf_file *f, const uint8_t *record, size_t size,
	const uint8_t *more, size_t nmore, struct err *err)
{
	struct bytes b = ordered(f, record + 8, size - 8);
	uint32_t type;
	uint16_t misc;
	uint64_t which;

	memcpy(&type, record, sizeof type);
	switch (type) {
	case PERF_FILE_ATTR:
		return take_attr(f, b, err);
	case PERF_FILE_UPDATE:
		take_update(f, b);
		return true;
	case PERF_FILE_FEATURE:
		which = bytes_u64(&b);
		if (!b.bad && which != FEATURE_TRACING_DATA)
			take_feature(f, which, b);
		return true;
	case PERF_FILE_TRACING_DATA:
		perf_tracing_read(
			&f->tracepoints, f->arena, ordered(f, more, nmore));
		return true;
	case PERF_FILE_BUILD_ID:
		memcpy(&misc, record + 4, sizeof misc);
		take_build(f, b, (misc & BUILD_HAS_SIZE) != 0);
		return true;
	default:
		return true;
	}
}

const struct tracepoint *
perf_file_tracepoint(const struct perf_file *f, uint64_t id)
{
	for (int i = 0; i < f->tracepoints.at.n; i++)
		if (f->tracepoints.at.at[i]->id == id)
			return f->tracepoints.at.at[i];
	return NULL;
}

bool
perf_file_is_monotonic(const struct perf_file *f)
{
	for (int i = 0; i < f->event.n; i++)
		if (!f->event.at[i].attr.use_clockid ||
			f->event.at[i].attr.clockid != CLOCK_MONOTONIC)
			return false;
	return f->event.n > 0;
}

void
perf_file_fini(struct perf_file *f)
{
	map_fini(&f->ids);
}
