/* SPDX-License-Identifier: MIT */

#include "base/arena.h"
#include "base/log.h"
#include "cli/choices.h"
#include "cli/mem/html.h"
#include "cli/mem/pprof.h"
#include "mem/db/profile.h"

#define EARLY 50000000 /* ns */

static bool
unknown_event(const struct mem_report *r, struct err *err)
{
	const struct profile *p = r->profile;
	struct choices there = { .near.word = r->options->event };
	char said[CHOICES_SAID];

	for (int i = 0; i < p->n_events; i++)
		choices_add(&there, p->event[i].name);
	return err_set(err, ERR_INPUT, "no event \"%s\" was measured; %s",
		there.near.word, choices_said(&there, said));
}

/* Returns the reason why there is no sample. Some programs end before the first
 * drain of the samples. */
static const char *
no_sample(const struct mem_report *r)
{
	const struct profile *p = r->profile;

	for (int i = 0; i < p->image.n; i++)
		if (p->image.at[i].ended ||
			p->image.at[i].last - p->image.at[i].head.time > EARLY)
			return "the measurement has no sample; the notes below "
			       "say why; --view "
			       "leaks may have data";
	return "the measurement has no sample: the program was killed, or "
	       "called exec, right "
	       "after its start";
}

/* Chooses the event that the view shows. */
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
	return unknown_event(r, err);
}

/* Returns false and sets err if measurements of this kind lack the view. */
static bool
has_view(const struct mem_report *r, struct err *err)
{
	if (r->profile->is_recording && mem_is_of_blocks(r))
		return err_set(err, ERR_INPUT,
			"a file of perf record has no allocations: record with "
			"weft run -e datacentric");
	return true;
}

static bool
print_view(struct mem_report *r, struct err *err)
{
	int view = r->options->view;
	bool has_data;

	if (!has_view(r, err))
		return false;
	if (r->options->by != MEM_BY_VARIABLE)
		return choose_event(r, err) && mem_by_rank(r, err);
	if (view == MEM_VIEW_HEAP)
		return mem_heap(r, err);
	if (mem_is_of_blocks(r))
		return mem_blocks(r, err);
	if (!choose_event(r, err))
		return false;
	has_data = event_has_data(r->profile->event[r->event].kind);
	if (view == MEM_VIEW_CODE || (view == MEM_VIEW_VARIABLES && !has_data))
		return mem_code(r, err);
	if (!has_data && view != MEM_VIEW_TREE)
		return err_set(err, ERR_INPUT,
			"%s was measured without addresses of data: use --view "
			"code",
			r->profile->event[r->event].name);
	if (view == MEM_VIEW_ACCESSES)
		return mem_accesses(r, err);
	if (view == MEM_VIEW_TREE)
		return mem_tree(r, err);
	if (view == MEM_VIEW_FIRST_TOUCH)
		return mem_first_touch(r, err);
	return mem_variables(r, err);
}

/* Writes the views of a page: the one that the command line asks for, or those
 * that most people want. */
static bool
write_views(struct mem_report *r, struct err *err)
{
	static const struct {
		int view;
		const char *title;
		bool (*print)(const struct mem_report *r, struct err *err);
	} pages[] = {
		{ MEM_VIEW_VARIABLES, "Variables", mem_variables },
		{ MEM_VIEW_ACCESSES, "Accesses", mem_accesses },
		{ MEM_VIEW_TREE, "Data-centric tree", mem_tree },
		{ MEM_VIEW_CODE, "Code", mem_code },
	};
	bool has_data;

	if (r->options->view != MEM_VIEW_VARIABLES ||
		r->options->by != MEM_BY_VARIABLE)
		return print_view(r, err);
	if (!choose_event(r, err))
		return false;
	has_data = event_has_data(r->profile->event[r->event].kind);
	for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
		r->said->html->title = pages[i].title;
		if ((has_data || pages[i].view == MEM_VIEW_TREE ||
			    pages[i].view == MEM_VIEW_CODE) &&
			!pages[i].print(r, err))
			return false;
	}
	return true;
}

static bool
show(struct mem_report *r, struct err *err)
{
	if (r->options->pprof)
		return (r->options->event == NULL || choose_event(r, err)) &&
			mem_pprof(r, r->options->output, err);
	if (r->said->html == NULL) {
		mem_summary(r);
		return print_view(r, err);
	}
	mem_html_begin(r->said->html, r);
	return write_views(r, err);
}

static enum exit_code
report(struct mem_report *r)
{
	struct err err = { 0 };
	bool shown, damaged;

	mem_tell_apart(r);
	shown = show(r, &err);
	if (!shown)
		log_error("%s", err.text);
	if (!shown && (r->event >= 0 || r->options->event != NULL))
		return EXIT_UNABLE; /* the command line asked for something
		                     * that does not exist */
	damaged = mem_missing(r);
	if (r->said->html != NULL && shown &&
		!mem_html_end(r->said->html, r, r->options->output, &err)) {
		log_error("%s", err.text);
		return EXIT_UNABLE;
	}
	if (!shown)
		return EXIT_UNABLE;
	return damaged ? EXIT_NO : EXIT_YES;
}

enum exit_code
mem_report(struct arena *a, const char *path, const struct mem_options *o)
{
	struct mem_html html = { 0 };
	struct mem_said said = { .html = o->html ? &html : NULL };
	struct mem_report r = {
		.arena = a, .options = o, .event = -1, .said = &said
	};
	struct profile *p = ARENA_NEW(a, struct profile);
	const struct profile_request request = {
		.min_bytes = o->min_bytes < 0 ? 0 : (uint64_t)o->min_bytes,
		.rank = o->rank,
		.structs = o->structs,
		.costs = o->by == MEM_BY_VARIABLE &&
				o->view != MEM_VIEW_FIRST_TOUCH
			? NULL
			: mem_add_costs,
		.arg = &r,
		.heap = o->by == MEM_BY_VARIABLE && o->view == MEM_VIEW_HEAP,
	};
	enum exit_code code = EXIT_UNABLE;
	struct err err = { 0 };

	r.profile = p;
	if (profile_open(p, a, path, &request, &err)) {
		code = report(&r);
	} else {
		log_error("%s", err.text);
		mem_missing(&r);
	}
	profile_close(p);
	return code;
}
