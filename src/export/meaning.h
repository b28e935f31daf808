/* SPDX-License-Identifier: MIT */
/*
 * meaning.h - the kind of activity that a state's label stands for.
 *
 * Labels are for people; programs that choose a colour or sum up where time
 * went need to know that "Worker: Looking for work" is a search and "Task:
 * Running body" is work. Each label of a type of states carries one of these
 * meanings beside its text. Colours (export/palette.h) and the classes of
 * analyses follow from the meaning alone.
 */
#ifndef WEFT_EXPORT_MEANING_H
#define WEFT_EXPORT_MEANING_H

#include <string.h>

enum meaning {
	MEANS_UNSAID, /* none given; analyses count it as a task */
	MEANS_TASK,   /* the user's work */
	MEANS_CREATE, /* the runtime makes or submits tasks */
	MEANS_SCHEDULER,
	MEANS_DEPENDENCIES,
	MEANS_MEMORY,
	MEANS_OVERHEAD, /* other work of the runtime */
	MEANS_SYNC,     /* waits for others: barrier, join, taskwait */
	MEANS_LOCK,     /* waits for a lock */
	MEANS_COMMUNICATION,
	MEANS_IO,
	MEANS_SLEEP,  /* a pause that the program chose */
	MEANS_SEARCH, /* a worker without a task looks for one */
	MEANS_READY,  /* could run, but has no CPU */
	MEANS_IDLE,   /* nothing to do */
	MEANS_FLUSH,  /* the recorder writes its buffer */
	MEANS_LOST,   /* events were lost: the state is unknown */
	MEANS_ERROR,  /* the trace breaks a rule */
	MEANINGS,
};

/* Returns "task", "search"...; "" for MEANS_UNSAID. */
static inline const char *
meaning_name(enum meaning meaning)
{
	static const char *const names[MEANINGS] = {
		[MEANS_UNSAID] = "",
		[MEANS_TASK] = "task",
		[MEANS_CREATE] = "create",
		[MEANS_SCHEDULER] = "scheduler",
		[MEANS_DEPENDENCIES] = "dependencies",
		[MEANS_MEMORY] = "memory",
		[MEANS_OVERHEAD] = "overhead",
		[MEANS_SYNC] = "sync",
		[MEANS_LOCK] = "lock",
		[MEANS_COMMUNICATION] = "communication",
		[MEANS_IO] = "io",
		[MEANS_SLEEP] = "sleep",
		[MEANS_SEARCH] = "search",
		[MEANS_READY] = "ready",
		[MEANS_IDLE] = "idle",
		[MEANS_FLUSH] = "flush",
		[MEANS_LOST] = "lost",
		[MEANS_ERROR] = "error",
	};

	return names[meaning];
}

/* Returns the meaning of that name, or MEANS_UNSAID. */
static inline enum meaning
meaning_find(const char *name)
{
	for (int i = MEANS_UNSAID + 1; i < MEANINGS; i++)
		if (strcmp(meaning_name((enum meaning)i), name) == 0)
			return (enum meaning)i;
	return MEANS_UNSAID;
}

#endif
