/* SPDX-License-Identifier: MIT */
/*
 * journal.h - what a tracer of a store was told, in a file, as it is told.
 *
 *	struct journal *j = journal_open("run.db.journal", run, engine, &err);
 *	journal_put_start(j, task, now);
 *	journal_put_end(j, task->id, now);
 *	journal_close(j);
 *
 * The file is the native stream of a simulation: complete in itself, and read
 * by stream.h. Records go into a part of the file that is mapped, the tail, and
 * when that is full from there to the end of the file. So what was put outlives
 * the process, however that ends, and a record costs a few stores. The tail's
 * room is allocated before, so a full disk is an error and no signal: then what
 * follows is counted as lost. A power cut loses what the kernel had not
 * written.
 *
 * One thread puts, another may read what journal_flush() brought into the file.
 * For the usual case there are inline functions: a task costs little else.
 */
#ifndef WEFT_TASK_JOURNAL_H
#define WEFT_TASK_JOURNAL_H

#include "base/err.h"
#include "task/classes.h"
#include "weft/task.h"

struct journal {
	struct tail tail;
	struct classes classes;
	uint64_t place[JOURNAL_PLACES]; /* ids, as its reader has them */
	uint64_t lost;
	int fd;
};

/* Makes the file, or empties the one that is there; path NULL: one without a
 * name, which is gone with the process. `store`: see the header. The engine, if
 * there is one, outlives the journal: its strings need not be compared. NULL
 * with err. */
struct journal *journal_open(const char *path, const char *store, uint64_t run,
	struct weft_sim_engine *e, struct err *err);

void journal_put_start(
	struct journal *j, const struct weft_task *task, int64_t now);
void journal_put_end(struct journal *j, uint64_t id, int64_t now);
void journal_put_tag(struct journal *j, uint64_t id, const char *what,
	bool step, int64_t now);
void journal_put_milestone(struct journal *j, uint64_t id,
	const struct weft_milestone *m, int64_t now);
void journal_put_fact(
	struct journal *j, const char *property, const char *value);
void journal_put_finish(struct journal *j, int64_t now);

/* Empties the tail. */
void journal_flush(struct journal *j);

/* How far the file has the records themselves; any thread. */
uint64_t journal_flushed(const struct journal *j);
int journal_file(const struct journal *j);

/* Rows that had no room; *why: the errno. */
uint64_t journal_lost(const struct journal *j, int *why);

/* NULL is fine. */
void journal_close(struct journal *j);

/* Where the id of a task is put. */
static inline uint32_t
journal_place(uint64_t id)
{
	return (uint32_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}

/* The first word of a short record; class: as classes.h has it. */
static inline uint64_t
journal_short_word(
	enum journal_short what, uint32_t place, uint64_t class, uint32_t ps)
{
	return class | (uint64_t)what << (32 + JOURNAL_WHAT_SHIFT) |
		(uint64_t)place << (32 + JOURNAL_PLACE_SHIFT) | ps;
}

#define JOURNAL_NO_CLASS ((uint64_t)JOURNAL_SHORT << 60)

/* True if its reader knows the task of that id by its place. */
static inline bool
journal_knows(const struct journal *j, uint64_t id)
{
	return j->place[journal_place(id)] == id;
}

/* Puts a start that is now, so long after the record before. There is room for
 * a usual record. */
static inline void
journal_put_short_start(struct journal *j, uint64_t id, uint64_t parent,
	uint64_t class, uint32_t ps)
{
	uint32_t place = journal_place(id), above = journal_place(parent);
	enum journal_short what = SHORT_START;
	uint64_t *to = j->tail.at;
	size_t words = 2;

	to[1] = id;
	if (parent == 0) {
		what = SHORT_TOP;
	} else if (j->place[above] == parent &&
		ps >> JOURNAL_CHILD_SHIFT == 0) {
		what = SHORT_CHILD;
		ps |= above << JOURNAL_CHILD_SHIFT;
	} else {
		to[2] = parent;
		words = 3;
	}
	j->place[place] = id;
	tail_commit(
		&j->tail, journal_short_word(what, place, class, ps), words);
}

/* The same of what happens to a task whose place is known. */
static inline void
journal_put_short(struct journal *j, enum journal_short what, uint64_t class,
	uint64_t id, uint32_t ps)
{
	tail_commit(&j->tail,
		journal_short_word(what, journal_place(id), class, ps), 1);
}

#endif
