/* SPDX-License-Identifier: MIT */
/*
 * journal.h - the file into which a tracer of a store writes events at once.
 *
 *	struct journal *j = journal_open("run.db.journal", run, engine, &err);
 *	journal_put_start(j, task, now);
 *	journal_put_end(j, task->id, now);
 *	journal_close(j);
 *
 * The file is the native stream of a simulation: complete in itself, and read
 * by stream.h. Records go into a mapped part of the file, the tail; a full tail
 * is copied to the end of the file. So a record costs a few stores and survives
 * the process, however that ends. The blocks of the tail are allocated in
 * advance: a full disk yields an error instead of SIGBUS, and further records
 * are counted as lost. A power failure loses the bytes that the kernel had not
 * yet written.
 *
 * One thread appends records; another may read the records that journal_flush()
 * has copied. The inline functions at the end handle the usual records at
 * little cost.
 */
#ifndef WEFT_TASK_JOURNAL_H
#define WEFT_TASK_JOURNAL_H

#include "base/err.h"
#include "task/classes.h"
#include "weft/task.h"

struct journal {
	struct tail tail;
	struct classes classes;
	uint64_t place[JOURNAL_SLOTS]; /* the ids that the reader has in
	                                * each slot */
	uint64_t lost;
	int fd;
};

/* Creates the file or truncates an existing one. path NULL: a file without a
 * name, which vanishes with the process. store: see struct journal_head. The
 * engine may be NULL; it must outlive the journal; its strings need no
 * comparison. Returns NULL and sets err on failure. */
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

/* Copies the tail to the end of the file. */
void journal_flush(struct journal *j);

/* Returns how many bytes of records have left the tail. Any thread may call
 * it. */
uint64_t journal_flushed(const struct journal *j);
int journal_file(const struct journal *j);

/* Returns the number of lost rows; *why is the errno. */
uint64_t journal_lost(const struct journal *j, int *why);

/* Closes the journal; j may be NULL. */
void journal_close(struct journal *j);

/* Returns the slot for the id of a task. */
static inline uint32_t
journal_place(uint64_t id)
{
	return (uint32_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}

/* Returns the first word of a short record. class: a word of classes.h. */
static inline uint64_t
journal_short_word(
	enum journal_short what, uint32_t place, uint64_t class, uint32_t ps)
{
	return class | (uint64_t)what << (32 + JOURNAL_WHAT_SHIFT) |
		(uint64_t)place << (32 + JOURNAL_SLOT_SHIFT) | ps;
}

#define JOURNAL_NO_CLASS ((uint64_t)JOURNAL_SHORT << 60)

/* Returns true if the reader has this id in its slot. */
static inline bool
journal_knows(const struct journal *j, uint64_t id)
{
	return j->place[journal_place(id)] == id;
}

/* Appends a start at the current time, ps after the previous record. The tail
 * must have room for a usual record. */
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

/* Appends another event of a task whose id is in its slot. */
static inline void
journal_put_short(struct journal *j, enum journal_short what, uint64_t class,
	uint64_t id, uint32_t ps)
{
	tail_commit(&j->tail,
		journal_short_word(what, journal_place(id), class, ps), 1);
}

#endif
