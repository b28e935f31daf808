/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "pvcheck.h"

#define ROWS_MAX 65535
/* the loader keeps values and times as doubles */
#define EXACT (INT64_C(1) << 53)
#define TYPE_MAX ((INT64_C(1) << 32) - 1)
#define STATE_MAX ((INT64_C(1) << 32) - 1)

/* The state while records are read. */
struct reading {
	struct check *c;
	struct timeline *t;
	int64_t lines;     /* behind the header, and communicators */
	int64_t *last;     /* time of the last record of each row */
	int64_t *state;    /* begin of the last state of each row */
	int64_t *pushed;   /* time of the last value except 0 of each row */
	struct map shown;  /* by row and stacked type: shown value + 1 */
	int communicators; /* lines that the header announces */
	int64_t known;     /* type of the last record, for speed */
};

/* Types that the Nanos6 views read with "Stacked Val". */
static bool
is_stacked(int64_t type)
{
	return type == 6400009 || (type >= 6400010 && type <= 6400014) ||
		type == 6400016;
}

/* Reads a time like "1000_ns": a number and its unit. */
static bool
header_time(const char **at, int64_t *end)
{
	static const char *const units[] = { "_ns", "_us", "_ms" };
	char *after;
	double time = strtod(*at, &after);

	if (after == *at || time < 0)
		return false;
	*at = after;
	*end = time > (double)INT64_MAX / 2 ? INT64_MAX : (int64_t)time;
	for (int i = 0; i < 3; i++)
		if (strncmp(*at, units[i], 3) == 0) {
			*at += 3;
			break;
		}
	return **at == ':';
}

/* Reads the nodes and their CPUs: "0", "2" or "2(4,4)". */
static bool
header_nodes(struct check *c, struct timeline *t, const char **at)
{
	int64_t n, cpus;

	if (!text_number(at, &n) || n < 0 || n > ROWS_MAX)
		return false;
	for (int i = 0; i < n; i++)
		VEC_PUSH(&t->cpus, &c->arena, 1);
	if (**at == '(') {
		for (int i = 0; i < n; i++) {
			(*at)++;
			if (!text_number(at, &cpus) || cpus < 1 ||
				cpus > ROWS_MAX ||
				**at != (i + 1 < n ? ',' : ')'))
				return false;
			t->cpus.at[i] = (int)cpus;
		}
		if (n == 0)
			return false;
		(*at)++;
	}
	for (int i = 0; i < n; i++)
		t->ncpus += t->cpus.at[i];
	return **at == ':';
}

/* Reads "2(3:1,1:2)": for each task, how many threads it has and on which
 * node. */
static bool
header_appl(struct check *c, struct timeline *t, const char **at, int appl)
{
	int64_t ntasks, n, node;

	VEC_PUSH(&t->first_task, &c->arena, t->task.n);
	if (!text_number(at, &ntasks) || ntasks < 1 || **at != '(')
		return false;
	for (int64_t i = 0; i < ntasks; i++) {
		(*at)++;
		if (!text_number(at, &n) || n < 1 || n > INT32_MAX ||
			*(*at)++ != ':' || !text_number(at, &node))
			return false;
		if (t->cpus.n > 0 && (node < 1 || node > t->cpus.n))
			return false;
		if (**at != (i + 1 < ntasks ? ',' : ')'))
			return false;
		VEC_PUSH(&t->task, &c->arena,
			((struct prv_task){
				(int)n, (int)node, t->nthreads, appl }));
		if (n > ROWS_MAX || t->nthreads + n > ROWS_MAX) {
			complain(c, RULE_HEADER, "more than %d rows", ROWS_MAX);
			return false;
		}
		t->nthreads += (int)n;
	}
	(*at)++;
	return true;
}

/* Reads the header. Returns the part that violates the format, or NULL. */
static const char *
read_header(struct reading *r, const char *line)
{
	const char *at = strchr(line, ')');
	int64_t nappls, n;

	if (strncmp(line, "#Paraver (", 10) != 0 || at == NULL || at[1] != ':')
		return "begin";
	at += 2;
	if (!header_time(&at, &r->t->end))
		return "time or its unit";
	at++;
	if (!header_nodes(r->c, r->t, &at))
		return "nodes";
	at++;
	if (!text_number(&at, &nappls) || nappls < 1 || *at != ':')
		return "number of applications";
	for (int i = 1; i <= nappls; i++) {
		at++;
		if (!header_appl(r->c, r->t, &at, i))
			return "applications";
		if (i < nappls && *at != ',' && *at != ':')
			return "applications";
	}
	if (*at == ',') {
		at++;
		if (!text_number(&at, &n) || n < 0 || n > INT32_MAX)
			return "communicators";
		r->communicators = (int)n;
	}
	return *at == '\0' ? NULL : "end";
}

