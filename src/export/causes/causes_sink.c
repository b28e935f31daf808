/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "export/causes/causes_sink.h"
#include "export/wait_values.h"

/* The key of LIFE is given by the caller. */
static const char *const keys[SLOTS] = { NULL, "wait.reason", "wait.wait",
	"mpi.function", "openmp.subsystem", "wait.object", "wait.line",
	"wait.region", "wait.short", "wait.place" };

const char *cause_class_name(enum cause_class class)
{
	static const char *const names[CAUSE_CLASSES] = {
		[CAUSE_COMPUTE] = "compute",
		[CAUSE_OPENMP] = "OpenMP wait",
		[CAUSE_LOCK] = "lock",
		[CAUSE_SYNC] = "wait for threads",
		[CAUSE_MPI] = "MPI",
		[CAUSE_IO] = "I/O",
		[CAUSE_SLEEP] = "sleep",
		[CAUSE_READY] = "ready",
		[CAUSE_BLOCKED] = "blocked",
		[CAUSE_STOPPED] = "stopped",
		[CAUSE_IDLE] = "idle",
	};

	return names[class];
}

static uint64_t
label_key(enum slot slot, int64_t value)
{
	return (uint64_t)slot << 56 ^ (uint64_t)value;
}

const struct label *
causes_label(const struct causes_sink *s, enum slot slot, int64_t value)
{
	const uint64_t *at = map_get(&s->labels, label_key(slot, value));

	return at == NULL ? NULL : &s->label.at[*at - 1];
}

static enum meaning
meaning_of(const struct causes_sink *s, enum slot slot, int64_t value)
{
	const struct label *l;

	if ((uint64_t)value < SMALL)
		return (enum meaning)s->small[slot][value];
	if (value == VALUE_NONE)
		return s->none[slot];
	l = causes_label(s, slot, value);
	return l == NULL ? MEANS_UNSAID : l->means;
}

static enum cause_class
class_of(enum slot slot, enum meaning means)
{
	switch (means) {
	case MEANS_LOCK:
		return CAUSE_LOCK;
	case MEANS_SYNC:
		return slot == OPENMP ? CAUSE_OPENMP : CAUSE_SYNC;
	case MEANS_COMMUNICATION:
		return CAUSE_MPI;
	case MEANS_IO:
		return CAUSE_IO;
	case MEANS_SLEEP:
		return CAUSE_SLEEP;
	case MEANS_IDLE:
	case MEANS_SEARCH:
		return CAUSE_IDLE;
	default:
		return CAUSE_COMPUTE;
	}
}

/* Returns what the kernel says that the thread does: MEANS_TASK if it runs,
 * MEANS_READY, or another meaning if it is blocked. Where only switches are
 * known, which a trace with wakeups may have, the thread's state tells that: a
 * thread that cools down or warms up (MEANS_OVERHEAD) is active and records
 * events, so it runs. */
static enum meaning
reason_of(const struct causes_sink *s, const struct thread_row *r)
{
	enum slot slot = r->value[REASON] != VALUE_NONE ? REASON : LIFE;
	enum meaning means = meaning_of(s, slot, r->value[slot]);

	return means == MEANS_OVERHEAD ? MEANS_TASK : means;
}

/* Returns true if the runtime of OpenMP works, and the kernel says that it is
 * blocked: it waits for its threads, though it does not call that a wait. */
static bool
is_blocked_runtime(enum meaning runtime, enum meaning reason)
{
	return runtime != MEANS_TASK && reason != MEANS_UNSAID &&
		reason != MEANS_TASK && reason != MEANS_READY;
}

static enum follows
follows_of(int64_t wait)
{
	if (wait == WAIT_JOIN)
		return FOLLOWS_THREAD;
	return wait == WAIT_CHILD ? FOLLOWS_PROCESS : FOLLOWS_NOTHING;
}

/* Returns the object in the key of a wait. */
static int64_t
object_of(const struct thread_row *r, enum slot slot)
{
	return slot == WAIT && follows_of(r->value[WAIT]) == FOLLOWS_NOTHING
		? r->value[OBJECT]
		: VALUE_NONE;
}

/* Returns the line of a wait. For one in OpenMP this is its region, if the wait
 * belongs to that or its place is not known. */
static int64_t
line_of(const struct thread_row *r, enum slot slot)
{
	if (slot == WAIT)
		return r->value[LINE];
	return r->value[PLACE] == VALUE_NONE || r->value[PLACE] == VALUE_LOST ||
			(slot == OPENMP && openmp_is_of_region(r->value[slot]))
		? r->value[REGION]
		: r->value[PLACE];
}

