/* SPDX-License-Identifier: MIT */
/*
 * measure.h - weft run -e datacentric: a program under the recorder of memory.
 *
 * The words of -e are parted: those that mean memory are ours, the others are
 * events of the program's own. The recorder is a library that the loader puts
 * in front of the program's; it finds what it needs in the environment.
 *
 *	struct measure m = { .arena = &arena };
 *	if (!measure_parse(&m, "data@500,nanos6:-memory", &err)) ...
 *	if (m.n > 0 && measure_prepare(&m, folder, argv, &err))
 *		run the program
 *	measure_say(&m, ...)
 */
#ifndef WEFT_CLI_RUN_MEASURE_H
#define WEFT_CLI_RUN_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

enum { MEASURE_EVENTS = 3 };

struct measure {
	struct arena *arena;
	const char *others; /* the words that are not ours, or NULL */
	char model;         /* that the last of them was of, or 0 */
	const char *name;   /* of that model, as it was given */
	bool is_minus, has_categories; /* that rule: "-nanos6:..." */
	int n;                         /* events of memory asked for */
	struct measured {
		int kind;        /* index of its name */
		uint64_t period; /* ns, or faults */
	} event[MEASURE_EVENTS];
	const char *folder; /* of the measurement; NULL: it was left out */
};

/* Takes the words of one more -e. False: one is wrong; err says what it was
 * most likely meant to be. */
bool measure_parse(struct measure *m, const char *text, struct err *err);

/* Sets the environment for the program, or says why the recorder is left out:
 * a program that a sanitizer watches runs as without us. Call after it is known
 * and before it starts. False: it cannot be measured, err says why and what to
 * do. */
bool measure_prepare(struct measure *m, const char *folder, const char *program,
	struct err *err);

/* The library of the recorder that belongs to this command, or NULL. */
const char *measure_library(struct arena *a);

/* What was measured. True: something was. */
bool measure_say(const struct measure *m, const char *weft, const char *shown);

#endif
