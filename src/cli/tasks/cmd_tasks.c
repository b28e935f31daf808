/* SPDX-License-Identifier: MIT */
/* weft tasks - answers questions about the tasks that a simulator stored. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/near.h"
#include "base/text.h"
#include "cli/cmd.h"
#include "cli/screen.h"
#include "cli/table_print.h"
#include "cli/tasks/query.h"
#include "cli/trace/packed.h"
#include "cli/undo.h"
#include "store/address.h"
#include "store/copy.h"
#include "task/schema.h"

enum third { NOTHING, MAY_BE_ID, ID, PLACE };

static const struct query {
	const char *name, *args;
	enum third third; /* the argument after the store */
	int64_t top;      /* lines by default */
	bool (*run)(struct task_query *q, struct err *err);
} queries[] = {
	{ "info", "STORE", NOTHING, 0, query_info },
	{ "slowest", "STORE", NOTHING, 10, query_slowest },
	{ "groups", "STORE", NOTHING, INT64_MAX, query_groups },
	{ "tree", "STORE ID", ID, 0, query_tree },
	{ "where", "STORE [ID]", MAY_BE_ID, INT64_MAX, query_where },
	{ "hang", "STORE", NOTHING, 10, query_hang },
	{ "runs", "STORE", NOTHING, 0, query_runs },
	{ "load", "SPOOL STORE", PLACE, 0, NULL },
};

static const struct query *
find_query(const char *name)
{
	for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
		if (strcmp(queries[i].name, name) == 0)
			return &queries[i];
	return NULL;
}

static const char *
questions(struct arena *a)
{
	const char *list = queries[0].name;

	for (size_t i = 1; i < sizeof queries / sizeof queries[0]; i++)
		list = arena_printf(a, "%s, %s", list, queries[i].name);
	return list;
}

static enum exit_code
unknown_query(const char *name)
{
	struct arena a = { 0 };
	const char *list = questions(&a);
	char hint[NEAR_HINT];
	enum exit_code code =
		cmd_usage_error(&cmd_tasks, "\"%s\" is not one of: %s%s", name,
			list, near_hint(list, name, hint));

	arena_fini(&a);
	return code;
}

/* Opens the store as it is before the import, or returns NULL if there is none
 * yet. store_open() reports anything else that is wrong with the store. */
static struct store_reader *
read_before(const char *address)
{
	struct err err = { 0 };

	return store_read(address, &err);
}

/*
 * Numbers the imported runs after the runs in the store, except runs that
 * continue a run of the store: those from a spool file, and those from a
 * journal whose beginning is in the store.
 */
static void
choose_runs(struct store_reader *from, struct store_reader *there,
	struct store_shift *shift)
{
	uint64_t last = there != NULL ? schema_last_run(there) : 0;
	uint64_t first = schema_first_run(from);

	if (store_read_spooled(from, &schema_meta) != 0 || first == 0)
		return;
	shift->by = last + 1 - first;
	if (first > last || !store_read_is(from, "stream"))
		return;
	store_read_only(there, SCHEMA_RUN, first);
	shift->resume = store_copy_resumes(from, there);
	if (shift->resume)
		shift->by = 0;
	else
		store_read_only(there, NULL, 0);
}

static bool
load_into(struct store_reader *from, const char *address, struct err *err)
{
	struct store_options options = { .append = true };
	struct store_reader *there = read_before(address);
	struct store *to = store_open(address, &options, err);
	struct store_report report = { 0 };
	struct store_copied n = { 0 };
	struct store_shift shift = { .column = SCHEMA_RUN };
	bool ok = to != NULL;

	choose_runs(from, there, &shift);
	if (ok) {
		ok = store_copy(from, there, to, &shift, &n, err);
		ok &= store_close(to, &report, err);
	}
	if (there != NULL)
		store_read_close(there);
	if (to != NULL)
		log_done("%" PRIu64 " row%s imported; %" PRIu64
			 " were in the store already",
			report.stored, text_plural(report.stored), n.skipped);
	return ok;
}

/* Imports one run, from its journal if that lies beside the store. */
static bool
load_run(const char *from, uint64_t run, const char *address, struct err *err)
{
	struct task_store ts;
	bool ok;

	if (!task_store_open_run(&ts, from, run, err))
		return false;
	store_read_only(ts.reader, SCHEMA_RUN, run);
	ok = load_into(ts.reader, address, err);
	return task_store_close(&ts, err) && ok;
}

