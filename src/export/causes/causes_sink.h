/* SPDX-License-Identifier: MIT */
/*
 * causes_sink.h - what the sink of causes keeps: the records are read by
 * causes_sink.c, and the result is made by causes_result.c.
 */
#ifndef WEFT_EXPORT_CAUSES_CAUSES_SINK_H
#define WEFT_EXPORT_CAUSES_CAUSES_SINK_H

#include "base/map.h"
#include "base/vec.h"
#include "export/causes/causes.h"

/* The types that are read. */
enum slot {
	LIFE,
	REASON,
	WAIT,
	MPI,
	OPENMP,
	OBJECT,
	LINE,
	REGION,
	SHORT,
	PLACE,
	SLOTS
};

/* Waits whose length the awaited thread or process explains, not an action of
 * another one. Their causes hold for all objects. */
enum follows { FOLLOWS_NOTHING, FOLLOWS_THREAD, FOLLOWS_PROCESS };

enum { BUSY_NOT, BUSY_RUNS, BUSY_READY, BUSY_KINDS };

/* What a thread waits for. */
struct key {
	enum slot slot; /* WAIT, MPI or OPENMP; LIFE: it does not wait */
	int64_t state, object, line;
};

/* A link to a row, whose begin may have ended a wait there. */
struct ended {
	int64_t from, to;
	uint32_t row; /* where the link begins */
};

struct thread_row {
	const char *name; /* NULL: no thread */
	bool lives;
	int64_t time; /* until then all is counted */
	int64_t value[SLOTS];
	struct key wait; /* the current wait */
	enum follows follows;
	int64_t object; /* of the current wait */
	enum cause_class class;
	int64_t since, waited;     /* its begin; its time without being ready */
	struct ended wakeup, link; /* the last wakeup; the last other link */
	uint32_t holder; /* row that has what the last wait, which is open, was
	                  * for; ROW_NONE: not known */
	int open_sum;    /* sum of that wait: index + 1 */
	int64_t open_time;
	int sum;  /* the sum that the row used last: index + 1 */
	int busy; /* BUSY_RUNS... */
};

struct sum {
	struct key key;
	struct cause cause;
	enum follows follows; /* its key has no object */
	int64_t object_time;  /* of the object that is in `objects` longest */
	int64_t longest;      /* that object */
	int nobjects;
	int64_t arrived; /* when the last thread began such a wait */
	uint32_t last;   /* its row */
};

struct label {
	const char *text;
	enum meaning means;
};

/* How many threads run or are ready. */
struct crowd {
	int64_t since;           /* until then all is counted */
	int64_t n[BUSY_KINDS];   /* now */
	int64_t sum[BUSY_KINDS]; /* times the time while any was ready */
	int64_t time;            /* that time */
	int64_t preempted;       /* how often one became ready while it ran */
};

/* Labels of these types have meanings; their usual values are small. */
enum { MEANING_SLOTS = OPENMP + 1, SMALL = 256 };

struct causes_sink {
	struct sink base;
	struct arena *arena;
	const struct stat_life *life;          /* borrowed */
	const struct short_calls *short_calls; /* borrowed, or NULL */
	VEC(int) slot;                         /* by type; SLOTS: not read */
	VEC(struct thread_row) row;
	VEC(struct label) label;
	VEC(struct sum) sum;
	VEC(uint32_t) fresh; /* rows that came to a wait in OpenMP at `now` */
	int64_t now;
	VEC(int64_t) wakeup; /* kinds of links that wake a thread */
	VEC(int64_t) hold;   /* kinds of links from the owner of a lock */
	unsigned char small[MEANING_SLOTS][SMALL]; /* meaning of a value */
	enum meaning none[MEANING_SLOTS];          /* of VALUE_NONE */
	struct map labels;   /* slot and value -> index + 1 */
	struct map sums;     /* hash of a key -> index + 1 */
	struct map culprits; /* index of a sum, row -> time */
	struct map objects;  /* hash of a sum's index and an object -> time */
	int64_t quick;       /* time in calls that were only counted */
	struct crowd crowd;
	struct causes result;
};

/* Returns the sum of a key, which is made if there is none. */
struct sum *causes_sum(struct causes_sink *s, const struct key *k);

/* Counts the time of a row up to a moment, with the values so far. */
void causes_count(struct causes_sink *s, struct thread_row *r, int64_t time);

/* Ends the current wait of a row, at the time until which it is counted.
 * is_open: because the thread or the trace ends there. */
void causes_end_wait(struct causes_sink *s, struct thread_row *r, bool is_open);

/* Counts the busy threads up to a moment. */
void causes_crowd(struct crowd *c, int64_t time);

/* Takes the calls that were only counted out of the time of computing, and
 * makes causes of them: each place with much time is one, all others are one
 * together. The state in their keys is the index of the place + 1, or 0. */
void causes_count_short(struct causes_sink *s);

/* Return which calls such a cause is for, "300000 Read, 12 Write", and their
 * line, or NULL. */
const char *causes_short_text(struct causes_sink *s, int64_t state);
const char *causes_short_line(const struct causes_sink *s, int64_t state);

/* Returns the label of a value, or NULL. */
const struct label *causes_label(
	const struct causes_sink *s, enum slot slot, int64_t value);

#endif
