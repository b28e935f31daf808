/* SPDX-License-Identifier: MIT */
/*
 * sanitizer.h - which sanitizer a program was built with, by its file alone.
 *
 *	s = sanitizer_of("./prog");
 *	if (s != NULL && s->is_apart)
 *		run it without the recorder of memory
 *
 * A program names the sanitizer's library among those that it needs, or has
 * the functions of it among its symbols. A stripped program that gcc linked
 * with -static-libasan has neither and is not recognised.
 */
#ifndef WEFT_CLI_RUN_SANITIZER_H
#define WEFT_CLI_RUN_SANITIZER_H

#include <stdbool.h>

struct sanitizer {
	const char *name;   /* "AddressSanitizer" */
	const char *option; /* "address", as -fsanitize takes it */
	bool is_apart;      /* has its own malloc, or checks all that runs */
};

/* NULL: none, or no readable ELF file of 64 bits. */
const struct sanitizer *sanitizer_of(const char *path);

#endif
