/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "export/index/reader.h"

#define TOUCHES 32 /* parts that are read between two looks at page faults */
#define FAULTS 8   /* page faults before mapped pages are counted */
#define PARTS 8    /* parts of the file that are forgotten one after another */

/* Bytes of files that this process may have mapped. */
static atomic_size_t limit = (size_t)192 << 20;

struct opening {
	struct index *ix;
	struct arena *arena;
	struct widx_header head;
	struct reader_text text;
	struct err *err;
};

static bool
map_file(struct index *ix, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	void *at = MAP_FAILED;

	if (fd < 0)
		return err_set(err, ERR_SYSTEM, "cannot open %s", path);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		st.st_size >= (off_t)sizeof(struct widx_header))
		at = mmap(
			NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	else
		err_set(err, ERR_INPUT, "%s: not an index of a trace", path);
	close(fd);
	if (at == MAP_FAILED)
		return err_set(err, ERR_SYSTEM, "cannot read %s", path);
	madvise(at, (size_t)st.st_size, MADV_RANDOM);
	ix->map = (struct guard_map){ at, (size_t)st.st_size };
	ix->meta.bytes = (uint64_t)st.st_size;
	return true;
}

static bool
check_header(const struct widx_header *h, struct err *err)
{
	if (memcmp(h->magic, WIDX_MAGIC, sizeof h->magic) != 0)
		return err_set(err, ERR_INPUT, "not an index of a trace");
	if (h->order != WIDX_ORDER)
		return err_set(err, ERR_INPUT,
			"made on a machine with another order of bytes");
	if (h->version != WIDX_VERSION)
		return err_set(err, ERR_INPUT,
			"index of version %u, this build reads %d", h->version,
			WIDX_VERSION);
	if (h->check != XXH3_64bits(h, sizeof *h - sizeof h->check))
		return err_set(err, ERR_INPUT, "the header is damaged");
	if (h->end < 0 || memchr(h->unit, '\0', sizeof h->unit) == NULL)
		return err_set(err, ERR_INPUT, "the header is wrong");
	return true;
}

static const struct widx_section *
find(const struct widx_header *h, enum widx_kind kind)
{
	for (int i = 0; i < WIDX_SECTIONS; i++)
		if (h->section[i].kind == kind)
			return &h->section[i];
	return NULL;
}

/* Returns true if the section lies in the file. */
static bool
lies_inside(const struct index *ix, const struct widx_section *s)
{
	return s->offset % 8 == 0 && s->offset <= ix->map.size &&
		s->length <= ix->map.size - s->offset;
}

/* Sets the elements of a section that may be missing; *at is a pointer to
 * them, NULL before. */
static bool
take(struct opening *o, enum widx_kind kind, size_t size, void *at, uint64_t *n)
{
	const struct widx_section *s = find(&o->head, kind);
	const uint8_t *bytes = o->ix->map.at;

	*n = 0;
	if (s == NULL)
		return true;
	if (!lies_inside(o->ix, s) || s->length % size != 0)
		return err_set(
			o->err, ERR_INPUT, "section %d is cut", (int)kind);
	if (kind != WIDX_SUMS &&
		XXH3_64bits(bytes + s->offset, s->length) != s->check)
		return err_set(
			o->err, ERR_INPUT, "section %d is damaged", (int)kind);
	bytes += s->offset;
	memcpy(at, &bytes, sizeof bytes);
	*n = s->length / size;
	return true;
}

#define TAKE(o, kind, part) \
	take(o, kind, sizeof *(part).at, (void *)&(part).at, &(part).n)

/* Copies a section and appends NULs. A copy is needed because it must outlive
 * the file. */
static bool
copy(struct opening *o, enum widx_kind kind)
{
	READER_PART(char) part = { 0 };
	char *to;

	if (!TAKE(o, kind, part))
		return false;
	to = arena_alloc(o->arena, part.n + 1);
	if (part.n > 0)
		memcpy(to, part.at, part.n);
	o->text.at[kind] = to;
	o->text.size[kind] = part.n;
	return true;
}

static bool
find_chunks(struct opening *o)
{
	const struct widx_section *s = find(&o->head, WIDX_CHUNKS);
	struct index *ix = o->ix;

	/* The chunks must be followed by further bytes, because a record is
	 * read before its end is checked. */
	if (s == NULL || !lies_inside(ix, s) ||
		ix->map.size - s->offset - s->length < 64)
		return err_set(o->err, ERR_INPUT, "the chunks are cut");
	ix->chunks = (const uint8_t *)ix->map.at + s->offset;
	ix->chunks_at = s->offset;
	ix->chunks_size = s->length;
	return true;
}

