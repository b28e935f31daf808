/* SPDX-License-Identifier: MIT */
#include "trace/finding.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/text.h"

#define TEXT_MAX 1024

void
findings_init(struct findings *fs, struct arena *a, int max)
{
	*fs = (struct findings){ .arena = a, .max = max };
}

static void __attribute__((format(printf, 3, 0)))
add(struct findings *fs, struct finding f, const char *fmt, va_list args)
{
	char text[TEXT_MAX];

	BUG_ON(f.severity >= FINDING_SEVERITIES);
	if (f.refused && fs->strict)
		f.severity = FINDING_ERROR;
	fs->count[f.severity]++;
	if (fs->list.n >= fs->max)
		return;
	vsnprintf(text, sizeof text, fmt, args);
	f.text = arena_strdup(fs->arena, text);
	if (f.where != NULL)
		f.where = arena_strdup(fs->arena, f.where);
	VEC_PUSH(&fs->list, fs->arena, f);
}

void
finding_add(struct findings *fs, struct finding f, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(fs, f, fmt, args);
	va_end(args);
}

void
finding_file(struct findings *fs, enum finding_severity severity,
	const char *file, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(fs,
		(struct finding){ .severity = severity,
			.file = file,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		fmt, args);
	va_end(args);
}

const char *
finding_severity_name(enum finding_severity severity)
{
	static const char *const name[FINDING_SEVERITIES] = {
		[FINDING_NOTE] = "note",
		[FINDING_WARNING] = "warning",
		[FINDING_ERROR] = "error",
	};

	BUG_ON(severity >= FINDING_SEVERITIES);
	return name[severity];
}

/* A line being put together: counts on when the room is used up. */
struct line {
	char *to;
	size_t room, n;
};

static void __attribute__((format(printf, 2, 3)))
put(struct line *l, const char *fmt, ...)
{
	char *to = l->n < l->room ? l->to + l->n : NULL;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(to, to == NULL ? 0 : l->room - l->n, fmt, args);
	va_end(args);
	if (n > 0)
		l->n += (size_t)n;
}

int
finding_text(const struct finding *f, char *to, int room)
{
	struct line l = { to, room > 0 ? (size_t)room : 0, 0 };

	if (f->file != NULL)
		put(&l, "%s: ", f->file);
	if (f->offset != FINDING_NOWHERE)
		put(&l, "%s %" PRId64 ": ", f->by_line ? "line" : "byte",
			f->offset);
	if (f->key != NULL && strstr(f->text, f->key) == NULL)
		put(&l, "%s: ", f->key);
	if (f->where != NULL)
		put(&l, "%s: ", f->where);
	if (f->time != FINDING_NEVER)
		put(&l, "at %" PRId64 " ns: ", f->time);
	put(&l, "%s", f->text);
	if (f->advice != NULL)
		put(&l, " (%s)", f->advice);
	if (l.room > 0)
		text_disarm(to);
	return (int)l.n;
}
