/* SPDX-License-Identifier: MIT */
#include "cli/trace/events.h"

#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/near.h"
#include "base/text.h"
#include "cli/undo.h"
#include "emu/bind.h"
#include "emu/describe.h"

enum { UNASKED, KEPT, LEFT_OUT };

/* A sink that notices which events write a record that the filters keep. */
struct watch {
	struct sink base;
	struct sink *sink; /* the filter in front of base */
	struct arena *arena;
	struct emu *emu;
	bool types;               /* records of every row count */
	bool threads;             /* records of threads count, because
	                           * threads were asked for */
	VEC(bool) counts;         /* by row: its records count */
	const struct event *last; /* the previous event: records that are
	                           * written now still belong to it */
	bool seen;
};

static void
watch_row(struct sink *s, const struct row *row)
{
	struct watch *w = (struct watch *)s;

	VEC_PUSH(&w->counts, w->arena,
		w->threads || strcmp(row->class, "cpu") == 0);
}

static void
watch_state(struct sink *s, const struct record *r)
{
	struct watch *w = (struct watch *)s;

	/* The inferred end of a killed thread belongs to no event. */
	if (emu_event(w->emu) != w->last && (w->types || w->counts.at[r->row]))
		w->seen = true;
}

static const struct sink_ops watch_ops = {
	.row = watch_row,
	.state = watch_state,
};

static bool
open_watch(struct events *e, struct err *err)
{
	struct pipeline *r = e->run;
	struct watch *w = ARENA_NEW(&r->arena, struct watch);
	struct filter_options window = r->filter.options;

	e->watch = w;
	w->base.ops = &watch_ops;
	w->arena = &r->arena;
	w->types = r->filter.types != NULL;
	w->threads = r->filter.by_tid;
	/* The window is applied to events here, so the filter of states gets no
	 * window. */
	r->filter.options.from = 0;
	r->filter.options.to = FILTER_END;
	w->sink = filter_args_open(&r->filter, w->arena, &w->base);
	r->filter.options.from = window.from;
	r->filter.options.to = window.to;
	w->emu = pipeline_emu(r, w->arena, w->sink, err);
	return w->emu != NULL;
}

/* Threads of CTF are known only once their events are emulated, after the trace
 * was opened. */
static bool
needs_states(const struct filter_args *f)
{
	return f->cpus != NULL || f->types != NULL || f->by_tid;
}

void
events_prepare(struct pipeline *r)
{
	const struct filter_args *f = &r->filter;

	r->filter.of_events = true;
	r->reads_only = !needs_states(f);
	r->unmerged = r->unmerged && r->reads_only && f->from == NULL &&
		f->to == NULL;
}

/* Skips events before the window, unless the states before it are needed. */
static void
skip(struct events *e)
{
	int64_t from = e->run->filter.options.from;

	if (e->source->trace.start == TRACE_UNKNOWN)
		return;
	e->start = e->source->trace.start;
	if (e->watch == NULL && from > 0 && !e->run->unmerged &&
		!e->run->no_seek &&
		!__builtin_add_overflow(from, e->start, &from))
		source_seek(e->source, from);
}

bool
events_open(struct events *e, struct pipeline *r, struct err *err)
{
	uint64_t done, total;

	e->run = r;
	e->source = r->source;
	e->models = pipeline_models(r);
	e->filtered = filter_args_any(&r->filter) || e->patterns != NULL;
	if (!pipeline_resolve_filter(r, err))
		return false;
	if (needs_states(&r->filter) && r->inputs != NULL)
		return err_set(err, ERR_INPUT,
			"--cpu, --type, and --thread of threads that only "
			"events name, need the states of one trace: leave the "
			"other traces out");
	if (needs_states(&r->filter) && !open_watch(e, err))
		return false;
	skip(e);
	source_progress(r->source, &done, &total);
	progress_start(&e->progress, "read", "events", total);
	undo_note_first();
	return true;
}

void
events_step(struct events *e, const struct event *ev)
{
	uint64_t done, total;

	if (e->n == 1 && e->source->trace.start == TRACE_UNKNOWN)
		e->start = ev->time;
	e->stopped = undo_is_noted();
	e->run->duration = events_time(e, ev);
	if (!e->bar)
		return;
	source_progress(e->run->source, &done, &total);
	progress_step(&e->progress, done, e->n);
}

bool
events_has_stream(const struct events *e, int stream)
{
	const struct filter_args *f = &e->run->filter;

	return f->streams == NULL || f->streams[stream] || f->cpus != NULL ||
		f->by_tid;
}

/* Returns the next item of a list with commas, or NULL at its end. */
static const char *
next_pattern(struct arena *a, const char **list)
{
	const char *at = *list;
	size_t n = strcspn(at, ",");

	if (*at == '\0')
		return NULL;
	*list = at + n + (at[n] == ',');
	return arena_strndup(a, at, n);
}

