/* SPDX-License-Identifier: MIT */
/*
 * ending.h - the end of a thread: its parts are told.
 */
#ifndef WEFT_INPROC_CORE_ENDING_H
#define WEFT_INPROC_CORE_ENDING_H

/* Makes the key whose destructor ends threads; that of main, too, which may
 * leave the process to others. */
void weft_rt_ending_load(void);

/* Has the calling thread ended when it exits. */
void weft_rt_ending_watch(void);

/* Ends what the calling thread records. */
void weft_rt_ending_now(void);

#endif
