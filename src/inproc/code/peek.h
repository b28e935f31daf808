/* SPDX-License-Identifier: MIT */
/* peek.h - reads memory that may not be there. */
#ifndef WEFT_INPROC_CODE_PEEK_H
#define WEFT_INPROC_CODE_PEEK_H

#include <stddef.h>

/* Copies memory of the program, of which the kernel has not checked that it can
 * be read. Returns how many bytes can be. Keeps errno. */
size_t code_peek(void *to, const void *from, size_t n);

#endif
