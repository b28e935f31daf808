/* SPDX-License-Identifier: MIT */
#include "cli/trace/task_trace.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/tasks/store.h"
#include "task/records.h"
#include "trace/source.h"

#define PS_PER_NS 1000

struct task_trace {
	struct source source; /* has no streams */
	struct task_store store;
	struct task_records records;
	bool is_open;
	bool has_window; /* count the tasks in the window */
};

static enum source_status
next(struct source *s, struct event *ev)
{
	(void)s;
	(void)ev;
	return SOURCE_END;
}

static void
progress(const struct source *s, uint64_t *done, uint64_t *total)
{
	(void)s;
	*done = 0;
	*total = 0;
}

static void
close_tasks(struct source *s)
{
	struct task_trace *t = (struct task_trace *)s;
	struct err err = { 0 };

	if (t->is_open) {
		task_records_fini(&t->records);
		task_store_close(&t->store, &err);
	}
	trace_fini(&s->trace);
}

static const struct source_ops ops = {
	.name = "tasks",
	.next = next,
	.progress = progress,
	.close = close_tasks,
};

/* Returns true if the directory has the file with which every CSV store
 * begins. */
static bool
is_csv(const char *path)
{
	char schema[PATH_MAX];
	int n = snprintf(schema, sizeof schema, "%s/weft_schema.csv", path);

	return n < (int)sizeof schema && file_is_regular(schema);
}

/* Returns true if the file begins as a store of SQLite, JSON or streams
 * does. */
static bool
is_store(const char *path)
{
	static const char sqlite[] = "SQLite format 3", stream[] = "WEFTTASK",
			  json[] = "{\"table\":\"weft_";
	char head[18] = "";
	FILE *file = file_is_regular(path) ? fopen(path, "rb") : NULL;

	if (file == NULL)
		return false;
	(void)!fread(head, 1, sizeof head - 1, file);
	fclose(file);
	return strncmp(head, sqlite, strlen(sqlite)) == 0 ||
		strncmp(head, stream, strlen(stream)) == 0 ||
		strncmp(head, json, strlen(json)) == 0;
}

bool
task_trace_is(const char *address)
{
	static const char *const kinds[] = { "sqlite:", "csv:", "json:",
		"stream:", "mariadb:", "mysql:", "mongodb:" };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strncasecmp(address, kinds[i], strlen(kinds[i])) == 0)
			return true;
	return is_store(address) || is_csv(address);
}

const char *
task_trace_path(const char *address)
{
	static const char *const kinds[] = {
		"sqlite:", "csv:", "json:", "stream:"
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strncasecmp(address, kinds[i], strlen(kinds[i])) == 0)
			return address + strlen(kinds[i]);
	return address;
}

static struct finding
of_store(const struct task_trace *t, enum finding_severity severity)
{
	return (struct finding){ .severity = severity,
		.file = t->source.trace.path,
		.offset = FINDING_NOWHERE,
		.time = FINDING_NEVER };
}

static void
say(const struct task_trace *t, enum finding_severity severity, uint64_t n,
	const char *what)
{
	if (n > 0)
		finding_add(t->source.trace.findings, of_store(t, severity),
			"%" PRIu64 " task%s %s", n, text_plural(n), what);
}

static bool
read_tasks(
	struct task_trace *t, struct arena *a, uint64_t which, struct err *err)
{
	struct trace *trace = &t->source.trace;

	if (!task_store_open(&t->store, trace->path, which, err))
		return false;
	t->is_open = true;
	trace->unit = t->store.unit;
	if (!task_records_read(&t->records, a, t->store.reader, err))
		return err_in(err, "%s", trace->path);
	return true;
}

struct task_trace *
task_trace_open(struct arena *a, const char *address, uint64_t which,
	struct findings *findings, struct err *err)
{
	struct task_trace *t = ARENA_NEW(a, struct task_trace);
	struct trace *trace = &t->source.trace;

	t->source.ops = &ops;
	trace_init(trace, a, findings);
	trace->path = address;
	trace->format = "tasks";
	if (!read_tasks(t, a, which, err)) {
		close_tasks(&t->source);
		return NULL;
	}
	if (t->store.lost != NULL)
		finding_add(findings, of_store(t, FINDING_ERROR),
			"rows are lost because the disk of the simulator was "
			"full (counted: %s)",
			t->store.lost);
	say(t, FINDING_ERROR, t->records.wrong, "left out: end before start");
	say(t, FINDING_NOTE, t->records.nopen,
		"did not end: shown to the end of the run");
	return t;
}

struct source *
task_trace_source(struct task_trace *t)
{
	return &t->source;
}

int64_t
task_trace_ticks(const struct task_trace *t)
{
	return strcmp(t->store.unit, "ps") == 0 ? PS_PER_NS : 1;
}

int64_t
task_trace_end(const struct task_trace *t)
{
	return t->records.end;
}

uint64_t
task_trace_count(const struct task_trace *t)
{
	return t->records.tasks.total;
}

void
task_trace_declare(struct task_trace *t, struct sink *sink)
{
	task_records_declare(&t->records, sink);
}

bool
task_trace_play(struct task_trace *t, struct sink *sink, const atomic_int *stop,
	struct err *err)
{
	t->records.stop = stop;
	task_records_declare(&t->records, sink);
	task_records_play(&t->records, sink);
	return !task_records_failed(&t->records, err);
}

bool
task_trace_is_cut(const struct task_trace *t)
{
	return t->records.cut;
}

int64_t
task_trace_reached(const struct task_trace *t)
{
	return t->records.reached / task_trace_ticks(t);
}

void
task_trace_window(struct task_trace *t, int64_t from, int64_t to)
{
	t->has_window = true;
	t->records.from = from;
	t->records.to = to;
}

const char *
task_trace_text(const struct task_trace *t, char to[64])
{
	const struct task_records *records = &t->records;
	int n = 0;

	if (t->has_window)
		n = snprintf(to, 64, "%" PRIu64 " of ", records->inside);
	snprintf(to + n, (size_t)(64 - n), "%u task%s in %u row%s",
		records->tasks.total, text_plural(records->tasks.total),
		records->nrows, text_plural(records->nrows));
	return to;
}
