/* SPDX-License-Identifier: MIT */
/*
 * What comes in order, as nearly all does, is appended to one buffer; states
 * of one time are sorted there, as they are few. What is late, because
 * something after it is there already, goes to a second buffer. When one is
 * full, or has enough that a promise lets go, the late are sorted, and both are
 * merged with each other and with the runs of the spill file, and passed on up
 * to the promise. What is left moves to the front, or becomes a run if it is
 * more than half. So everything in a run came before everything in later runs
 * and in the buffers, and equal entries go by the number of their source. Of
 * equal entries, one in order came before one that is late: that one was below
 * the last in order, and what came after it in order is not.
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

/* Entries one after the other. */
struct part {
	char *buf; /* owned */
	size_t used, room;
};

struct order {
	struct sink base;
	struct sink *next; /* owned: closed with this one */
	struct part sorted;
	int64_t time; /* of its last entry; INT64_MIN: there is none */
	size_t last;  /* where that is */
	size_t group; /* where states of this time begin, in order of arrival */
	bool closed;  /* no more of them may be put there */
	size_t at;    /* what was passed on ends here */
	struct part late;
	struct entry_key *keys; /* owned: of the late, sorted, then scratch */
	size_t keys_room;
	size_t n, taken;     /* keys, and how many were passed on */
	size_t wake;         /* worth passing on when so much is sorted */
	struct source *heap; /* of sources, the next one first; owned */
	size_t heap_n;
	struct spill spill;
	int64_t promise;
	uint64_t broken; /* records later than promised */
};

/* An entry without a stack, on its own. */
union single {
	struct entry e;
	char bytes[ENTRY_LINK_BYTES];
};

static inline uint64_t
place_at(const void *entry)
{
	return ((const struct entry *)entry)->place;
}

/* The states of one time that came last, which are few. */
static void
sort_group(struct order *o)
{
	const size_t step = ENTRY_MIN_BYTES;
	char *first = o->sorted.buf + o->group;

	for (size_t i = o->group + step; i < o->sorted.used; i += step) {
		char *at = o->sorted.buf + i, *to = at;
		union single s;

		if (place_at(at - step) <= place_at(at))
			continue;
		memcpy(&s, at, step);
		for (; to > first && place_at(to - step) > s.e.place;
			to -= step)
			memcpy(to, to - step, step);
		memcpy(to, &s, step);
	}
}

