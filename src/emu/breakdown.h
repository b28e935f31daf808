/* SPDX-License-Identifier: MIT */
/*
 * breakdown.h - how many CPUs do what: the values of all physical CPUs, sorted.
 *
 * A model with a struct breakdown_def gets one more timeline with a row a CPU.
 * Each CPU has one value: its runtime subsystem, its idle state or the type of
 * its task. Row 1 shows the smallest of all values, the last row the largest:
 * equal values lie together, and the height of each is the number of CPUs.
 *
 * The rows are kept sorted and not sorted again: of each value only its first
 * row is kept. When a CPU goes from one value to another, the runs of equal
 * values between move up or down by one, and only rows at their borders change.
 *
 *	0 2 2 2 7 9		one CPU goes from 2 to 8:
 *	0 2 2 7 8 9		rows 4 and 5 change
 */
#ifndef WEFT_EMU_BREAKDOWN_H
#define WEFT_EMU_BREAKDOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "export/sink.h"

struct arena;
struct breakdowns;
struct cpu;
struct emu;

/* Positions that hold the same value: up to the next run's first. */
struct breakdown_run {
	int64_t value;
	int first;
};

/* A position that was set, and its value before. */
struct breakdown_change {
	int at;
	int64_t before;
};

/* Numbers in ascending order, and the positions that changed. */
struct breakdown_order {
	int64_t *value;
	struct breakdown_run *run; /* ascending, and the end behind the last */
	struct breakdown_change *changed; /* of each position one */
	bool *is_changed;
	int n, nruns, nchanged;
};

/* n zeros. */
void breakdown_order_init(struct breakdown_order *o, struct arena *a, int n);

/*
 * Takes out a value, which must be there, and puts in another one, in
 * log n steps and one a run whose border changes. Positions are added to
 * `changed`; who reads them empties it with breakdown_order_seen().
 */
void breakdown_order_replace(
	struct breakdown_order *o, int64_t from, int64_t to);

void breakdown_order_seen(struct breakdown_order *o);

/* Declares rows, types and labels of all enabled models at the sink. */
struct breakdowns *breakdown_open(struct emu *emu);

/* The row of a CPU looked at its channel again, in this event. This and
 * breakdown_emit() need emu->breakdowns. */
void breakdown_see(
	struct emu *emu, const struct cpu *cpu, int chan, int64_t value);

/* Labels a value in all breakdowns, if there are any. */
void breakdown_label_all(
	struct emu *emu, int64_t value, const char *text, enum meaning means);

/* The label of a new value of a channel; nothing without breakdowns. */
void breakdown_label(
	struct emu *emu, int chan, int64_t value, const char *text);

/* Writes what the current event changed, after all of it was seen. */
void breakdown_emit(struct emu *emu);

#endif
