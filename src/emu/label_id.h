/* SPDX-License-Identifier: MIT */
/*
 * label_id.h - the number of a label, so that equal labels of all processes
 * have one value and one colour in a timeline.
 *
 * Bob Jenkins' 32-bit hash of 1996 (public domain, "A hash function for hash
 * table lookup") with the start value that the ovni tools use, made positive,
 * and moved above the small numbers of other states.
 */
#ifndef WEFT_EMU_LABEL_ID_H
#define WEFT_EMU_LABEL_ID_H

#include <stdint.h>

/* Returns a number from 1000 to 2^31 - 1 that depends only on the text. */
uint32_t label_id(const char *label);

#endif
