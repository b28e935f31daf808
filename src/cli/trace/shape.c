/* SPDX-License-Identifier: MIT */
#include "cli/trace/shape.h"

static const char *
word(const char *text)
{
	return text == NULL ? "" : text;
}

const char *
run_shape(struct arena *a, const struct pipeline *r)
{
	static const char *const errors[] = { "show", "null", "all" };
	const struct filter_args *f = &r->filter;

	return arena_printf(a,
		"errors=%s%s%s%s which=%lld model=%s clocks=%s from=%s to=%s "
		"thread=%s cpu=%s loom=%s only-model=%s type=%s view=%s",
		errors[r->errors], r->all_models ? " all-models" : "",
		r->breakdown ? " breakdown" : "", r->strict ? " strict" : "",
		(long long)r->which, word(r->model_files), word(r->clock_table),
		word(f->from), word(f->to), word(f->threads), word(f->cpus),
		word(f->looms), word(f->models), word(f->types),
		word(f->views));
}
