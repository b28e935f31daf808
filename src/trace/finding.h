/* SPDX-License-Identifier: MIT */
/*
 * finding.h - what is wrong, odd or inferred about a trace.
 *
 * A finding is not a failure: the run goes on, and at the end the user reads
 * the list. Readers and the emulator add to one list, which keeps the first
 * `max` and counts the rest, so that a trace with a million of them neither
 * fills the memory nor hides its size. Those of one kind and file, which say
 * the same with other numbers, are told one by one up to `few`; the last of
 * these then tells how many more there are, and how far they go.
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
	/* Set by finding_add(): what is wrong; how many more of its kind
	 * follow, and where the last of them is. */
	const char *text;
	uint64_t more;
	int64_t last_offset, last_time;
};

/* Findings that say the same of a file with other numbers. */
struct finding_kind {
	uint64_t hash, n;
	int told; /* the last one in the list, or -1 */
	int next; /* in its chain, or -1 */
};

#define FINDING_FEW 20
#define FINDING_CHAINS 256
#define FINDING_KIND_MAX \
	160 /* bytes of a finding's text that tell its kind \
	     */

struct findings {
	struct arena *arena; /* borrowed */
	int max;             /* how many are kept */
	int few;             /* of a kind and file; 0: all */
	bool strict;         /* what is `refused` counts as an error */
	uint64_t count[FINDING_SEVERITIES]; /* all, kept or not */
	VEC(struct finding) list;
	VEC(struct finding_kind) kinds;
	int chain[FINDING_CHAINS]; /* of kinds: the first, or -1 */
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

/* The text with "N" for each number, but those that end a name. Returns to. */
const char *finding_kind(
	const char *text, char to[static FINDING_KIND_MAX + 1]);

/* How many the list tells of, also those that follow others. */
uint64_t findings_told(const struct findings *fs);

/* "error", "warning", "note". */
const char *finding_severity_name(enum finding_severity severity);

/*
 * One line without severity and newline, for people:
 * "a/stream.obs: byte 20: thread 7: at 30 ns: text (advice); 3 more like this,
 * up to byte 80, at 90 ns". Returns its length as snprintf does.
 */
int finding_text(const struct finding *f, char *to, int room);

#endif
