/* SPDX-License-Identifier: MIT */
/*
 * clocks.h - what lays a trace beside those of other tracers and machines:
 * snapshots of the system's clocks, and when the machine was suspended.
 *
 * Events have the time of CLOCK_MONOTONIC. A snapshot says what CLOCK_REALTIME
 * and CLOCK_MONOTONIC_RAW were at one instant of it. CLOCK_BOOTTIME runs on
 * while a suspended machine stands still, so its distance from CLOCK_MONOTONIC
 * grows by just that.
 *
 * Both lists only grow, and belong to the process that began them: a reader
 * takes their length first, then entries, in any thread and in handlers.
 */
#ifndef WEFT_INPROC_CORE_CLOCKS_H
#define WEFT_INPROC_CORE_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct snap {
	int64_t monotonic, realtime, raw; /* ns */
	int64_t width; /* ns that passed while the clocks were read */
};

struct suspended {
	int64_t from, to; /* CLOCK_MONOTONIC before and after, ns */
	int64_t ns;       /* how long, by CLOCK_BOOTTIME */
};

/* Forgets another process's lists, and takes the first snapshot. Not in two
 * threads at once. */
void weft_rt_clocks_begin(void);

/* Is the last snapshot a second old, or the first one? */
bool weft_rt_clocks_are_old(void);

/* Takes a snapshot if they are, unless another thread does just now. */
void weft_rt_clocks_snap(void);

/* For the writer, each second: takes a snapshot when the last one is a minute
 * old, and looks for a suspension. */
void weft_rt_clocks_tick(void);

/* Looks for a suspension; returns how many there were so far. */
uint32_t weft_rt_clocks_look(void);

/* The lists. */
uint32_t weft_rt_clocks_snaps(const struct snap **list);
uint32_t weft_rt_clocks_suspended(const struct suspended **list);

/* CLOCK_REALTIME - CLOCK_MONOTONIC as of the first snapshot, ns. */
int64_t weft_rt_clocks_epoch(void);

/* The shift of CLOCK_MONOTONIC in our time namespace, ns. */
int64_t weft_rt_clocks_timens(void);

#endif