/* Finds where the series of each type begin. The series must be in order. */
static bool
find_series(struct opening *o)
{
	struct index *ix = o->ix;
	uint32_t ntypes = ix->meta.ntypes, type = 0;

	ix->type_at = ARENA_ARRAY(o->arena, uint64_t, (size_t)ntypes + 1);
	for (uint64_t i = 0; i < ix->series.n; i++) {
		const struct widx_series *s = &ix->series.at[i];

		if (s->type >= ntypes || s->type < type ||
			s->row >= ix->meta.nrows || s->lane > INDEX_LANES ||
			s->nchunks == 0 || s->nchunks > ix->directory.n ||
			s->chunk > ix->directory.n - s->nchunks)
			return err_set(o->err, ERR_INPUT,
				"the table of series is wrong");
		while (type < s->type)
			ix->type_at[++type] = i;
	}
	while (type < ntypes)
		ix->type_at[++type] = ix->series.n;
	if (ix->series.n > INDEX_NONE - 1)
		return err_set(o->err, ERR_LIMIT, "too many series");
	ix->chunk =
		arena_array(o->arena, ix->directory.n + 1, sizeof *ix->chunk);
	return true;
}

static bool
read_sections(struct opening *o)
{
	struct index *ix = o->ix;

	if (!TAKE(o, WIDX_SERIES, ix->series) ||
		!TAKE(o, WIDX_DIRECTORY, ix->directory) ||
		!TAKE(o, WIDX_EXTENT, ix->extents) ||
		!TAKE(o, WIDX_LINKS, ix->links) ||
		!TAKE(o, WIDX_LINK_BLOCKS, ix->link_blocks) ||
		!TAKE(o, WIDX_LINK_ENDS, ix->link_ends) ||
		!TAKE(o, WIDX_TREES, ix->trees) ||
		!TAKE(o, WIDX_NODES, ix->nodes) ||
		!TAKE(o, WIDX_SUMS, ix->sums) ||
		!TAKE(o, WIDX_LENGTHS, ix->lengths) ||
		!TAKE(o, WIDX_TOTALS, ix->totals) ||
		!TAKE(o, WIDX_SUM_CHECKS, ix->sum_checks))
		return false;
	for (enum widx_kind kind = WIDX_META; kind <= WIDX_LOSSES; kind++)
		if (!copy(o, kind))
			return false;
	if (ix->link_ends.n != ix->links.n ||
		ix->link_blocks.n !=
			(ix->links.n + WIDX_BLOCK - 1) / WIDX_BLOCK)
		return err_set(o->err, ERR_INPUT,
			"the tables of links contradict each other");
	if (ix->sum_checks.n != (ix->sums.n + WIDX_PAGE - 1) / WIDX_PAGE)
		return err_set(o->err, ERR_INPUT,
			"the sums of groups have other checksums");
	ix->page =
		arena_array(o->arena, ix->sum_checks.n + 1, sizeof *ix->page);
	return find_chunks(o);
}

static bool
open_guarded(void *arg)
{
	struct opening *o = arg;
	struct index_meta *m = &o->ix->meta;

	memcpy(&o->head, o->ix->map.at, sizeof o->head);
	if (!check_header(&o->head, o->err) || !read_sections(o))
		return false;
	m->unit = arena_strdup(o->arena, o->head.unit);
	m->end = o->head.end;
	m->start_realtime = o->head.start_realtime;
	m->start_monotonic = o->head.start_monotonic;
	m->clock_error = o->head.clock_error;
	memcpy(m->generation, o->head.generation, sizeof m->generation);
	m->nrecords = o->head.nrecords;
	m->nseries = o->ix->series.n;
	m->nchunks = o->ix->directory.n;
	m->nlinks = o->ix->links.n;
	m->too_deep = o->head.too_deep;
	return reader_about(o->ix, o->arena, &o->text, o->err) &&
		find_series(o);
}

struct index *
index_open(struct arena *a, const char *path, struct err *err)
{
	struct index *ix = ARENA_NEW(a, struct index);
	struct opening o = { .ix = ix, .arena = a, .err = err };
	bool gone;

	guard_install();
	ix->touched = ARENA_NEW(a, atomic_uint);
	ix->forgotten = ARENA_NEW(a, atomic_uint);
	if (!map_file(ix, path, err))
		return NULL;
	if (!guard_call(&ix->map, open_guarded, &o, &gone)) {
		if (gone)
			err_set(err, ERR_INPUT, "cut while it was read");
		err_in(err, "%s", path);
		index_close(ix);
		return NULL;
	}
	reader_groups(ix, a);
	return ix;
}

