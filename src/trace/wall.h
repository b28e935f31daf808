/* SPDX-License-Identifier: MIT */
/*
 * wall.h - relates the clocks of a trace to the wall clocks of its machines.
 *
 * Our recorder stores the boot of the machine in which a process ran, and
 * snapshots of the wall clock (src/inproc/core/clocks.h). CLOCK_REALTIME -
 * CLOCK_MONOTONIC changes only by steps, when somebody sets the clock; so the
 * wall clock's time of an event follows from the snapshot before it.
 *
 * Readers add the facts of the metadata, in any order, and call wall_report()
 * when the first event is known.
 */
#ifndef WEFT_TRACE_WALL_H
#define WEFT_TRACE_WALL_H

#include <stdbool.h>
#include <stdint.h>

struct trace;
struct trace_snap;
struct trace_suspended;

/* Add a snapshot or a suspension. One that is already known is ignored. */
void wall_add_snap(struct trace *t, int process, const struct trace_snap *s);
void wall_add_suspended(
	struct trace *t, int process, const struct trace_suspended *s);

/* Sets the boot in which the node's processes ran; only the first call
 * counts. */
void wall_set_machine(
	struct trace *t, int node, const char *boot, int64_t timens);

/* Returns true if all nodes are known to be of one boot of one machine. */
bool wall_is_one_machine(const struct trace *t);

/* Sets the clock offsets of nodes of the same boot whose time namespaces
 * differ, so that their clocks agree. */
void wall_align(struct trace *t);

/* Returns the wall clock at a process's CLOCK_MONOTONIC, from a snapshot of
 * that process or of another one of its node; TRACE_UNKNOWN: no snapshot. */
int64_t wall_time(const struct trace *t, int process, int64_t monotonic);

/* Adds findings about steps of the wall clock and suspensions. start: time of
 * the first event, ns. */
void wall_report(struct trace *t, int64_t start);

#endif
