/* SPDX-License-Identifier: MIT */
/*
 * confined.h - what programs use that give up their system calls.
 */
#ifndef WEFT_TESTS_COLLECT_CONFINED_H
#define WEFT_TESTS_COLLECT_CONFINED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLEEP = 2000000 /* ns */ };

static inline void
nap(void)
{
	const struct timespec t = { 0, SLEEP };

	nanosleep(&t, NULL);
}

static inline void
say(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		_exit(9);
}

static inline void
fail(const char *text)
{
	perror(text);
	exit(8);
}

#endif
