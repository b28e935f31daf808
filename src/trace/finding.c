/* SPDX-License-Identifier: MIT */
#include "trace/finding.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alias.h"
#include "base/arena.h"
#include "base/bug.h"
#include "base/text.h"

#define TEXT_MAX 1024
/* The most kinds that are distinguished; findings of further kinds are listed
 * one by one. */
#define KINDS_MAX 8192

void
findings_init(struct findings *fs, struct arena *a, int max)
{
	*fs = (struct findings){ .arena = a, .max = max };
	for (int i = 0; i < FINDING_CHAINS; i++)
		fs->chain[i] = -1;
}

/* Returns the length of the number that the text begins with ("-12", "0x7f");
 * 0: none. */
static size_t
number_length(const char *text)
{
	size_t n = *text == '-';

	if (!isdigit((unsigned char)text[n]))
		return 0;
	if (text[n] == '0' && (text[n + 1] | 0x20) == 'x' &&
		isxdigit((unsigned char)text[n + 2])) {
		size_t end = n + 2;

		while (isxdigit((unsigned char)text[end]))
			end++;
		return end;
	}
	while (isdigit((unsigned char)text[n]))
		n++;
	return n;
}

const char *
finding_kind(const char *text, char to[static FINDING_KIND_MAX + 1])
{
	size_t n = 0;
	bool name = false;   /* digits after a letter belong to a name */
	bool number = false; /* a minus after a number is not a sign */

	while (*text != '\0' && n < FINDING_KIND_MAX) {
		size_t size = (name && isdigit((unsigned char)*text)) ||
				(number && *text == '-')
			? 0
			: number_length(text);

		number = size > 0;
		if (!number) {
			name = isalpha((unsigned char)*text) ||
				(name && isdigit((unsigned char)*text));
			to[n++] = *text++;
			continue;
		}
		name = false;
		text += size;
		to[n++] = 'N';
	}
	to[n] = '\0';
	return text_disarm(to);
}

/* Continues an FNV-1a hash. */
static uint64_t
mix(uint64_t hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

/* Returns the kind of a finding, added if it is new; NULL if there are too many
 * kinds. */
static struct finding_kind *
kind_of(struct findings *fs, const struct finding *f, const char *text)
{
	char kind[FINDING_KIND_MAX + 1];
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)f->severity;
	int *first, i;

	hash = mix(hash, f->file == NULL ? "" : f->file);
	hash = mix(hash * 31, finding_kind(text, kind));
	first = &fs->chain[hash % FINDING_CHAINS];
	for (i = *first; i >= 0 && fs->kinds.at[i].hash != hash;)
		i = fs->kinds.at[i].next;
	if (i < 0 && fs->kinds.n == KINDS_MAX)
		return NULL;
	if (i < 0) {
		i = fs->kinds.n;
		VEC_PUSH(&fs->kinds, fs->arena,
			((struct finding_kind){ hash, 0, -1, *first }));
		*first = i;
	}
	return &fs->kinds.at[i];
}

/* Returns true if the kind has been listed often enough; then counts the
 * finding with the last one listed. */
static bool
goes_with(struct findings *fs, const struct finding_kind *kind,
	const struct finding *f)
{
	struct finding *last;

	if (kind == NULL || kind->told < 0 || kind->n <= (uint64_t)fs->few)
		return false;
	last = &fs->list.at[kind->told];
	last->more++;
	last->last_offset = f->offset;
	last->last_time = f->time;
	return true;
}

uint64_t
findings_told(const struct findings *fs)
{
	uint64_t n = (uint64_t)fs->list.n;

	for (int i = 0; i < fs->list.n; i++)
		n += fs->list.at[i].more;
	return n;
}

static void __attribute__((format(printf, 3, 0)))
add(struct findings *fs, struct finding f, const char *fmt, va_list args)
{
	struct finding_kind *kind = NULL;
	char text[TEXT_MAX];

	BUG_ON(f.severity >= FINDING_SEVERITIES);
	if (f.refused && fs->strict)
		f.severity = FINDING_ERROR;
	fs->count[f.severity]++;
	if (fs->list.n >= fs->max && (fs->few == 0 || fs->max == 0))
		return;
	vsnprintf(text, sizeof text, fmt, args);
	if (fs->few > 0)
		kind = kind_of(fs, &f, text);
	if (kind != NULL)
		kind->n++;
	if (goes_with(fs, kind, &f) || fs->list.n >= fs->max)
		return;
	if (kind != NULL)
		kind->told = fs->list.n;
	f.text = arena_strdup(fs->arena, text);
	if (fs->now != NULL) {
		f.found_at = *fs->now;
		f.found_in = *fs->stream;
	}
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

/* A line being assembled. n counts all characters, even those for which there
 * is no more room. */
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

static void
put_more(struct line *l, const struct finding *f)
{
	put(l, "; %" PRIu64 " more like this", f->more);
	if (f->last_offset != FINDING_NOWHERE)
		put(l, ", up to %s %" PRId64, f->by_line ? "line" : "byte",
			f->last_offset);
	if (f->last_time != FINDING_NEVER)
		put(l, ", at %" PRId64 " ns", f->last_time);
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
	if (f->more > 0)
		put_more(&l, f);
	if (l.room > 0) {
		alias_text(to, l.room);
		text_disarm(to);
	}
	return (int)l.n;
}
