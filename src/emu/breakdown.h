/* SPDX-License-Identifier: MIT */
/*
 * breakdown.h - how many CPUs do what: the values of all physical CPUs, sorted.
 *
 * A model with a struct breakdown_def gets one more timeline with a row per
 * CPU. Each CPU has one value: its runtime subsystem, its idle state or the
 * type of its task. Row 1 shows the smallest of all values, the last row the
 * largest: equal values are adjacent, and the height of each is the number of
 * CPUs.
 *
 * The values are kept sorted as runs of equal values; only the first position
 * of each run is stored. When a CPU changes from one value to another, the runs
 * between both move up or down by one, and only rows at their borders change.
 *
 *	0 2 2 2 7 9		one CPU goes from 2 to 8:
 *	0 2 2 7 8 9		rows 4 and 5 change
 */
#ifndef WEFT_EMU_BREAKDOWN_H
#define WEFT_EMU_BREAKDOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/breakdown_order.h"
#include "export/sink.h"

struct arena;
struct breakdowns;
struct cpu;
struct emu;

/* Declares rows, types and labels of all enabled models to the sink. */
struct breakdowns *breakdown_open(struct emu *emu);

/* Notes a value that a CPU's row shows in this event. Needs emu->breakdowns, as
 * breakdown_emit() does. */
void breakdown_see(
	struct emu *emu, const struct cpu *cpu, int chan, int64_t value);

/* Labels a value in all breakdowns, if any. */
void breakdown_label_all(
	struct emu *emu, int64_t value, const char *text, enum meaning means);

/* Labels a new value of a channel; does nothing without breakdowns. */
void breakdown_label(
	struct emu *emu, int chan, int64_t value, const char *text);

/* Writes what the current event changed. Call it at the end of the event. */
void breakdown_emit(struct emu *emu);

#endif
