/* SPDX-License-Identifier: MIT */
/*
 * modules.h - the files that the loader has mapped, and when.
 *
 * Looked at when the loader's counters have moved. Each unload begins a new
 * epoch (track.epoch), which paths carry: from then on something else may lie
 * at the same addresses.
 */
#ifndef WEFT_INPROC_MEM_MODULES_H
#define WEFT_INPROC_MEM_MODULES_H

#include <stdint.h>

#include "inproc/mem/out.h"
#include "inproc/mem/self.h"

/* Writes what came and went since the last call. */
void modules_look(struct outbuf *o);

/* The number of the module that this address is in, or 0. */
uint32_t modules_at(uint64_t address);

/* Writes which TLS blocks a thread has outside static TLS: those of libraries
 * that were loaded late. Looks again after some ms only. */
void modules_locals(struct outbuf *o, struct self *s);

/* After fork: all of them are to be written again. */
void modules_forked(void);

#endif
