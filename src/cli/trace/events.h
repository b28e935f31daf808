/* SPDX-License-Identifier: MIT */
/*
 * events.h - the events that pass the filters, for commands that print or count
 * events.
 *
 *	EVENTS_OPTIONS(e)                         (in its option table)
 *	if (!events_open(&e, &r, &err))           (the trace is open)
 *		return cmd_usage_error(&cmd_dump, "%s", err.text);
 *	while (events_next(&e, &ev))
 *		use(&ev);
 *	events_close(&e);
 *
 * An event is kept if `weft emu` would keep the row of its thread or of the CPU
 * on which it happens. The events of a CPU are the events of threads that run
 * there, and the events that change the CPU's row. --only-model compares the
 * model of the event. With --type the event must also change a state of that
 * type. Filters for CPUs and types need the states, so the trace is emulated
 * and the findings are reported.
 */
#ifndef WEFT_CLI_TRACE_EVENTS_H
#define WEFT_CLI_TRACE_EVENTS_H

#include "base/progress.h"
#include "base/vec.h"
#include "cli/trace/pipeline.h"

struct watch;

struct events {
	const char *patterns; /* option: event names with commas; NULL: not
	                       * given */
	bool bar;             /* show the progress */

	struct pipeline *run;
	struct source *source;
	bool filtered;     /* some filter is in use */
	VEC(char) classes; /* by class: 0 not asked yet, 1 kept, 2 left out */
	const struct model *const *models;
	struct watch *watch; /* NULL: nothing has to be emulated */
	struct progress progress;
	int64_t start, last; /* times of the first event and of the last one */
	uint64_t n;          /* number of events read */
	bool stopped;        /* a signal arrived: no more events are read */
};

/* Rows of an option table. */
#define EVENTS_OPTIONS(e) \
	{ \
		'e', "event", "LIST", \
			"only these events; '?' is any letter, '*' any " \
			"letters: '6T?,sched_*'", \
			.text = &(e).patterns \
	}

/* Tells pipeline_open() whether the filters need events in time order, or
 * states. */
void events_prepare(struct pipeline *r);

/* Reads the options. On failure returns false and sets err to a text for
 * cmd_usage_error(). */
bool events_open(struct events *e, struct pipeline *r, struct err *err);
void events_close(struct events *e);

bool events_next_kept(struct events *e, struct event *ev);
void events_step(struct events *e, const struct event *ev);

#define EVENTS_STEP 16384 /* events between two looks at the clock */

/* Reads the next event; no filter is in use. Returns false at the end. */
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

/* Reads the next event that the filters keep. Returns false at the end. */
static inline bool
events_next(struct events *e, struct event *ev)
{
	if (__builtin_expect(e->stopped, 0))
		return false;
	return e->filtered ? events_next_kept(e, ev) : events_next_any(e, ev);
}

/* Returns the event's time since the first event, or the nearest int64_t if
 * that overflows. */
static inline int64_t
events_time(const struct events *e, const struct event *ev)
{
	int64_t time;

	if (!__builtin_sub_overflow(ev->time, e->start, &time))
		return time;
	return ev->time < e->start ? INT64_MIN : INT64_MAX;
}

/* Returns true if the filters may keep events of the stream. */
bool events_has_stream(const struct events *e, int stream);

#endif