/* Imports the runs one by one if some have a journal; `stored` may be NULL. */
static bool
load_runs(const struct task_store *ts, struct store_reader *stored,
	const char *address, struct err *err)
{
	for (uint64_t run = 1; run <= ts->runs; run++)
		if ((journals_path(&ts->journals, run) != NULL ||
			    (stored != NULL && schema_has_run(stored, run))) &&
			!load_run(ts->address, run, address, err))
			return false;
	return true;
}

static bool
load_all(const char *from, const char *address, struct err *err)
{
	struct err why = { 0 };
	struct store_reader *stored;
	struct task_store ts;
	bool ok;

	if (!task_store_open_run(&ts, from, 0, err))
		return false;
	stored = store_read(from, &why);
	if (ts.journals.run.n > 0)
		ok = load_runs(&ts, stored, address, err);
	else if (stored != NULL)
		ok = load_into(stored, address, err);
	else
		ok = err_set(err, why.kind, "%s", why.text);
	if (stored != NULL)
		store_read_close(stored);
	return task_store_close(&ts, err) && ok;
}

static enum exit_code
load(const char *file, uint64_t run, const char *address)
{
	struct err err = { 0 };
	bool ok;

	undo_set("the import is not complete; load again, which adds the "
		 "rows that are missing");
	ok = run != 0 ? load_run(file, run, address, &err)
		      : load_all(file, address, &err);
	if (!ok)
		log_error("%s", err.text);
	return ok ? EXIT_YES : EXIT_UNABLE;
}

static void
print_answer(struct task_query *q)
{
	if (table_rows(&q->table) == 0 && q->none != NULL &&
		q->format == TABLE_TEXT)
		screen_say(q->none, 2);
	else
		table_print(&q->table);
}

static enum exit_code
answer(struct task_query *q, const struct query *query, const char *address,
	const struct task_filter *filter)
{
	struct err err = { 0 };
	enum exit_code code = EXIT_UNABLE;

	if (!task_store_open(&q->store, address, (uint64_t)q->run, &err)) {
		log_error("%s", err.text);
		return EXIT_UNABLE;
	}
	q->misused = !task_store_filter(&q->store, filter, &err);
	if (!q->misused && query->run(q, &err) &&
		!store_read_failed(q->store.reader, &err)) {
		print_answer(q);
		task_store_say_unmatched(&q->store);
		code = EXIT_YES;
	}
	task_store_close(&q->store, &err);
	if (q->misused)
		return cmd_usage_error(&cmd_tasks, "%s", err.text);
	if (err.kind != ERR_NONE)
		log_error("%s", err.text);
	return code;
}