static bool
is_asked_for(struct events *e, const char *name)
{
	const char *list = e->patterns, *pattern;

	while (list != NULL &&
		(pattern = next_pattern(&e->run->arena, &list)) != NULL)
		if (text_fits(pattern, name))
			return true;
	return list == NULL;
}

static const char *
nearest(const struct trace *t, const char *pattern, char hint[NEAR_HINT])
{
	struct near near = { .word = pattern };

	for (int i = 0; i < t->classes.n; i++)
		near_try(&near, t->classes.at[i].name);
	return near_said(&near, hint);
}

/* Warns about names that were asked for and that no event had. */
static void
report_patterns(struct events *e)
{
	const struct trace *t = &e->run->source->trace;
	const char *list = e->patterns, *pattern;
	char hint[NEAR_HINT];
	const char *where =
		e->run->filter.from != NULL || e->run->filter.to != NULL
		? "in that time "
		: "";

	while (list != NULL &&
		(pattern = next_pattern(&e->run->arena, &list)) != NULL) {
		int i = 0;

		while (i < e->classes.n &&
			(e->classes.at[i] == UNASKED ||
				!text_fits(pattern, t->classes.at[i].name)))
			i++;
		if (i == e->classes.n)
			log_warning("--event: no event %sis called \"%s\" "
				    "(weft top TRACE lists all events)%s",
				where, pattern, nearest(t, pattern, hint));
	}
}

static bool __attribute__((noinline, cold))
ask_class(struct events *e, uint32_t index)
{
	const struct event_class *class =
		&e->run->source->trace.classes.at[index];
	struct arena *a = &e->run->arena;
	const struct model *m =
		describe_class(a, class, e->models)->binding->model;
	bool keep = is_asked_for(e, class->name) &&
		filter_args_listed(
			e->run->filter.models, m == NULL ? "" : m->name);

	while ((uint32_t)e->classes.n <= index)
		VEC_PUSH(&e->classes, a, UNASKED);
	e->classes.at[index] = keep ? KEPT : LEFT_OUT;
	return keep;
}

static bool
keeps_class(struct events *e, uint32_t index)
{
	if (index < (uint32_t)e->classes.n && e->classes.at[index] != UNASKED)
		return e->classes.at[index] == KEPT;
	return ask_class(e, index);
}

static bool
keeps_cpu(const struct events *e, const struct event *ev)
{
	const struct filter_args *f = &e->run->filter;
	int cpu;

	if (f->cpus == NULL || e->watch == NULL)
		return false;
	cpu = emu_cpu(e->watch->emu, ev->stream);
	return cpu >= 0 && f->cpu.keep[cpu];
}

static bool
keeps_tid(const struct events *e, const struct event *ev)
{
	return e->run->filter.by_tid && e->watch != NULL &&
		filter_args_keeps_tid(
			&e->run->filter, emu_tid(e->watch->emu, ev->stream));
}

static bool
keeps_place(const struct events *e, const struct event *ev)
{
	const struct filter_args *f = &e->run->filter;

	/* Another thread's event may move this thread to another CPU. */
	if ((f->by_tid || f->cpus != NULL) && f->types == NULL &&
		e->source->trace.streams.at[ev->stream].has_vtid)
		return keeps_tid(e, ev) || keeps_cpu(e, ev);
	if (e->watch != NULL && e->watch->seen)
		return true;
	if (f->types != NULL)
		return false;
	if (keeps_tid(e, ev))
		return true;
	if (f->by_tid && f->cpus == NULL)
		return false;
	if (f->streams == NULL || f->streams[ev->stream])
		return true;
	return keeps_cpu(e, ev);
}

/* Reads the next event and emulates it if the filters need states. */
static bool
take(struct events *e, struct event *ev)
{
	struct watch *w = e->watch;
	const struct event *taken;

	if (w == NULL)
		return events_next_any(e, ev);
	w->last = emu_event(w->emu);
	w->seen = false;
	taken = emu_next(w->emu);
	if (taken == NULL)
		return false;
	*ev = *taken;
	if (e->n++ % EVENTS_STEP == 0)
		events_step(e, ev);
	return true;
}

bool
events_next_kept(struct events *e, struct event *ev)
{
	const struct filter_options *o = &e->run->filter.options;

	while (!e->stopped && take(e, ev)) {
		e->last = events_time(e, ev);
		/* Events come in time order: all later events are outside the
		 * window. */
		if (e->last >= o->to && !e->run->unmerged)
			return false;
		if (e->last >= o->from && keeps_class(e, ev->class) &&
			keeps_place(e, ev))
			return true;
	}
	return false;
}

void
events_close(struct events *e)
{
	progress_end(&e->progress);
	if (undo_is_noted())
		pipeline_say_stopped(e->run);
	if (e->filtered)
		filter_args_report(&e->run->filter, e->last);
	report_patterns(e);
	pipeline_take_findings(e->run);
	if (e->watch != NULL && e->watch->emu != NULL)
		emu_close(e->watch->emu);
}
