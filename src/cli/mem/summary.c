/* SPDX-License-Identifier: MIT */
/* The summary of a measurement: lines above a table, and the JSON object around
 * its rows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/mem/mem.h"
#include "cli/screen.h"
#include "cli/table_print.h"
#include "mem/db/profile.h"

struct totals {
	const char *program;
	double seconds;
	int processes, images, threads;
};

static const char *
source_name(const struct profile_event *e)
{
	static const char *const names[] = { "nothing", "the kernel's ring",
		"timers", "perf record" };

	return e->source < sizeof names / sizeof names[0] ? names[e->source]
							  : "another source";
}

struct span {
	uint64_t from, to; /* ns */
};

static int
by_start(const void *pa, const void *pb)
{
	const struct span *a = pa, *b = pb;

	return (a->from > b->from) - (a->from < b->from);
}

/* Returns for how many seconds any process ran: those of a database may have
 * run on different days, and on machines with clocks of their own. */
static double
seconds(struct arena *a, const struct profile *p)
{
	int n = p->image.n;
	struct span *span = ARENA_ARRAY(a, struct span, n + 1);
	uint64_t until = 0, sum = 0;

	for (int i = 0; i < n; i++) {
		const struct image *one = &p->image.at[i];
		const struct mem_head *h = &one->head;

		span[i].from = h->realtime != 0 ? h->realtime : h->time;
		span[i].to = span[i].from +
			(one->last > h->time ? one->last - h->time : 0);
	}
	qsort(span, (size_t)n, sizeof *span, by_start);
	for (int i = 0; i < n; i++) {
		uint64_t from = span[i].from > until ? span[i].from : until;

		if (span[i].to <= from)
			continue;
		sum += span[i].to - from;
		until = span[i].to;
	}
	return (double)sum / 1e9;
}

/* Returns the program with the most samples: the first program may be a shell
 * that started it. */
static const char *
main_program(const struct profile *p)
{
	const struct image *best = &p->image.at[0];

	for (int i = 1; i < p->image.n; i++)
		if (best->program == NULL ||
			(p->image.at[i].program != NULL &&
				p->image.at[i].samples > best->samples))
			best = &p->image.at[i];
	/* the name by which the program was called; a file may have several */
	if (best->argument.n > 0 && file_name(best->argument.at[0])[0] != '\0')
		return file_name(best->argument.at[0]);
	return best->program == NULL ? "a program" : file_name(best->program);
}

/* Counts processes, threads and images. A process has an image for each program
 * that it ran. */
static struct totals
totals_of(const struct profile *p)
{
	struct totals t = { .program = main_program(p),
		.seconds = seconds(p->arena, p),
		.images = p->image.n };

	for (int i = 0; i < p->image.n; i++) {
		t.threads += p->image.at[i].thread.n;
		t.processes += !image_is_replaced(p->image.at, p->image.n, i);
	}
	return t;
}

/* Returns the number of events for each sample; 0: unknown. */
static uint64_t
step_of(const struct profile_event *e)
{
	return e->real > 0 ? e->real : e->period;
}

static double
memory_percent(const struct profile_event *e)
{
	return mem_percent(e->cost.periods - e->computes, e->cost.periods);
}

/* Describes an event of page faults. If every fault is recorded, consecutive
 * ones are merged into a sample, so the number of samples is meaningless. */
static const char *
faults_text(const struct mem_report *r, const struct profile_event *e)
{
	uint64_t step = step_of(e), faults = e->cost.periods, lost;
	const char *text = arena_printf(r->arena,
		"%s: %" PRIu64 " sample%s from %s, %" PRIu64 " page faults",
		e->name, e->cost.samples, text_plural(e->cost.samples),
		source_name(e), faults);

	if (step > 1)
		return arena_printf(
			r->arena, "%s, one in %" PRIu64 " taken", text, step);
	if (step == 0)
		return text;
	return arena_printf(r->arena,
		"%s: %" PRIu64 " page fault%s from %s, every one recorded%s",
		e->name, faults, text_plural(faults), source_name(e),
		mem_loss(r, MEM_LOST_RING, &lost) != NULL ? " except lost ones"
							  : "");
}

/* Describes an event: its samples, their source and what they stand for. */
static const char *
event_text(const struct mem_report *r, const struct profile_event *e)
{
	const char *text = arena_printf(r->arena,
		"%s: %" PRIu64 " sample%s from %s", e->name, e->cost.samples,
		text_plural(e->cost.samples), source_name(e));

	if (e->kind == MEM_EVENT_FAULT)
		return faults_text(r, e);
	if (e->kind == MEM_EVENT_DATA)
		return arena_printf(r->arena,
			"%s, %.3f s of CPU time, %.1f %% of it at instructions "
			"that touch memory",
			text, (double)e->cost.periods / 1e9, memory_percent(e));
	if (e->kind == MEM_EVENT_TIME)
		return arena_printf(r->arena, "%s, %.3f s of CPU time", text,
			(double)e->cost.periods / 1e9);
	return arena_printf(
		r->arena, "%s, %" PRIu64 " events", text, e->cost.periods);
}

