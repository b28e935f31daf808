/* SPDX-License-Identifier: MIT */
/* weft view - shows traces in a browser. */
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/now.h"
#include "base/text.h"
#include "cli/screen.h"
#include "cli/trace/input_names.h"
#include "cli/undo.h"
#include "cli/view/builder.h"
#include "cli/view/make.h"
#include "cli/view/perfetto.h"
#include "cli/view/report.h"
#include "serve/serve.h"

#define STEP_MS 200      /* between two looks at idle time */
#define MEMORY_MS 1000   /* between two looks at memory */
#define PATIENCE_MS 700  /* longest wait before the address is printed */
#define FREED (1 << 20)  /* bytes of a block that goes back to the kernel */
#define LARGE (16 << 20) /* bytes: such a trace is shown before the end */

/* The options on the command line. */
struct request {
	struct pipeline run; /* options of all traces */
	int64_t port, idle, mem;
	bool no_open, no_file, live, perfetto;
	bool together;    /* all traces on one timeline */
	const char *view; /* the text after "#" of the first argument that has
	                     one */
	struct view_report report;
};

static void
print_trace(const struct view_trace *t, const struct index *ix, int64_t ms)
{
	const struct index_meta *m = index_meta(ix);

	screen_summary("weft view: %s: %" PRIu32 " row%s, %" PRIu32
		       " type%s, %" PRId64 " ms, index of %" PRIu64 " kB%s\n",
		t->name, m->nrows, text_plural(m->nrows), m->ntypes,
		text_plural(m->ntypes), ms, (m->bytes + 999) / 1000,
		t->is_new ? " (new)" : "");
}

/* Returns the memory of this process in MB. */
static int64_t
resident_mb(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	char line[128], *second = NULL;

	if (file == NULL)
		return 0;
	if (fgets(line, sizeof line, file) != NULL)
		second = strchr(line, ' ');
	fclose(file);
	return second == NULL
		? 0
		: strtoll(second, NULL, 10) * sysconf(_SC_PAGESIZE) / 1000000;
}

static void
say_twice(void *arg)
{
	(void)arg;
	log_warning("the address that the browser was started with was used "
		    "twice: the browser that used it first has lost access; "
		    "open the address above");
}

/* A server and the processes that make its indexes. */
struct running {
	const struct request *request;
	struct view_trace *trace;
	int n;
	struct serve *serve;
	struct builder *builder;
	int nbuilders;
	int64_t start_ms; /* when the builders were started */
	bool announced;   /* the address is printed */
};

static void
show(void *arg, struct builder *b, struct index *ix, struct arena *a,
	enum serve_state state)
{
	struct running *r = arg;

	if (state != SERVE_BUILDING && !b->built) {
		b->trace->is_new = true;
		print_trace(b->trace, ix, now_ms() - r->start_ms);
		fflush(stdout);
	}
	serve_show(r->serve, b->number, ix, a, state);
}

static void
tell_progress(void *arg, struct builder *b, int done, uint64_t records)
{
	struct running *r = arg;

	serve_progress(r->serve, b->number, done, records);
}

static void
tell_failed(void *arg, struct builder *b, const char *why)
{
	struct running *r = arg;

	if (undo_is_noted())
		return;
	if (builder_has_index(b)) {
		log_warning("%s: the trace could not be read again: %s",
			b->trace->name, why);
		serve_refused(r->serve, b->number, why);
	} else {
		serve_gone(r->serve, b->number, why);
	}
}

/* Returns the builder of a trace, or NULL: the path was an index. */
static struct builder *
builder_of(const struct running *r, int trace)
{
	for (int i = 0; i < r->nbuilders; i++)
		if (r->builder[i].number == trace)
			return &r->builder[i];
	return NULL;
}

/* Shows the traces that pages want to be read again, from an index that
 * somebody else has made, or from one that is made now. */
