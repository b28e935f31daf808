/* SPDX-License-Identifier: MIT */
/*
 * finding.h - errors, oddities and inferences about a trace.
 *
 * A finding is not a failure: the command goes on, and prints the findings at
 * the end. Readers and the emulator add to one list, which keeps the first
 * `max` findings and counts the rest, so that a trace with a million of them
 * neither fills the memory nor hides their number. Findings are of one kind if
 * their file is the same and their texts differ in numbers only. `few` of each
 * kind are listed; the last one then tells how many more follow, and where the
 * last of them is.
 *
 *	finding_add(fs, (struct finding){ .severity = FINDING_ERROR,
 *		.file = path, .offset = at, .advice = "..." },
 *		"bad flag %d", f);
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
	const char *key;    /* key in the metadata: "ovni.loom_cpus"; or NULL */
	const char *where;  /* "thread 42", "event 6W["; or NULL; copied */
	const char *advice; /* what the user can do; or NULL; a literal */
	int64_t offset;     /* byte (line, if by_line); or FINDING_NOWHERE */
	int64_t time;       /* ns since the start; or FINDING_NEVER */
	uint32_t row_next;  /* 1 + row of the sinks that the finding is
	                     * about; 0: none */
	bool by_line;       /* offset counts lines from 1 */
	bool refused;       /* the ovni tools stop here: an error if strict */
	bool aside;         /* of no use to who reads the timeline: only weft
	                     * check and the viewer list it */
	/* Set by finding_add(): the text; how many more of the same kind
	 * follow, and where the last of them is. */
	const char *text;
	int64_t found_at; /* where findings.now and .stream were */
	uint32_t found_in;
	uint64_t more;
	int64_t last_offset, last_time;
};

/* Findings that differ in numbers only. */
struct finding_kind {
	uint64_t hash, n;
	int told; /* index of the last one listed, or -1 */
	int next; /* next in the hash chain, or -1 */
};

#define FINDING_FEW 20
#define FINDING_CHAINS 256
/* Bytes of a finding's text that are compared to tell its kind. */
#define FINDING_KIND_MAX 160

struct findings {
	struct arena *arena; /* borrowed */
	int max;             /* findings to keep */
	int few;             /* findings to list per kind; 0: all */
	/* Where the reader of events is, for findings of several readers that
	 * are sorted later; or NULL. */
	const int64_t *now;
	const uint32_t *stream;
	bool strict; /* `refused` findings count as errors */
	uint64_t count[FINDING_SEVERITIES]; /* all findings, kept or not */
	VEC(struct finding) list;
	VEC(struct finding_kind) kinds;
	int chain[FINDING_CHAINS]; /* hash chains of kinds: the first, or -1 */
};

/* Initialises an empty list that keeps up to max findings. */
void findings_init(struct findings *fs, struct arena *a, int max);

/* Adds a finding with its text. `offset` and `time` have no default: 0 means
 * byte 0 and time 0. */
void finding_add(struct findings *fs, struct finding f, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

/* Adds a finding about a file as a whole. */
void finding_file(struct findings *fs, enum finding_severity severity,
	const char *file, const char *fmt, ...)
	__attribute__((format(printf, 4, 5), cold));

/* Writes the text with "N" for each number, except for digits that end a name.
 * Returns `to`. */
const char *finding_kind(
	const char *text, char to[static FINDING_KIND_MAX + 1]);

/* Returns the number of findings that the list covers, including those that it
 * only counts. */
uint64_t findings_told(const struct findings *fs);

/* Returns "error", "warning" or "note". */
const char *finding_severity_name(enum finding_severity severity);

/*
 * Formats one line without severity and newline: "a/stream.obs: byte 20: thread
 * 7: at 30 ns: text (advice); 3 more like this, up to byte 80, at 90 ns".
 * Returns its length as snprintf does.
 */
int finding_text(const struct finding *f, char *to, int room);

#endif
