/* SPDX-License-Identifier: MIT */
/*
 * sanitizer.h - detects from a program's file with which sanitizer the program
 * was built.
 *
 *	s = sanitizer_of("./prog");
 *	if (s != NULL && s->is_apart)
 *		run it without the memory recorder
 *
 * The program lists the sanitizer's library among those that it needs, or has
 * its functions among its symbols. A stripped program that gcc linked with
 * -static-libasan has neither and is not detected.
 */
#ifndef WEFT_CLI_RUN_SANITIZER_H
#define WEFT_CLI_RUN_SANITIZER_H

#include <stdbool.h>

struct sanitizer {
	const char *name;   /* "AddressSanitizer" */
	const char *option; /* "address", for -fsanitize= */
	bool is_apart; /* the recorder would disturb the sanitizer, which has
	                * its own malloc, or checks all code */
};

/* Returns NULL for no sanitizer, and for anything but a readable 64-bit ELF
 * file. */
const struct sanitizer *sanitizer_of(const char *path);

#endif
