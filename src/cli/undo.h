/* SPDX-License-Identifier: MIT */
/*
 * undo.h - what an interrupted command removes and says.
 *
 *	undo_begin();
 *	undo_set("out/stream.obs", "3 of 8 streams are sorted in out");
 *
 * From then on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the temporary file of
 * that output (base/file.h), print the sentence, and end the process as without
 * a handler. There is one such state for the process.
 */
#ifndef WEFT_CLI_UNDO_H
#define WEFT_CLI_UNDO_H

/* Installs the signal handlers. */
void undo_begin(void);

/* Sets the file that is being written, or NULL, and the sentence for that
 * state. */
void undo_set(const char *path, const char *stands);

#endif
