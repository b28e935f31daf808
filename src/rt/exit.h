/* SPDX-License-Identifier: MIT */
/*
 * exit.h - the end of the process.
 */
#ifndef WEFT_RT_EXIT_H
#define WEFT_RT_EXIT_H

/* How often to pause until a thread that still records is let be: a second. */
enum { EXIT_TURNS = 20000 };

/* Ends all threads and the recording; when the library is unloaded. */
void weft_rt_exit(void);

/* Says once how many events were lost, if any were. */
void weft_rt_exit_say(void);

#endif
