/* SPDX-License-Identifier: MIT */
/*
 * view.h - from channels to records: which value a row shows, and when a
 * record is written.
 *
 * A row looks at its channel again after an event that wrote the channel while
 * the row shows it, or that changed who is shown: the thread's state for its
 * own rows, the one running thread for rows of its CPU. One event writes at
 * most one record a row and type.
 */
#ifndef WEFT_EMU_VIEW_H
#define WEFT_EMU_VIEW_H

#include "emu/core.h"

struct emu;

/* Tells the sink rows, types and labels of the system and all channels. */
void view_declare(struct emu *emu);

/* Rows of what was added to the system. */
void view_add_process(struct emu *emu, struct process *p);
void view_add_thread(struct emu *emu, struct thread *th);
void view_add_cpu(struct emu *emu, struct cpu *cpu);

/* Labels a value in both types of a channel. */
void view_label(struct emu *emu, int chan, int64_t value, const char *label);

/* Labels a value in all types but those of quantities and moments. */
void view_label_all(
	struct emu *emu, int64_t value, const char *label, enum meaning means);

/* The time before which no record of the past can be. */
int64_t view_promise(const struct emu *emu);

/* Writes what CPUs and system hold at the first event. */
void view_begin(struct emu *emu);

/*
 * A punctual value of a channel: shown from 1 ns before the
 * event, then what the channel holds. If something was written at the time of
 * the event already, the value is, too, and lasts 0 ns: it is kept, and no
 * record goes back in time. A channel that is not shown now shows nothing.
 */
void view_point(
	struct emu *emu, const struct holder *of, int chan, int64_t value);

/*
 * The past: what the channel holds is written at `since` in
 * the rows that show it, and not again at the event. A value shown from
 * `since` up to `until`, at most the event, then what the channel holds. A
 * row's own records stay in order: neither begins before the row's last one, or
 * before the row came to show this thread.
 */
struct period {
	int64_t since, until;
};

void view_since(
	struct emu *emu, const struct holder *of, int chan, int64_t since);
void view_span(struct emu *emu, const struct holder *of, int chan,
	int64_t value, struct period in);

/* The next record of the channel is written even if it is the same. */
void view_again(const struct emu *emu, const struct holder *of, int chan);

/* Writes what the current event changed. */
void view_emit(struct emu *emu);

#endif
