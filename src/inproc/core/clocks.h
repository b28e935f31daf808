/* SPDX-License-Identifier: MIT */
/*
 * clocks.h - relates a trace to traces of other tracers and machines: snapshots
 * of the system's clocks, and the times when the machine was suspended.
 *
 * Events have the time of CLOCK_MONOTONIC. A snapshot holds the values of
 * CLOCK_REALTIME and CLOCK_MONOTONIC_RAW at one instant of CLOCK_MONOTONIC.
 * CLOCK_BOOTTIME runs on while a machine is suspended and CLOCK_MONOTONIC does
 * not, so their distance grows by the suspended time.
 *
 * Both lists only grow, and belong to the process that began them: any thread
 * or handler may read their length first, then entries.
 */
#ifndef WEFT_INPROC_CORE_CLOCKS_H
#define WEFT_INPROC_CORE_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct snap {
	int64_t monotonic, realtime, raw; /* ns */
	int64_t width; /* ns between the first and last reading */
};

struct suspended {
	int64_t from, to; /* CLOCK_MONOTONIC before and after, ns */
	int64_t ns;       /* duration, by CLOCK_BOOTTIME */
};

/* Clears the lists inherited from the parent process and takes the first
 * snapshot. Only one thread at a time may call this. */
void weft_rt_clocks_begin(void);

/* Returns true if the last snapshot is a second old, or is the first. */
bool weft_rt_clocks_are_old(void);

/* Takes a snapshot if the last one is old (weft_rt_clocks_are_old()), unless
 * another thread is taking one. */
void weft_rt_clocks_snap(void);

/* Called by the writer each second: takes a snapshot when the last one is a
 * minute old, and checks for a suspension. */
void weft_rt_clocks_tick(void);

/* Checks for a suspension; returns the number of suspensions so far. */
uint32_t weft_rt_clocks_look(void);

/* Store the list; return its length. */
uint32_t weft_rt_clocks_snaps(const struct snap **list);
uint32_t weft_rt_clocks_suspended(const struct suspended **list);

/* Returns CLOCK_REALTIME - CLOCK_MONOTONIC at the first snapshot, ns. */
int64_t weft_rt_clocks_epoch(void);

/* Returns the offset of CLOCK_MONOTONIC in our time namespace, ns. */
int64_t weft_rt_clocks_timens(void);

#endif