/* Returns the row that the numbers cpu, application, task, thread denote, or
 * -1. */
static int
find_row(struct reading *r, const int64_t *n)
{
	const struct timeline *t = r->t;
	const struct prv_task *task;
	int64_t end, pos, cpu = 0;

	if (n[1] < 1 || n[1] > t->first_task.n)
		goto bad;
	end = n[1] < t->first_task.n ? t->first_task.at[n[1]] : t->task.n;
	pos = t->first_task.at[n[1] - 1] + n[2] - 1;
	if (n[2] < 1 || pos >= end)
		goto bad;
	task = &t->task.at[pos];
	if (n[3] < 1 || n[3] > task->nthreads)
		goto bad;
	if (n[0] == 0)
		return task->first + (int)n[3] - 1;
	for (int i = 0; i < task->node - 1 && i < t->cpus.n; i++)
		cpu += t->cpus.at[i];
	if (t->cpus.n == 0 || n[0] <= cpu ||
		n[0] > cpu + t->cpus.at[task->node - 1])
		complain(r->c, RULE_PLACE,
			"there is no CPU %" PRId64 " of the task's node", n[0]);
	return task->first + (int)n[3] - 1;
bad:
	if (!(r->c->original && n[3] == -1))
		complain(r->c, RULE_PLACE,
			"there is no row %" PRId64 ".%" PRId64 ".%" PRId64,
			n[1], n[2], n[3]);
	return -1;
}

static void
check_time(struct reading *r, int64_t time)
{
	if (time < 0 || time > r->t->end)
		complain(r->c, RULE_TIME,
			"the time %" PRId64 " is not between 0 and %" PRId64,
			time, r->t->end);
	if (time > EXACT)
		complain(r->c, RULE_NUMBER, "no double holds %" PRId64, time);
}

static void
check_order(struct reading *r, int row, int64_t time)
{
	if (row < 0)
		return;
	if (time < r->last[row])
		complain(r->c, RULE_ORDER,
			"the time goes back from %" PRId64 " to %" PRId64,
			r->last[row], time);
	r->last[row] = time;
}

/* Checks the order of states alone: a producer writes a state when it ends,
 * behind events that came after its begin. */
static void
check_states(struct reading *r, int row, int64_t begin)
{
	if (row < 0)
		return;
	if (begin < r->state[row])
		complain(r->c, RULE_ORDER,
			"the begin of states goes back from %" PRId64
			" to %" PRId64,
			r->state[row], begin);
	r->state[row] = begin;
}

/* Checks the rule of stacked types: a 0 is allowed only while the row shows a
 * value; a change of value is a 0 and then the new value; of records at the
 * same time the zeros come first. */
static void
check_stack(
	struct reading *r, int row, int64_t time, int64_t type, int64_t value)
{
	uint64_t *shown;

	if (row < 0 || !is_stacked(type) || r->c->original)
		return;
	shown = map_put(
		&r->shown, (uint64_t)row << 32 | (uint64_t)(uint32_t)type);
	if (value == 0 && *shown == 0)
		complain(r->c, RULE_STACK,
			"0 of type %" PRId64 ", which shows nothing", type);
	if (value != 0 && *shown != 0)
		complain(r->c, RULE_STACK,
			"type %" PRId64 " changes without a 0", type);
	if (value == 0 && r->pushed[row] == time)
		complain(r->c, RULE_STACK,
			"0 of type %" PRId64
			" after another value of that time",
			type);
	if (value != 0)
		r->pushed[row] = time;
	*shown = value != 0;
}

/* Reads numbers separated by ':'. Returns how many, or -1 if one is not a plain
 * decimal number. */
static int
numbers(const char **at, int64_t *to, int max)
{
	int n = 0;

	for (;;) {
		if (!text_number(at, &to[n]))
			return -1;
		n++;
		if (n == max || **at != ':')
			return n;
		(*at)++;
	}
}

