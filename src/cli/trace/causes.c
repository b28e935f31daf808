/* SPDX-License-Identifier: MIT */
#include "cli/trace/causes.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/document.h"
#include "base/text.h"
#include "cli/times.h"
#include "cli/trace/pipeline.h"
#include "emu/system.h"
#include "export/causes/causes.h"
#include "export/short_calls.h"

enum { ROWS = 6 };

static const struct stat_life life = { "ovni.state",
	{ THREAD_UNKNOWN, THREAD_DEAD } };

static double
percent(int64_t part, int64_t whole)
{
	return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

/* Returns the number of rows of the table, and in *least the class that counts
 * as small when there are too many. Time that was computed always has its row.
 */
static int
count_rows(const int64_t time[CAUSE_CLASSES], int *least)
{
	int n = 0;

	*least = -1;
	for (int i = 0; i < CAUSE_CLASSES; i++) {
		if (time[i] == 0)
			continue;
		n++;
		if (i != CAUSE_COMPUTE &&
			(*least < 0 || time[i] < time[*least]))
			*least = i;
	}
	return n;
}

static void
print_class(const struct causes *c, const char *name, int64_t time,
	const struct times_unit *u, causes_line_fn *line)
{
	if (time > 0)
		line("  %-17s %12.3f %s %6.1f %%", name, (double)time / u->size,
			u->name, percent(time, c->life));
}

/* Returns the time in the unit of the table, as the rows above it. */
static const char *
time_in(struct arena *a, const struct times_unit *u, int64_t time)
{
	return arena_printf(
		a, "%.*f %s", u->decimals, (double)time / u->size, u->name);
}

/* Prints the classes, the smallest ones together if there are many. */
static void
print_classes(const struct causes *c, const struct times_unit *u,
	causes_line_fn *line)
{
	int64_t time[CAUSE_CLASSES], other = 0;
	int least;

	memcpy(time, c->time, sizeof time);
	while (count_rows(time, &least) + (other > 0) > ROWS) {
		other += time[least];
		time[least] = 0;
	}
	for (int i = 0; i < CAUSE_CLASSES; i++)
		print_class(c, cause_class_name((enum cause_class)i), time[i],
			u, line);
	print_class(c, "other", other, u, line);
}

/* Prints the time in which threads had no CPU. */
static void
print_ready(struct arena *a, const struct causes *all, const struct cause *c,
	int number, const struct times_unit *u, causes_line_fn *line)
{
	const char *often = "", *on = "meanwhile no thread of the program ran";

	/* between two samples of the kernel's sums there may be more */
	if (c->times > 0)
		often = arena_printf(a,
			", preempted at least %" PRId64 " time%s", c->times,
			text_plural((unsigned long long)c->times));
	if (all->running >= 0.05)
		on = arena_printf(a,
			"on average %.1f busy threads on %.1f CPUs", all->busy,
			all->running);
	line("  %d. Ready: %s (%.1f %%)%s; %s", number, time_in(a, u, c->time),
		percent(c->time, all->life), often, on);
}

/* Returns who ended the waits, or has what they are for. */
static const char *
who_of(struct arena *a, const struct cause *c)
{
	const char *number =
		c->times == 1 ? "" : arena_printf(a, "%" PRId64 " ", c->open);

	if (c->open > 0 && c->open_time >= c->culprit_time)
		return arena_printf(a, "; %sstill waiting at the end%s%s",
			number, c->holder == NULL ? "" : ", held by ",
			c->holder == NULL ? "" : c->holder);
	if (c->culprit == NULL)
		return "";
	return arena_printf(a, "; %s ended %.0f %% of it", c->culprit,
		percent(c->culprit_time, c->time));
}

static void
print_cause(struct arena *a, const struct causes *all, const struct cause *c,
	int number, const struct times_unit *u, causes_line_fn *line)
{
	const char *what = c->what == NULL ? "wait" : c->what, *waits = "";
	const char *object = "", *at = "";

	if (c->class == CAUSE_READY) {
		print_ready(a, all, c, number, u, line);
		return;
	}
	if (c->line != NULL)
		at = arena_printf(a, " at %s", c->line);
	if (c->times > 0)
		waits = arena_printf(a, " in %" PRId64 " wait%s%s", c->times,
			text_plural((unsigned long long)c->times), at);
	if (c->object != NULL && c->class != CAUSE_SLEEP)
		object =
			arena_printf(a, "%s%s%s", c->times > 0 ? " for " : ", ",
				c->object, c->times > 0 ? "" : at);
	line("  %d. %s: %s (%.1f %%)%s%s%s", number, what,
		time_in(a, u, c->time), percent(c->time, all->life), waits,
		object, who_of(a, c));
}

static bool
is_worth(const struct causes *c, int i)
{
	return c->cause[i].class != CAUSE_IDLE &&
		percent(c->cause[i].time, c->life) >= 1;
}

/* Prints the largest causes. Those with less than 1 % of the time are left out;
 * waits for the end of a thread or a process come last, but the largest of all
 * causes has its place. */
static void
print_causes(struct arena *a, const struct causes *c, int most,
	const struct times_unit *u, causes_line_fn *line)
{
	int n = 0, first = 0, room;

	while (first < c->ncauses && !is_worth(c, first))
		first++;
	room = first < c->ncauses && c->cause[first].follows ? most - 1 : most;
	for (int pass = 0; pass < 2; pass++, room = most)
		for (int i = first; i < c->ncauses; i++) {
			if (c->cause[i].follows != (pass == 1) ||
				!is_worth(c, i) || (most > 0 && n >= room))
				continue;
			if (n == 0)
				line("why they waited:");
			print_cause(a, c, &c->cause[i], ++n, u, line);
		}
}

static struct sink *
open_sink(struct pipeline *r)
{
	r->short_calls = ARENA_NEW(&r->arena, struct short_calls);
	r->short_calls->arena = &r->arena;
	return causes_open(&r->arena, &life, r->short_calls);
}

static void
close_sink(struct pipeline *r, struct sink *sink)
{
	sink_close(sink, &(struct err){ 0 });
	map_fini(&r->short_calls->at);
}

bool
causes_report(
	struct pipeline *r, int most, causes_line_fn *line, struct err *err)
{
	struct sink *sink = open_sink(r);
	const struct causes *c;
	struct times_unit u;
	bool ok = pipeline_emulate(r, sink, err);

	if (ok) {
		c = causes_result(sink);
		u = times_unit(c->life, r->source->trace.unit);
		line("the time of %d thread%s, %s in all:", c->nthreads,
			text_plural((unsigned)c->nthreads),
			time_in(&r->arena, &u, c->life));
		print_classes(c, &u, line);
		print_causes(&r->arena, c, most, &u, line);
	}
	close_sink(r, sink);
	return ok;
}

static void
put_causes(struct doc *d, struct arena *a, const struct causes *c, int most,
	const char *unit)
{
	const char *time = arena_printf(a, "time_%s", unit),
		   *ended = arena_printf(a, "ended_by_%s", unit);

	doc_begin(d, "causes", '[');
	for (int i = 0; i < c->ncauses && (most == 0 || i < most); i++) {
		const struct cause *one = &c->cause[i];

		doc_begin(d, NULL, '{');
		doc_word(d, "class", cause_class_name(one->class));
		doc_word(d, "wait", one->what);
		doc_word(d, "object", one->object);
		doc_word(d, "line", one->line);
		doc_i64(d, time, one->time);
		doc_i64(d, "waits", one->times);
		doc_word(d, "ended_by", one->culprit);
		doc_i64(d, ended, one->culprit_time);
		doc_i64(d, "still_waiting", one->open);
		doc_word(d, "held_by", one->holder);
		doc_end(d, '}');
	}
	doc_end(d, ']');
}

static void
put_classes(struct doc *d, struct arena *a, const struct causes *c,
	const char *unit)
{
	doc_begin(d, "classes", '[');
	for (int i = 0; i < CAUSE_CLASSES; i++) {
		doc_begin(d, NULL, '{');
		doc_word(d, "class", cause_class_name((enum cause_class)i));
		doc_i64(d, arena_printf(a, "time_%s", unit), c->time[i]);
		doc_end(d, '}');
	}
	doc_end(d, ']');
}

/* Puts how many threads were busy while any was ready. */
static void
put_busy(struct doc *d, const struct causes *c)
{
	if (!c->has_ready)
		return;
	doc_f64(d, "busy_threads", c->busy);
	doc_f64(d, "running_threads", c->running);
}

bool
causes_json(struct pipeline *r, int most, struct err *err)
{
	struct sink *sink = open_sink(r);
	const char *unit = r->source->trace.unit;
	bool ok = pipeline_emulate(r, sink, err);
	const struct causes *c;
	struct doc d;

	if (ok) {
		c = causes_result(sink);
		doc_open(&d);
		doc_begin(&d, NULL, '{');
		doc_i64(&d, "threads", c->nthreads);
		doc_i64(&d, arena_printf(&r->arena, "lived_%s", unit), c->life);
		put_busy(&d, c);
		put_classes(&d, &r->arena, c, unit);
		put_causes(&d, &r->arena, c, most, unit);
		doc_end(&d, '}');
		ok = doc_close(&d) ||
			err_set(err, ERR_SYSTEM, "cannot write the output");
	}
	close_sink(r, sink);
	return ok;
}

void
causes_of(const char *trace, int most, causes_line_fn *line)
{
	struct pipeline r = RUN_DEFAULTS;

	r.no_seek = true;
	r.max_findings = 0;
	if (pipeline_open(&r, trace))
		causes_report(&r, most, line, &(struct err){ 0 });
	pipeline_close(&r);
}