static void
reload(struct running *r)
{
	for (int i = 0; i < r->n; i++) {
		struct builder *b = builder_of(r, i);
		struct arena a = { 0 };
		struct index *ix;

		if (!serve_wants_reload(r->serve, i) ||
			(b != NULL && (b->wanted || b->working)))
			continue;
		ix = view_open_again(&r->trace[i], &a);
		if (ix != NULL)
			serve_show(r->serve, i, ix, &a, SERVE_READY);
		else if (b != NULL && b->fd >= 0)
			b->wanted = true;
		else
			serve_refused(r->serve, i,
				b == NULL ? "the index cannot be read"
					  : "the process that made the index "
					    "has ended: start weft view again");
		arena_fini(&a);
	}
}

static const struct builder_handlers *
handlers(struct running *r, struct builder_handlers *to)
{
	*to = (struct builder_handlers){ show, tell_progress, tell_failed, r };
	return to;
}

/* Returns true if a trace is shown, or may be shown yet. */
static bool
has_hope(const struct running *r)
{
	if (r->n > r->nbuilders)
		return true;
	for (int i = 0; i < r->nbuilders; i++)
		if (!r->builder[i].failed || r->builder[i].shown ||
			builder_has_index(&r->builder[i]))
			return true;
	return false;
}

/* Waits a moment for the builders, so that the page is not empty at first, and
 * no address is printed if the trace cannot be read. */
static void
wait_for_parts(struct running *r)
{
	struct builder_handlers to;
	bool waits = true;

	while (waits && !undo_is_noted() &&
		now_ms() - r->start_ms < PATIENCE_MS) {
		builders_step(
			r->builder, r->nbuilders, handlers(r, &to), STEP_MS);
		waits = false;
		for (int i = 0; i < r->nbuilders; i++)
			waits |= r->builder[i].working && !r->builder[i].shown;
	}
	for (int i = 0; i < r->nbuilders; i++)
		if (r->builder[i].wanted || r->builder[i].working)
			screen_summary("weft view: %s: the page shows what is "
				       "indexed so far\n",
				r->builder[i].trace->name);
}

/* Waits until ^C, or until no request has come for the idle time. */
static void
wait_for_end(struct running *r)
{
	const struct request *q = r->request;
	struct builder_handlers to;
	int64_t looked = now_ms();

	while (!undo_is_noted() && has_hope(r)) {
		if (q->idle > 0 && serve_idle(r->serve) >= 60 * q->idle) {
			log_note("no request for %" PRId64 " minute%s: done",
				q->idle,
				text_plural((unsigned long long)q->idle));
			return;
		}
		if (now_ms() - looked >= MEMORY_MS) {
			looked = now_ms();
			if (resident_mb() > q->mem)
				serve_forget_pages(r->serve);
			view_reap_browser();
		}
		reload(r);
		builders_step(
			r->builder, r->nbuilders, handlers(r, &to), STEP_MS);
	}
}

/* Serves until the end. Returns the exit code. */
static enum exit_code
serve_until_end(struct running *r)
{
	enum exit_code code = EXIT_YES;

	r->start_ms = now_ms();
	if (r->nbuilders > 0) {
		builders_begin(r->builder, r->nbuilders);
		wait_for_parts(r);
	}
	if (has_hope(r) && !undo_is_noted()) {
		if (view_print_address(
			    r->serve, r->request->view, r->request->no_open))
			wait_for_end(r);
	}
	for (int i = 0; i < r->nbuilders && !has_hope(r); i++)
		code = r->builder[i].code;
	return code;
}

/* Starts the processes that make indexes; before any thread runs. They are
 * needed later for a trace that has one, too: when it is read again. */
static bool
start_builders(struct running *r, struct err *err)
{
	for (int i = 0; i < r->n; i++) {
		struct view_trace *t = &r->trace[i];
		struct builder *b = &r->builder[r->nbuilders];

		if (t->is_index)
			continue;
		if (!builder_start(b, t, i, err))
			return false;
		b->wanted = t->index == NULL;
		r->nbuilders++;
	}
	return true;
}