static void
check_event(struct reading *r, const char *at)
{
	int64_t n[5], pair[2];
	int row;

	if (numbers(&at, n, 5) != 5 || *at != ':') {
		complain(r->c, RULE_NUMBER, "no event record");
		return;
	}
	row = find_row(r, n);
	check_time(r, n[4]);
	check_order(r, row, n[4]);
	r->t->nrecords += row >= 0;
	while (*at == ':') {
		at++;
		if (numbers(&at, pair, 2) != 2) {
			complain(r->c, RULE_NUMBER, "no plain decimal");
			return;
		}
		if (pair[0] < 0 || pair[0] > TYPE_MAX)
			complain(r->c, RULE_NUMBER,
				"the type %" PRId64 " has no 32 bits", pair[0]);
		else if (pair[0] != r->known)
			*map_put(&r->t->records, (uint64_t)pair[0]) = 1;
		if (pair[1] > EXACT || pair[1] < -EXACT)
			complain(r->c, RULE_NUMBER, "no double holds %" PRId64,
				pair[1]);
		r->known = pair[0];
		check_stack(r, row, n[4], pair[0], pair[1]);
	}
	if (*at != '\0')
		complain(r->c, RULE_NUMBER, "no plain decimal");
}

static void
check_state(struct reading *r, const char *at)
{
	int64_t n[7];
	int row;

	if (numbers(&at, n, 7) != 7 || *at != '\0') {
		complain(r->c, RULE_NUMBER, "no state record");
		return;
	}
	row = find_row(r, n);
	check_time(r, n[4]);
	if (n[5] != -1)
		check_time(r, n[5]);
	check_states(r, row, n[4]);
	r->t->nrecords += row >= 0;
	if (n[5] != -1 && n[5] < n[4])
		complain(r->c, RULE_ORDER, "the state ends before it begins");
	if (n[6] < 0 || n[6] > STATE_MAX)
		complain(r->c, RULE_NUMBER, "no state %" PRId64, n[6]);
}

static void
check_link(struct reading *r, const char *at)
{
	int64_t n[14];

	if (numbers(&at, n, 14) != 14 || *at != '\0') {
		complain(r->c, RULE_NUMBER, "no communication record");
		return;
	}
	r->t->nrecords += find_row(r, n) >= 0 && find_row(r, n + 6) >= 0;
	for (int i = 4; i < 12; i += i == 5 ? 5 : 1)
		check_time(r, n[i]);
}

static void
check_line(struct reading *r, const char *line)
{
	if (line[0] == '2' && line[1] == ':')
		check_event(r, line + 2);
	else if (line[0] == '1' && line[1] == ':')
		check_state(r, line + 2);
	else if (line[0] == '3' && line[1] == ':')
		check_link(r, line + 2);
	else if (line[0] != '4' && line[0] != '#')
		complain(r->c, RULE_NUMBER, "no record begins so");
}

void
prv_check(struct check *c, struct timeline *t, const char *path)
{
	struct reading r = { .c = c, .t = t, .known = -1 };
	struct text text;
	const char *bad;
	char *line;

	if (!text_open(c, &text, path))
		return;
	t->has_prv = true;
	line = text_line(c, &text);
	bad = line == NULL ? "first line" : read_header(&r, line);
	if (bad != NULL) {
		complain(c, RULE_HEADER, "the header breaks at its %s", bad);
		t->has_prv = false;
	}
	r.last = ARENA_ARRAY(&c->arena, int64_t, (size_t)t->nthreads + 1);
	r.state = ARENA_ARRAY(&c->arena, int64_t, (size_t)t->nthreads + 1);
	r.pushed = ARENA_ARRAY(&c->arena, int64_t, (size_t)t->nthreads + 1);
	for (int i = 0; i < t->nthreads; i++)
		r.pushed[i] = -1;
	while (bad == NULL && (line = text_line(c, &text)) != NULL) {
		if (line[0] != '\0' && strchr("cCiI", line[0]) != NULL &&
			r.communicators > 0)
			r.communicators--;
		else
			check_line(&r, line);
		r.lines++;
	}
	if (r.communicators > 0)
		complain(c, RULE_HEADER, "%d communicators are missing",
			r.communicators);
	/* A file of a header alone is what an output without any record has. */
	if (bad == NULL && t->nrecords == 0 && r.lines > 0)
		complain(c, RULE_EMPTY, "there is no record");
	map_fini(&r.shown);
	text_close(&text);
}
