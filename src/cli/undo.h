/* SPDX-License-Identifier: MIT */
/*
 * undo.h - defines which file an interrupted command removes, and which
 * sentence it prints.
 *
 *	undo_begin("weft sort");
 *	undo_set("3 of 8 streams are sorted in out");
 *
 * From then on the signals that end a process (SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT, SIGXCPU ...) remove the temporary files (base/leftover.h), print
 * "weft sort: interrupted: 3 of 8 streams ...", and end the process as without
 * a handler, so that a shell sees 128 + the signal. At the limit of a file's
 * size a write fails instead (EFBIG). SIGPIPE prints nothing unless undo_set()
 * was called: `weft dump | head` is no accident.
 *
 * A command that can stop early, and write complete files of the part it has
 * read, calls undo_note_first(): then the first signal is only noted, and a
 * second one ends the command as above.
 *
 * There is one such state for the process.
 */
#ifndef WEFT_CLI_UNDO_H
#define WEFT_CLI_UNDO_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Installs the signal handlers. Until undo_set() is called, the sentence says
 * that no file was written. The prefix of the line is borrowed. */
void undo_begin(const char *prefix);

/* Sets the sentence. A signal is noted, or ends the process, as before. */
void undo_say(const char *stands);

/* Sets the sentence, and ends the process at the next signal. */
void undo_set(const char *stands);

/* From now on the first SIGINT, SIGTERM, SIGHUP or SIGALRM is noted and does
 * not end the process. */
void undo_note_first(void);

/* Ends the process at the next signal: all is read, and the command only
 * prints. Ends it now if a signal was noted, but came too late to cut anything
 * off. */
void undo_at_once(void);

/* Returns true after a signal was noted. */
bool undo_is_noted(void);

/* The noted signal, or 0, for loops in libraries. */
extern atomic_int undo_noted;

/* Remembers that the answer is not whole because of the noted signal. */
void undo_cut(void);

/* Ends the process by the noted signal if undo_cut() was called. The caller has
 * printed which files are complete. */
void undo_end(void);

#endif
