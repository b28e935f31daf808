/* SPDX-License-Identifier: MIT */
#include "trace/align/table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/finding.h"

#define HEAD "weft clocks 1"
#define FAR (INT64_MAX / 2) /* clocks and offsets beyond are damaged */

enum { COLUMNS = 6 };

static const char *const ways[] = { "probe", "messages", "realtime", "given" };

struct reading {
	struct clock_table *table;
	struct arena *arena;
	struct findings *findings;
	const char *path;
	int64_t line;
};

bool
clock_table_is(const char *text)
{
	size_t n = strlen(HEAD);

	return strncmp(text, HEAD, n) == 0 &&
		(text[n] == '\n' || text[n] == '\r' || text[n] == '\0');
}

static struct finding
at_line(const struct reading *r)
{
	return (struct finding){ .severity = FINDING_ERROR,
		.file = r->path,
		.offset = r->line,
		.by_line = true,
		.time = FINDING_NEVER };
}

static bool
is_same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

struct clock_machine *
clock_table_machine(struct clock_table *table, struct arena *a,
	const char *host, const char *boot)
{
	struct clock_machine *m;

	for (int i = 0; i < table->machines.n; i++) {
		m = &table->machines.at[i];
		if (strcmp(m->host, host) == 0 && is_same_text(m->boot, boot))
			return m;
	}
	m = VEC_ADD(&table->machines, a);
	m->host = arena_strdup(a, host);
	m->boot = boot != NULL ? arena_strdup(a, boot) : NULL;
	return m;
}

/* Reads a column as a whole number from -FAR to FAR. */
static bool
read_number(const struct reading *r, int column, const char *text, int64_t *to)
{
	char *end;

	errno = 0;
	*to = strtoll(text, &end, 10);
	if (end != text && *end == '\0' && errno == 0 && *to<FAR && * to> - FAR)
		return true;
	finding_add(r->findings, at_line(r),
		"column %d is \"%.40s\", not a number of ns that a clock may "
		"have",
		column, text);
	return false;
}

static const char *
known_way(const char *word)
{
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		if (strcmp(ways[i], word) == 0)
			return ways[i];
	return NULL;
}

static const char *
boot_of(const char *column)
{
	return strcmp(column, "-") == 0 ? NULL : column;
}

static void
read_point(const struct reading *r, char *column[COLUMNS])
{
	struct clock_point p = { 0 };
	const char *how = known_way(column[5]);
	struct clock_machine *m;

	if (!read_number(r, 3, column[2], &p.local) ||
		!read_number(r, 4, column[3], &p.offset) ||
		!read_number(r, 5, column[4], &p.error))
		return;
	if (p.error < -1 || how == NULL) {
		finding_add(r->findings, at_line(r),
			p.error < -1 ? "the error in column 5 is negative"
				     : "column 6 is \"%.40s\", not probe, "
				       "messages, realtime or given",
			column[5]);
		return;
	}
	m = clock_table_machine(
		r->table, r->arena, column[0], boot_of(column[1]));
	if (m->line.points.n == 0)
		m->how = how;
	if (m->line.points.n < CLOCK_TABLE_POINTS &&
		!clock_line_add(&m->line, r->arena, &p))
		finding_add(r->findings, at_line(r),
			p.local <= m->line.points.at[m->line.points.n - 1].local
				? "left out: its clock is not later than that "
				  "of the line before"
				: "left out: the clock would drift by more "
				  "than %d ppm since the line before",
			CLOCK_LINE_PPM);
}

/* Cuts the line into columns. Returns their number, at most COLUMNS + 1. */
static int
split(char *line, char *column[COLUMNS])
{
	char *rest = NULL;
	int n = 0;

	for (char *s = strtok_r(line, " \t\r", &rest); s != NULL;
		s = strtok_r(NULL, " \t\r", &rest)) {
		if (n == COLUMNS)
			return COLUMNS + 1;
		column[n++] = s;
	}
	return n;
}

static void
read_line(const struct reading *r, char *line)
{
	char *column[COLUMNS];
	int n = split(line, column);

	if (n == 3 && strcmp(column[0], "reference") == 0) {
		if (r->table->host != NULL) {
			finding_add(r->findings, at_line(r),
				"the table has a second reference: its lines "
				"are left out");
			return;
		}
		r->table->host = arena_strdup(r->arena, column[1]);
		if (boot_of(column[2]) != NULL)
			r->table->boot = arena_strdup(r->arena, column[2]);
	} else if (n == COLUMNS) {
		read_point(r, column);
	} else if (n > 0) {
		finding_add(r->findings, at_line(r), "%s columns instead of %d",
			n > COLUMNS ? "too many" : "too few", COLUMNS);
	}
}

bool
clock_table_parse(struct clock_table *table, struct arena *a, char *text,
	const char *path, struct findings *fs)
{
	struct reading r = { table, a, fs, arena_strdup(a, path), 0 };
	char *next = text;

	*table = (struct clock_table){ 0 };
	while (next != NULL) {
		char *line = next;

		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		if (++r.line > 1)
			read_line(&r, line);
	}
	if (table->host != NULL)
		return true;
	finding_file(fs, FINDING_ERROR, r.path,
		"the table of clocks has no line \"reference HOST BOOT\"");
	return false;
}

/* Returns true if two names are of one host: equal, or one of them is the other
 * one up to its first dot. */
static bool
is_same_host(const char *a, const char *b)
{
	size_t n = strcspn(a, "."), m = strcspn(b, ".");

	return strcmp(a, b) == 0 ||
		((a[n] == '\0' || b[m] == '\0') && n == m &&
			memcmp(a, b, n) == 0);
}

const struct clock_machine *
clock_table_find(const struct clock_table *table, const char *host,
	const char *boot, bool *ambiguous)
{
	const struct clock_machine *found = NULL;

	*ambiguous = false;
	for (int i = 0; i < table->machines.n; i++) {
		const struct clock_machine *m = &table->machines.at[i];

		if (boot != NULL && m->boot != NULL) {
			if (strcmp(boot, m->boot) == 0)
				return m;
			continue;
		}
		if (!is_same_host(m->host, host))
			continue;
		*ambiguous = found != NULL;
		found = found == NULL ? m : found;
	}
	return *ambiguous ? NULL : found;
}

static int
by_name(const void *x, const void *y)
{
	const struct clock_machine *a = x, *b = y;
	int order = strcmp(a->host, b->host);

	return order != 0 ? order
			  : strcmp(a->boot == NULL ? "" : a->boot,
				    b->boot == NULL ? "" : b->boot);
}

static const char *
or_dash(const char *boot)
{
	return boot == NULL ? "-" : boot;
}

void
clock_table_write(const struct clock_table *table, struct outfile *out)
{
	qsort(table->machines.at, (size_t)table->machines.n,
		sizeof *table->machines.at, by_name);
	outfile_printf(out, HEAD "\nreference %s %s\n", table->host,
		or_dash(table->boot));
	for (int i = 0; i < table->machines.n; i++) {
		const struct clock_machine *m = &table->machines.at[i];

		for (int k = 0; k < m->line.points.n; k++) {
			const struct clock_point *p = &m->line.points.at[k];

			outfile_printf(out,
				"%s %s %" PRId64 " %" PRId64 " %" PRId64
				" %s\n",
				m->host, or_dash(m->boot), p->local, p->offset,
				p->error, m->how);
		}
	}
}