static enum exit_code
serve_traces(const struct request *q, struct view_trace *t, int n)
{
	struct arena a = { 0 };
	struct running r = { .request = q, .trace = t, .n = n };
	struct serve_trace *trace = ARENA_ARRAY(&a, struct serve_trace, n);
	struct serve_options options = { .port = (int)q->port,
		.trace = trace,
		.ntraces = n,
		.twice = say_twice };
	struct err err = { 0 };
	enum exit_code code = EXIT_UNABLE;

	r.builder = ARENA_ARRAY(&a, struct builder, n);
	for (int i = 0; i < n; i++)
		trace[i] = (struct serve_trace){ .name = t[i].name,
			.path = t[i].path,
			.arguments =
				view_arguments(&a, q->report.shared, &t[i]),
			.index = t[i].index,
			.state = t[i].index == NULL ? SERVE_BUILDING
						    : SERVE_READY,
			.stat = t[i].is_index ? NULL : view_stat,
			.dump = t[i].is_index ? NULL : view_dump,
			.input = view_input,
			.arg = &t[i] };
	undo_note_first();
	if (start_builders(&r, &err)) {
		/* otherwise each thread keeps what a large table took */
		mallopt(M_MMAP_THRESHOLD, FREED);
		r.serve = serve_open(&options, &err);
	}
	if (r.serve != NULL)
		code = serve_until_end(&r);
	else
		pipeline_unable(&err);
	for (int i = 0; i < r.nbuilders; i++)
		builder_stop(&r.builder[i]);
	serve_close(r.serve);
	arena_fini(&a);
	return code;
}

/* Cuts the text after "#" off each argument: TRACE#x=0,9. An argument that
 * names a file is kept whole. Prints an error and returns false if the text is
 * not part of an address. */
static bool
cut_views(struct request *q, char *path[], int n)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "abcdefghijklmnopqrstuvwxyz"
				   "0123456789=;,.:~+_%-";

	q->view = "";
	for (int i = 0; i < n; i++) {
		char *hash = strrchr(path[i], '#');

		if (hash == NULL || access(path[i], F_OK) == 0)
			continue;
		if (hash[1 + strspn(hash + 1, good)] != '\0' ||
			strlen(hash) > VIEW_TEXT) {
			cmd_usage_error(&cmd_view,
				"%s is not the end of an address of the page: "
				"copy the address from the browser",
				hash);
			return false;
		}
		*hash = '\0';
		if (*q->view == '\0')
			q->view = hash + 1;
	}
	return true;
}

/* Returns true if the index is to be made while the server runs. */
static bool
is_made_later(const struct request *q, const struct view_trace *t)
{
	return q->report.path == NULL && !t->is_index &&
		(t->live || make_bytes(t, LARGE) >= LARGE);
}

/* Opens a trace, or leaves its index for later. Returns false after an error
 * message. */
static bool
open_now(const struct request *q, struct view_trace *t)
{
	return view_open(t) || is_made_later(q, t) ||
		(!t->is_index && make_here(t));
}

/* Reports after a signal which files are complete. ^C and SIGTERM are how
 * serving ends, so they are no failure; anything else is. */
static void
say_ended(const struct view_trace *t, int n, bool served)
{
	const char *left = "nothing was written";

	for (int i = 0; i < n; i++)
		if (!t[i].is_index && !t[i].no_file)
			left = "indexes stay beside their traces";
	if (served && (undo_noted == SIGINT || undo_noted == SIGTERM)) {
		log_done("ended: %s", left);
		return;
	}
	log_error(
		"interrupted%s: %s", served ? "" : ", no page was made", left);
	undo_cut();
}

/* Names traces by their paths if others have the same name. */
static void
tell_apart(struct arena *a, struct view_trace *t, int n)
{
	bool *twice = ARENA_ARRAY(a, bool, n);

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n && !twice[i]; j++)
			twice[i] = j != i && strcmp(t[i].name, t[j].name) == 0;
	for (int i = 0; i < n; i++)
		if (twice[i])
			t[i].name = t[i].path;
}

