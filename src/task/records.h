/* SPDX-License-Identifier: MIT */
/*
 * records.h - the tasks of a store as a timeline.
 *
 *	struct task_records tr;
 *	if (!task_records_read(&tr, &arena, reader, &err)) ...
 *	task_records_play(&tr, sink);
 *	task_records_fini(&tr);
 *
 * A row is a location and kind of tasks: a task is the state of its row from
 * start to end. The rows of a component have it as their parent. Tasks that
 * overlap take the lowest lane that is free, and each lane is a row. The first
 * lane also tells how many tasks are open: how busy the component is, how full
 * the buffer. In memory are those that are open at a time, and sorted.h's
 *share; all others lie in a nameless file in TMPDIR.
 */
#ifndef WEFT_TASK_RECORDS_H
#define WEFT_TASK_RECORDS_H

#include "base/heap.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "export/sink.h"
#include "store/store.h"
#include "task/sorted.h"

/* Tasks of one location and kind. */
struct record_group {
	uint32_t location, kind; /* names of the reader */
	uint32_t parent;         /* its component, among the parents */
	uint32_t parent_row;
	uint32_t lanes; /* that are needed */
	uint32_t row;   /* of its first lane */
	/* While they are played: */
	uint32_t nopen;
	struct heap free_lanes; /* that were used */
};

struct task_records {
	struct arena *arena;         /* borrowed */
	struct store_reader *reader; /* borrowed */
	struct sorted tasks;
	VEC(uint32_t) whats; /* each once, as they appear */
	struct map had_what;
	VEC(struct record_group) groups;
	uint32_t *order; /* indexes of groups, by name */
	struct map group_of;
	struct intern parents; /* names of components */
	uint32_t nparents;     /* their rows come first */
	uint32_t nrows;        /* lanes */
	int64_t end;           /* the latest time of a task */
	int64_t divide;   /* all times by this: 1000 for ns of ps; 1 at first */
	int64_t from, to; /* a window; all at first */
	uint64_t inside;  /* of the tasks that were played: those open in it */
	uint64_t nopen;   /* tasks that did not end */
	uint64_t wrong;   /* tasks left out: they end before they start */
};

/* Reads all tasks of a store. False with err. */
bool task_records_read(struct task_records *tr, struct arena *a,
	struct store_reader *reader, struct err *err);

/* Tells a sink which rows, types and labels there are; once, before play. */
void task_records_declare(const struct task_records *tr, struct sink *s);

/* Gives it the records, in the order of time. */
void task_records_play(struct task_records *tr, struct sink *s);

/* True, with err, if the tasks could not be kept or read back. */
bool task_records_failed(const struct task_records *tr, struct err *err);

void task_records_fini(struct task_records *tr);

#endif
