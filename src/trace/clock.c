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
#include "trace/align/table.h"
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

/* Returns true if the boot of a table's machine is known, and is not that of a
 * node of the same host. */
static bool
was_restarted(const struct trace_node *n, const struct clock_table *table)
{
	size_t length = strlen(n->host);

	for (int i = 0; i < table->machines.n && n->boot != NULL; i++) {
		const struct clock_machine *m = &table->machines.at[i];

		if (m->boot != NULL && strncmp(m->host, n->host, length) == 0 &&
			(m->host[length] == '\0' || m->host[length] == '.'))
			return true;
	}
	return false;
}

static bool
is_reference(const struct trace_node *n, const struct clock_table *table)
{
	size_t length = strlen(n->host);

	if (n->boot != NULL && table->boot != NULL)
		return strcmp(n->boot, table->boot) == 0;
	return strncmp(table->host, n->host, length) == 0 &&
		(table->host[length] == '\0' || table->host[length] == '.');
}

/* Gives the node its line. */
static void
apply_line(struct trace *t, struct trace_node *n,
	const struct clock_table *table, const char *path)
{
	bool ambiguous;
	const struct clock_machine *m =
		clock_table_find(table, n->host, n->boot, &ambiguous);

	if (m != NULL) {
		n->line = m->line;
		n->clock_how = m->how;
		n->clock_offset =
			n->line.points.n > 0 ? n->line.points.at[0].offset : 0;
	} else if (is_reference(n, table)) {
		clock_line_add(&n->line, t->arena, &(struct clock_point){ 0 });
	} else if (was_restarted(n, table)) {
		finding_file(t->findings, FINDING_ERROR, path,
			"%s: its host was restarted between the measurement "
			"and the trace: no correction of its clock is known",
			n->name);
	} else {
		finding_file(t->findings, FINDING_WARNING, path,
			"%s: %s; its clock is assumed to agree with that of "
			"%s (weft sync, one process on each host, makes a "
			"table of all)",
			n->name,
			ambiguous ? "several machines of the table have the "
				    "name of its host"
				  : "its host is not in the table",
			table->host);
	}
}

/* Returns the largest error of a line at its points; -1: one is not known, or
 * there is no point. */
static int64_t
largest_error(const struct clock_line *l)
{
	int64_t most = l->points.n > 0 ? 0 : -1;

	for (int i = 0; i < l->points.n; i++) {
		int64_t error = l->points.at[i].error;

		if (error < 0)
			return -1;
		if (error > most)
			most = error;
	}
	return most;
}

/* Says how exact the corrected clocks are: the sum of the two largest errors,
 * since each of two nodes may be wrong. */
static void
say_error(struct trace *t, const char *path)
{
	int64_t most = 0, next = 0;

	for (int i = 0; i < t->nodes.n; i++) {
		int64_t error = largest_error(&t->nodes.at[i].line);

		if (error < 0)
			return;
		if (error > most) {
			next = most;
			most = error;
		} else if (error > next) {
			next = error;
		}
	}
	if (t->nodes.n < 2)
		return;
	t->clock_error = most + next;
	finding_file(t->findings, FINDING_NOTE, path,
		"the clocks of %d nodes agree within %.3f us where they were "
		"measured; the order of events that are closer is not known",
		t->nodes.n, (double)t->clock_error / 1000);
}

/* Reads a table of weft sync. */
static void
read_lines(struct trace *t, char *text, const char *path)
{
	struct clock_table table = { 0 };

	if (!clock_table_parse(&table, t->arena, text, path, t->findings))
		return;
	for (int i = 0; i < t->nodes.n; i++)
		apply_line(t, &t->nodes.at[i], &table, path);
	say_error(t, path);
	t->reference = table.boot != NULL
		? table.boot
		: arena_printf(t->arena, "reference %s", table.host);
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
	if (clock_table_is(text)) {
		read_lines(t, text, c.path);
		return true;
	}
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

int64_t
clock_time(const struct trace_node *n, int64_t clock)
{
	int64_t offset, time;
	int at = 0;

	if (n == NULL)
		return clock;
	offset = n->line.points.n > 1 ? clock_line_offset(&n->line, clock, &at)
				      : n->clock_offset;
	if (!__builtin_add_overflow(clock, offset, &time))
		return time;
	return offset < 0 ? INT64_MIN : INT64_MAX;
}

int64_t
clock_local(const struct trace_node *n, int64_t time)
{
	int64_t clock;
	int at = 0;

	if (n == NULL)
		return time;
	if (n->line.points.n > 1)
		return clock_line_local(&n->line, time, &at);
	if (!__builtin_sub_overflow(time, n->clock_offset, &clock))
		return clock;
	return n->clock_offset < 0 ? INT64_MAX : INT64_MIN;
}