static bool
parse_id(struct task_query *q, const char *text)
{
	char *end;

	errno = 0;
	q->id = strtoull(text, &end, 10);
	q->has_id = true;
	return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

/* Returns true if both addresses name the same file, directory or database. */
static bool
is_same(const char *from, const char *to)
{
	struct arena arena = { 0 };
	struct err err = { 0 };
	struct store_address a, b;
	struct stat x, y;
	bool same = strcmp(from, to) == 0;

	if (!same && store_address_parse(&a, &arena, from, &err) &&
		store_address_parse(&b, &arena, to, &err) && a.path != NULL &&
		b.path != NULL)
		same = stat(a.path, &x) == 0 && stat(b.path, &y) == 0 &&
			x.st_dev == y.st_dev && x.st_ino == y.st_ino;
	arena_fini(&arena);
	return same;
}

static enum exit_code
ask(struct task_query *q, const struct task_filter *filter, int n, char *argv[])
{
	const struct query *query = find_query(argv[0]);
	struct arena scratch = { 0 };
	const char *store;
	enum exit_code code;

	if (query == NULL)
		return unknown_query(argv[0]);
	if (n < (query->third >= ID ? 3 : 2))
		return cmd_usage_error(&cmd_tasks, "missing argument: %s %s",
			query->name, query->args);
	if (n > 2 && query->third == NOTHING)
		return cmd_usage_error(
			&cmd_tasks, "unexpected argument \"%s\"", argv[2]);
	if (query->third == PLACE && is_same(argv[1], argv[2]))
		return cmd_usage_error(&cmd_tasks,
			"%s: cannot be loaded into itself", argv[1]);
	store = packed_input(&scratch, argv[1], &code);
	arena_fini(&scratch);
	if (store == NULL)
		return code;
	if (query->third == PLACE)
		return load(store, (uint64_t)q->run, argv[2]);
	if (n > 2 && !parse_id(q, argv[2]))
		return cmd_usage_error(
			&cmd_tasks, "\"%s\" is not the id of a task", argv[2]);
	if (q->top < 0)
		q->top = query->top;
	else if (q->top == 0)
		q->top = INT64_MAX;
	if (q->top > 0)
		q->none = "no task to show";
	return answer(q, query, store, filter);
}

static enum exit_code
run(int argc, char *argv[])
{
	struct task_query q = { .top = -1, .depth = INT64_MAX, .by = "kind" };
	struct task_filter filter = { 0 };
	int format = TABLE_TEXT;
	/* clang-format off */
	const struct option_def opts[] = {
		{ 0, "by", "LIST", "groups: group by kind, what, location (kind,what...)",
		  .text = &q.by, .choices = QUERY_GROUPS },
		{ 'n', "top", "N", "at most N lines (hang: N chains); 0: all",
		  .number = &q.top },
		{ 'd', "depth", "N", "tree: at most N levels below the task",
		  .number = &q.depth },
		{ 'k', "kind", "NAME", "only tasks of this kind; * is any text",
		  .text = &filter.kind },
		{ 'w', "what", "NAME", "only tasks that do this",
		  .text = &filter.what },
		{ 'l', "location", "NAME", "only tasks at this location",
		  .text = &filter.location },
		{ 0, "from", "TIME", "only tasks that end at TIME or later: 1.5us",
		  .text = &filter.from },
		{ 0, "to", "TIME", "only tasks that start before TIME",
		  .text = &filter.to },
		{ 'r', "run", "N", "which run of the store to read (default: the "
		  "last)", .number = &q.run },
		{ 'f', "format", "FORMAT", "text, csv or json",
		  .choice = &format, .choices = TABLE_FORMATS },
		SHORT_CSV, SHORT_JSON,
		OLD_LETTER('b', "by"),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;
	int n = cmd_parse(&cmd_tasks, opts, argc, argv, &code);

	if (n < 0)
		return code;
	q.format = (enum table_format)format;
	return ask(&q, &filter, n, argv);
}

const struct cmd cmd_tasks = {
	.name = "tasks",
	.brief = "ask about the tasks that a simulator stored",
	.args = "QUESTION STORE [ID | STORE]",
	.words = questions,
	.min_args = 1,
	.max_args = 3,
	.help = "Questions:\n"
		"  info               what is in the store\n"
		"  slowest            the longest tasks\n"
		"  groups             how many, how long: by kind, what and "
		"location\n"
		"  tree STORE ID      a task and all below it\n"
		"  where STORE [ID]   what tasks (or one task) waited for, "
		"from their "
		"milestones\n"
		"  hang               the tasks that never ended, and what "
		"waits for them\n"
		"  runs               the runs that the store holds\n"
		"  load SPOOL STORE   import the spool file of a database that "
		"was "
		"not reachable, a\n"
		"                     journal, or another store\n\n"
		"A store is sqlite:FILE, stream:FILE, csv:DIR, json:FILE, "
		"mariadb://[USER@]HOST[:PORT]/DATABASE or\n"
		"mongodb://[USER@]HOST[:PORT]/DATABASE; without a kind it is "
		"a file of SQLite, JSON\n"
		"or a stream. Of several runs the last one is read.\n"
		"The password comes from WEFT_STORE_PASSWORD, or from the "
		"file that\n"
		"WEFT_STORE_PASSWORD_FILE names.\n",
	.examples = "  weft tasks slowest run.db --kind req_in --top 20\n"
		    "  weft tasks groups run.db --by kind,location\n"
		    "  weft tasks tree run.db 17 --depth 3\n"
		    "  weft tasks load run.db.spool.json sqlite:run.db\n",
	.run = run,
};
