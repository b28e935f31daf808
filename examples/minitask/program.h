/* SPDX-License-Identifier: MIT */
/* program.h - what the example programs share: arguments and the verdict. */
#ifndef MINITASK_PROGRAM_H
#define MINITASK_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "minitask.h"

/* Returns the i-th argument, or the value `otherwise` if there is no such
 * argument. Ends the program if the argument is not a number from 1 to most. */
static inline long
argument(int argc, char *argv[], int i, long otherwise, long most)
{
	char *end;
	long n;

	if (argc <= i)
		return otherwise;
	n = strtol(argv[i], &end, 10);
	if (*end == '\0' && n >= 1 && n <= most)
		return n;
	fprintf(stderr, "%s: %s is not a number from 1 to %ld\n", argv[0],
		argv[i], most);
	exit(2);
}

/* Returns the exit code of main(). */
static inline int
verdict(const char *program, bool is_right)
{
	mt_print_counts();
	printf("%s: %s\n", program,
		is_right ? "the result is right" : "THE RESULT IS WRONG");
	return is_right ? 0 : 1;
}

#endif
