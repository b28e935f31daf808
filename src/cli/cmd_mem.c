/* SPDX-License-Identifier: MIT */
/* weft mem - memory profiles: which variable does every access touch? */
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "cli/mem.h"
#include "mem/db/perfdata.h"

static enum exit_code
dump(struct arena *a, const char *path, const struct mem_options *o)
{
	(void)o;
	if (perfdata_is(path))
		return mem_dump_perf(a, path);
	log_error("%s: not a file that this build reads", path);
	return EXIT_UNABLE;
}

static const struct action {
	const char *name;
	enum exit_code (*run)(
		struct arena *a, const char *path, const struct mem_options *o);
} actions[] = {
	{ "dump", dump },
	{ "bounds", mem_bounds },
};

static const struct action *
find(const char *name)
{
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct mem_options o = { .min_bytes = -1 };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'f', "format", "FORMAT", "text, csv or json",
		  .choice = &o.format, .choices = TABLE_FORMATS },
		{ 0, "min-bytes", "N", "only variables of N bytes or more (1024)",
		  .number = &o.min_bytes },
		{ 0 },
	};
	/* clang-format on */
	const struct action *action;
	struct arena arena = { 0 };
	enum exit_code code;
	int n = cmd_parse(&cmd_mem, opts, argc, argv, &code);

	if (n < 0)
		return code;
	action = find(argv[0]);
	if (action == NULL)
		return cmd_usage_error(&cmd_mem,
			"\"%s\" is not one of: dump, bounds", argv[0]);
	if (n < 2)
		return cmd_usage_error(&cmd_mem, "missing argument: FILE");
	code = action->run(&arena, argv[1], &o);
	arena_fini(&arena);
	return code;
}

const struct cmd cmd_mem = {
	.name = "mem",
	.brief = "memory profiles: which variable does every access touch?",
	.args = "dump|bounds FILE",
	.min_args = 1,
	.max_args = 2,
	.help = "dump prints the samples of a file of `perf record`, in the "
		"order of time: thread, CPU,\n"
		"time, event, address, where the data was, weight (cycles) "
		"and instruction.\n"
		"bounds prints the static variables of a program or a library "
		"and where they are declared.\n",
	.examples = "  weft mem dump perf.data\n"
		    "  weft mem bounds --min-bytes 8 ./prog\n",
	.run = run,
};