static void
sort_late(struct order *o)
{
	size_t n = 0;

	for (size_t at = 0; at < o->late.used; n++)
		at += entry_size((const void *)(o->late.buf + at));
	if (2 * n > o->keys_room) {
		o->keys = mem_resize(o->keys, 2 * n, sizeof *o->keys);
		o->keys_room = 2 * n;
	}
	o->n = n;
	o->taken = 0;
	for (size_t at = 0, i = 0; i < n; i++) {
		const struct entry *e = (const void *)(o->late.buf + at);

		o->keys[i] = (struct entry_key){ e->time, e };
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

/* The next one of the sorted and the late, or NULL. */
static inline const struct entry *
window_head(const struct order *o)
{
	const struct entry *e = (const void *)(o->sorted.buf + o->at);
	const struct entry *late;

	if (__builtin_expect(o->taken == o->n, 1))
		return o->at < o->sorted.used ? e : NULL;
	late = o->keys[o->taken].entry;
	return o->at < o->sorted.used && entry_compare(e, late) <= 0 ? e : late;
}

static inline void
window_next(struct order *o, const struct entry *head)
{
	if (o->taken < o->n && head == o->keys[o->taken].entry)
		o->taken++;
	else
		o->at += entry_size(head);
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
		window_next(o, s->head);
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

/* Passes on what is sorted and not later than that. */
static void
pass_sorted(struct order *o, int64_t time)
{
	const char *buf = o->sorted.buf;
	size_t at = o->at, end = o->sorted.used;

	while (at < end) {
		const struct entry *e = (const void *)(buf + at);

		if (e->time > time)
			break;
		if (__builtin_expect(e->kind == ENTRY_STATE, 1))
			at += ENTRY_MIN_BYTES;
		else
			at += entry_size(e);
		entry_pass(e, o->next);
	}
	o->at = at;
}

/* The same of both, in their order. */
static void
pass_window(struct order *o, int64_t limit)
{
	const struct entry *e;

	while (o->taken < o->n && o->keys[o->taken].time <= limit) {
		pass_sorted(o, o->keys[o->taken].time - 1);
		e = window_head(o);
		window_next(o, e);
		entry_pass(e, o->next);
	}
	pass_sorted(o, limit);
}

/* Passes on what lies up to the limit. */
static void
pass_until(struct order *o, int64_t limit)
{
	if (o->spill.err.kind != ERR_NONE)
		return;
	sort_group(o);
	sort_late(o);
	if (spill_has(&o->spill, limit))
		merge(o, limit);
	else
		pass_window(o, limit);
}

/* The late that were passed on; the others stay in order of arrival. */
static void
forget_late(struct order *o, int64_t limit)
{
	size_t to = 0;

	for (size_t at = 0; o->taken < o->n && at < o->late.used;) {
		const struct entry *e = (const void *)(o->late.buf + at);
		size_t size = entry_size(e);

		if (e->time > limit) {
			memmove(o->late.buf + to, e, size);
			to += size;
		}
		at += size;
	}
	o->late.used = to;
	o->n = o->taken = 0;
}

/* Forgets what was passed on. Nothing late is left where nothing sorted is:
 * something that came before it lay behind it. */
static void
forget_until(struct order *o, int64_t limit)
{
	forget_late(o, limit);
	o->sorted.used -= o->at;
	memmove(o->sorted.buf, o->sorted.buf + o->at, o->sorted.used);
	o->last -= o->at;
	o->at = 0;
	o->group = o->sorted.used;
	o->closed = true;
	if (o->sorted.used == 0)
		o->time = INT64_MIN;
}

static void
forget_all(struct order *o)
{
	o->at = o->sorted.used;
	o->taken = o->n;
	forget_until(o, INT64_MAX);
}

static void
spill_rest(struct order *o)
{
	const struct entry *e;

	spill_begin(&o->spill);
	while ((e = window_head(o)) != NULL) {
		spill_add(&o->spill, e);
		window_next(o, e);
	}
	spill_end(&o->spill);
	forget_all(o);
}

static size_t
late_bytes(const struct order *o)
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
	if (o->spill.err.kind != ERR_NONE)
		forget_all(o);
	else if (o->sorted.used - o->at > o->sorted.room / 2 ||
		late_bytes(o) > o->late.room / 2)
		spill_rest(o);
	else
		forget_until(o, limit);
	o->wake = 2 * o->sorted.used + o->sorted.room / 8;
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

/* Room for an entry of that size; a very large one makes the part grow. */
static void
make_room(struct order *o, struct part *part, size_t size)
{
	if (part->used > 0)
		drain(o, before_promise(o));
	if (size <= part->room - part->used)
		return;
	part->room = part->used + size;
	part->buf = mem_resize(part->buf, part->room, 1);
}

static struct part *
part_of(struct order *o, const struct entry *e)
{
	bool late = e->time < o->time;

	if (e->time == o->time)
		late = entry_compare(e, (void *)(o->sorted.buf + o->last)) < 0;
	return late ? &o->late : &o->sorted;
}

/* Room for an entry of that size, which goes where `key` belongs. What follows
 * must not come before it: if it is of the last states' time, no more are put
 * to them. */
static void *
add(struct order *o, const struct entry *key, size_t size)
{
	struct part *part;

	sort_group(o);
	part = part_of(o, key);
	for (; size > part->room - part->used; part = part_of(o, key))
		make_room(o, part, size);
	if (part == &o->sorted) {
		o->last = part->used;
		o->time = key->time;
	}
	part->used += size;
	if (key->time == o->time) {
		o->group = o->sorted.used;
		o->closed = true;
	}
	return part->buf + part->used - size;
}

/* A state that cannot just be put among the last ones. */
static void __attribute__((noinline))
add_state(struct order *o, const struct record *r)
{
	union single key;
	struct entry *e;

	entry_set_flat(&key.e, r);
	if (!o->base.takes_stacks || r->stack == NULL) {
		memcpy(add(o, &key.e, ENTRY_MIN_BYTES), &key, ENTRY_MIN_BYTES);
		return;
	}
	e = add(o, &key.e, entry_state_size(r));
	entry_set_state(e, r);
}

/* Room for a flat state behind the last ones, or NULL. */
static inline struct entry *
place(struct order *o, int64_t time)
{
	size_t at = o->sorted.used;

	if (__builtin_expect(o->sorted.room - at < ENTRY_MIN_BYTES, 0))
		return NULL;
	if (time > o->time) {
		sort_group(o);
		o->time = time;
		o->group = at;
		o->closed = false;
	} else if (time < o->time || o->closed) {
		return NULL;
	}
	o->last = at;
	o->sorted.used = at + ENTRY_MIN_BYTES;
	return (void *)(o->sorted.buf + at);
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
		__builtin_expect((e = place(o, r->time)) == NULL, 0))
		add_state(o, r);
	else
		entry_set_flat(e, r);
}

static void
order_link(struct sink *s, const struct link *l)
{
	struct order *o = (struct order *)s;
	union single key;

	entry_set_link(&key.e, l);
	key.e.time = keep_promise(o, l->from_time);
	if (key.e.word[2] < key.e.time)
		key.e.word[2] = key.e.time;
	memcpy(add(o, &key.e, ENTRY_LINK_BYTES), &key, ENTRY_LINK_BYTES);
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
	if (o->sorted.used >= o->wake) {
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
			&(struct loss){
				"records later than promised", o->broken });
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
	mem_free(o->sorted.buf);
	mem_free(o->late.buf);
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
 * Of the window 3/8 hold what is in order, 3/16 what is late, and 1/4 is for
 * spilling. A state takes 32 bytes, as do its two keys, so that the keys take
 * 3/16 at most.
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
	o->sorted.room = (window_bytes / 8 * 3) & ~(size_t)7;
	o->late.room = (window_bytes / 16 * 3) & ~(size_t)7;
	o->sorted.buf = mem_resize(NULL, o->sorted.room, 1);
	o->late.buf = mem_resize(NULL, o->late.room, 1);
	o->wake = o->sorted.room / 8;
	o->time = o->promise = INT64_MIN;
	spill_init(&o->spill, a, spill_dir, window_bytes / 4);
	return &o->base;
}
