/* SPDX-License-Identifier: MIT */
/*
 * measure.h - runs a program under the memory recorder: weft run -e
 * datacentric.
 *
 * The list of -e is split: words about memory are handled here, all others are
 * events of the program itself. The recorder is a library, loaded with
 * LD_PRELOAD, which reads its settings from the environment.
 *
 *	struct measure m = { .arena = &arena };
 *	if (!measure_parse(&m, "data@500,nanos6:-memory", &err)) ...
 *	if (m.n > 0 && measure_prepare(&m, directory, argv, &err))
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
	const char *others; /* the words about other events, or NULL */
	char model;         /* letter of the model in the last of these
	                     * words, or 0 */
	const char *name;   /* name of that model: "nanos6" */
	bool is_minus, has_categories; /* properties of that word:
	                                * "-nanos6:..." */
	int n;                         /* memory events that were requested */
	struct measured {
		int kind;        /* index in the table of kinds */
		uint64_t period; /* ns, or faults */
	} event[MEASURE_EVENTS];
	const char *folder; /* directory of the measurement; NULL: the recorder
	                     * is left out */
};

/* Parses the list of one more -e. Returns false and sets err if a word is
 * unknown; err proposes the word that was probably meant. */
bool measure_parse(struct measure *m, const char *text, struct err *err);

/* Returns the words that -e knows, with commas. */
const char *measure_words(struct arena *a);

/* Sets the environment for the program. A program with a sanitizer runs without
 * the recorder, after a message. Call it after parsing all options and before
 * the program starts. Returns false and sets err if the program cannot be
 * measured; err says what to do. */
bool measure_prepare(struct measure *m, const char *folder, const char *program,
	struct err *err);

#define MEASURE_LIBRARY "libweft-mem.so"

/* Returns the path of a library of recorders that belongs to this command, or
 * NULL. */
const char *measure_library(struct arena *a, const char *name);

/* Returns why a library cannot be loaded into the program by LD_PRELOAD, as
 * "is linked statically", or NULL. */
const char *measure_hindrance(struct arena *a, const char *name);

/* Lets programs with AddressSanitizer, which our program may start, run with a
 * library before the sanitizer's. */
void measure_allow_second_place(struct arena *a);

/* Reports what was measured. Returns false if nothing was measured. */
bool measure_say(const struct measure *m, const char *weft, const char *shown);

#endif
