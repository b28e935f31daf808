/* SPDX-License-Identifier: MIT */
#include "cli/trace/stat_open.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "cli/screen.h"
#include "cli/table_print.h"
#include "cli/trace/filter_args.h"

enum { O_ROW, O_TYPE, O_NUMBER, O_TITLE, O_DEPTH, O_OPEN, COLUMNS };

static const struct table_column columns[COLUMNS] = {
	[O_ROW] = { .name = "row" },
	[O_TYPE] = { .name = "type" },
	[O_NUMBER] = { .name = "number", .kind = TABLE_NUMBER },
	[O_TITLE] = { .name = "title" },
	[O_DEPTH] = { .name = "depth", .kind = TABLE_NUMBER },
	[O_OPEN] = { .name = "open" },
};

const char *
stat_open_misfit(const struct filter_args *f)
{
	return f->from != NULL     ? "--from"
		: f->to != NULL    ? "--to"
		: f->cpus != NULL  ? "--cpu"
		: f->looms != NULL ? "--loom"
		: f->views != NULL ? "--view"
				   : NULL;
}

static bool
is_asked(const struct filter_args *f, const struct emu_open_stack *open)
{
	char tid[24], model[256];

	snprintf(tid, sizeof tid, "%" PRId64, open->tid);
	snprintf(model, sizeof model, "%.*s", (int)strcspn(open->key, "."),
		open->key);
	return filter_args_listed(f->threads, tid) &&
		filter_args_listed(f->models, model) &&
		filter_args_is_type(f->types,
			&(struct type){ .class = "thread",
				.key = open->key,
				.number = open->number });
}

void
stat_open_put(void *arg, const struct emu_open_stack *open)
{
	struct stat_open_list *l = arg;
	struct arena *a = l->table.arena;

	if (!is_asked(l->filter, open))
		return;
	table_word(&l->table, arena_strdup(a, text_trim(open->row)));
	table_word(&l->table, arena_strdup(a, open->key));
	table_i64(&l->table, open->number);
	table_word(&l->table, arena_strdup(a, open->title));
	table_i64(&l->table, open->depth);
	table_word(&l->table, arena_strdup(a, open->text));
}

static void
print_text(const struct table *t)
{
	for (int i = 0; i < t->cell.n; i += COLUMNS) {
		const struct table_cell *c = &t->cell.at[i];
		char *line = arena_printf(t->arena, "%s  %s: %s", c[O_ROW].text,
			c[O_TITLE].text, c[O_OPEN].text);

		screen_say(text_disarm(line), 4);
	}
	if (t->cell.n == 0)
		printf("nothing was open at the end\n");
}

struct table
stat_open_table(struct arena *a, enum table_format format)
{
	return table_new(a, columns, COLUMNS, format, NULL);
}

void
stat_open_print(struct stat_open_list *l)
{
	if (l->table.format == TABLE_TEXT)
		print_text(&l->table);
	else
		table_print(&l->table);
}
