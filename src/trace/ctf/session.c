/* SPDX-License-Identifier: MIT */
#include "trace/ctf/session.h"

#include <string.h>

#include "trace/ctf/directories.h"
#include "trace/finding.h"
#include "trace/roots.h"
#include "trace/trace.h"

/* What LTTng appends to the name of a snapshot: date, time, number. */
#define DIGITS_2 "[0-9][0-9]"
#define DIGITS_6 DIGITS_2 DIGITS_2 DIGITS_2
#define SNAPSHOT "*-" DIGITS_6 DIGITS_2 "-" DIGITS_6 "-[0-9]*"

/* Name of the directory that a rotated session records to: start time and
 * number. */
#define MOMENT DIGITS_6 DIGITS_2 "T" DIGITS_6 "[-+]" DIGITS_2 DIGITS_2
#define CHUNK_OF(number) MOMENT "-" number
/* Name of an archived chunk: start time, end time and number. */
#define ARCHIVED MOMENT "-" MOMENT "-[0-9]*"
#define CHUNK_LAYOUTS(number) \
	CHUNK_OF(number) \
	"/kernel", CHUNK_OF(number) "/ust/uid/*/*", \
		CHUNK_OF(number) "/ust/pid/*"

static const char *const chunks[] = { CHUNK_LAYOUTS("[0-9]"),
	CHUNK_LAYOUTS(DIGITS_2), CHUNK_LAYOUTS(DIGITS_2 "[0-9]"), NULL };

bool
ctf_session_check(
	const struct ctf_folders *f, const char *path, struct err *err)
{
	static const char *const layouts[] = { "[0-9]*/ctf/*",
		"archives/*/kernel", "archives/*/ust/uid/*/*",
		"archives/*/ust/pid/*", SNAPSHOT "/kernel",
		SNAPSHOT "/ust/uid/*/*", SNAPSHOT "/ust/pid/*",
		"snapshot-*/kernel", "snapshot-*/ust/uid/*/*",
		"snapshot-*/ust/pid/*", CHUNK_LAYOUTS("[0-9]"),
		CHUNK_LAYOUTS(DIGITS_2), CHUNK_LAYOUTS(DIGITS_2 "[0-9]"),
		ARCHIVED "/kernel", ARCHIVED "/ust/uid/*/*",
		ARCHIVED "/ust/pid/*", "kernel", "ust/uid/*/*", "ust/pid/*",
		NULL };
	struct roots roots = { .arena = f->arena, .layouts = layouts };

	for (int i = 0; i < f->at.n; i++)
		roots_add(&roots, f->at.at[i].name);
	return roots_check(&roots, path, "", err);
}

void
ctf_session_report(const struct trace *t)
{
	struct roots roots = { .layouts = chunks };

	for (int i = 0; i < t->parts.n; i++)
		if (roots_fits(&roots, t->parts.at[i]->name)) {
			finding_file(t->findings, FINDING_NOTE,
				t->parts.at[i]->path,
				"LTTng recorded to this directory last: what "
				"it "
				"still holds in memory is missing; if the "
				"session still records, lttng rotate or lttng "
				"stop writes it");
			return;
		}
}

bool
ctf_session_is_lttng(const struct trace *t)
{
	for (int i = 0; i < t->parts.n; i++) {
		const struct trace_env *e =
			trace_env(t->parts.at[i], "tracer_name");

		if (e != NULL && e->text != NULL &&
			strncmp(e->text, "lttng", 5) == 0)
			return true;
	}
	return false;
}

bool
ctf_session_is_system(const struct trace *t)
{
	for (int i = 0; i < t->parts.n; i++) {
		const struct trace_env *e =
			trace_env(t->parts.at[i], "weft_system");

		if (e != NULL && e->text == NULL && e->number == 1)
			return true;
	}
	return false;
}
