/* SPDX-License-Identifier: MIT */
/*
 * names.h - names that the program gives to blocks and ranges (<weft/mem.h>).
 */
#ifndef WEFT_INPROC_MEM_NAMES_H
#define WEFT_INPROC_MEM_NAMES_H

#include <stdint.h>

#include "inproc/mem/out.h"

/* Returns the number of a name; equal texts have one number. 0: NULL or no
 * room. */
uint16_t names_number(const char *name);

/* Writes the name of an object, if it has one. */
void names_write(struct outbuf *o, uint32_t object, uint16_t name);

/* Called around fork: no thread is in names_number. */
void names_hold(void);
void names_let_go(void);

#endif
