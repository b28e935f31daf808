/* SPDX-License-Identifier: MIT */
/*
 * Records wait in memory (pending.h). When memory is full, or when a promise
 * releases enough of them, they are sorted, merged with the runs of the spill
 * file, and passed on up to the promise. If the remaining records are more than
 * half of a buffer, they are written as a new spill run; else they stay in
 * memory. So everything in a spill run arrived before everything in later spill
 * runs and in memory, and equal entries are ordered by the number of their
 * source.
 */
#include "export/order.h"

#include <string.h>

#include "base/arena.h"
#include "export/entry.h"
#include "export/pending.h"
#include "export/spill.h"

#define WINDOW_MIN 4096u

/* A sorted stream: a spill run, or the entries in memory. */
struct source {
	const struct entry *head;
	int run; /* number of the spill run; for memory, the number of spill
	          * runs */
};

struct order {
	struct sink base;
	struct sink *next; /* owned: closed with this sink */
	struct pending pending;
	size_t wake;         /* bytes of sorted entries from which passing on
	                      * is worthwhile */
	struct source *heap; /* heap of sources, the smallest first; owned */
	size_t heap_n;
	struct spill spill;
	int64_t promise;
	uint64_t broken; /* records earlier than promised */
};

static bool
goes_first(const struct source *a, const struct source *b)
{
	int c = entry_compare(a->head, b->head);

	return c != 0 ? c < 0 : a->run < b->run;
}

/*
 * Restores the heap below i. base/loser does not suffice: the order of entries
 * of one time depends on more data than the key of a loser tree can hold.
 */
static void
sift_down(struct order *o, size_t i)
{
	struct source s = o->heap[i];

	for (size_t child; (child = 2 * i + 1) < o->heap_n; i = child) {
		if (child + 1 < o->heap_n &&
			goes_first(&o->heap[child + 1], &o->heap[child]))
			child++;
		if (!goes_first(&o->heap[child], &s))
			break;
		o->heap[i] = o->heap[child];
	}
	o->heap[i] = s;
}

static void
add_source(struct order *o, int run, const struct entry *head)
{
	if (head != NULL)
		o->heap[o->heap_n++] = (struct source){ head, run };
}

/* Moves the first source to its next entry. */
static void
next_entry(struct order *o)
{
	struct source *s = &o->heap[0];

	if (s->run == o->spill.runs.n) {
		pending_next(&o->pending, s->head);
		s->head = pending_head(&o->pending);
	} else {
		spill_next(&o->spill, s->run);
		s->head = spill_head(&o->spill, s->run);
	}
	if (s->head == NULL)
		*s = o->heap[--o->heap_n];
	if (o->heap_n > 0)
		sift_down(o, 0);
}

static void
merge(struct order *o, int64_t limit)
{
	int runs = o->spill.runs.n;

	o->heap = mem_resize(o->heap, (size_t)runs + 1, sizeof *o->heap);
	o->heap_n = 0;
	spill_read(&o->spill);
	for (int i = 0; i < runs; i++)
		if (o->spill.runs.at[i].first_time <= limit)
			add_source(o, i, spill_head(&o->spill, i));
	add_source(o, runs, pending_head(&o->pending));
	for (size_t i = o->heap_n; i-- > 0;)
		sift_down(o, i);
	while (o->heap_n > 0 && o->heap[0].head->time <= limit &&
		o->spill.file.err.kind == ERR_NONE) {
		entry_pass(o->heap[0].head, o->next);
		next_entry(o);
	}
	spill_read_end(&o->spill);
}

/* Passes on all entries up to the limit. */
static void
pass_until(struct order *o, int64_t limit)
{
	if (o->spill.file.err.kind != ERR_NONE)
		return;
	pending_sort(&o->pending);
	if (spill_has(&o->spill, limit))
		merge(o, limit);
	else
		pending_pass(&o->pending, limit, o->next);
}

static void
spill_rest(struct order *o)
{
	const struct entry *e;

	spill_begin(&o->spill);
	while ((e = pending_head(&o->pending)) != NULL) {
		spill_add(&o->spill, e);
		pending_next(&o->pending, e);
	}
	spill_end(&o->spill);
	pending_clear(&o->pending);
}

static void
drain(struct order *o, int64_t limit)
{
	pass_until(o, limit);
	if (o->spill.file.err.kind != ERR_NONE)
		pending_clear(&o->pending);
	else if (pending_is_large(&o->pending))
		spill_rest(o);
	else
		pending_forget(&o->pending, limit);
	o->wake = 2 * o->pending.sorted.used + o->pending.sorted.room / 8;
}

static int64_t
before_promise(const struct order *o)
{
	return o->promise - (o->promise > INT64_MIN);
}

static int64_t
keep_promise(struct order *o, int64_t time)
{
	if (__builtin_expect(time >= o->promise, 1))
		return time;
	o->broken++;
	return o->promise;
}

/* Makes room for an entry of `size` bytes; grows the part if a single entry
 * does not fit. */
static void
make_room(struct order *o, struct pending_part *part, size_t size)
{
	if (part->used > 0)
		drain(o, before_promise(o));
	pending_grow(part, size);
}

/* Returns room for an entry of `size` bytes, in the part where `key`
 * belongs. */
static void *
add(struct order *o, const struct entry *key, size_t size)
{
	struct pending *p = &o->pending;
	struct pending_part *part;

	pending_sort_last(p);
	part = pending_part(p, key);
	for (; size > part->room - part->used; part = pending_part(p, key))
		make_room(o, part, size);
	return pending_add(p, part, key, size);
}

