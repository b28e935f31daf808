/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/mem/mem.h"
#include "mem/structure/struct_file.h"

#define ROOM (1 << 16)

static void
put_file(void *arg, const void *data, size_t n)
{
	outfile_write(arg, data, n);
}

static void
put_stdout(void *arg, const void *data, size_t n)
{
	(void)arg;
	fwrite(data, 1, n, stdout); /* the command reports a failure when it
	                             * ends */
}

static bool
write_file(struct arena *a, struct module *m, struct xml_writer *w,
	const char *path)
{
	struct outfile file;
	struct err err = { 0 };

	if (outfile_open(&file, a, path, ROOM, &err)) {
		w->put = put_file;
		w->arg = &file;
		struct_write(m, w);
		w->arg = NULL;
		if (outfile_close(&file, &err))
			return true;
	}
	log_error("%s", err.text);
	return false;
}

/* Reports defects of debug information. Returns true if there are any. */
bool
mem_say_defects(const struct module *m)
{
	for (int i = 0; i < m->finding.n; i++)
		log_warning("%s: %s", m->path, m->finding.at[i]);
	if (m->findings > m->finding.n)
		log_warning("%s: %d more defects", m->path,
			m->findings - m->finding.n);
	return m->findings > 0;
}

enum exit_code
mem_struct(struct arena *a, const char *path, const struct mem_options *o)
{
	struct xml_writer *w = ARENA_NEW(a, struct xml_writer);
	struct err err = { 0 };
	char absolute[PATH_MAX];
	struct module *m = module_open(
		a, realpath(path, absolute) == NULL ? path : absolute, &err);
	enum exit_code code = EXIT_YES;

	if (m == NULL) {
		log_error("%s", err.text);
		return EXIT_UNABLE;
	}
	if (o->output == NULL) {
		w->put = put_stdout;
		struct_write(m, w);
	} else if (!write_file(a, m, w, o->output)) {
		code = EXIT_UNABLE;
	}
	if (mem_say_defects(m) && code == EXIT_YES)
		code = EXIT_NO;
	if (!m->has_lines)
		log_note("%s: has no DWARF: only symbols are listed; build "
			 "with -g, or install its debug symbols",
			path);
	module_close(m);
	return code;
}
