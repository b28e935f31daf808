/* SPDX-License-Identifier: MIT */
#include "cli/trace/class_list.h"

#include <string.h>

#include "base/arena.h"
#include "cli/choices.h"
#include "cli/trace/pipeline.h"
#include "export/filter.h"
#include "export/sink.h"

/* A sink that looks for a class. */
struct search {
	struct sink base;
	const char *class;
	bool found;
	struct choices there;
	const char *last;
	struct arena *arena;
};

static void
search_type(struct sink *s, const struct type *type)
{
	struct search *f = (struct search *)s;

	f->found |= strcmp(type->class, f->class) == 0;
	if (f->last != NULL && strcmp(f->last, type->class) == 0)
		return;
	f->last = arena_strdup(f->arena, type->class);
	choices_add(&f->there, f->last);
}

static void
search_state(struct sink *s, const struct record *r)
{
	(void)s;
	(void)r;
}

static bool
search_close(struct sink *s, struct err *err)
{
	(void)s;
	(void)err;
	return true;
}

static const struct sink_ops search_ops = {
	.name = "classes",
	.help = "looks for a class",
	.type = search_type,
	.state = search_state,
	.close = search_close,
};

bool
class_list_check(struct pipeline *r, const char *class, struct err *err)
{
	struct search f = { .base.ops = &search_ops,
		.class = class,
		.there.near.word = class,
		.arena = &r->arena };
	char said[CHOICES_SAID];

	if (class == NULL)
		return true;
	if (!pipeline_declare(r, &f.base, err))
		return false;
	if (f.found)
		return true;
	return err_set(err, ERR_INPUT, "the trace has no class \"%.100s\"; %s",
		class, choices_said(&f.there, said));
}

static bool
keep_row(void *arg, const struct row *row)
{
	return strcmp(row->class, arg) == 0;
}

static bool
keep_type(void *arg, const struct type *type)
{
	return strcmp(type->class, arg) == 0;
}

struct sink *
class_list_filter(struct arena *a, struct sink *next, const char *class)
{
	struct filter_options o = {
		.to = FILTER_END, .keep_row = keep_row, .keep_type = keep_type
	};

	if (class == NULL)
		return next;
	o.arg = arena_strdup(a, class);
	return filter_open(a, next, &o);
}
