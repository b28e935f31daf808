/* SPDX-License-Identifier: MIT */
#include "cli/trace/sync_solve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "trace/align/align.h"

#define WORDS 8                       /* of a line; more are a mistake */
#define CLOCK_MOST ((int64_t)1 << 60) /* ns */
#define LINE_BYTES 1024               /* of a line that is no comment */
#define PASSES 3                      /* without probes: align.h */
#define BURST_NS 1000000000           /* round trips so close are one burst */

struct solve {
	struct arena *arena;
	struct intern hosts;
	VEC(const char *) boots; /* by host; NULL: not known */
	VEC(struct align_probe) probes;
	VEC(struct align_message) messages;
	int64_t from, to; /* clocks of the reference that are covered */
	bool any;
};

/* Returns the number of a machine, or -1. */
static int
host_of(const struct solve *s, const char *name)
{
	uint32_t i = intern_find(&s->hosts, name);

	return i == INTERN_NONE ? -1 : (int)i;
}

/* Cuts a line into words. Returns their number, WORDS if there are more. */
static int
split(char *line, char *word[WORDS])
{
	char *rest = NULL;
	int n = 0;

	for (char *w = strtok_r(line, " \t\r\n", &rest); w != NULL && n < WORDS;
		w = strtok_r(NULL, " \t\r\n", &rest))
		word[n++] = w;
	return n;
}

/* Reads n clocks. */
static bool
read_clocks(char *const *word, int64_t *to, int n)
{
	for (int i = 0; i < n; i++) {
		char *end;

		errno = 0;
		to[i] = strtoll(word[i], &end, 10);
		if (errno != 0 || end == word[i] || *end != '\0' ||
			to[i] > CLOCK_MOST || to[i] < -CLOCK_MOST)
			return false;
	}
	return true;
}

static bool
read_machine(struct solve *s, char *const *word, int n)
{
	if (n < 2 || n > 3 || host_of(s, word[1]) >= 0)
		return false;
	intern_add(&s->hosts, word[1]);
	VEC_PUSH(&s->boots, s->arena,
		n < 3 || strcmp(word[2], "-") == 0
			? NULL
			: arena_strdup(s->arena, word[2]));
	return true;
}

/* Widens the span of time. */
static void
note_time(struct solve *s, int host, int64_t clock)
{
	if (host != 0)
		return;
	s->from = !s->any || clock < s->from ? clock : s->from;
	s->to = !s->any || clock > s->to ? clock : s->to;
	s->any = true;
}

/* Adds a round trip. Of a burst, only the shortest one counts. */
static void
add_probe(struct solve *s, const struct align_probe *p)
{
	for (int i = s->probes.n - 1; i >= 0; i--) {
		struct align_probe *old = &s->probes.at[i];

		if (old->node != p->node || old->reference != p->reference)
			continue;
		if (p->local - old->local > BURST_NS ||
			old->local - p->local > BURST_NS)
			break;
		if (p->delay < old->delay)
			*old = *p;
		return;
	}
	VEC_PUSH(&s->probes, s->arena, *p);
}

static bool
read_probe(struct solve *s, char *const *word, int n)
{
	struct align_probe p;
	int64_t t[4];

	if (n != 7 || !read_clocks(word + 3, t, 4))
		return false;
	p.node = host_of(s, word[1]);
	p.reference = host_of(s, word[2]);
	p.local = t[0] + (t[3] - t[0]) / 2;
	p.offset = (t[1] - t[0]) / 2 + (t[2] - t[3]) / 2;
	p.delay = (t[3] - t[0]) - (t[2] - t[1]);
	if (p.node < 0 || p.reference < 0 || p.node == p.reference ||
		p.delay < 0)
		return false;
	add_probe(s, &p);
	note_time(s, p.reference, t[1]);
	note_time(s, p.reference, t[2]);
	return true;
}

