/* SPDX-License-Identifier: MIT */
/*
 * events.h - the events of a trace that the filters let through, for commands
 * that print or count events.
 *
 *	EVENTS_OPTIONS(e)                         (in its option table)
 *	if (!events_open(&e, &r, &err))           (the trace is open)
 *		return cmd_usage_error(&cmd_dump, "%s", err.text);
 *	while (events_next(&e, &ev))
 *		use(&ev);
 *	events_close(&e);
 *
 * An event is kept if its thread or the CPU where it happens is one whose rows
 * `weft emu` would keep: on a CPU happens what a thread that is there does, and
 * what changes the CPU's row. A model is that of the event. With --type, it
 * must also change a state of this type. For CPUs and types the trace is
 * emulated, and what is found on the way is said.
 */
#ifndef WEFT_CLI_TRACE_EVENTS_H
#define WEFT_CLI_TRACE_EVENTS_H

#include "base/progress.h"
#include "base/vec.h"
#include "cli/trace/run.h"

struct watch;

struct events {
	const char *patterns; /* option: names, with commas; or NULL */
	bool bar;             /* show the progress */

	struct run *run;
	struct source *source;
	bool filtered;     /* something may be left out */
	VEC(char) classes; /* by class: 0 not asked yet, 1 kept, 2 left out */
	const struct model *const *models;
	struct watch *watch; /* NULL: nothing has to be emulated */
	struct progress progress;
	int64_t start, last; /* times of the first event and of the last one */
	uint64_t n;          /* that were read */
	bool stopped;        /* by a signal: the next ones are left */
};

/* Rows of an option table. */
#define EVENTS_OPTIONS(e) \
	{ \
		'e', "event", "LIST", \
			"only these events; '?' is any letter, '*' any " \
			"letters: '6T?,sched_*'", \
			.text = &(e).patterns \
	}

/* What run_open() must know: whether events need their order, or states. */
void events_prepare(struct run *r);

/* Reads the options. False with err, a text for cmd_usage_error(). */
bool events_open(struct events *e, struct run *r, struct err *err);
void events_close(struct events *e);

bool events_next_kept(struct events *e, struct event *ev);
void events_step(struct events *e, const struct event *ev);

#define EVENTS_STEP 16384 /* events between two looks at the clock */

/* The next event without a filter. */
static inline bool
events_next_any(struct events *e, struct event *ev)
{
	enum source_status status = source_next(e->source, ev);

	while (__builtin_expect(status == SOURCE_WAIT, 0))
		status = source_next(e->source, ev);
	if (__builtin_expect(e->n++ % EVENTS_STEP == 0, 0))
		events_step(e, ev);
	return status != SOURCE_END;
}

/* The next event that is kept; false at the end. */
static inline bool
events_next(struct events *e, struct event *ev)
{
	if (__builtin_expect(e->stopped, 0))
		return false;
	return e->filtered ? events_next_kept(e, ev) : events_next_any(e, ev);
}

/* Time of an event since the first one, at the ends of what a number holds. */
static inline int64_t
events_time(const struct events *e, const struct event *ev)
{
	int64_t time;

	if (!__builtin_sub_overflow(ev->time, e->start, &time))
		return time;
	return ev->time < e->start ? INT64_MIN : INT64_MAX;
}

/* True if events of the stream may be kept. */
bool events_has_stream(const struct events *e, int stream);

#endif
