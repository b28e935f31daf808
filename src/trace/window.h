/* SPDX-License-Identifier: MIT */
/*
 * window.h - for readers of many streams: the size of each stream's window, and
 * whether all files can stay open at once.
 */
#ifndef WEFT_TRACE_WINDOW_H
#define WEFT_TRACE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the bytes of one window; all windows together are small and stay in
 * the cache. nstreams > 0. */
size_t window_size(int nstreams);

/* Returns the bytes of a window for the first event of a stream: less, if there
 * are so many streams that the windows of all need much memory. A process that
 * reads only some of the streams saves the rest. */
size_t window_first(int nstreams);

/* Returns false if the files must be opened for each read. */
bool window_may_stay_open(int nstreams);

#endif
