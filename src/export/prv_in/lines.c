/* SPDX-License-Identifier: MIT */
/*
 * The lines of a .prv file. Whole lines of the window are parsed where they
 * stand: a number ends at the first byte that is no digit, and the line feed is
 * one, so nothing checks for the end of the window.
 */
#include <string.h>

#include "base/arena.h"
#include "export/prv_in/state.h"

#define LINE_MAX_BYTES (16u << 20)
#define CPU_LIMIT UINT32_MAX
#define ENDS_FREE 64 /* ends of states that are kept in any case */

/* Reads an integer; *p moves behind it. Returns false if there is none, or it
 * does not fit in 63 bits. */
static inline bool
number(const char **p, int64_t *to)
{
	const char *at = *p, *first;
	bool minus = *at == '-';
	uint64_t u = 0;
	unsigned digit;

	at += minus;
	first = at;
	while ((digit = (unsigned)(unsigned char)*at - '0') < 10) {
		u = u * 10 + digit;
		at++;
	}
	if (__builtin_expect(at == first || at - first > 18, 0)) {
		if (at == first || at - first > 19 || u > INT64_MAX)
			return false;
	}
	*to = minus ? -(int64_t)u : (int64_t)u;
	*p = at;
	return true;
}

/* Reads a colon and an integer. */
static inline bool
next(const char **p, int64_t *to)
{
	if (**p != ':')
		return false;
	++*p;
	return number(p, to);
}

