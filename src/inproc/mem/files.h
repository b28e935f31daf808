/* SPDX-License-Identifier: MIT */
/*
 * files.h - the files that a round writes: process.mem, and one per thread.
 */
#ifndef WEFT_INPROC_MEM_FILES_H
#define WEFT_INPROC_MEM_FILES_H

#include "inproc/mem/out.h"
#include "inproc/mem/self.h"

/* Returns the buffer of process.mem. */
struct outbuf *files_process(void);

/* Writes process.mem, with all new call paths. */
void files_flush_process(void);

/* Returns the buffer of a thread's file, or NULL. */
struct outbuf *files_of(struct self *s);

#endif
