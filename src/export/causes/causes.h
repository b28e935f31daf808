/* SPDX-License-Identifier: MIT */
/*
 * causes.h - a sink that divides the time of threads into what they did, and
 * sums their waits by cause.
 *
 *	struct sink *s = causes_open(&arena, &life, NULL);
 *	... records of a trace ...
 *	const struct causes *c = causes_result(s);
 *	sink_close(s, &err);
 *
 * At any moment of its life a thread has exactly one class. The first of these
 * decides: the kernel says that it is ready, but does not run; a wait
 * (wait.wait); a call of MPI; a state of OpenMP; computing. So the classes of a
 * thread add up to its life.
 *
 * A cause of waits is the kind of wait, the object and the line. Whose action
 * ended most of the waits is known from links; waits in OpenMP, as at a
 * barrier, are ended by the last thread that began one. Waits for the end of
 * threads or processes at one line are one cause. So is all time in which
 * threads were ready.
 */
#ifndef WEFT_EXPORT_CAUSES_CAUSES_H
#define WEFT_EXPORT_CAUSES_CAUSES_H

#include <stdint.h>

#include "export/sink.h"
#include "export/stat/stat.h"

struct arena;
struct short_calls;

enum cause_class {
	CAUSE_COMPUTE,
	CAUSE_OPENMP, /* waits in OpenMP: barriers, taskwait */
	CAUSE_LOCK,
	CAUSE_SYNC, /* waits for other threads or processes */
	CAUSE_MPI,
	CAUSE_IO,
	CAUSE_SLEEP,
	CAUSE_READY,   /* could run, but had no CPU */
	CAUSE_BLOCKED, /* blocked in the kernel for a reason that no collector
	                * recorded */
	CAUSE_STOPPED, /* by a signal */
	CAUSE_IDLE,    /* without work by construction */
	CAUSE_CLASSES,
};

/* Waits of one kind for one object at one line. Texts are NULL if the trace
 * does not tell. Of CAUSE_READY, `times` is how often a running thread lost its
 * CPU. */
struct cause {
	enum cause_class class;
	int64_t time, times; /* the sum, in the unit of the trace; number, or 0
	                      * if it is not known */
	const char *what;    /* "Mutex" */
	const char *object, *line;
	bool follows; /* the awaited thread or process explains the length, not
	               * an action of another one */
	/* the thread whose action ended most of the time, and that time */
	const char *culprit;
	int64_t culprit_time;
	/* waits that had not ended when their thread or the trace ended */
	int64_t open_time, open;
	const char *holder; /* the thread that has what most of these wait
	                     * for; NULL: not known */
};

struct causes {
	int64_t time[CAUSE_CLASSES], life; /* of all threads */
	int64_t end;                       /* of the timeline */
	int nthreads;
	const struct cause *cause; /* the largest first */
	int ncauses;
	bool has_ready; /* the kernel says when threads are ready */
	/* how many threads ran or were ready, and how many ran, on average
	 * over the time in which any was ready */
	double busy, running;
};

/* Opens the sink. life: the type that shows which threads live; short_calls:
 * whose time the records say, or NULL; both are borrowed.
 * Everything lives in the arena but maps, which sink_close()
 * frees. */
struct sink *causes_open(struct arena *a, const struct stat_life *life,
	const struct short_calls *short_calls);

/* Sums up all records so far; call it after the last one, before sink_close().
 * The result lives in the arena. */
const struct causes *causes_result(struct sink *s);

/* Returns the name of a class: "lock". */
const char *cause_class_name(enum cause_class class);

#endif