void
index_close(struct index *ix)
{
	if (ix == NULL || ix->map.at == NULL)
		return;
	munmap((void *)(uintptr_t)ix->map.at, ix->map.size);
	ix->map.at = NULL;
}

static bool
read_last_byte(void *arg)
{
	const struct guard_map *map = arg;

	(void)((const volatile uint8_t *)map->at)[map->size - 1];
	return true;
}

bool
index_is_whole(const struct index *ix)
{
	struct guard_map map = ix->map;
	bool gone;

	return guard_call(&ix->map, read_last_byte, &map, &gone);
}

struct copying {
	const struct index *ix;
	void *to;
};

static bool
copy_totals(void *arg)
{
	const struct copying *c = arg;

	memcpy(c->to, c->ix->totals.at, c->ix->totals.n);
	return true;
}

struct sink_bytes
index_totals(const struct index *ix, struct arena *a)
{
	struct copying c = { .ix = ix };
	size_t n = ix->totals.n;
	bool gone;

	if (n == 0)
		return (struct sink_bytes){ 0 };
	c.to = arena_alloc(a, n);
	if (!guard_call(&ix->map, copy_totals, &c, &gone))
		return (struct sink_bytes){ 0 };
	return (struct sink_bytes){ c.to, n };
}

/* Returns the bytes of files that this process has mapped and that are
 * resident; 0 if the kernel does not tell. */
static size_t
resident(void)
{
	char text[128], *at = text;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n < 0 ? 0 : n] = '\0';
	for (int field = 0; field < 2; field++) {
		at = strchr(at, ' ');
		if (at == NULL)
			return 0;
		at++;
	}
	return (size_t)strtoull(at, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Returns true if this thread has had some page faults since this function last
 * returned true. Asking for their number is quicker than asking for resident
 * pages, which only grow by faults. */
static bool
has_faults(void)
{
	static _Thread_local long before;
	struct rusage usage;
	long now;

	if (getrusage(RUSAGE_THREAD, &usage) != 0)
		return true;
	now = usage.ru_minflt + usage.ru_majflt;
	if (now - before < FAULTS)
		return false;
	before = now;
	return true;
}

/* Gives the next part of the file back to the kernel. */
static void
forget_part(const struct index *ix)
{
	unsigned i = atomic_fetch_add(ix->forgotten, 1) % PARTS;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t part = (ix->map.size / PARTS / page + 1) * page, at = i * part;

	if (at < ix->map.size)
		madvise((char *)(uintptr_t)ix->map.at + at,
			part < ix->map.size - at ? part : ix->map.size - at,
			MADV_DONTNEED);
}

/* One fault may map as much as a huge page, so the number of bytes that were
 * read does not tell how many pages are mapped. */
void
reader_touch(const struct index *ix)
{
	unsigned n =
		atomic_fetch_add_explicit(ix->touched, 1, memory_order_relaxed);

	if (n % TOUCHES != 0 || !has_faults())
		return;
	for (int i = 0; i < PARTS && resident() > atomic_load(&limit); i++)
		forget_part(ix);
}

void
reader_expect(const void *bytes, size_t n)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t at = (uintptr_t)bytes / page * page;

	madvise((char *)at, (uintptr_t)bytes + n - at, MADV_WILLNEED);
}

void
index_limit_pages(size_t bytes)
{
	atomic_store(&limit, bytes);
}

void
index_forget_pages(const struct index *ix)
{
	madvise((void *)(uintptr_t)ix->map.at, ix->map.size, MADV_DONTNEED);
}

const struct index_meta *
index_meta(const struct index *ix)
{
	return &ix->meta;
}

bool
reader_query(struct index_query *q, bool (*fn)(void *arg), void *arg)
{
	bool gone, ok;

	if (q->state != INDEX_OK)
		return false;
	ok = guard_call(&q->ix->map, fn, arg, &gone);
	if (gone)
		q->state = INDEX_GONE;
	return ok && q->state == INDEX_OK;
}

bool
reader_damaged(struct index_query *q, const void *at)
{
	q->state = INDEX_DAMAGED;
	q->damaged_at = (uint64_t)((uintptr_t)at - (uintptr_t)q->ix->map.at);
	return false;
}

const char *
index_query_text(const struct index_query *q)
{
	static const char *const text[] = {
		[INDEX_OK] = "all is well",
		[INDEX_DAMAGED] = ("a part of the index is damaged: remove "
				   "timeline.widx, and weft view makes it "
				   "again"),
		[INDEX_GONE] = "the index was cut while it was open",
		[INDEX_BUDGET] = ("too many records for one question: choose "
				  "a shorter range, or fewer rows"),
		[INDEX_STOPPED] = "stopped",
	};

	return text[q->state];
}
