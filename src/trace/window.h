/* SPDX-License-Identifier: MIT */
/*
 * window.h - how much of each stream's file is in memory, and whether all
 * files can be open at once: for readers of many streams.
 */
#ifndef WEFT_TRACE_WINDOW_H
#define WEFT_TRACE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of one window: all together stay in the cache and small. n > 0. */
size_t window_size(int nstreams);

/* False if the files must be opened for each read instead. */
bool window_may_stay_open(int nstreams);

#endif
