/* SPDX-License-Identifier: MIT */
#include "cli/trace/shape.h"

#include <string.h>

#include "base/arena.h"
#include "cli/trace/pipeline.h"
#include "export/index/identity.h"

static const char *
word(const char *text)
{
	return text == NULL ? "" : text;
}

/* Returns what shows whether the file has changed: its size, time and hash. */
static const char *
file_state(struct arena *a, const char *name)
{
	return name == NULL ? "" : word(index_identity(a, name, ""));
}

/* Returns the same for files whose names have commas between them. */
static const char *
file_states(struct arena *a, const char *names)
{
	const char *all = "";

	for (const char *name = word(names); *name != '\0';) {
		size_t n = strcspn(name, ",");

		all = arena_printf(a, "%s%s", all,
			file_state(a, arena_strndup(a, name, n)));
		name += n + (name[n] == ',');
	}
	return all;
}

const char *
run_shape(struct arena *a, const struct pipeline *r)
{
	static const char *const errors[] = { "show", "null", "all" };
	const struct filter_args *f = &r->filter;

	return arena_printf(a,
		"errors=%s%s%s%s which=%lld model=%s%s clocks=%s%s from=%s "
		"to=%s "
		"thread=%s cpu=%s loom=%s only-model=%s type=%s view=%s%s",
		errors[r->errors], r->all_models ? " all-models" : "",
		r->breakdown ? " breakdown" : "", r->strict ? " strict" : "",
		(long long)r->which, word(r->model_files),
		file_states(a, r->model_files), word(r->clock_table),
		file_state(a, r->clock_table), word(f->from), word(f->to),
		word(f->threads), word(f->cpus), word(f->looms),
		word(f->models), word(f->types), word(f->views),
		pipeline_inputs_shape(a, r));
}
