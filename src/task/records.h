/* SPDX-License-Identifier: MIT */
/*
 * records.h - the tasks of a store as a timeline.
 *
 *	struct task_records tr;
 *	if (!task_records_read(&tr, &arena, reader, &err)) ...
 *	task_records_play(&tr, sink);
 *	task_records_fini(&tr);
 *
 * Each pair of location and kind has rows, and a task is the state of its row
 * from start to end. The rows' parent is the row of the component. Overlapping
 * tasks take the lowest free lane; each lane is a row. The first lane also
 * shows the number of open tasks, that is, how busy a component or how full a
 * buffer is. Memory holds the tasks that are open at one time and the share of
 * sorted.h; all others are in an unnamed file in TMPDIR.
 */
#ifndef WEFT_TASK_RECORDS_H
#define WEFT_TASK_RECORDS_H

#include <stdatomic.h>

#include "base/heap.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "export/sink.h"
#include "store/store.h"
#include "task/sorted.h"

/* Tasks of one location and kind. */
struct record_group {
	uint32_t location, kind; /* see store_read_name() */
	uint32_t parent;         /* index of its component's name in
	                          * `parents` */
	uint32_t parent_row;
	uint32_t lanes; /* number of lanes */
	uint32_t row;   /* row of its first lane */
	/* The state while the tasks are played: */
	uint32_t nopen;
	struct heap free_lanes; /* lanes that a task has left */
};

struct task_records {
	struct arena *arena;         /* borrowed */
	struct store_reader *reader; /* borrowed */
	struct sorted tasks;
	VEC(uint32_t) whats; /* in order of first appearance */
	struct map had_what;
	VEC(struct record_group) groups;
	uint32_t *order; /* indexes of groups, by name */
	struct map group_of;
	struct intern parents;  /* the components' names */
	uint32_t nparents;      /* their rows come first */
	uint32_t nrows;         /* lanes */
	int64_t end;            /* the latest time of a task */
	int64_t divide;         /* divisor of all times: 1000 turns ps into ns;
	                         * initially 1 */
	int64_t from, to;       /* a window; initially all time */
	const atomic_int *stop; /* ends the playing when it is not
	                         * 0; or NULL */
	int64_t reached;        /* the time up to which tasks were played */
	bool cut;        /* `stop` ended the playing before all tasks were
	                  * played */
	uint64_t inside; /* tasks played that were open in the window */
	uint64_t nopen;  /* tasks that did not end */
	uint64_t wrong;  /* tasks left out: they end before they start */
};

/* Reads all tasks of a store. Returns false and sets err on failure. */
bool task_records_read(struct task_records *tr, struct arena *a,
	struct store_reader *reader, struct err *err);

/* Declares all rows, types and labels to the sink. Call it once, before
 * playing. */
void task_records_declare(const struct task_records *tr, struct sink *s);

/* Writes the records to the sink in time order. */
void task_records_play(struct task_records *tr, struct sink *s);

/* Returns true and sets err if the temporary file could not be written or
 * read. */
bool task_records_failed(const struct task_records *tr, struct err *err);

void task_records_fini(struct task_records *tr);

#endif
