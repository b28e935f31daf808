/* SPDX-License-Identifier: MIT */
/*
 * acts.h - the common part of act.c and ctfact.c: runs the function that the
 * first argument names, and always prints and exits in the same way.
 *
 *	static const struct act acts[] = { { "count", act_count } };
 *	return acts_run(acts, sizeof(acts) / sizeof(*acts), argc, argv);
 */
#ifndef WEFT_TESTS_RT_ACTS_H
#define WEFT_TESTS_RT_ACTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

struct act {
	const char *verb;
	void (*act)(void);
};

static char **args; /* the arguments after the verb, and NULL */

/* Returns argument i as a number, or the value `otherwise` if there is no such
 * argument. */
static inline long
arg(int i, long otherwise)
{
	for (int k = 0; k < i; k++)
		if (!args[k])
			return otherwise;
	return args[i] ? atol(args[i]) : otherwise;
}

/* Prints a message if a child did not exit with 0. */
static inline void
wait_for(pid_t pid)
{
	int status = -1;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		printf("child: status %d\n", status);
}

/* Runs the act. Returns the exit code: 7, after printing "acted", or 2 for an
 * unknown verb. */
static inline int
acts_run(const struct act *acts, size_t n, int argc, char **argv)
{
	args = argv + 2;
	for (size_t i = 0; argc > 1 && i < n; i++)
		if (strcmp(acts[i].verb, argv[1]) == 0) {
			acts[i].act();
			puts("acted");
			return 7;
		}
	return 2;
}

#endif
