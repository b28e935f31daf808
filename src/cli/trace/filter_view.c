/* SPDX-License-Identifier: MIT */
#include "cli/trace/filter_view.h"

#include <string.h>

#include "base/arena.h"
#include "cli/choices.h"
#include "emu/counter.h"
#include "emu/models/models.h"
#include "emu/view.h"
#include "export/prv/cfg.h"
#include "trace/trace.h"

struct expansion {
	struct arena *arena;
	const struct trace *trace;
	const char *types; /* list so far; "" if empty */
	int found;         /* types found for this view */
};

/* Returns true if `view` is the name, with or without the model's name, or the
 * name of the view's file: "subsystem", "nanos6.subsystem", "nanos6/subsystem",
 * "nanos6/task-id". */
static bool
is_named(struct expansion *e, const struct model *m, const char *name,
	const char *view, size_t n)
{
	size_t before = strlen(m->name);
	const char *file =
		prv_cfg_name(arena_printf(e->arena, "%s.%s", m->name, name));

	if (file != NULL && strncmp(file, view, n) == 0 && file[n] == '\0')
		return true;
	if (strncmp(name, view, n) == 0 && name[n] == '\0')
		return true;
	if (n <= before || strncmp(m->name, view, before) != 0 ||
		(view[before] != '.' && view[before] != '/'))
		return false;
	before++;
	return strncmp(name, view + before, n - before) == 0 &&
		name[n - before] == '\0';
}

static void
add(struct expansion *e, const struct model *m, const char *name)
{
	bool whole = strchr(name, '.') != NULL;

	e->types = arena_printf(e->arena, "%s%s%s%s%s", e->types,
		e->types[0] == '\0' ? "" : ",", whole ? "" : m->name,
		whole ? "" : ".", name);
	e->found++;
}

/* Adds all counters, or the counter with that name. */
static void
add_counters(struct expansion *e, const struct model *m, const char *view,
	size_t n, bool all)
{
	struct counter_names names = { 0 };

	counter_names(&names, e->arena, e->trace, m);
	for (int i = 0; i < names.at.n; i++)
		if (all || is_named(e, m, names.at.at[i], view, n))
			add(e, m, names.at.at[i]);
}

/* Adds views that no model row has: the rows of the system, and marks. */
static void
add_system(struct expansion *e, const char *view, size_t n)
{
	const struct model *m = &model_ovni;
	size_t before = strlen(m->name) + 1;

	for (int i = 0; i < THREAD_CORE; i++)
		if (is_named(e, m, view_core_thread[i].key + before, view, n))
			add(e, m, view_core_thread[i].key);
	for (int i = 0; i < CPU_CORE; i++)
		if (is_named(e, m, view_core_cpu[i].key + before, view, n))
			add(e, m, view_core_cpu[i].key);
	for (int i = 0; i < e->trace->marks.n; i++) {
		const char *name = arena_printf(e->arena, "mark%lld",
			(long long)e->trace->marks.at[i].type);

		if (is_named(e, m, name, view, n) ||
			is_named(e, m, "marks", view, n))
			add(e, m, name);
	}
}

static void
expand(struct expansion *e, const struct model *m, const char *view, size_t n)
{
	bool counters = false;

	for (int i = 0; i < m->npanels; i++) {
		const char *const *name = m->panels[i].names;

		if (!is_named(e, m, m->panels[i].key, view, n))
			continue;
		for (; *name != NULL; name++)
			if (m->counters_in != NULL &&
				strcmp(*name, m->counters_in) == 0)
				counters = true;
			else
				add(e, m, *name);
	}
	for (int i = 0; i < m->nchans; i++)
		if (is_named(e, m, m->chans[i].key, view, n))
			add(e, m, m->chans[i].key);
	add_counters(e, m, view, n, counters);
	if (m == &model_ovni)
		add_system(e, view, n);
}

/* Views are proposed by their full names, with that of the model. */
static void
consider_types(
	const struct expansion *e, const struct model *m, struct choices *there)
{
	for (int i = 0; i < m->npanels; i++)
		choices_consider(there,
			arena_printf(
				e->arena, "%s.%s", m->name, m->panels[i].key));
	for (int i = 0; i < m->nchans; i++)
		choices_consider(there,
			arena_printf(
				e->arena, "%s.%s", m->name, m->chans[i].key));
	if (m == &model_ovni)
		for (int i = 0; i < THREAD_CORE + CPU_CORE; i++)
			choices_consider(there,
				i < THREAD_CORE
					? view_core_thread[i].key
					: view_core_cpu[i - THREAD_CORE].key);
}

static bool
unknown(const struct expansion *e, const struct model *const *from,
	const char *view, size_t n, struct err *err)
{
	struct choices there = { .near.word =
					 arena_strndup(e->arena, view, n) };
	char hint[NEAR_HINT];

	for (; *from != NULL; from++) {
		for (int i = 0; i < (*from)->npanels; i++)
			choices_add_once(&there, (*from)->panels[i].key);
		consider_types(e, *from, &there);
	}
	return err_set(err, ERR_INPUT,
		"there is no view \"%.60s\"; there are: %s, and each type "
		"('weft models MODEL' lists them)%s",
		there.near.word, there.text, near_said(&there.near, hint));
}

const char *
filter_view_types(struct arena *a, const char *views,
	const struct model *const *from, const struct trace *t, struct err *err)
{
	struct expansion e = { .arena = a, .trace = t, .types = "" };

	for (;;) {
		size_t n = strcspn(views, ",");

		e.found = 0;
		for (const struct model *const *m = from; *m != NULL; m++)
			expand(&e, *m, views, n);
		if (e.found == 0) {
			unknown(&e, from, views, n, err);
			return NULL;
		}
		if (views[n] == '\0')
			return e.types;
		views += n + 1;
	}
}
