/* SPDX-License-Identifier: MIT */
/*
 * view.h - turns channels into records: decides which value a row shows, and
 * when a record is written.
 *
 * A row is updated after an event that changed its channel while the row shows
 * it, or that changed whether the row shows it: a thread's rows depend on its
 * state, a CPU's rows on its only running thread. An event writes at most one
 * record per row and type.
 */
#ifndef WEFT_EMU_VIEW_H
#define WEFT_EMU_VIEW_H

#include "emu/core.h"

struct emu;

/* Declares rows, types and labels of the system and all channels to the
 * sink. */
void view_declare(struct emu *emu);

/* Declare rows of processes, threads and CPUs that were added. */
void view_add_process(struct emu *emu, struct process *p);
void view_add_thread(struct emu *emu, struct thread *th);
void view_add_cpu(struct emu *emu, struct cpu *cpu);

/* Labels a value in both types of a channel. */
void view_label(struct emu *emu, int chan, int64_t value, const char *label);

/* Labels a value in all types except quantities and punctual ones. */
void view_label_all(
	struct emu *emu, int64_t value, const char *label, enum meaning means);

/* Returns a time; no record that is written from now on is earlier. */
int64_t view_promise(const struct emu *emu);

/* Writes the values of CPUs and the system at the first event. */
void view_begin(struct emu *emu);

/*
 * Shows a punctual value: from 1 ns before the event, and then the channel's
 * own value again. If a record with the time of the event was already written
 * (struct emu), the punctual value gets that time, too, and lasts 0 ns, so that
 * no record goes back in time. A channel that is hidden now shows nothing.
 */
void view_point(
	struct emu *emu, const struct holder *of, int chan, int64_t value);

/*
 * Write in the past. view_since() writes what the channel holds at `since`,
 * instead of at the event, in the rows that show it. view_span() shows a value
 * from `since` to `until`, which is not after the event, and then the channel's
 * own value. Records of a row stay in order: the time is never before the row's
 * last record, nor before the row began to show this thread.
 */
struct period {
	int64_t since, until;
};

void view_since(
	struct emu *emu, const struct holder *of, int chan, int64_t since);
void view_span(struct emu *emu, const struct holder *of, int chan,
	int64_t value, struct period in);

/* Writes the next record of the channel even if its value is the same. */
void view_again(const struct emu *emu, const struct holder *of, int chan);

/* Writes what the current event changed. */
void view_emit(struct emu *emu);

#endif
