/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/mem.h"
#include "mem/db/profile.h"

#define EARLY 50000000 /* ns */

static const char *const source_names[] = { "nothing", "the kernel's ring",
	"timers", "perf record" };

static uint64_t
first_time(const struct profile *p)
{
	uint64_t first = UINT64_MAX;

	for (int i = 0; i < p->image.n; i++)
		if (p->image.at[i].head.time < first)
			first = p->image.at[i].head.time;
	return first;
}

static uint64_t
last_time(const struct profile *p)
{
	uint64_t last = 0;

	for (int i = 0; i < p->image.n; i++)
		if (p->image.at[i].last > last)
			last = p->image.at[i].last;
	return last;
}

static int
threads(const struct profile *p)
{
	int n = 0;

	for (int i = 0; i < p->image.n; i++)
		n += p->image.at[i].thread.n;
	return n;
}

static void
print_faults(const struct profile_event *e)
{
	uint64_t step = e->real > 0 ? e->real : e->period;

	printf(", %" PRIu64 " page faults", e->cost.periods);
	if (step > 1)
		printf(", one in %" PRIu64 " taken\n", step);
	else
		puts(step == 1 ? ", all of them taken" : "");
}

/* The words of one event: of what, how many, by what. */
static void
print_event(const struct profile_event *e)
{
	const char *source =
		e->source < sizeof source_names / sizeof source_names[0]
		? source_names[e->source]
		: "another source";
	uint64_t memory = e->cost.periods - e->computes;

	printf("%s: %" PRIu64 " sample%s from %s", e->name, e->cost.samples,
		text_plural(e->cost.samples), source);
	if (e->kind == MEM_EVENT_FAULT)
		print_faults(e);
	else if (e->kind == MEM_EVENT_DATA)
		printf(", %.3f s of CPU time, %.1f %% of it at instructions "
		       "that touch memory\n",
			(double)e->cost.periods / 1e9,
			mem_percent(memory, e->cost.periods));
	else if (e->kind == MEM_EVENT_TIME)
		printf(", %.3f s of CPU time\n", (double)e->cost.periods / 1e9);
	else
		printf(", %" PRIu64 " events\n", e->cost.periods);
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
static int
processes(const struct profile *p)
{
	int n = 0;

	for (int i = 0; i < p->image.n; i++)
		n += !image_is_replaced(p->image.at, p->image.n, i);
	return n;
}

void
mem_summary(const struct mem_report *r)
{
	const struct profile *p = r->profile;
	int n = processes(p);

	printf("%s: %.3f s, %d process%s, ", main_program(p),
		(double)(int64_t)(last_time(p) - first_time(p)) / 1e9, n,
		n == 1 ? "" : "es");
	if (n != p->image.n)
		printf("%d program images, ", p->image.n);
	printf("%d thread%s\n", threads(p),
		text_plural((unsigned long long)threads(p)));
	for (int i = 0; i < p->n_events; i++)
		if (p->event[i].source != MEM_SOURCE_NONE)
			print_event(&p->event[i]);
	putchar('\n');
}

static const char *
event_names(const struct mem_report *r)
{
	const struct profile *p = r->profile;
	const char *text = p->n_events == 0 ? "none" : "";

	for (int i = 0; i < p->n_events; i++)
		text = arena_printf(r->arena, "%s%s%s", text, i > 0 ? ", " : "",
			p->event[i].name);
	return text;
}

/* Some ends come before the first look at the samples. */
static const char *
no_sample(const struct mem_report *r)
{
	const struct profile *p = r->profile;

	for (int i = 0; i < p->image.n; i++)
		if (p->image.at[i].ended ||
			p->image.at[i].last - p->image.at[i].head.time > EARLY)
			return "no sample in it; see below why, or try "
			       "--view leaks";
	return "no sample in it: the program was killed, or called exec, "
	       "right after its start";
}

/* The event that the view is of. */
static bool
choose_event(struct mem_report *r, struct err *err)
{
	const struct profile *p = r->profile;
	const char *name = r->options->event;
	bool is_touch = r->options->view == MEM_VIEW_FIRST_TOUCH;

	if (name != NULL)
		r->event = profile_find_event(p, name);
	else
		r->event = is_touch ? profile_event_of(p, MEM_EVENT_FAULT)
				    : profile_main_event(p);
	if (r->event >= 0)
		return true;
	if (name == NULL && is_touch)
		return err_set(err, ERR_INPUT,
			"no page faults were measured: record with %s",
			p->is_recording ? "perf record -d -e page-faults"
					: "-e faults");
	if (name == NULL)
		return err_set(err, ERR_INPUT, "%s", no_sample(r));
	return err_set(err, ERR_INPUT,
		"no event \"%s\" was measured; there are: %s", name,
		event_names(r));
}

static bool
print_view(struct mem_report *r, struct err *err)
{
	int view = r->options->view;
	bool has_data;

	if (r->profile->is_recording &&
		(view == MEM_VIEW_HEAP || view == MEM_VIEW_LEAKS ||
			view == MEM_VIEW_GROWTH || view == MEM_VIEW_PEAK))
		return err_set(err, ERR_INPUT,
			"a recording of perf has no allocations: record with "
			"weft run -e datacentric");
	if (view == MEM_VIEW_HEAP)
		return mem_heap(r, err);
	if (view == MEM_VIEW_LEAKS || view == MEM_VIEW_GROWTH ||
		view == MEM_VIEW_PEAK)
		return mem_blocks(r, err);
	if (!choose_event(r, err))
		return false;
	has_data = event_has_data(r->profile->event[r->event].kind);
	if (view == MEM_VIEW_CODE || (view == MEM_VIEW_VARIABLES && !has_data))
		return mem_code(r, err);
	if (!has_data && view != MEM_VIEW_TREE)
		return err_set(err, ERR_INPUT,
			"%s charges code alone: --view code shows it",
			r->profile->event[r->event].name);
	if (view == MEM_VIEW_ACCESSES)
		return mem_accesses(r, err);
	if (view == MEM_VIEW_TREE)
		return mem_tree(r, err);
	if (view == MEM_VIEW_FIRST_TOUCH)
		return mem_first_touch(r, err);
	return mem_variables(r, err);
}

static enum exit_code
report(struct mem_report *r)
{
	bool is_text = r->options->format == TABLE_TEXT, damaged;
	struct err err = { 0 };
	bool shown;

	mem_tell_apart(r);
	if (is_text)
		mem_summary(r);
	shown = print_view(r, &err);
	if (!shown)
		log_error("%s", err.text);
	if (!shown && (r->event >= 0 || r->options->event != NULL))
		return EXIT_UNABLE; /* what was asked for is wrong */
	damaged = mem_missing(r);
	if (!shown)
		return EXIT_UNABLE;
	return damaged ? EXIT_NO : EXIT_YES;
}

enum exit_code
mem_report(struct arena *a, const char *path, const struct mem_options *o)
{
	struct mem_options options = *o;
	struct mem_report r = { .arena = a, .options = &options, .event = -1 };
	struct profile *p = ARENA_NEW(a, struct profile);
	uint64_t least = o->min_bytes < 0 ? 0 : (uint64_t)o->min_bytes;
	enum exit_code code = EXIT_UNABLE;
	struct err err = { 0 };

	if (o->tree)
		options.view = MEM_VIEW_TREE;
	r.profile = p;
	if (profile_open(p, a, path, least, &err)) {
		code = report(&r);
	} else {
		log_error("%s", err.text);
		mem_missing(&r);
	}
	profile_close(p);
	return code;
}
