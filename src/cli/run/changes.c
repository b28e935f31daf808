/* SPDX-License-Identifier: MIT */
#include "cli/run/changes.h"

#include "cli/run/ready.h"
#include "trace/obs/wire.h"

enum {
	CHANGES_MAX = 16384, /* of an interval without samples */
	LEAST = 20000,       /* ns: shorter times are not placed */
	STALE = 5000000,     /* ns: the kernel's sums of a running thread may be
	                      * as old as a tick */
	JOINED_MAX = 50,     /* samples that make one interval */
	TURNS = 8,
};

bool
changes_open(struct changes *c, const char *folder, bool is_own,
	const struct ready_thread *ready)
{
	*c = (struct changes){ .is_own = is_own, .ready = ready };
	return raw_open(&c->raw, folder);
}

void
changes_between(struct changes *c, int64_t begin, int64_t end,
	const struct ready_thread *ready)
{
	*c = (struct changes){ .is_own = true,
		.ready = ready,
		.life = {
			{ begin, REASON_RUNS, 0 }, { end, REASON_ENDED, 0 } } };
}

void
changes_begin(struct changes *c, int64_t made)
{
	c->ahead = (struct change){ made, REASON_WOKEN, 0 };
	c->has_ahead = true;
}

/* Returns true for an event that begins a wait of the model wait, or with
 * `ends` for one that ends it. */
static bool
is_wait(const unsigned char *event, bool ends)
{
	char value = (char)event[3];

	return event[1] == 'W' && strchr("MCBSJOFPTIN", event[2]) != NULL &&
		(ends ? value >= 'A' && value <= 'Z'
		      : value >= 'a' && value <= 'z');
}

/* Returns true if an event of the thread's own stream changes its state. */
static bool
own_change(struct changes *c, const unsigned char *event, struct change *to)
{
	to->time = raw_time(event);
	if (is_wait(event, false)) {
		to->reason = REASON_BLOCKED;
		return c->depth++ == 0;
	}
	if (is_wait(event, true) && c->depth > 0) {
		to->reason = REASON_RUNS;
		return --c->depth == 0;
	}
	to->reason = raw_is(event, "OHe") ? REASON_ENDED : REASON_RUNS;
	return raw_is(event, "OHx") || raw_is(event, "OHe");
}

/* Returns true if an event of the stream of context switches changes the
 * thread's state. */
static bool
switch_change(const unsigned char *event, size_t n, struct change *to)
{
	*to = (struct change){ raw_time(event), REASON_RUNS, 0 };
	if (raw_is(event, "OHp"))
		to->reason = n > sizeof(struct obs_event_header)
			? REASON_PREEMPTED
			: REASON_BLOCKED;
	else if (raw_is(event, "OHe"))
		to->reason = REASON_ENDED;
	else if (raw_is(event, "WHk")) {
		to->reason = REASON_WOKEN;
		memcpy(&to->waker, event + sizeof(struct obs_event_header),
			sizeof to->waker);
	} else
		return raw_is(event, "OHx") || raw_is(event, "OHr");
	return true;
}

/* Reads the next change of the base. */
static bool
read_base(struct changes *c, struct change *to)
{
	const unsigned char *event;
	size_t n;

	if (c->has_ahead) {
		*to = c->ahead;
		c->has_ahead = false;
		return true;
	}
	if (c->raw.file == NULL && c->lived < 2) {
		*to = c->life[c->lived++];
		return to->time != 0;
	}
	while ((event = raw_next(&c->raw, &n)) != NULL)
		if (c->is_own ? own_change(c, event, to)
			      : switch_change(event, n, to))
			return true;
	return false;
}

/* Begins an interval, whose first element is the state before it. */
static void
begin_interval(struct changes *c)
{
	arena_reset(&c->arena);
	c->base.at = NULL;
	c->base.n = c->base.cap = 0;
	c->list.at = NULL;
	c->list.n = c->list.cap = c->at = 0;
	VEC_PUSH(&c->base, &c->arena, c->now);
}

/* Reads the changes of the base up to a time. */
static void
read_interval(struct changes *c, int64_t until)
{
	struct change next;

	while (c->base.n < CHANGES_MAX && read_base(c, &next)) {
		if (next.time > until) {
			c->ahead = next;
			c->has_ahead = true;
			break;
		}
		VEC_PUSH(&c->base, &c->arena, next);
		c->now = next;
	}
}

/* What is to be placed in an interval, ns. */
struct rest {
	int64_t preempted, idle; /* in the times in which it seems to run */
	int64_t woken;           /* at the ends of blocked times */
	int64_t owed;            /* left to the next interval */
	int ends;                /* number of these ends that are left */
};

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Returns true if the change begins a blocked time that ends in the interval.
 */
static bool
is_block(const struct changes *c, int i)
{
	return c->base.at[i].reason == REASON_BLOCKED && i + 1 < c->base.n &&
		c->base.at[i + 1].reason == REASON_RUNS;
}

/* Adds up the times of the interval by the base; *preempted: all in which it
 * was ready. The time of a blocked or preempted thread counts when it runs
 * again, with all that lies before the interval. */
static void
measure(const struct changes *c, int64_t until, int64_t *runs,
	int64_t *preempted, struct rest *rest)
{
	*runs = *preempted = 0;
	for (int i = 0; i < c->base.n; i++) {
		const struct change *b = &c->base.at[i];
		bool ends = i + 1 < c->base.n;
		int64_t from = b->time < c->begin ? c->begin : b->time,
			to = ends ? c->base.at[i + 1].time : until;

		if (b->reason == REASON_RUNS && to > from)
			*runs += to - from;
		else if ((b->reason == REASON_PREEMPTED ||
				 b->reason == REASON_WOKEN) &&
			ends)
			*preempted += to - b->time;
		else if (is_block(c, i))
			rest->ends++;
	}
}