/* Adds a state that cannot simply be appended to the last entries. */
static void __attribute__((noinline))
add_state(struct order *o, const struct record *r)
{
	union pending_single key;
	struct entry *e;

	entry_set_flat(&key.e, r);
	if (!o->base.takes_stacks || r->stack == NULL) {
		memcpy(add(o, &key.e, ENTRY_MIN_BYTES), &key, ENTRY_MIN_BYTES);
		return;
	}
	e = add(o, &key.e, entry_state_size(r));
	entry_set_state(e, r);
}

static void
order_state(struct sink *s, const struct record *r)
{
	struct order *o = (struct order *)s;
	struct record kept;
	struct entry *e;

	if (__builtin_expect(r->time < o->promise, 0)) {
		kept = *r;
		kept.time = keep_promise(o, r->time);
		r = &kept;
	}
	if (__builtin_expect(o->base.takes_stacks && r->stack != NULL, 0) ||
		__builtin_expect(
			(e = pending_slot(&o->pending, r->time)) == NULL, 0))
		add_state(o, r);
	else
		entry_set_flat(e, r);
}

/* Adds an entry with a beginning and an end; word[end] is the end. */
static void
add_interval(struct order *o, struct entry *e, int end)
{
	e->time = keep_promise(o, e->time);
	if (e->word[end] < e->time)
		e->word[end] = e->time;
	memcpy(add(o, e, entry_size(e)), e, entry_size(e));
}

static void
order_link(struct sink *s, const struct link *l)
{
	union pending_single single;

	entry_set_link(&single.e, l);
	add_interval((struct order *)s, &single.e, 2);
}

static void
order_gap(struct sink *s, const struct gap *g)
{
	union pending_single single;

	entry_set_gap(&single.e, g);
	add_interval((struct order *)s, &single.e, 0);
}

static void
order_row(struct sink *s, const struct row *row)
{
	sink_row(((struct order *)s)->next, row);
}

static void
order_type(struct sink *s, const struct type *type)
{
	sink_type(((struct order *)s)->next, type);
}

static void
order_panel(struct sink *s, const struct panel *panel)
{
	sink_panel(((struct order *)s)->next, panel);
}

static void
order_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	sink_label(((struct order *)s)->next, type, value, text, meaning);
}

static void
order_rename(struct sink *s, uint32_t row, const char *name)
{
	sink_rename(((struct order *)s)->next, row, name);
}

static void
order_link_kind(struct sink *s, const struct link_kind *kind)
{
	sink_link_kind(((struct order *)s)->next, kind);
}

static void
order_finding(struct sink *s, const struct sink_finding *f)
{
	sink_finding(((struct order *)s)->next, f);
}

static void
order_advance(struct sink *s, int64_t time)
{
	struct order *o = (struct order *)s;

	if (time <= o->promise)
		return;
	o->promise = time;
	if (o->pending.sorted.used >= o->wake) {
		drain(o, before_promise(o));
		sink_advance(o->next, time);
	}
}

static void
order_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	struct order *o = (struct order *)s;

	if (o->broken > 0)
		fn(arg,
			&(struct loss){ .what = "exact times of late records",
				.count = o->broken });
	sink_loss(o->next, fn, arg);
}

bool
order_finish(struct sink *s, struct err *err)
{
	struct order *o = (struct order *)s;
	bool ok;

	if (o->promise > INT64_MIN) {
		pass_until(o, before_promise(o));
		pending_forget(&o->pending, before_promise(o));
		sink_advance(o->next, o->promise);
	}
	pass_until(o, INT64_MAX);
	ok = o->spill.file.err.kind == ERR_NONE;
	if (!ok)
		*err = o->spill.file.err;
	spill_fini(&o->spill);
	pending_fini(&o->pending);
	mem_free(o->heap);
	return ok;
}

static bool
order_close(struct sink *s, struct err *err)
{
	struct sink *next = ((struct order *)s)->next;
	struct err late = { 0 };
	bool ok = order_finish(s, err);

	if (sink_close(next, &late))
		return ok;
	if (ok)
		*err = late;
	return false;
}

static const struct sink_ops order_ops = {
	.name = "order",
	.help = "puts records in time order for the next sink",
	.row = order_row,
	.type = order_type,
	.label = order_label,
	.panel = order_panel,
	.state = order_state,
	.link = order_link,
	.rename = order_rename,
	.link_kind = order_link_kind,
	.gap = order_gap,
	.finding = order_finding,
	.advance = order_advance,
	.loss = order_loss,
	.close = order_close,
};

/*
 * Of the window, 3/8 are for entries in order, 3/16 for late ones, and 1/4 for
 * spilling. A late state takes 32 bytes, and so do its two keys: the keys take
 * another 3/16 at most.
 */
struct sink *
order_open(struct arena *a, struct sink *next, size_t window_bytes,
	const char *spill_dir, struct err *err)
{
	struct order *o = ARENA_NEW(a, struct order);

	(void)err;
	if (window_bytes < WINDOW_MIN)
		window_bytes = WINDOW_MIN;
	o->base.ops = &order_ops;
	o->base.takes_stacks = next->takes_stacks;
	o->next = next;
	pending_init(&o->pending, (window_bytes / 8 * 3) & ~(size_t)7,
		(window_bytes / 16 * 3) & ~(size_t)7);
	o->wake = o->pending.sorted.room / 8;
	o->promise = INT64_MIN;
	spill_init(&o->spill, a, spill_dir, window_bytes / 4);
	return &o->base;
}