void
mem_summary_lines(const struct mem_report *r,
	void (*line)(void *arg, const char *text), void *arg)
{
	const struct profile *p = r->profile;
	struct totals t = totals_of(p);

	line(arg,
		text_disarm(arena_printf(r->arena,
			"%s: %.3f s, %d process%s, %s%d thread%s", t.program,
			t.seconds, t.processes, t.processes == 1 ? "" : "es",
			t.images == t.processes
				? ""
				: arena_printf(r->arena, "%d program images, ",
					  t.images),
			t.threads,
			text_plural((unsigned long long)t.threads))));
	for (int i = 0; i < p->n_events; i++)
		if (p->event[i].source != MEM_SOURCE_NONE)
			line(arg,
				text_disarm(arena_strdup(r->arena,
					event_text(r, &p->event[i]))));
}

static void
tell(void *report, const char *text)
{
	const struct mem_report *r = report;

	if (r->options->format == TABLE_TEXT)
		screen_say(text, 2);
	else
		log_note("%s", text);
}

void
mem_summary(const struct mem_report *r)
{
	if (r->options->format == TABLE_JSON || r->said->html != NULL)
		return; /* the JSON object or the page has it */
	mem_summary_lines(r, tell, (void *)(uintptr_t)r);
	if (r->options->format == TABLE_TEXT)
		putchar('\n');
}

static const char *
unit_of_event(const struct profile_event *e)
{
	if (e->kind == MEM_EVENT_DATA || e->kind == MEM_EVENT_TIME)
		return "ns";
	return e->kind == MEM_EVENT_FAULT ? "page faults" : "events";
}

static void
put_event(struct doc *d, const struct profile_event *e)
{
	doc_begin(d, NULL, '{');
	doc_word(d, "name", e->name);
	doc_word(d, "source", source_name(e));
	doc_word(d, "refused", e->error == 0 ? NULL : strerror((int)e->error));
	doc_u64(d, "samples", e->cost.samples);
	doc_word(d, "unit", unit_of_event(e));
	doc_u64(d, "total", e->cost.periods);
	doc_u64(d, "step", step_of(e));
	if (e->kind == MEM_EVENT_DATA) {
		doc_f64(d, "at_memory_percent", memory_percent(e));
		doc_u64(d, "without_address", e->unsure);
	}
	if (e->cost.weights > 0)
		doc_u64(d, "cycles", e->cost.weights);
	doc_end(d, '}');
}

static bool
ends(const char *name, const char *with)
{
	size_t n = strlen(name), m = strlen(with);

	return n >= m && strcmp(name + n - m, with) == 0;
}

/* Returns the unit of a column: the end of most column names. */
static const char *
unit_of(const struct mem_report *r, const char *name)
{
	if (ends(name, "_percent"))
		return "%";
	if (ends(name, "_ms"))
		return "ms";
	if (ends(name, "bytes") || strcmp(name, "size") == 0)
		return "bytes";
	if (strcmp(name, "self") == 0 || strcmp(name, "total") == 0)
		return mem_is_time(r) ? "ms" : "events";
	return "1";
}

static void
put_units(struct doc *d, const struct mem_report *r, const struct table *t)
{
	doc_begin(d, "units", '{');
	for (int i = 0; i < t->n; i++) {
		const struct table_column *c = &t->column[i];

		if (c->kind != TABLE_WORD && !c->is_hidden)
			doc_word(d, c->name, unit_of(r, c->name));
	}
	doc_end(d, '}');
}

void
mem_json_begin(const struct mem_report *r, struct table *t)
{
	const struct profile *p = r->profile;
	struct totals all = totals_of(p);
	struct doc *d = &r->said->json;
	uint64_t silent, samples;
	double points;
	int threads;

	doc_open(d);
	doc_begin(d, NULL, '{');
	doc_word(d, "program", all.program);
	doc_f64(d, "seconds", all.seconds);
	doc_i64(d, "processes", all.processes);
	doc_i64(d, "program_images", all.images);
	doc_i64(d, "threads", all.threads);
	silent = mem_silent(r, &threads);
	doc_i64(d, "threads_without_samples", threads);
	doc_f64(d, "seconds_without_samples", (double)silent / 1e9);
	doc_begin(d, "events", '[');
	for (int i = 0; i < p->n_events; i++)
		put_event(d, &p->event[i]);
	doc_end(d, ']');
	doc_word(d, "event", r->event < 0 ? NULL : p->event[r->event].name);
	if (mem_precision(r, &samples, &points)) {
		doc_u64(d, "samples_of_shares", samples);
		doc_f64(d, "error_of_20_percent", points);
	}
	put_units(d, r, t);
	doc_begin(d, "rows", '[');
	table_put(t, d);
	doc_end(d, ']');
	r->said->has_object = true;
}

static void
put_loss(struct doc *d, const char *what, uint64_t count)
{
	doc_begin(d, NULL, '{');
	doc_word(d, "what", what);
	doc_u64(d, "count", count);
	doc_end(d, '}');
}

void
mem_json_end(const struct mem_report *r)
{
	struct doc *d = &r->said->json;

	doc_begin(d, "losses", '[');
	for (int kind = 0; kind < IMAGE_LOSSES; kind++) {
		uint64_t n;
		const char *text = mem_loss(r, kind, &n);

		if (text != NULL)
			put_loss(d, text, n);
	}
	if (r->profile->unresolved > 0)
		put_loss(d, mem_unresolved(r), r->profile->unresolved);
	doc_end(d, ']');
	doc_begin(d, "notes", '[');
	for (int i = 0; i < r->said->note.n; i++)
		doc_word(d, NULL, r->said->note.at[i]);
	doc_end(d, ']');
	doc_end(d, '}');
	doc_close(d);
}