/* Opens all traces that can be opened, and serves them. */
static enum exit_code
view(const struct request *q, char *path[], int n)
{
	struct arena a = { 0 };
	struct view_trace *t = ARENA_ARRAY(&a, struct view_trace, n);
	enum exit_code code = EXIT_UNABLE;
	int opened = 0;
	bool served = false, said = false;

	/* Three quarters of --mem are for pages of indexes. */
	index_limit_pages((size_t)q->mem * 750000);
	for (int i = 0; i < n && !undo_is_noted(); i++) {
		struct view_trace *is = &t[opened];
		int64_t start = now_ms();

		*is = (struct view_trace){ .options = q->run,
			.path = path[i],
			.no_file = q->no_file,
			.live = q->live };
		if (open_now(q, is)) {
			if (q->report.path == NULL && is->index != NULL)
				print_trace(is, is->index, now_ms() - start);
			opened++;
			continue;
		}
		code = is->code;
		said = undo_is_noted(); /* why it could not be opened */
		view_close(is);
	}
	tell_apart(&a, t, opened);
	if (opened == n && q->report.path != NULL && !undo_is_noted()) {
		code = view_report(&q->report, t, opened);
		said = true;
	} else if (opened > 0 && q->report.path == NULL && !undo_is_noted()) {
		code = serve_traces(q, t, opened);
		served = true;
	}
	if (undo_is_noted() && !said)
		say_ended(t, opened, served);
	for (int i = 0; i < opened; i++)
		view_close(&t[i]);
	arena_fini(&a);
	return code;
}

/* Prints an error and returns false if a number is out of range. */
static bool
is_possible(const struct request *q)
{
	if (q->port > 65535)
		cmd_usage_error(&cmd_view, "--port is at most 65535");
	else if (q->mem < 16 || q->mem > 1000000)
		cmd_usage_error(&cmd_view, "--mem is 16 to 1000000 MB");
	else if (q->idle > 1000000)
		cmd_usage_error(&cmd_view, "--idle is at most 1000000 minutes");
	else if (q->report.megabytes < 1 || q->report.megabytes > 1000)
		cmd_usage_error(&cmd_view, "--report-size is 1 to 1000 MB");
	else if (q->report.path != NULL && q->live)
		cmd_usage_error(
			&cmd_view, "--live and --report exclude each other");
	else if (q->report.path == NULL && q->report.anonymous)
		cmd_usage_error(&cmd_view, "--anonymous needs --report");
	else
		return true;
	return false;
}

/* The same for options that contradict each other. */
static bool
is_consistent(const struct request *q)
{
	const char *report = q->report.path;

	if (!q->together && (q->run.relate[0] != NULL || q->run.beside))
		cmd_usage_error(&cmd_view,
			"--relate and --side-by-side need --together");
	else if (report != NULL && strcmp(report, "-") == 0)
		cmd_usage_error(&cmd_view, "--report needs the name of a file");
	else if (report != NULL && (q->port != 0 || q->no_open))
		cmd_usage_error(&cmd_view,
			"--report starts no server: leave out %s",
			q->port != 0 ? "--port" : "--no-open");
	else if (report != NULL && q->view != NULL && *q->view != '\0')
		cmd_usage_error(&cmd_view,
			"a report holds the whole trace: leave out what "
			"follows #");
	else
		return true;
	return false;
}

/* Serves the traces, or makes a report of them. */
static enum exit_code
view_all(struct request *q, char *argv[], int n)
{
	struct pipeline *r = &q->run;
	struct err err = { 0 };
	char *first;

	if (q->report.path != NULL) {
		/* A report contains the whole trace; the window is only
		 * marked. */
		q->report.from = r->filter.from;
		q->report.to = r->filter.to;
		r->filter.from = r->filter.to = NULL;
	} else if (!serve_is_possible(&err)) {
		return pipeline_unable(&err);
	}
	if (!q->together || n < 2)
		return view(q, argv, n);
	first = argv[0] + (input_path(argv[0]) - argv[0]);
	pipeline_take_paths(r, argv, n);
	return view(q, &first, 1);
}