/* Returns what the thread waits for, and its class. reason: what the kernel
 * says that it does. */
static struct key
waits_for(const struct causes_sink *s, const struct thread_row *r,
	enum meaning reason, enum cause_class *class)
{
	static const enum slot order[] = { WAIT, MPI, OPENMP };

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		enum slot slot = order[i];
		int64_t value = r->value[slot];
		enum meaning means;

		if (value == VALUE_NONE)
			continue;
		means = meaning_of(s, slot, value);
		*class = class_of(slot, means);
		if (slot == WAIT && *class == CAUSE_SYNC &&
			wait_is_openmp(value))
			*class = CAUSE_OPENMP;
		if (slot == OPENMP && *class == CAUSE_COMPUTE &&
			is_blocked_runtime(means, reason))
			*class = CAUSE_OPENMP;
		if (*class != CAUSE_COMPUTE)
			return (struct key){ slot, value, object_of(r, slot),
				line_of(r, slot) };
	}
	*class = CAUSE_COMPUTE;
	return (struct key){ LIFE, VALUE_NONE, VALUE_NONE, VALUE_NONE };
}

static bool
is_same(const struct key *a, const struct key *b)
{
	return a->slot == b->slot && a->state == b->state &&
		a->object == b->object && a->line == b->line;
}

struct sum *
causes_sum(struct causes_sink *s, const struct key *k)
{
	uint64_t h = (uint64_t)k->slot;
	uint64_t *at;

	h = (h ^ (uint64_t)k->state) * 0x9e3779b97f4a7c15u;
	h = (h ^ (uint64_t)k->object) * 0x9e3779b97f4a7c15u;
	h = (h ^ (uint64_t)k->line) * 0x9e3779b97f4a7c15u;
	for (;; h++) {
		at = map_put(&s->sums, h);
		if (*at == 0)
			break;
		if (is_same(&s->sum.at[*at - 1].key, k))
			return &s->sum.at[*at - 1];
	}
	VEC_PUSH(&s->sum, s->arena, ((struct sum){ .key = *k }));
	*at = (uint64_t)s->sum.n;
	return &s->sum.at[s->sum.n - 1];
}

/* Returns the sum of the row's current wait, which is often that of its last
 * one. */
static struct sum *
sum_of_row(struct causes_sink *s, struct thread_row *r)
{
	struct sum *sum;

	if (r->sum != 0 && is_same(&s->sum.at[r->sum - 1].key, &r->wait))
		return &s->sum.at[r->sum - 1];
	sum = causes_sum(s, &r->wait);
	r->sum = (int)(sum - s->sum.at) + 1;
	return sum;
}

/* Returns the link that ended the current wait, or NULL: a link that ends with
 * the wait, else a wakeup during the wait, because a thread that is woken still
 * waits until it has a CPU. */
static const struct ended *
ended_by(const struct thread_row *r)
{
	if (r->link.from >= r->since && r->link.to == r->time)
		return &r->link;
	return r->wakeup.from >= r->since ? &r->wakeup : NULL;
}

/* Adds to the time of what a wait was for. */
static void
add_object(struct causes_sink *s, struct sum *sum, const struct thread_row *r)
{
	uint64_t h = ((uint64_t)(sum - s->sum.at) + 1) * 0x9e3779b97f4a7c15u;
	uint64_t *at = map_put(&s->objects, h ^ (uint64_t)r->object);

	sum->nobjects += *at == 0;
	*at += (uint64_t)r->waited + (*at == 0);
	if ((int64_t)*at <= sum->object_time)
		return;
	sum->object_time = (int64_t)*at;
	sum->longest = r->object;
}

void
causes_end_wait(struct causes_sink *s, struct thread_row *r, bool is_open)
{
	const struct ended *by;
	struct sum *sum;
	uint64_t at;

	if (r->wait.slot == LIFE || r->time == r->since)
		return;
	sum = sum_of_row(s, r);
	sum->cause.class = r->class;
	sum->cause.time += r->waited;
	sum->cause.times++;
	if (r->follows != FOLLOWS_NOTHING) {
		sum->follows = r->follows;
		add_object(s, sum, r);
	}
	/* nobody ended a wait that lasted until the end */
	if (is_open) {
		sum->cause.open_time += r->waited;
		sum->cause.open++;
		r->open_sum = (int)(sum - s->sum.at) + 1;
		r->open_time = r->waited;
		return;
	}
	/* a barrier of OpenMP has no link: its last thread ended the wait */
	if (r->wait.slot == OPENMP && sum->arrived > r->since) {
		at = (uint64_t)(sum - s->sum.at) << 32 | sum->last;
		*map_put(&s->culprits, at) += (uint64_t)r->waited;
		return;
	}
	by = ended_by(r);
	if (by == NULL)
		return;
	at = (uint64_t)(sum - s->sum.at) << 32 | by->row;
	*map_put(&s->culprits, at) += (uint64_t)r->waited;
}

