/* SPDX-License-Identifier: MIT */
/*
 * modules.h - records which files the loader has mapped, and when.
 *
 * The list is read again when the loader's counters have changed. Each unload
 * begins a new epoch (track.epoch), which call paths carry: afterwards another
 * module may lie at the same addresses.
 */
#ifndef WEFT_INPROC_MEM_MODULES_H
#define WEFT_INPROC_MEM_MODULES_H

#include <stdint.h>

#include "inproc/mem/out.h"
#include "inproc/mem/self.h"

/* Writes modules that were loaded or unloaded since the last call. */
void modules_look(struct outbuf *o);

/* Returns the number of the module that contains the address, or 0. */
uint32_t modules_at(uint64_t address);

/* Writes a thread's TLS blocks outside static TLS: those of libraries loaded
 * later. Checks again only after some ms. */
void modules_locals(struct outbuf *o, struct self *s);

/* After fork: all modules are to be written again. */
void modules_forked(void);

#endif