static enum exit_code
run(int argc, char *argv[])
{
	struct request q = { .run = RUN_DEFAULTS,
		.idle = 60,
		.mem = 256,
		.report.megabytes = 2 };
	struct pipeline *r = &q.run;
	/* clang-format off */
	const struct option_def opts[] = {
		{ 0, "port", "N", "listen on this port (default: any that is free)",
		  .number = &q.port },
		{ 0, "perfetto", NULL,
		  "open a file of Perfetto at ui.perfetto.dev, and keep it on this machine",
		  .flag = &q.perfetto },
		{ 0, "no-open", NULL, "start no browser, only print the address",
		  .flag = &q.no_open },
		{ 0, "idle", "MIN", "end after MIN minutes without a request (default: 60; 0: never)", .number = &q.idle },
		{ 0, "mem", "MB", "keep at most MB of memory (default: 256)", .number = &q.mem },
		{ 0, "live", NULL, "read the trace again whenever it has grown",
		  .flag = &q.live },
		{ 0, "no-index-file", NULL, "write no index beside the trace",
		  .flag = &q.no_file },
		{ 0, "together", NULL, "show all traces on one timeline",
		  .flag = &q.together },
		INPUT_OPTIONS(*r),
		{ 0, "report", "FILE", "write the page with its data into FILE: "
		  "no server is needed", .text = &q.report.path },
		{ 0, "report-size", "MB", "write a report of at most MB (default: 2)", .number = &q.report.megabytes },
		{ 0, "anonymous", NULL, "leave names of hosts and users, and absolute paths out of the report", .flag = &q.report.anonymous },
		{ 'b', "breakdown", NULL,
		  "also show how many CPUs are in each state", .flag = &r->breakdown },
		{ 'r', "run", "N", "which run of a simulator's store to show "
		  "(default: the last)", .number = &r->which },
		FILTER_WINDOW(r->filter, NULL),
		FILTER_OPTIONS(r->filter),
		EMULATE_OPTIONS(*r),
		READ_OPTIONS(*r),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;
	struct arena a = { 0 };
	int n = cmd_parse(&cmd_view, opts, argc, argv, &code);

	if (n < 0)
		return code;
	r->plays_tasks = true;
	if (q.perfetto)
		return n > 1 ? cmd_usage_error(
				       &cmd_view, "--perfetto opens one file")
			     : perfetto_serve(argv[0], (int)q.port, q.no_open);
	if (!is_possible(&q) || !cut_views(&q, argv, n) || !is_consistent(&q))
		return EXIT_USAGE;
	q.report.shared =
		view_shared_options(&a, opts, r, q.report.path == NULL);
	code = view_all(&q, argv, n);
	arena_fini(&a);
	return code;
}

const struct cmd cmd_view = {
	.name = "view",
	.brief = "show traces in a browser",
	.args = "TRACE...",
	.min_args = 1,
	.max_args = INT_MAX,
	.help = "TRACE is what 'weft emu' takes, a timeline.widx, or a "
		"directory with one. The first\ntime, weft writes an index "
		"beside the trace (TRACE.weft/timeline.widx). The server\n"
		"answers only requests with the secret that its address "
		"contains. ^C ends it.\nTRACE#... opens the view whose "
		"address was copied from the page. With --report,\nweft "
		"starts no server: it writes the page and its data into one "
		"file, with the whole\ntrace; --from and --to mark a range "
		"that gets finer columns.\n",
	.examples = "  weft view ovni                   a page of ovni, in a "
		    "browser\n"
		    "  weft view --no-open ovni run2    only print the address "
		    "of a page of both\n"
		    "  weft view --perfetto fib.pftrace   a file of weft "
		    "convert, at ui.perfetto.dev\n"
		    "  weft view --report heat.html ovni   the page with its "
		    "data, in one file\n",
	.run = run,
};