/* Begins a wait at the time until which the row is counted. */
static void
begin_wait(struct causes_sink *s, struct thread_row *r, const struct key *wait,
	enum cause_class class)
{
	struct sum *sum;

	r->wait = *wait;
	r->class = class;
	r->since = r->time;
	r->waited = 0;
	r->follows =
		wait->slot == WAIT ? follows_of(wait->state) : FOLLOWS_NOTHING;
	r->object = r->value[OBJECT];
	if (wait->slot != OPENMP)
		return;
	sum = sum_of_row(s, r);
	sum->arrived = r->since;
	sum->last = (uint32_t)(r - s->row.at);
}

/* Returns true for a wait at the end of a region: a thread that the runtime
 * does not need any more ends there when the region has ended. */
static bool
is_join(const struct key *k)
{
	return k->slot == OPENMP && k->state == OPENMP_JOIN;
}

void
causes_count(struct causes_sink *s, struct thread_row *r, int64_t time)
{
	int64_t ns = time - r->time;
	enum cause_class class;
	enum meaning reason = reason_of(s, r);
	struct key wait = waits_for(s, r, reason, &class);

	if (!r->lives)
		wait = (struct key){ LIFE, VALUE_NONE, VALUE_NONE, VALUE_NONE };
	if (!is_same(&wait, &r->wait)) {
		causes_end_wait(s, r, !r->lives && !is_join(&r->wait));
		begin_wait(s, r, &wait, class);
	}
	r->time = time;
	if (!r->lives)
		return;
	if (reason == MEANS_READY)
		class = CAUSE_READY;
	else if (class == CAUSE_COMPUTE && reason != MEANS_UNSAID &&
		reason != MEANS_TASK)
		class = r->value[REASON] == REASON_STOPPED ? CAUSE_STOPPED
							   : CAUSE_BLOCKED;
	s->result.time[class] += ns;
	s->result.life += ns;
	if (class != CAUSE_READY)
		r->waited += ns;
}

static void
on_row(struct sink *sink, const struct row *row)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	struct thread_row *r = VEC_ADD(&s->row, s->arena);

	if (strcmp(row->class, "thread") == 0)
		r->name = arena_strdup(s->arena, row->name);
	for (int i = 0; i < SLOTS; i++)
		r->value[i] = VALUE_NONE;
	r->wakeup.from = r->link.from = -1;
	r->holder = ROW_NONE;
}

static void
on_type(struct sink *sink, const struct type *type)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	int slot = SLOTS;

	for (int i = 0; i < SLOTS; i++) {
		const char *key = i == LIFE ? s->life->key : keys[i];

		if (strcmp(type->class, "thread") == 0 &&
			strcmp(type->key, key) == 0)
			slot = i;
	}
	VEC_PUSH(&s->slot, s->arena, slot);
}

static void
on_label(struct sink *sink, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	int slot = s->slot.at[type];
	uint64_t *at;

	if (slot == SLOTS)
		return;
	at = map_put(&s->labels, label_key((enum slot)slot, value));
	if (*at == 0) {
		VEC_PUSH(&s->label, s->arena, ((struct label){ 0 }));
		*at = (uint64_t)s->label.n;
	}
	s->label.at[*at - 1] =
		(struct label){ arena_strdup(s->arena, text), meaning };
	if (slot < MEANING_SLOTS && (uint64_t)value < SMALL)
		s->small[slot][value] = (unsigned char)meaning;
	if (slot < MEANING_SLOTS && value == VALUE_NONE)
		s->none[slot] = meaning;
}

static bool
is_life(const struct causes_sink *s, int64_t state)
{
	return state != VALUE_NONE && state != s->life->dead[0] &&
		state != s->life->dead[1];
}

/* Adds to the time of calls that were only counted. */
static void
add_short(struct causes_sink *s, const struct thread_row *row, int64_t value)
{
	int64_t was = row->value[SHORT] == VALUE_NONE ? 0 : row->value[SHORT];

	if (value != VALUE_NONE && value > was &&
		__builtin_add_overflow(s->quick, value - was, &s->quick))
		s->quick = INT64_MAX;
}

