/* SPDX-License-Identifier: MIT */
/*
 * The window is a buffer of entries in order of arrival, with no index: a
 * record costs one copy. When the buffer is full, or has enough that a promise
 * lets go, it is sorted, merged with the runs of the spill file, and passed
 * on up to the promise. What is left moves to the front, or becomes a run if
 * it is more than half. So everything in a run came before everything in
 * later runs and in the window, and equal entries go by the number of their
 * source.
 */
#include "export/order.h"

#include <string.h>

#include "base/arena.h"
#include "export/entry.h"
#include "export/spill.h"

#define WINDOW_MIN 4096u

/* A sorted stream: a run of the spill file, or the window. */
struct source {
	const struct entry *head;
	int run; /* the window's is the number of runs */
};

struct order {
	struct sink base;
	struct sink *next; /* owned: closed with this one */
	char *buf;         /* owned */
	size_t used, room;
	size_t wake;            /* worth passing on when used is that much */
	struct entry_key *keys; /* owned: the window sorted, then scratch */
	size_t keys_room;
	size_t n, taken;     /* keys, and how many were passed on */
	struct source *heap; /* of sources, the next one first; owned */
	size_t heap_n;
	struct spill spill;
	int64_t promise;
	uint64_t late;
};

static void
sort_window(struct order *o)
{
	size_t n = 0;

	for (size_t at = 0; at < o->used; n++)
		at += entry_size((const void *)(o->buf + at));
	if (2 * n > o->keys_room) {
		o->keys = mem_resize(o->keys, 2 * n, sizeof *o->keys);
		o->keys_room = 2 * n;
	}
	o->n = n;
	o->taken = 0;
	n = 0;
	for (size_t at = 0; at < o->used; n++) {
		const struct entry *e = (const void *)(o->buf + at);

		o->keys[n] = (struct entry_key){ e->time, e };
		at += entry_size(e);
	}
	if (n > 0)
		entry_sort(o->keys, o->keys + n, n);
}

static bool
goes_first(const struct source *a, const struct source *b)
{
	int c = entry_compare(a->head, b->head);

	return c != 0 ? c < 0 : a->run < b->run;
}

/*
 * A heap, not base/loser: entries of one time are decided by more than fits
 * in a loser tree's key.
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

static const struct entry *
window_head(const struct order *o)
{
	return o->taken < o->n ? o->keys[o->taken].entry : NULL;
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
		o->taken++;
		s->head = window_head(o);
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
	add_source(o, runs, window_head(o));
	for (size_t i = o->heap_n; i-- > 0;)
		sift_down(o, i);
	while (o->heap_n > 0 && o->heap[0].head->time <= limit &&
		o->spill.err.kind == ERR_NONE) {
		entry_pass(o->heap[0].head, o->next);
		next_entry(o);
	}
	spill_read_end(&o->spill);
}

/* Passes on what lies up to the limit. */
static void
pass_until(struct order *o, int64_t limit)
{
	const struct entry *e;

	if (o->spill.err.kind != ERR_NONE)
		return;
	sort_window(o);
	if (spill_has(&o->spill, limit))
		merge(o, limit);
	else
		while ((e = window_head(o)) != NULL && e->time <= limit) {
			entry_pass(e, o->next);
			o->taken++;
		}
}

/* The window forgets what was passed on. */
static void
forget_until(struct order *o, int64_t limit)
{
	size_t to = 0;

	for (size_t at = 0; at < o->used;) {
		const struct entry *e = (const void *)(o->buf + at);
		size_t size = entry_size(e);

		if (e->time > limit) {
			memmove(o->buf + to, e, size);
			to += size;
		}
		at += size;
	}
	o->used = to;
}

static void
spill_rest(struct order *o)
{
	spill_begin(&o->spill);
	for (; o->taken < o->n; o->taken++)
		spill_add(&o->spill, o->keys[o->taken].entry);
	spill_end(&o->spill);
	o->used = 0;
}

static size_t
rest_bytes(const struct order *o)
{
	size_t bytes = 0;

	for (size_t i = o->taken; i < o->n; i++)
		bytes += entry_size(o->keys[i].entry);
	return bytes;
}

static void
drain(struct order *o, int64_t limit)
{
	pass_until(o, limit);
	if (rest_bytes(o) > o->room / 2)
		spill_rest(o);
	else
		forget_until(o, limit);
	if (o->spill.err.kind != ERR_NONE)
		o->used = 0;
	o->wake = 2 * o->used + o->room / 8;
}

static int64_t
before_promise(const struct order *o)
{
	return o->promise > INT64_MIN ? o->promise - 1 : INT64_MIN;
}

static int64_t
keep_promise(struct order *o, int64_t time)
{
	if (time >= o->promise)
		return time;
	o->late++;
	return o->promise;
}

/* Room for an entry, in its size; a very large one makes the window grow. */
static struct entry *
add(struct order *o, size_t size)
{
	struct entry *e;

	if (size > o->room - o->used) {
		drain(o, before_promise(o));
		if (size > o->room - o->used) {
			o->room = o->used + size;
			o->buf = mem_resize(o->buf, o->room, 1);
		}
	}
	e = (void *)(o->buf + o->used);
	o->used += size;
	return e;
}

static void
order_state(struct sink *s, const struct record *r)
{
	struct order *o = (struct order *)s;
	struct entry *e = add(o, entry_state_size(r));

	entry_set_state(e, r);
	e->time = keep_promise(o, r->time);
}

static void
order_link(struct sink *s, const struct link *l)
{
	struct order *o = (struct order *)s;
	struct entry *e = add(o, ENTRY_LINK_BYTES);

	entry_set_link(e, l);
	e->time = keep_promise(o, l->from_time);
	if (e->word[2] < e->time)
		e->word[2] = e->time;
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
order_label(struct sink *s, uint32_t type, int64_t value, const char *text)
{
	sink_label(((struct order *)s)->next, type, value, text);
}

static void
order_advance(struct sink *s, int64_t time)
{
	struct order *o = (struct order *)s;

	if (time <= o->promise)
		return;
	o->promise = time;
	if (o->used >= o->wake) {
		drain(o, before_promise(o));
		sink_advance(o->next, time);
	}
}

static void
order_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	struct order *o = (struct order *)s;

	if (o->late > 0)
		fn(arg,
			&(struct loss){
				"records later than promised", o->late });
	sink_loss(o->next, fn, arg);
}

bool
order_finish(struct sink *s, struct err *err)
{
	struct order *o = (struct order *)s;
	bool ok;

	if (o->promise > INT64_MIN) {
		pass_until(o, before_promise(o));
		forget_until(o, before_promise(o));
		sink_advance(o->next, o->promise);
	}
	pass_until(o, INT64_MAX);
	ok = o->spill.err.kind == ERR_NONE;
	if (!ok)
		*err = o->spill.err;
	spill_fini(&o->spill);
	mem_free(o->buf);
	mem_free(o->keys);
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
	.advance = order_advance,
	.loss = order_loss,
	.close = order_close,
};

/*
 * Of the window 3/8 hold entries and 1/4 is for spilling. A state takes 32
 * bytes, as do its two keys, so that the keys take 3/8 at most.
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
	o->next = next;
	o->room = (window_bytes / 8 * 3) & ~(size_t)7;
	o->buf = mem_resize(NULL, o->room, 1);
	o->wake = o->room / 8;
	o->promise = INT64_MIN;
	spill_init(&o->spill, a, spill_dir, window_bytes / 4);
	return &o->base;
}
