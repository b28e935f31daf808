/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "base/arena.h"
#include "base/log.h"
#include "cli/mem/mem.h"
#include "cli/table_print.h"
#include "mem/structure/module.h"

#define MIN_BYTES 1024

static const struct table_column columns[] = {
	{ .name = "address", .title = "address" },
	{ .name = "bytes", .title = "bytes", .kind = TABLE_NUMBER },
	{ .name = "section", .title = "section" },
	{ .name = "variable", .title = "variable" },
	{ .name = "file", .title = "declared" },
	{ .name = "line", .title = "line", .kind = TABLE_NUMBER },
};

static void
add_row(struct table *t, const struct variable *v)
{
	table_cell(t, "0x%" PRIx64, v->address);
	table_u64(t, v->size);
	table_word(t, v->section == NULL ? "?" : v->section);
	table_word(t, v->name);
	if (v->file == NULL)
		table_empty(t);
	else
		table_word(t, v->file);
	if (v->line == 0)
		table_empty(t);
	else
		table_i64(t, v->line);
}

enum exit_code
mem_bounds(struct arena *a, const char *path, const struct mem_options *o)
{
	int n = (int)(sizeof columns / sizeof columns[0]);
	uint64_t least = o->min_bytes < 0 ? MIN_BYTES : (uint64_t)o->min_bytes;
	struct table t =
		table_new(a, columns, n, (enum table_format)o->format, NULL);
	struct err err = { 0 };
	bool is_empty;
	struct module *m = module_open(a, path, &err);

	if (m == NULL) {
		log_error("%s", err.text);
		return EXIT_UNABLE;
	}
	module_declare(m);
	for (int i = 0; i < m->variable.n; i++)
		if (m->variable.at[i].size >= least)
			add_row(&t, &m->variable.at[i]);
	is_empty = table_rows(&t) == 0;
	table_print(&t);
	if (is_empty)
		log_note("%s: no variable of %" PRIu64 " bytes or more%s", path,
			least,
			m->variable.n > 0 ? "; --min-bytes 1 shows all" : "");
	mem_say_defects(m);
	if (!m->has_symbols)
		log_note("%s: stripped, so only the variables that other files "
			 "can use are known",
			path);
	module_close(m);
	return EXIT_YES;
}
