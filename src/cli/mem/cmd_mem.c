/* SPDX-License-Identifier: MIT */
/* weft mem - memory profiles: which variable does every access touch? */
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/near.h"
#include "base/text.h"
#include "cli/mem/mem.h"
#include "cli/trace/packed.h"
#include "mem/db/memfile.h"
#include "mem/db/perfdata.h"

/* In the list of --format. */
#define FORMAT_HTML (TABLE_JSON + 1)
#define FORMAT_PPROF (TABLE_JSON + 2)
#define TOP 20 /* default number of lines of text */

static enum exit_code
dump(struct arena *a, const char *path, const struct mem_options *o)
{
	(void)o;
	if (perfdata_is(path))
		return mem_dump_perf(a, path);
	if (memfile_is(path))
		return mem_dump_file(a, path);
	if (file_is_dir(path))
		log_error("%s: is a directory; dump prints a file in it, "
			  "PID-0/process.mem or thread-TID.mem",
			path);
	else
		log_error("%s: neither a file of a measurement nor of perf "
			  "record",
			path);
	return EXIT_UNABLE;
}

static const struct action {
	const char *name;
	enum exit_code (*run)(
		struct arena *a, const char *path, const struct mem_options *o);
	int most; /* most paths; 0: any number */
} actions[] = {
	{ "report", mem_report, 1 }, { "merge", mem_merge, 0 },
	{ "diff", mem_diff, 2 }, { "dump", dump, 1 },
	{ "bounds", mem_bounds, 1 }, { "struct", mem_struct, 1 },
	{ "link", NULL, 0 }, /* its arguments are a command */
};

static const char *
action_words(struct arena *a)
{
	const char *list = actions[0].name;

	for (size_t i = 1; i < sizeof actions / sizeof actions[0]; i++)
		list = arena_printf(a, "%s, %s", list, actions[i].name);
	return list;
}

static const struct action *
find(const char *name)
{
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

/* Keeps the paths, of archives those of what is in them. Returns EXIT_YES if
 * their number fits the action and each of them can be read. */
static enum exit_code
take_paths(struct arena *a, const struct action *action, struct mem_options *o,
	char *const *path, int n)
{
	const char **paths = ARENA_ARRAY(a, const char *, n + 1);
	struct err err = { 0 };
	enum exit_code code;

	if (n < 1)
		return cmd_usage_error(&cmd_mem, "missing argument: FILE");
	if (action->most > 0 && n > action->most)
		return cmd_usage_error(&cmd_mem, "%s takes %d argument%s: %s",
			action->name, action->most,
			text_plural((unsigned)action->most),
			path[action->most]);
	for (int i = 0; i < n; i++) {
		paths[i] = packed_input(a, path[i], &code);
		if (paths[i] == NULL)
			return code;
		if (!file_check(paths[i], &err)) {
			log_error("%s: %s", path[i], err.text);
			return EXIT_UNABLE;
		}
	}
	o->paths = paths;
	o->n_paths = n;
	return EXIT_YES;
}

/* Sets what follows from other options. */
static void
settle(struct mem_options *o)
{
	o->html = o->format == FORMAT_HTML;
	o->pprof = o->format == FORMAT_PPROF;
	if (o->html || o->pprof)
		o->format = TABLE_TEXT;
	if (o->top < 0)
		o->top = o->format == TABLE_TEXT && !o->html ? TOP : 0;
}

/* Runs the action that the first of n arguments names. */
static enum exit_code
act(struct arena *a, char *argv[], int n, struct mem_options *o)
{
	const struct action *action = find(argv[0]);
	const char *words = action_words(a);
	char hint[NEAR_HINT];
	enum exit_code code;

	if (action == NULL)
		return cmd_usage_error(&cmd_mem, "\"%s\" is not one of: %s%s",
			argv[0], words, near_hint(words, argv[0], hint));
	if (action->run == NULL) {
		argv[n] = NULL;
		return mem_link(a, argv + 1);
	}
	code = take_paths(a, action, o, argv + 1, n - 1);
	if (code != EXIT_YES)
		return code;
	settle(o);
	if (o->pprof && (action->run != mem_report || o->output == NULL))
		return cmd_usage_error(&cmd_mem,
			"--format pprof is for report, and needs a file: -o "
			"x.pb.gz");
	return action->run(a, o->paths[0], o);
}

/* Returns the position of the first argument that is no option. */
static int
first_word(int argc, char *argv[], int from)
{
	while (from < argc && argv[from][0] == '-' &&
		strcmp(argv[from], "--") != 0)
		from++;
	return from;
}

/* Inserts the -- before the command of `weft mem link`, unless it is there. */
static char **
end_options(struct arena *a, int *argc, char *argv[])
{
	int verb = first_word(*argc, argv, 1);
	int command = first_word(*argc, argv, verb + 1);
	char **with;

	if (verb >= *argc || strcmp(argv[verb], "link") != 0 ||
		command >= *argc || strcmp(argv[command], "--") == 0)
		return argv;
	with = ARENA_ARRAY(a, char *, *argc + 2);
	memcpy(with, argv, (size_t)command * sizeof *argv);
	with[command] = arena_strdup(a, "--");
	memcpy(with + command + 1, argv + command,
		(size_t)(*argc - command) * sizeof *argv);
	++*argc;
	return with;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct mem_options o = { .min_bytes = -1, .top = -1, .rank = -1 };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'f', "format", "FORMAT", "text, csv or json; html: one page; pprof: a file for pprof; -o names it",
		  .choice = &o.format, .choices = TABLE_FORMATS ",html,pprof" },
		SHORT_CSV, SHORT_JSON,
		{ 'v', "view", "VIEW", "only this view of a report, one of the above",
		  .choice = &o.view, .choices = MEM_VIEWS },
		{ 't', "tree", .means = "view=tree" },
		{ 0, "hot", NULL, "the tree shows its hot path only: the most expensive children",
		  .flag = &o.hot },
		{ 0, "fold", "PERCENT", "the tree joins branches of less than this",
		  .text = &o.fold },
		{ 0, "columns", "LIST", "show and hide columns: +size,-share; or only these: share,variable",
		  .text = &o.columns },
		{ 'e', "event", "NAME", "only costs of this event (default: the first of data, faults, time)",
		  .text = &o.event },
		{ 0, "by", "WHAT", "rank, host: a line for each MPI rank, or machine, instead of a view",
		  .choice = &o.by, .choices = "variable,rank,host" },
		{ 0, "rank", "N", "only the processes of this MPI rank",
		  .number = &o.rank },
		{ 'n', "top", "N", "at most N lines (default: 20, csv and json: all); 0: all",
		  .number = &o.top },
		{ 0, "min-bytes", "N", "list static variables of N bytes or more (as recorded, or 1024)",
		  .number = &o.min_bytes },
		{ 0, "struct", "FILE", "structure file with the names of a program that is gone",
		  .texts = o.structs },
		{ 0, "datacentric", NULL, "link: what the recorder records (nothing else is there)",
		  .flag = &o.datacentric },
		{ 0, "data-centric", .means = "datacentric" },
		{ 'o', "output", "FILE", "write into FILE: a database, structure or page",
		  .text = &o.output },
		OLD_LETTER('c', "columns"),
		{ 0 },
	};
	/* clang-format on */
	struct arena arena = { 0 };
	enum exit_code code;
	int n;

	argv = end_options(&arena, &argc, argv);
	n = cmd_parse(&cmd_mem, opts, argc, argv, &code);
	if (n >= 0)
		code = act(&arena, argv, n, &o);
	arena_fini(&arena);
	return code;
}