static bool
read_message(struct solve *s, char *const *word, int n)
{
	struct align_message m;
	int64_t t[2];

	if (n != 5 || !read_clocks(word + 3, t, 2))
		return false;
	m.from = host_of(s, word[1]);
	m.to = host_of(s, word[2]);
	m.sent = t[0];
	m.received = t[1];
	if (m.from < 0 || m.to < 0 || m.from == m.to)
		return false;
	VEC_PUSH(&s->messages, s->arena, m);
	note_time(s, m.from, m.sent);
	note_time(s, m.to, m.received);
	return true;
}

static bool
read_line(struct solve *s, char *line)
{
	char *word[WORDS];
	int n = split(line, word);

	if (n == 0)
		return true;
	if (strcmp(word[0], "machine") == 0)
		return read_machine(s, word, n);
	if (strcmp(word[0], "probe") == 0)
		return read_probe(s, word, n);
	return strcmp(word[0], "message") == 0 && read_message(s, word, n);
}

/* Returns true if the file goes on with the same line. */
static bool
has_more(const char *line, FILE *file)
{
	int c = strchr(line, '\n') != NULL ? EOF : getc(file);

	if (c != EOF)
		ungetc(c, file);
	return c != EOF;
}

/* Reads all lines. Returns the number of a line that is wrong, or 0. */
static int
read_lines(struct solve *s, FILE *file)
{
	char line[LINE_BYTES];

	for (int n = 1; fgets(line, sizeof line, file) != NULL; n++) {
		bool more = has_more(line, file);

		if (line[0] != '#' && (more || !read_line(s, line)))
			return n;
		while (more && fgets(line, sizeof line, file) != NULL)
			more = has_more(line, file);
	}
	return 0;
}

static bool
read_file(struct solve *s, FILE *file, const char *path, struct err *err)
{
	int wrong = read_lines(s, file);

	if (wrong > 0)
		return err_set(err, ERR_INPUT,
			"%s: line %d: expected machine HOST BOOT, "
			"probe HOST OTHER T1 T2 T3 T4 or message FROM "
			"TO SENT RECEIVED, with machines named before "
			"and clocks in ns",
			path, wrong);
	if (ferror(file))
		return err_set(err, ERR_SYSTEM, "%s", path);
	return (s->boots.n > 1 && s->any) ||
		err_set(err, ERR_INPUT,
			"%s: two machines are needed, and a probe or message "
			"of the first one",
			path);
}

static void
pass_messages(struct solve *s, struct align *a)
{
	for (int i = 0; i < s->messages.n; i++)
		align_message(a, &s->messages.at[i]);
	align_solve(a);
}

static void
take_lines(struct solve *s, struct align *a, struct clock_table *table)
{
	table->host = intern_name(&s->hosts, 0);
	table->boot = s->boots.at[0];
	for (int i = 1; i < s->boots.n; i++) {
		struct clock_machine *m = clock_table_machine(table, s->arena,
			intern_name(&s->hosts, (uint32_t)i), s->boots.at[i]);
		const struct clock_line *l = align_line(a, i);

		m->how = a->nprobes[i] > 0 ? "probe" : "messages";
		for (int k = 0; k < l->points.n; k++)
			clock_line_add(&m->line, s->arena, &l->points.at[k]);
	}
}

bool
sync_solve(struct arena *a, const char *path, struct clock_table *table,
	struct err *err)
{
	struct solve s = { .arena = a };
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	struct align align;
	bool ok;

	if (file == NULL)
		return err_set(err, ERR_SYSTEM, "%s", path);
	intern_init(&s.hosts, a);
	ok = read_file(&s, file, path, err);
	if (file != stdin)
		fclose(file);
	if (!ok)
		return false;
	align_init(&align, a, s.boots.n, 0);
	for (int i = 0; i < s.probes.n; i++)
		align_probe(&align, &s.probes.at[i]);
	align_begin(&align, s.from, s.to);
	pass_messages(&s, &align);
	for (int i = 1; i < PASSES && s.probes.n == 0; i++) {
		align_again(&align);
		pass_messages(&s, &align);
	}
	take_lines(&s, &align, table);
	align_fini(&align);
	return true;
}
