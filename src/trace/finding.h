/* SPDX-License-Identifier: MIT */
/*
 * finding.h - what is wrong, odd or inferred about a trace.
 *
 * A finding is not a failure: the run goes on, and at the end the user reads
 * the list. Readers and the emulator add to one list, which keeps the first
 * `max` and counts the rest, so that a trace with a million of them neither
 * fills the memory nor hides its size.
 *
 *	finding_add(fs, (struct finding){ .severity = FINDING_ERROR,
 *	        .file = path, .offset = at, .advice = "..." },
 *	        "bad flag %d", f);
 */
#ifndef WEFT_TRACE_FINDING_H
#define WEFT_TRACE_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/severity.h"
#include "base/vec.h"

struct arena;

enum finding_severity {
	FINDING_NOTE = SEVERITY_NOTE,
	FINDING_WARNING = SEVERITY_WARNING,
	FINDING_ERROR = SEVERITY_ERROR, /* the command exits with 1 */
	FINDING_SEVERITIES = SEVERITIES,
};

#define FINDING_NOWHERE (-1)    /* no offset */
#define FINDING_NEVER INT64_MIN /* no time */

struct finding {
	enum finding_severity severity;
	const char *file;   /* or NULL; borrowed, lives as long as the list */
	const char *key;    /* of metadata: "ovni.loom_cpus"; or NULL */
	const char *where;  /* "thread 42", "event 6W["; or NULL; copied */
	const char *advice; /* what to do about it; or NULL; a literal */
	int64_t offset;     /* byte (line, if by_line); or FINDING_NOWHERE */
	int64_t time;       /* ns since the start; or FINDING_NEVER */
	uint32_t row_next;  /* 1 + row of the sinks that it is about; 0: none */
	bool by_line;       /* offset counts lines from 1 */
	bool refused;       /* the ovni tools stop at it: an error if strict */
	const char *text;   /* what is wrong; set by finding_add */
};

struct findings {
	struct arena *arena; /* borrowed */
	int max;             /* how many are kept */
	bool strict;         /* what is `refused` counts as an error */
	uint64_t count[FINDING_SEVERITIES]; /* all, kept or not */
	VEC(struct finding) list;
};

/* An empty list that keeps up to max findings. */
void findings_init(struct findings *fs, struct arena *a, int max);

/* Adds one, with the text. Zero `offset` and `time` mean 0: set them. */
void finding_add(struct findings *fs, struct finding f, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

/* Shorthand for a file as a whole. */
void finding_file(struct findings *fs, enum finding_severity severity,
	const char *file, const char *fmt, ...)
	__attribute__((format(printf, 4, 5), cold));

/* "error", "warning", "note". */
const char *finding_severity_name(enum finding_severity severity);

/*
 * One line without severity and newline, for people:
 * "a/stream.obs: byte 20: thread 7: at 30 ns: text (advice)". Returns its
 * length as snprintf does.
 */
int finding_text(const struct finding *f, char *to, int room);

#endif
