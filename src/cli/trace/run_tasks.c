/* SPDX-License-Identifier: MIT */
#include "cli/trace/run_tasks.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/tasks/store.h"
#include "task/records.h"

#define PS_PER_NS 1000

struct run_tasks {
	struct source source; /* without streams */
	struct task_store store;
	struct task_records records;
	bool is_open;
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
	struct run_tasks *t = (struct run_tasks *)s;
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

/* True if the folder has what each store of CSV begins with. */
static bool
is_csv(const char *path)
{
	char schema[PATH_MAX];
	int n = snprintf(schema, sizeof schema, "%s/weft_schema.csv", path);

	return n < (int)sizeof schema && file_is_regular(schema);
}

/* True if the file begins as those of SQLite, or of a JSON store, do. */
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
run_tasks_is(const char *place)
{
	static const char *const kinds[] = { "sqlite:", "csv:", "json:",
		"stream:", "mariadb:", "mysql:", "mongodb:" };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strncasecmp(place, kinds[i], strlen(kinds[i])) == 0)
			return true;
	return is_store(place) || is_csv(place);
}

const char *
run_tasks_path(const char *place)
{
	static const char *const kinds[] = {
		"sqlite:", "csv:", "json:", "stream:"
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strncasecmp(place, kinds[i], strlen(kinds[i])) == 0)
			return place + strlen(kinds[i]);
	return place;
}

static struct finding
of_store(const struct run *r, enum finding_severity severity)
{
	return (struct finding){ .severity = severity,
		.file = r->source->trace.path,
		.offset = FINDING_NOWHERE,
		.time = FINDING_NEVER };
}

static void
say(struct run *r, enum finding_severity severity, uint64_t n, const char *what)
{
	if (n > 0)
		finding_add(&r->findings, of_store(r, severity),
			"%" PRIu64 " task%s %s", n, text_plural(n), what);
}

static bool
is_ps(const struct run *r)
{
	return strcmp(r->tasks->store.unit, "ps") == 0;
}

bool
run_tasks_open(struct run *r, const char *place, struct err *err)
{
	struct run_tasks *t = ARENA_NEW(&r->arena, struct run_tasks);
	struct trace *trace = &t->source.trace;

	t->source.ops = &ops;
	trace_init(trace, &r->arena, &r->findings);
	trace->path = place;
	trace->format = "tasks";
	trace->unit = "ps";
	r->source = &t->source;
	if (!task_store_open(&t->store, place, (uint64_t)r->which, err))
		return false;
	t->is_open = true;
	trace->unit = t->store.unit;
	if (!task_records_read(&t->records, &r->arena, t->store.reader, err))
		return err_in(err, "%s", place);
	r->tasks = t;
	r->filter.ticks = is_ps(r) ? PS_PER_NS : 1;
	if (t->store.lost != NULL)
		finding_add(&r->findings, of_store(r, FINDING_ERROR),
			"rows are lost, as the disk of the simulator was full "
			"(counted: %s)",
			t->store.lost);
	say(r, FINDING_ERROR, t->records.wrong,
		"left out: the end is before the start");
	say(r, FINDING_NOTE, t->records.nopen,
		"did not end: shown to the end of the run");
	return true;
}

/* The end of the last task. */
static int64_t
end_ns(const struct run *r)
{
	int64_t end = r->tasks->records.end;

	return is_ps(r) ? end / PS_PER_NS : end;
}

void
run_tasks_window(struct run *r)
{
	filter_args_report(&r->filter, r->tasks->records.end);
}

void
run_tasks_declare(struct run *r, struct sink *sink)
{
	task_records_declare(&r->tasks->records, sink);
}

bool
run_tasks_play(struct run *r, struct sink *sink, struct err *err)
{
	struct task_records *records = &r->tasks->records;

	task_records_declare(records, sink);
	task_records_play(records, sink);
	r->events = records->tasks.total;
	r->duration = end_ns(r);
	return !task_records_failed(records, err);
}

const char *
run_tasks_text(const struct run *r, char to[64])
{
	const struct task_records *records = &r->tasks->records;

	snprintf(to, 64, "%u task%s in %u row%s", records->tasks.total,
		text_plural(records->tasks.total), records->nrows,
		text_plural(records->nrows));
	return to;
}