void
causes_crowd(struct crowd *c, int64_t time)
{
	int64_t ns = time - c->since;

	if (ns <= 0)
		return;
	c->since = time;
	if (c->n[BUSY_READY] == 0)
		return;
	c->time += ns;
	for (int i = 0; i < BUSY_KINDS; i++)
		c->sum[i] += c->n[i] * ns;
}

/* Notes whether the thread runs or is ready from now on. */
static void
set_busy(struct causes_sink *s, struct thread_row *r, int64_t time)
{
	enum meaning reason = reason_of(s, r);
	struct crowd *c = &s->crowd;
	int now = BUSY_NOT;

	if (r->lives && reason == MEANS_TASK)
		now = BUSY_RUNS;
	else if (r->lives && reason == MEANS_READY)
		now = BUSY_READY;
	if (now == r->busy)
		return;
	causes_crowd(c, time);
	c->preempted += r->busy == BUSY_RUNS && now == BUSY_READY;
	c->n[r->busy] -= r->busy != BUSY_NOT;
	c->n[now] += now != BUSY_NOT;
	r->busy = now;
}

/* Begins the waits in OpenMP of this moment, which is over: so the last thread
 * at a barrier is known before others leave it. */
static void
begin_fresh(struct causes_sink *s)
{
	for (int i = 0; i < s->fresh.n; i++) {
		struct thread_row *r = &s->row.at[s->fresh.at[i]];

		causes_count(s, r, r->time);
	}
	s->fresh.n = 0;
}

static void
on_state(struct sink *sink, const struct record *r)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	struct thread_row *row = &s->row.at[r->row];
	int slot = s->slot.at[r->type];

	if (slot == SLOTS || row->name == NULL)
		return;
	if (r->time > s->now)
		begin_fresh(s);
	s->now = r->time;
	if (slot == OPENMP && r->value != VALUE_NONE)
		VEC_PUSH(&s->fresh, s->arena, r->row);
	if (r->time > row->time)
		causes_count(s, row, r->time);
	if (slot == SHORT)
		add_short(s, row, r->value);
	row->value[slot] = r->value;
	if (slot == REASON && r->value != VALUE_NONE)
		s->result.has_ready = true;
	if (slot == LIFE)
		row->lives = is_life(s, r->value);
	if (slot == LIFE || slot == REASON)
		set_busy(s, row, r->time);
}

static void
on_link_kind(struct sink *sink, const struct link_kind *kind)
{
	struct causes_sink *s = (struct causes_sink *)sink;

	if (kind->meaning == LINK_WAKEUP)
		VEC_PUSH(&s->wakeup, s->arena, kind->kind);
	else if (kind->meaning == LINK_HOLD)
		VEC_PUSH(&s->hold, s->arena, kind->kind);
}

static bool
is_kind(const int64_t *of, int n, int64_t kind)
{
	for (int i = 0; i < n; i++)
		if (of[i] == kind)
			return true;
	return false;
}

static void
on_link(struct sink *sink, const struct link *l)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	struct thread_row *row = &s->row.at[l->to_row];

	if (row->name == NULL || l->from_row == ROW_NONE)
		return;
	if (is_kind(s->hold.at, s->hold.n, l->kind)) {
		row->holder = l->from_row;
		return;
	}
	*(is_kind(s->wakeup.at, s->wakeup.n, l->kind) ? &row->wakeup
						      : &row->link) =
		(struct ended){ l->from_time, l->to_time, l->from_row };
}

static void
on_advance(struct sink *sink, int64_t time)
{
	((struct causes_sink *)sink)->result.end = time;
}

static void
on_rename(struct sink *sink, uint32_t row, const char *name)
{
	struct causes_sink *s = (struct causes_sink *)sink;

	if (s->row.at[row].name != NULL)
		s->row.at[row].name = arena_strdup(s->arena, name);
}

static bool
on_close(struct sink *sink, struct err *err)
{
	struct causes_sink *s = (struct causes_sink *)sink;

	(void)err;
	map_fini(&s->labels);
	map_fini(&s->sums);
	map_fini(&s->culprits);
	map_fini(&s->objects);
	return true;
}

static const struct sink_ops ops = {
	.name = "causes",
	.row = on_row,
	.type = on_type,
	.label = on_label,
	.state = on_state,
	.link = on_link,
	.link_kind = on_link_kind,
	.advance = on_advance,
	.rename = on_rename,
	.close = on_close,
};

struct sink *
causes_open(struct arena *a, const struct stat_life *life,
	const struct short_calls *short_calls)
{
	struct causes_sink *s = ARENA_NEW(a, struct causes_sink);

	s->base.ops = &ops;
	s->arena = a;
	s->life = life;
	s->short_calls = short_calls;
	return &s->base;
}