/* Returns what the samples say that the base does not. */
static struct rest
find_rest(struct changes *c, const struct ready_sample *s)
{
	struct rest rest = { 0 };
	int64_t runs, preempted, ready = (int64_t)(s->waited - c->waited),
				 ran = (int64_t)(s->ran - c->ran);

	/* A sample before the begin of the thread, or of the program that it
	 * executes now, gives only the sums; so does one of another thread
	 * that had the same number. */
	if ((c->base.n == 1 && c->now.reason == REASON_ENDED) || ready < 0 ||
		ran < 0)
		return rest;
	measure(c, s->time, &runs, &preempted, &rest);
	if (c->is_own) {
		int64_t left = ready > preempted ? ready - preempted : 0;

		rest.owed = c->owed + runs - ran;
		rest.owed = rest.owed > 0 ? rest.owed : 0;
		rest.preempted = least(least(left, rest.owed), runs);
		rest.owed -= rest.preempted;
		if (rest.owed >= STALE)
			rest.idle = least(rest.owed, runs - rest.preempted);
		rest.owed -= rest.idle;
		preempted += rest.preempted;
	}
	rest.woken = ready > preempted ? ready - preempted : 0;
	return rest;
}

/* Reads an interval until a sample. If the thread did not run, and it is not
 * known yet whether it was ready, the kernel will say so when it runs again:
 * then the interval goes on to the next sample. */
static struct rest
read_samples(struct changes *c, const struct ready_sample **s)
{
	struct rest rest;

	read_interval(c, (*s)->time);
	rest = find_rest(c, *s);
	for (int i = 0; i < JOINED_MAX && rest.idle > 0 &&
		c->sample + 1 < c->ready->n && c->base.n < CHANGES_MAX;
		i++) {
		*s = &c->ready->sample[++c->sample];
		read_interval(c, (*s)->time);
		rest = find_rest(c, *s);
	}
	return rest;
}

static void
put(struct changes *c, int64_t time, enum reason reason)
{
	VEC_PUSH(&c->list, &c->arena, ((struct change){ time, reason, 0 }));
}

/* Places lost time at the begin of a time in which the thread seems to run.
 * ends: another change follows in this interval. */
static void
split_run(struct changes *c, int64_t from, int64_t to, bool ends,
	struct rest *rest)
{
	int64_t n = least(rest->preempted, to - from);

	if (n > 0)
		put(c, from, REASON_PREEMPTED);
	rest->preempted -= n;
	from += n;
	n = least(rest->idle, to - from);
	if (n > 0)
		put(c, from, REASON_BLOCKED);
	rest->idle -= n;
	from += n;
	if (from < to || !ends)
		put(c, from, REASON_RUNS);
}

/* Returns the longest readiness at the end of a blocked time: all of them get
 * as much as they can hold, at most this, and together what is to be placed. */
static int64_t
share_woken(const struct changes *c, const struct rest *rest)
{
	int64_t share = 0, left = rest->woken;
	int ends = rest->ends;

	for (int turn = 0; turn < TURNS && ends > 0 && left > ends; turn++) {
		share += left / ends;
		left = rest->woken;
		ends = 0;
		for (int i = 0; i < c->base.n; i++) {
			int64_t n;

			if (!is_block(c, i))
				continue;
			n = c->base.at[i + 1].time - c->base.at[i].time;
			left -= least(n, share);
			ends += n > share;
		}
	}
	return share;
}

/* Places readiness at the end of a blocked time. */
static void
put_woken(struct changes *c, int64_t from, int64_t to, int64_t share)
{
	int64_t n = least(share, to - from);

	if (n >= LEAST)
		put(c, to - n, REASON_WOKEN);
}

/* Makes the list of the interval from its base. */
static void
spread(struct changes *c, int64_t until, struct rest rest)
{
	int64_t share = share_woken(c, &rest);

	for (int i = 0; i < c->base.n; i++) {
		const struct change *b = &c->base.at[i];
		bool ends = i + 1 < c->base.n;
		int64_t from = b->time < c->begin ? c->begin : b->time,
			to = ends ? c->base.at[i + 1].time : until;

		if (b->reason == REASON_RUNS && to > from &&
			rest.preempted + rest.idle >= LEAST)
			split_run(c, from, to, ends, &rest);
		else if (i > 0)
			VEC_PUSH(&c->list, &c->arena, *b);
		if (is_block(c, i))
			put_woken(c, b->time, to, share);
	}
}

/* Reads the next interval. Returns false at the end. */
static bool
fill(struct changes *c)
{
	const struct ready_sample *s =
		c->ready != NULL && c->sample < c->ready->n
		? &c->ready->sample[c->sample]
		: NULL;
	struct rest rest = { 0 };
	int64_t until = INT64_MAX;

	begin_interval(c);
	if (s != NULL)
		rest = read_samples(c, &s);
	else
		read_interval(c, INT64_MAX);
	if (c->base.n >= CHANGES_MAX) {
		until = c->now.time;
		rest = (struct rest){ 0 };
	} else if (s != NULL) {
		until = s->time;
		c->ran = s->ran;
		c->waited = s->waited;
		c->owed = rest.owed;
		c->sample++;
	}
	spread(c, until, rest);
	c->begin = until;
	return s != NULL || c->base.n > 1;
}

const struct change *
changes_peek(struct changes *c)
{
	while (c->at == c->list.n)
		if (!fill(c))
			return NULL;
	return &c->list.at[c->at];
}

void
changes_take(struct changes *c)
{
	c->at++;
}

void
changes_close(struct changes *c)
{
	raw_close(&c->raw);
	arena_fini(&c->arena);
}
