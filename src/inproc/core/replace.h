/* SPDX-License-Identifier: MIT */
/*
 * replace.h - the end of the program by exec.
 *
 * Whether an exec succeeds is known only afterwards, when it is too late to
 * write. So before it each stream gets an end that can be taken back: an event
 * behind the last record of the file, and metadata that say that the stream is
 * complete and which program replaces this one. The thread keeps all rings: a
 * thread that records meanwhile has only the room in its ring, and what it
 * records is lost if the exec succeeds.
 */
#ifndef WEFT_INPROC_CORE_REPLACE_H
#define WEFT_INPROC_CORE_REPLACE_H

#include <stdbool.h>

/* Ends all streams; path: the program that is about to be executed, as the
 * caller names it. Returns false if there is nothing to end, or another thread
 * calls exec or ends the process. Keeps errno and the signal mask. */
bool weft_rt_replace(const char *path);

/* The exec failed: the streams go on. Call in the same thread, with the path
 * still valid. Keeps errno. */
void weft_rt_replace_undo(void);

#endif
