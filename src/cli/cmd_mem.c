/* SPDX-License-Identifier: MIT */
/* weft mem - memory profiles: which variable does every access touch? */
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "cli/mem.h"
#include "mem/db/perfdata.h"

static enum exit_code
dump(struct arena *a, const char *path)
{
	if (perfdata_is(path))
		return mem_dump_perf(a, path);
	log_error("%s: not a file that this build reads", path);
	return EXIT_UNABLE;
}

static const struct action {
	const char *name;
	enum exit_code (*run)(struct arena *a, const char *path);
} actions[] = {
	{ "dump", dump },
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
	const struct option_def opts[] = { { 0 } };
	const struct action *action;
	struct arena arena = { 0 };
	enum exit_code code;
	int n = cmd_parse(&cmd_mem, opts, argc, argv, &code);

	if (n < 0)
		return code;
	action = find(argv[0]);
	if (action == NULL)
		return cmd_usage_error(
			&cmd_mem, "\"%s\" is not one of: dump", argv[0]);
	if (n < 2)
		return cmd_usage_error(&cmd_mem, "missing argument: FILE");
	code = action->run(&arena, argv[1]);
	arena_fini(&arena);
	return code;
}

const struct cmd cmd_mem = {
	.name = "mem",
	.brief = "memory profiles: print the samples of a recording",
	.args = "dump FILE",
	.min_args = 1,
	.max_args = 2,
	.help = "dump prints the samples of a file of `perf record`, in the "
		"order of time: thread, CPU,\n"
		"time, event, address, where the data was, weight (cycles) "
		"and instruction.\n",
	.examples = "  weft mem dump perf.data\n",
	.run = run,
};
