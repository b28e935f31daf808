/* SPDX-License-Identifier: MIT */
/* What was measured, and by what: lines above a table, and the object of JSON
 * around its rows. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/mem/mem.h"
#include "cli/out.h"
#include "cli/screen.h"
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

/* From the first process to the last record. */
static double
seconds(const struct profile *p)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (int i = 0; i < p->image.n; i++) {
		const struct image *one = &p->image.at[i];

		first = one->head.time < first ? one->head.time : first;
		last = one->last > last ? one->last : last;
	}
	return (double)(int64_t)(last - first) / 1e9;
}

/* The program with the most samples: shells start others. */
static const char *
main_program(const struct profile *p)
{
	const struct image *best = &p->image.at[0];

	for (int i = 1; i < p->image.n; i++)
		if (best->program == NULL ||
			(p->image.at[i].program != NULL &&
				p->image.at[i].samples > best->samples))
			best = &p->image.at[i];
	/* a file may have several names: the one that it was called by */
	if (best->argument.n > 0 && file_name(best->argument.at[0])[0] != '\0')
		return file_name(best->argument.at[0]);
	return best->program == NULL ? "a program" : file_name(best->program);
}

/* A process has an image a program that it ran. */
static struct totals
totals_of(const struct profile *p)
{
	struct totals t = { .program = main_program(p),
		.seconds = seconds(p),
		.images = p->image.n };

	for (int i = 0; i < p->image.n; i++) {
		t.threads += p->image.at[i].thread.n;
		t.processes += !image_is_replaced(p->image.at, p->image.n, i);
	}
	return t;
}

/* One in so many events is taken; 0: it is not known. */
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

/* Where all are taken, neighbours are one sample, whose number says nothing. */
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
		mem_loss(r, MEM_LOST_RING, &lost) != NULL
			? " but those that were lost"
			: "");
}

/* The words of one event: of what, how many, by what. */
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

static void
tell(const struct mem_report *r, const char *text)
{
	char *clean = text_disarm(arena_strdup(r->arena, text));

	if (r->options->format == TABLE_TEXT)
		screen_say(clean, 2);
	else
		log_note("%s", clean);
}

void
mem_summary(const struct mem_report *r)
{
	const struct profile *p = r->profile;
	struct totals t = totals_of(p);

	if (r->options->format == TABLE_JSON)
		return; /* it stands in the object */
	tell(r,
		arena_printf(r->arena,
			"%s: %.3f s, %d process%s, %s%d thread%s", t.program,
			t.seconds, t.processes, t.processes == 1 ? "" : "es",
			t.images == t.processes
				? ""
				: arena_printf(r->arena, "%d program images, ",
					  t.images),
			t.threads, text_plural((unsigned long long)t.threads)));
	for (int i = 0; i < p->n_events; i++)
		if (p->event[i].source != MEM_SOURCE_NONE)
			tell(r, event_text(r, &p->event[i]));
	if (r->options->format == TABLE_TEXT)
		putchar('\n');
}

static void
put_key(struct out *o, const char *before, const char *key)
{
	out_puts(o, before);
	out_json(o, key);
	out_puts(o, ":");
}

static void
put_text(struct out *o, const char *key, const char *text)
{
	put_key(o, ",", key);
	out_json(o, text);
}

static void
put_count(struct out *o, const char *key, uint64_t value)
{
	put_key(o, ",", key);
	out_u64(o, value);
}

static void
put_number(struct out *o, const char *key, double value)
{
	put_key(o, ",", key);
	out_json_f64(o, value);
}

static const char *
unit_of_event(const struct profile_event *e)
{
	if (e->kind == MEM_EVENT_DATA || e->kind == MEM_EVENT_TIME)
		return "ns";
	return e->kind == MEM_EVENT_FAULT ? "page faults" : "events";
}

