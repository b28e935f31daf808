/* SPDX-License-Identifier: MIT */
#include "trace/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/intern.h"
#include "trace/trace.h"

#define TABLE_MAX (16u << 20) /* bytes */
#define COLUMNS 5
#define AWAY_NS (INT64_C(30) * 24 * 3600 * 1000000000)

/* A data line of the table. */
struct entry {
	const char *written; /* host, as in the file */
	const char *host;    /* as the trace would name it */
	int64_t offset;      /* ns */
};

struct table {
	struct trace *trace;
	const char *path;
	struct intern seen;  /* hosts of earlier lines */
	struct intern hosts; /* hosts of the trace; `offset` has their clock
	                      * offsets */
	VEC(int64_t) offset;
	int64_t line;
};

static struct finding
at_line(const struct table *c)
{
	return (struct finding){ .severity = FINDING_ERROR,
		.file = c->path,
		.offset = c->line,
		.by_line = true,
		.time = FINDING_NEVER };
}

static bool
read_int(const char *s, int64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoll(s, &end, 10);
	return errno == 0 && end != s && *end == '\0';
}

static bool
read_double(const char *s, double *out)
{
	char *end;

	*out = strtod(s, &end);
	return end != s && *end == '\0';
}

/* Cuts the line into columns; everything after the fifth is ignored. */
static int
split(char *line, char *column[COLUMNS])
{
	char *rest = NULL;
	int n = 0;

	for (char *s = strtok_r(line, " \t\r\v\f", &rest);
		s != NULL && n < COLUMNS;
		s = strtok_r(NULL, " \t\r\v\f", &rest))
		column[n++] = s;
	return n;
}

static bool
read_entry(struct table *c, char *column[COLUMNS], struct entry *e)
{
	struct findings *fs = c->trace->findings;
	double median = 0, other;
	int64_t rank;

	if (!read_int(column[0], &rank)) {
		finding_add(fs, at_line(c),
			"the rank in column 1 is \"%s\", not a whole number",
			column[0]);
		return false;
	}
	for (int i = 2; i < COLUMNS; i++) {
		if (!read_double(column[i], i == 2 ? &median : &other)) {
			finding_add(fs, at_line(c),
				"column %d is \"%s\", not a number", i + 1,
				column[i]);
			return false;
		}
	}
	if (!isfinite(median) || fabs(median) >= 0x1p63) {
		finding_add(fs, at_line(c), "the offset in column 3 is %s, %s",
			column[2],
			isnan(median) ? "not a number"
				      : "too large for a clock");
		return false;
	}
	*e = (struct entry){ column[1], column[1], (int64_t)median };
	return true;
}

/* ovnisync writes the whole name of a host, and a trace has the name up to its
 * first dot. The ovni tools do not find such a host. */
static void
find_host(struct table *c, struct entry *e)
{
	if (!c->trace->findings->strict &&
		intern_find(&c->hosts, e->host) == INTERN_NONE)
		e->host = arena_strndup(
			c->trace->arena, e->host, strcspn(e->host, "."));
}

static void
know_hosts(struct table *c)
{
	struct trace *t = c->trace;

	intern_init(&c->hosts, t->arena);
	for (int i = 0; i < t->nodes.n; i++)
		if (intern_add(&c->hosts, t->nodes.at[i].host) ==
			(uint32_t)c->offset.n)
			VEC_PUSH(&c->offset, t->arena, 0);
}

static void
set_offset(struct table *c, const struct entry *e)
{
	uint32_t host = intern_find(&c->hosts, e->host);

	if (host != INTERN_NONE)
		c->offset.at[host] = e->offset;
	else
		finding_add(c->trace->findings, at_line(c),
			"host %s is not in the trace", e->written);
}

static void
apply(struct table *c)
{
	struct trace *t = c->trace;

	for (int i = 0; i < t->nodes.n; i++)
		t->nodes.at[i].clock_offset = c->offset.at[intern_find(
			&c->hosts, t->nodes.at[i].host)];
}

/* Reads a line. Returns true if it is an entry, valid or not; false if it is
 * blank. */
static bool
read_line(struct table *c, char *line)
{
	struct findings *fs = c->trace->findings;
	char *column[COLUMNS];
	struct entry e;
	int n = split(line, column);

	if (n == 0)
		return false;
	if (n < COLUMNS) {
		finding_add(
			fs, at_line(c), "%d columns instead of %d", n, COLUMNS);
		return true;
	}
	if (!read_entry(c, column, &e))
		return true;
	find_host(c, &e);
	if (intern_find(&c->seen, e.host) != INTERN_NONE) {
		finding_add(fs, at_line(c),
			"host %s has an offset in an earlier line", e.written);
		return true;
	}
	intern_add(&c->seen, e.host);
	set_offset(c, &e);
	return true;
}

bool
clock_read(struct trace *t, const char *path, struct err *err)
{
	struct table c = {
		.trace = t, .path = arena_strdup(t->arena, path), .line = 1
	};
	size_t size;
	char *text = file_read(t->arena, path, TABLE_MAX, &size, err);
	char *next;
	bool any = false;

	if (text == NULL)
		return err_in(err, "%s", path);
	if (size == 0) {
		finding_file(t->findings, FINDING_ERROR, c.path,
			"the table of clock offsets is empty");
		return true;
	}
	if (strlen(text) != size)
		finding_file(t->findings, FINDING_ERROR, c.path,
			"the table of clock offsets has a NUL byte; everything "
			"after it is ignored");
	intern_init(&c.seen, t->arena);
	know_hosts(&c);
	next = strchr(text, '\n'); /* the header line is not needed */
	while (next != NULL) {
		char *line = next + 1;

		c.line++;
		next = strchr(line, '\n');
		if (next != NULL)
			*next = '\0';
		any |= read_line(&c, line);
	}
	apply(&c);
	if (!any)
		finding_file(t->findings, FINDING_ERROR, c.path,
			"the table of clock offsets has no entries");
	return true;
}

static int
by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int64_t
clock_middle(int64_t *time, int n)
{
	qsort(time, (size_t)n, sizeof *time, by_time);
	return time[(n - 1) / 2];
}

bool
clock_is_away(int64_t a, int64_t b)
{
	int64_t apart;

	return __builtin_sub_overflow(a, b, &apart) || apart > AWAY_NS ||
		apart < -AWAY_NS;
}
