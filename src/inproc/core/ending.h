/* SPDX-License-Identifier: MIT */
/*
 * ending.h - notices the end of a thread and tells the parts.
 */
#ifndef WEFT_INPROC_CORE_ENDING_H
#define WEFT_INPROC_CORE_ENDING_H

/* Creates the key whose destructor ends threads, including main, which may end
 * before other threads. */
void weft_rt_ending_load(void);

/* Arranges that the calling thread is ended when it exits. */
void weft_rt_ending_watch(void);

/* Arranges that the end of the calling thread is not noticed. */
void weft_rt_ending_ignore(void);

/* Ends the streams of the calling thread. */
void weft_rt_ending_now(void);

#endif
