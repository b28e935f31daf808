/* SPDX-License-Identifier: MIT */
/*
 * undo.h - what a command that is interrupted removes and says.
 *
 *	undo_begin();
 *	undo_set("out/stream.obs", "3 of 8 streams are sorted in out");
 *
 * SIGINT, SIGTERM, SIGHUP and SIGPIPE then remove the temporary file of that
 * output (base/file.h), say the sentence, and end the process as they do
 * without this.
 * One set a process.
 */
#ifndef WEFT_CLI_UNDO_H
#define WEFT_CLI_UNDO_H

/* Catches the signals. */
void undo_begin(void);

/* The file that is being written, or NULL, and what stands so far. */
void undo_set(const char *path, const char *stands);

#endif
