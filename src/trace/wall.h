/* SPDX-License-Identifier: MIT */
/*
 * wall.h - the clocks of machines beside those of a trace.
 *
 * Our recorder says which boot of a machine a process ran in, and what the wall
 * clock was now and then (src/inproc/core/clocks.h). CLOCK_REALTIME -
 * CLOCK_MONOTONIC changes by steps only, when somebody sets the clock; so the
 * wall clock's time of an event follows from the snapshot before.
 *
 * Readers add what the metadata says, in any order, and call wall_finish() when
 * the first event is known.
 */
#ifndef WEFT_TRACE_WALL_H
#define WEFT_TRACE_WALL_H

#include <stdbool.h>
#include <stdint.h>

struct trace;
struct trace_snap;
struct trace_suspended;

/* A snapshot or a suspension said twice is kept once. */
void wall_add_snap(struct trace *t, int process, const struct trace_snap *s);
void wall_add_suspended(
	struct trace *t, int process, const struct trace_suspended *s);

/* Which boot the node's processes ran in; what is said first holds. */
void wall_set_machine(
	struct trace *t, int node, const char *boot, int64_t timens);

/* Returns whether all nodes are known to be of one boot of one machine. */
bool wall_is_one_machine(const struct trace *t);

/* Sets the clock offsets of nodes of one boot whose time namespaces differ, so
 * that their clocks are equal. */
void wall_align(struct trace *t);

/* The wall clock at a process's CLOCK_MONOTONIC, by a snapshot of it or of
 * another process of its node; TRACE_UNKNOWN: there is none. */
int64_t wall_time(const struct trace *t, int process, int64_t monotonic);

/* Adds findings: steps of the wall clock, suspensions. start: time of the first
 * event, ns. */
void wall_report(struct trace *t, int64_t start);

#endif
