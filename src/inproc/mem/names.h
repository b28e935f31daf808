/* SPDX-License-Identifier: MIT */
/*
 * names.h - names that the program gave to blocks and ranges (<weft/mem.h>).
 */
#ifndef WEFT_INPROC_MEM_NAMES_H
#define WEFT_INPROC_MEM_NAMES_H

#include <stdint.h>

#include "inproc/mem/out.h"

/* The number of a name, the same for the same text; 0: NULL, or no room. */
uint16_t names_number(const char *name);

/* Writes the name of an object, if it has one. */
void names_write(struct outbuf *o, uint32_t object, uint16_t name);

/* Around fork: nobody is within names_number. */
void names_hold(void);
void names_let_go(void);

#endif