const struct cmd cmd_mem = {
	.name = "mem",
	.brief = "memory profiles: which variable does every access touch?",
	.args = "report|merge|diff|dump|bounds|struct FILE... | link -- "
		"COMMAND",
	.words = action_words,
	.min_args = 1,
	.max_args = INT_MAX,
	.help = "report prints a measurement of `weft run -e datacentric` or "
		"of `perf record -d`: which variables\n"
		"cost time, where they were allocated or declared, and which "
		"code accesses them. Views:\n"
		"  variables              a line for each variable\n"
		"  accesses               all statements that access each "
		"variable\n"
		"  code                   functions, and the variables that "
		"they access\n"
		"  tree                   call paths: those of accesses below "
		"those of allocations\n"
		"  first-touch            which thread and code touched pages "
		"first\n"
		"  leaks, growth, peak    blocks by allocation site\n"
		"  heap                   the size of the heap over time\n"
		"merge joins measurements of many processes, also those of MPI "
		"ranks, in one SQLite database, which\n"
		"report reads; mpirun -n R weft mem merge shares the work.\n"
		"diff compares two measurements: which variables cost more or "
		"less, and how sure that is. The exit\n"
		"code is 1 if something became worse.\n"
		"dump prints a file of a measurement, record by record, or the "
		"samples of a file of `perf record`.\n"
		"bounds prints the static variables of a program or a library "
		"and where they are declared.\n"
		"struct writes variables, functions, loops and lines of a "
		"program or a library as XML, for\n"
		"report --struct on a machine that does not have the "
		"program.\n"
		"link runs a command that links a static program, and links "
		"the recorder in.\n",
	.examples = "  weft mem report prog-1.weft\n"
		    "  weft mem report --tree --columns +size prog-1.weft\n"
		    "  weft mem report --view leaks --format csv prog-1.weft\n"
		    "  weft mem report --by rank prog-1.weft\n"
		    "  weft mem merge -o all.db prog-1.weft prog-2.weft\n"
		    "  weft mem report --by host all.db\n"
		    "  weft mem diff before-1.weft after-1.weft\n"
		    "  weft mem report perf.data\n"
		    "  weft mem dump perf.data\n"
		    "  weft mem bounds --min-bytes 8 ./prog\n"
		    "  weft mem struct -o prog.struct ./prog\n"
		    "  weft mem report --struct prog.struct prog-1.weft\n"
		    "  weft mem link -- gcc -g -O2 -static -o prog prog.c\n",
	.run = run,
};