static void
put_event(struct out *o, const char *mark, const struct profile_event *e)
{
	out_puts(o, mark);
	put_key(o, "{", "name");
	out_json(o, e->name);
	put_text(o, "source", source_name(e));
	put_text(o, "refused", e->error == 0 ? NULL : strerror((int)e->error));
	put_count(o, "samples", e->cost.samples);
	put_text(o, "unit", unit_of_event(e));
	put_count(o, "total", e->cost.periods);
	put_count(o, "step", step_of(e));
	if (e->kind == MEM_EVENT_DATA) {
		put_number(o, "at_memory_percent", memory_percent(e));
		put_count(o, "without_address", e->unsure);
	}
	if (e->cost.weights > 0)
		put_count(o, "cycles", e->cost.weights);
	out_puts(o, "}");
}

static void
put_events(struct out *o, const struct profile *p)
{
	put_key(o, ",\n", "events");
	for (int i = 0; i < p->n_events; i++)
		put_event(o, i == 0 ? "[\n" : ",\n", &p->event[i]);
	out_puts(o, p->n_events == 0 ? "[]" : "\n]");
}

static bool
ends(const char *name, const char *with)
{
	size_t n = strlen(name), m = strlen(with);

	return n >= m && strcmp(name + n - m, with) == 0;
}

/* Of a column: most names have it at their end. */
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
put_units(struct out *o, const struct mem_report *r, const struct table *t)
{
	const char *mark = "{";

	put_key(o, ",\n", "units");
	for (int i = 0; i < t->n; i++) {
		const struct table_column *c = &t->column[i];

		if (!c->is_number || c->is_hidden)
			continue;
		put_key(o, mark, c->name);
		out_json(o, unit_of(r, c->name));
		mark = ",";
	}
	out_puts(o, *mark == '{' ? "{}" : "}");
}

void
mem_json_begin(const struct mem_report *r, const struct table *t)
{
	const struct profile *p = r->profile;
	struct totals all = totals_of(p);
	uint64_t silent, samples;
	double points;
	struct out o;
	int threads;

	out_open(&o);
	put_key(&o, "{", "program");
	out_json(&o, all.program);
	put_number(&o, "seconds", all.seconds);
	put_count(&o, "processes", (uint64_t)all.processes);
	put_count(&o, "program_images", (uint64_t)all.images);
	put_count(&o, "threads", (uint64_t)all.threads);
	silent = mem_silent(r, &threads);
	put_count(&o, "threads_without_samples", (uint64_t)threads);
	put_number(&o, "seconds_without_samples", (double)silent / 1e9);
	put_events(&o, p);
	put_text(&o, "event", r->event < 0 ? NULL : p->event[r->event].name);
	if (mem_precision(r, &samples, &points)) {
		put_count(&o, "samples_of_shares", samples);
		put_number(&o, "error_of_20_percent", points);
	}
	put_units(&o, r, t);
	put_key(&o, ",\n", "rows");
	out_close(&o);
	r->said->has_object = true;
}

void
mem_json_end(const struct mem_report *r)
{
	const char *mark = "[", *text;
	struct out o;
	uint64_t n;

	out_open(&o);
	put_key(&o, ",", "losses");
	for (int kind = 0; kind < IMAGE_LOSSES; kind++) {
		text = mem_loss(r, kind, &n);
		if (text == NULL)
			continue;
		out_puts(&o, mark);
		put_key(&o, "{", "what");
		out_json(&o, text);
		put_count(&o, "count", n);
		out_puts(&o, "}");
		mark = ",";
	}
	if (r->profile->unresolved > 0) {
		out_puts(&o, mark);
		put_key(&o, "{", "what");
		out_json(&o, mem_unresolved(r));
		put_count(&o, "count", r->profile->unresolved);
		out_puts(&o, "}");
		mark = ",";
	}
	out_puts(&o, *mark == '[' ? "[]" : "]");
	mark = "[\n";
	put_key(&o, ",\n", "notes");
	for (int i = 0; i < r->said->note.n; i++) {
		out_puts(&o, mark);
		out_json(&o, r->said->note.at[i]);
		mark = ",\n";
	}
	out_puts(&o, *mark == '[' ? "[]}\n" : "\n]}\n");
	out_close(&o);
}
