/* SPDX-License-Identifier: MIT */
/* weft version - prints the version of this build and its parts. */
#include <json-c/json_c_version.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/screen.h"
#include "cli/trace/formats.h"
#include "emu/model.h"
#include "export/reader.h"
#include "export/sinks.h"
#include "mem/structure/demangle.h"
#include "mem/structure/module.h"
#include "store/driver.h"
#include "trace/source.h"

#ifdef __clang__
static const char compiler[] = "clang";
#else
static const char compiler[] = "gcc";
#endif

enum { LINE = 1024 };

static void __attribute__((format(printf, 2, 3)))
add(char line[LINE], const char *fmt, ...)
{
	size_t n = strlen(line);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line + n, LINE - n, fmt, ap);
	va_end(ap);
}

/* Prints the line if there is one, and begins the next. */
static void
begin(char line[LINE], const char *name)
{
	if (*line != '\0')
		screen_say(line, 11);
	snprintf(line, LINE, "%-10s", name == NULL ? "" : name);
}

static void
add_inputs(char line[LINE])
{
	for (const struct source_ops *const *s = sources; *s != NULL; s++)
		add(line, " %s,", (*s)->name);
	for (const struct format *f = formats; f->use != NULL; f++)
		if (f->in != NULL)
			add(line, " %s,", f->in->name);
	add(line, " stores of tasks");
}

static enum exit_code
run(int argc, char *argv[])
{
	const struct option_def opts[] = { { 0 } };
	char line[LINE] = "";
	enum exit_code code;

	if (cmd_parse(&cmd_version, opts, argc, argv, &code) < 0)
		return code;
	printf("weft %s\n", WEFT_VERSION);
	begin(line, "reads");
	add_inputs(line);
	begin(line, "models");
	for (const struct model *const *m = models; *m != NULL; m++)
		add(line, " %s %s%s", (*m)->name, (*m)->version,
			m[1] == NULL ? "" : ",");
	begin(line, "writes");
	for (const struct sink_ops *const *s = sinks; *s != NULL; s++)
		add(line, " %s%s", (*s)->name, s[1] == NULL ? "" : ",");
	begin(line, "stores");
	add(line, " stream,"); /* has no driver: src/task/stream_store.h */
	for (const char *const *k = store_kinds; *k != NULL; k++)
		add(line, " %s%s", *k, k[1] == NULL ? "" : ",");
	begin(line, "libraries");
	add(line, " json-c %s", json_c_version());
	if (*module_library() != '\0')
		add(line, ", %s", module_library());
	add(line, "%s", names_can_demangle() ? ", libiberty" : "");
	begin(line, "compiler");
	add(line, " %s %s", compiler, __VERSION__);
	begin(line, NULL);
	return EXIT_YES;
}

const struct cmd cmd_version = {
	.name = "version",
	.brief = "print the version and what is in this build",
	.run = run,
};
