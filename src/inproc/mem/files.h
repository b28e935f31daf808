/* SPDX-License-Identifier: MIT */
/*
 * files.h - the files of a round: process.mem, and one a thread.
 */
#ifndef WEFT_INPROC_MEM_FILES_H
#define WEFT_INPROC_MEM_FILES_H

#include "inproc/mem/out.h"
#include "inproc/mem/self.h"

/* process.mem. */
struct outbuf *files_process(void);

/* Writes it out, with the paths that are new. */
void files_flush_process(void);

/* The file of a thread, or NULL. */
struct outbuf *files_of(struct self *s);

#endif
