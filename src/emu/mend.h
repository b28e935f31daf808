/* SPDX-License-Identifier: MIT */
/*
 * mend.h - collects what the emulator infers, as the events of a complete
 * trace.
 *
 * In a trace of a killed program, or a damaged one, events are missing, and the
 * emulator infers them. For a repair it notes which events these are (rows of a
 * model, by enum infer in model.h), their arguments, and before which event of
 * a stream each belongs. It also notes the events that it ignores because they
 * contradict the known state.
 *
 *	struct mends *mends = mends_new(&arena, &findings);
 *	options.mends = mends; ... emu_run() ...
 *	options of repair.h: .edit = mends_edit, .arg = mends
 *
 * A trace repaired with these edits gives the same timelines, and nothing in it
 * has to be inferred.
 */
#ifndef WEFT_EMU_MEND_H
#define WEFT_EMU_MEND_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/model.h"
#include "trace/obs/repair_edit.h"

struct arena;
struct emu;
struct findings;
struct mends;
struct thread;

/* The label of unknown types, and the id of the type of tasks whose creation is
 * lost: no event can create that id. */
#define MEND_TYPE_LABEL "unknown type"
#define MEND_TYPE 0

/* Returns an empty collection. Each event that is collected is also added to
 * `done` as a finding. */
struct mends *mends_new(struct arena *a, struct findings *done);

/* Begin and finish the collection: call them when the emulator is built, and
 * after its last event. */
void mends_open(struct emu *emu);
void mends_finish(struct emu *emu);

/* Returns the edits of a stream, after mends_finish(); arg: struct mends. */
repair_edit_fn mends_edit;

/* Adds the thread's next event, which is missing: it changes the thread's state
 * or, for INFER_BEGIN and INFER_MOVE, puts it on the virtual CPU. */
void mend_state(struct emu *emu, const struct thread *th, enum infer what);

/* Adds the event that ends the value of a channel of the current model, if the
 * model has one: INFER_LEAVE, or a row that pops the value or sets nothing. */
void mend_leave(
	struct emu *emu, const struct thread *th, int chan, int64_t value);

/* Adds a finding only: the thread ends, although its last events are
 * missing. */
void mend_end(struct emu *emu, const struct thread *th);

/* Adds an event of the current thread that moves this one to the virtual CPU,
 * because another thread runs on its CPU. */
void mend_move(struct emu *emu, const struct thread *th);

/* Add events of the current thread that create a type, or a task of an unknown
 * type, of the current model. mend_untyped(): replaces the current event, which
 * creates a task of a type that cannot exist. */
void mend_type(struct emu *emu, uint32_t id);
void mend_task(struct emu *emu, uint32_t id, bool parallel);
void mend_untyped(struct emu *emu, uint32_t id, bool parallel);

/* Drops the current event from the repaired trace, unless it is the first
 * event, from which times count, or its stream has lost events, so that it may
 * end a gap. */
void mend_leave_out(struct emu *emu);

#endif