/* Returns true at the end of a line. */
static inline bool
at_end(const char *p)
{
	return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

static uint64_t
offset_of(const struct prv_in *p, const char *at)
{
	return p->in.offset + (uint64_t)(at - p->in.buf);
}

static void __attribute__((noinline, cold))
trouble(struct prv_in *p, enum prv_in_trouble what, const char *line)
{
	prv_in_report(p, what, offset_of(p, line));
}

/* Writes the ends of states before `time`. */
static void __attribute__((noinline)) end_states(struct prv_in *p, int64_t time)
{
	while (p->ends.n > 0 && heap_top(&p->ends)->key < time) {
		struct heap_item end = heap_pop(&p->ends);
		struct prv_in_row *row = &p->rows.at[end.value];

		if (row->state_end != end.key)
			continue; /* another state began before */
		row->state_end = -1;
		if (end.key > p->latest)
			p->latest = end.key;
		sink_state(p->to,
			&(struct record){ .time = end.key,
				.row = (uint32_t)end.value,
				.type = p->state_type,
				.value = VALUE_NONE });
	}
}

/* Reports a time outside the trace. Returns true if it can be used: Paraver
 * then moves the end. */
static bool __attribute__((noinline, cold))
is_usable(struct prv_in *p, int64_t time, const char *line)
{
	bool ok = time >= 0 && time <= INT64_MAX / p->header.unit_ns;

	trouble(p, ok ? PRV_IN_LATE : PRV_IN_RANGE, line);
	return ok;
}

/* Converts a time of the file to ns. Returns false if it is no time of the
 * trace. */
static inline bool
to_ns(struct prv_in *p, int64_t *time, const char *line)
{
	if (__builtin_expect(*time < 0 || *time > p->header.end, 0) &&
		!is_usable(p, *time, line))
		return false;
	*time *= p->header.unit_ns;
	return true;
}

/* The object of a line, and its CPU. */
struct object {
	int64_t cpu, appl, task, thread;
	uint32_t row;
};

static inline bool
object(struct prv_in *p, const char **at, struct object *o, const char *line)
{
	if (!next(at, &o->cpu) || !next(at, &o->appl) || !next(at, &o->task) ||
		!next(at, &o->thread)) {
		trouble(p, PRV_IN_FIELDS, line);
		return false;
	}
	o->row = prv_in_row(
		p, (uint64_t)o->appl, (uint64_t)o->task, (uint64_t)o->thread);
	if (__builtin_expect(o->row == ROW_NONE, 0))
		trouble(p, PRV_IN_NO_ROW, line);
	return o->row != ROW_NONE;
}

/* Writes the CPU of the row if it changed. */
static inline void
note_cpu(struct prv_in *p, const struct object *o, int64_t time)
{
	struct prv_in_row *row = &p->rows.at[o->row];

	if (__builtin_expect(row->cpu == (uint64_t)o->cpu, 1) ||
		!p->reports_cpu || o->cpu < 0 || o->cpu > CPU_LIMIT)
		return;
	row->cpu = (uint32_t)o->cpu;
	p->base.records++;
	sink_state(p->to,
		&(struct record){ .time = time,
			.row = o->row,
			.type = prv_in_cpu_type(p),
			.value = o->cpu == 0 ? VALUE_NONE : o->cpu });
}

/* All that is earlier is written before a record of this time. */
static inline void
reach(struct prv_in *p, int64_t time)
{
	if (p->ends.n > 0 && heap_top(&p->ends)->key < time)
		end_states(p, time);
	if (time > p->latest)
		p->latest = time;
}

static inline const struct prv_in_found *
find_type(struct prv_in *p, int64_t number)
{
	struct prv_in_found *f = &p->found[(uint64_t)number % PRV_IN_CACHE];

	if (__builtin_expect(f->number != number, 0) &&
		!prv_in_type(p, number, f)) {
		f->number = -1;
		return NULL;
	}
	return f;
}

/* Reads the pairs of an event line. Returns what is wrong with them, or
 * PRV_IN_TROUBLES. */
static inline enum prv_in_trouble
pairs(struct prv_in *p, const char **at, const struct object *o, int64_t time)
{
	do {
		const struct prv_in_found *f;
		int64_t type, value;

		if (!next(at, &type) || !next(at, &value))
			return PRV_IN_FIELDS;
		if (type < 0 || type > UINT32_MAX)
			return PRV_IN_RANGE;
		f = find_type(p, type);
		if (f == NULL)
			return PRV_IN_TYPES;
		p->base.records++;
		sink_state(p->to,
			&(struct record){ .time = time,
				.row = o->row,
				.type = f->id,
				.value = value == 0 && !f->keeps_zero
					? VALUE_NONE
					: value });
	} while (!at_end(*at));
	return PRV_IN_TROUBLES;
}

/* Reads 2:cpu:appl:task:thread:time:type:value... Returns the line feed, or
 * NULL if the line is wrong. */
static inline const char *
event_line(struct prv_in *p, const char *line)
{
	const char *at = line + 1;
	struct object o;
	int64_t time;
	enum prv_in_trouble what;

	if (!object(p, &at, &o, line))
		return NULL;
	if (!next(&at, &time)) {
		trouble(p, PRV_IN_FIELDS, line);
		return NULL;
	}
	if (!to_ns(p, &time, line))
		return NULL;
	reach(p, time);
	note_cpu(p, &o, time);
	what = pairs(p, &at, &o, time);
	if (__builtin_expect(what == PRV_IN_TROUBLES, 1))
		return *at == '\n' ? at : at + 1;
	trouble(p, what, line);
	return NULL;
}

/* Rebuilds the heap if most of its ends are of states that other ones replaced:
 * a row has one at most. */
static void
drop_replaced_ends(struct prv_in *p)
{
	if (p->ends.n < 2 * (size_t)p->rows.n + ENDS_FREE)
		return;
	p->ends.n = 0;
	for (int i = 0; i < p->rows.n; i++)
		if (p->rows.at[i].state_end >= 0)
			heap_push(
				&p->ends, p->rows.at[i].state_end, (uint64_t)i);
}

/* Ends a state at its time: now if records may be unordered, else when the time
 * has come. */
static void
end_later(struct prv_in *p, uint32_t row, int64_t end)
{
	if (!p->base.unordered) {
		drop_replaced_ends(p);
		p->rows.at[row].state_end = end;
		heap_push(&p->ends, end, row);
		return;
	}
	if (end > p->latest)
		p->latest = end;
	sink_state(p->to,
		&(struct record){ .time = end,
			.row = row,
			.type = p->state_type,
			.value = VALUE_NONE });
}

/* 1:cpu:appl:task:thread:begin:end:state */
static void
state_line(struct prv_in *p, const char *line)
{
	const char *at = line + 1;
	int64_t begin, end, state;
	struct object o;

	if (!object(p, &at, &o, line))
		return;
	if (!next(&at, &begin) || !next(&at, &end) || !next(&at, &state) ||
		!at_end(at)) {
		trouble(p, PRV_IN_FIELDS, line);
		return;
	}
	if (!to_ns(p, &begin, line) || (end != -1 && !to_ns(p, &end, line)))
		return;
	if (state < 0 || (end != -1 && end < begin)) {
		trouble(p, state < 0 ? PRV_IN_RANGE : PRV_IN_BACKWARDS, line);
		return;
	}
	reach(p, begin);
	note_cpu(p, &o, begin);
	p->base.records++;
	sink_state(p->to,
		&(struct record){ .time = begin,
			.row = o.row,
			.type = prv_in_state_type(p),
			.value = state });
	p->rows.at[o.row].state_end = -1;
	if (end != -1)
		end_later(p, o.row, end);
}

/* Reads the two times of one side of a link: logical and physical. */
static bool
side(struct prv_in *p, const char **at, struct object *o, int64_t *time,
	const char *line)
{
	int64_t logical;

	if (!object(p, at, o, line))
		return false;
	if (!next(at, &logical) || !next(at, time)) {
		trouble(p, PRV_IN_FIELDS, line);
		return false;
	}
	p->logical += logical != *time;
	p->link_cpus += o->cpu > 0;
	return to_ns(p, time, line);
}

/* 3:cpu:appl:task:thread:lsend:psend:cpu:appl:task:thread:lrecv:precv:size:tag
 */
static void
link_line(struct prv_in *p, const char *line)
{
	const char *at = line + 1;
	struct object from, to;
	struct link l = { 0 };

	if (!side(p, &at, &from, &l.from_time, line) ||
		!side(p, &at, &to, &l.to_time, line))
		return;
	if (!next(&at, &l.id) || !next(&at, &l.kind)) {
		trouble(p, PRV_IN_FIELDS, line);
		return;
	}
	if (l.to_time < l.from_time) {
		trouble(p, PRV_IN_BACKWARDS, line);
		return;
	}
	reach(p, l.from_time);
	if (l.to_time > p->latest && p->base.unordered)
		p->latest = l.to_time;
	l.from_row = from.row;
	l.to_row = to.row;
	prv_in_tag(p, l.kind);
	p->base.records++;
	sink_link(p->to, &l);
}

static void
other_line(struct prv_in *p, const char *line, size_t n)
{
	if (n == 0 || line[0] == '#' || line[0] == '\r')
		p->comments += n > 0;
	else if (n > 1 && line[1] == ':' && line[0] == '4')
		p->globals++;
	else if (n < 2 || line[1] != ':' || line[0] == '\0' ||
		strchr("cCiI", line[0]) == NULL)
		trouble(p, PRV_IN_UNKNOWN, line);
	else
		p->communicators += line[0] == 'c' || line[0] == 'C';
}

/* Reads a line and returns its line feed, which is not behind `last`. */
static inline const char *
one_line(struct prv_in *p, const char *line, const char *last)
{
	bool event = line[0] == '2' && line[1] == ':';
	const char *end = NULL;

	p->line++;
	if (__builtin_expect(event, 1))
		end = event_line(p, line);
	if (end == NULL)
		end = memchr(line, '\n', (size_t)(last - line) + 1);
	if (event)
		return end;
	if (line[0] == '1' && line[1] == ':')
		state_line(p, line);
	else if (line[0] == '3' && line[1] == ':')
		link_line(p, line);
	else
		other_line(p, line, (size_t)(end - line));
	return end;
}

/* Makes at least one whole line available; *last is the line feed of the last
 * one. The content may end without a line feed. Returns false at the end. */
static bool
whole_lines(struct infile *in, const char **last)
{
	for (;;) {
		size_t n = (size_t)(in->end - in->at);
		const char *end = n == 0 ? NULL : memrchr(in->at, '\n', n);

		if (end != NULL) {
			*last = end;
			return true;
		}
		if (infile_fill(in))
			continue;
		if (in->is_over || in->trouble != NULL ||
			in->cap >= LINE_MAX_BYTES) {
			if (n == 0)
				return false;
			/* The buffer has room for one more byte. */
			*(char *)(uintptr_t)in->end = '\n';
			*last = in->end;
			in->end++;
			return true;
		}
		infile_grow(in);
	}
}

static bool
is_stopped(const struct prv_in *p)
{
	return p->setup->stop != NULL && *p->setup->stop != 0;
}

bool
prv_in_lines(struct prv_in *p, struct err *err)
{
	const char *last;

	(void)err;
	while (!is_stopped(p) && whole_lines(&p->in, &last)) {
		const char *line = p->in.at;

		while (line <= last)
			line = one_line(p, line, last) + 1;
		p->in.at = line;
		p->base.done = p->in.done;
		if (!p->base.unordered)
			sink_advance(p->to, p->latest);
	}
	end_states(p, INT64_MAX);
	return true;
}

/* Returns the time by which the line is sorted, or -1. Moves *p into the
 * line. */
static inline int64_t
time_of(const char **p)
{
	const char *at = *p;
	int colons = *at == '3' ? 6 : 5;
	int64_t time;

	if ((*at != '1' && *at != '2' && *at != '3') || at[1] != ':')
		return -1;
	while (colons > 0 && *at != '\n')
		colons -= *at++ == ':';
	*p = at;
	return number(p, &time) ? time : -1;
}

bool
prv_in_is_sorted(struct prv_in *p)
{
	const char *last;
	int64_t latest = 0;

	while (whole_lines(&p->in, &last)) {
		const char *line = p->in.at;

		while (line <= last) {
			int64_t time = time_of(&line);

			if (time >= 0 && time < latest)
				return false;
			latest = time > latest ? time : latest;
			line = (const char *)memchr(
				       line, '\n', (size_t)(last - line) + 1) +
				1;
		}
		p->in.at = line;
	}
	return true;
}
