/* SPDX-License-Identifier: MIT */
/*
 * mend.h - what the emulator infers, as the events that a whole trace has.
 *
 * Events of a killed or damaged trace are missing, and the emulator infers
 * what they said. For who wants to write a whole trace it notes then which
 * event that was: the row of a model that says it can be inferred (enum infer
 * in model.h), its arguments, and before which event of a stream it belongs.
 * And it notes which events it takes no account of, as they contradict what is
 * known.
 *
 *	struct mends *mends = mends_new(&arena, &findings);
 *	options.mends = mends;   ... emu_run() ...
 *	options of repair.h: .edit = mends_edit, .arg = mends
 *
 * A trace with these events shows the same, and nothing of it is inferred.
 */
#ifndef WEFT_EMU_MEND_H
#define WEFT_EMU_MEND_H

#include <stdint.h>

#include "emu/model.h"
#include "trace/obs/repair_edit.h"

struct arena;
struct emu;
struct findings;
struct mends;
struct thread;

/* The label of types of which nothing is known, and the id of the one of tasks
 * whose creation is lost: no event can create it. */
#define MEND_TYPE_LABEL "unknown type"
#define MEND_TYPE 0

/* Nothing yet. What is noted becomes findings, too, in words. */
struct mends *mends_new(struct arena *a, struct findings *done);

/* When the emulator is built, and when it took the last event. */
void mends_open(struct emu *emu);
void mends_finish(struct emu *emu);

/* Edits of a stream, when all is finished; arg: struct mends. */
repair_edit_fn mends_edit;

/* The thread's next event, which is missing: it changes its own state or, for
 * INFER_BEGIN and INFER_MOVE, its place to any CPU. */
void mend_state(struct emu *emu, const struct thread *th, enum infer what);

/* The thread ends, though its last events are not there: in words alone. */
void mend_end(struct emu *emu, const struct thread *th);

/* The current thread moves this one to any CPU, as another one runs there. */
void mend_move(struct emu *emu, const struct thread *th);

/* The current thread creates a type, or a task of an unknown one, of the model
 * at hand; or its current event does, but of a type that cannot be. */
void mend_type(struct emu *emu, uint32_t id);
void mend_task(struct emu *emu, uint32_t id);
void mend_untyped(struct emu *emu, uint32_t id);

/* The current event is to go, unless it is the first, from which times count,
 * or of a stream with lost events, where it may tell that a gap is over. */
void mend_leave_out(struct emu *emu);

#endif
