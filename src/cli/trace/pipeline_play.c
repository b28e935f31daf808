/* SPDX-License-Identifier: MIT */
/* Inputs that are not emulated: a simulator's store of tasks, files of records,
 * and what only other commands read. */
#include "cli/trace/pipeline.h"

#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "cli/shell.h"
#include "cli/trace/record_trace.h"
#include "cli/trace/task_trace.h"
#include "cli/undo.h"
#include "export/reader.h"
#include "mem/db/perfdata.h"

/* Opens a simulator's store or a file of records. Returns false and sets err if
 * that fails; leaves r->source NULL if the path is neither. */
bool
pipeline_open_played(struct pipeline *r, const char *path, struct err *err)
{
	const struct reader_ops *format;

	if (task_trace_is(path)) {
		r->tasks = task_trace_open(
			&r->arena, path, (uint64_t)r->which, &r->findings, err);
		if (r->tasks != NULL)
			r->source = task_trace_source(r->tasks);
		return r->tasks != NULL;
	}
	format = record_trace_format(path);
	if (format == NULL)
		return true;
	r->records = record_trace_open(
		&r->arena, path, format, pipeline_models(r), &r->findings, err);
	if (r->records != NULL)
		r->source = record_trace_source(r->records);
	return r->records != NULL;
}

bool
pipeline_declare_played(struct pipeline *r, struct sink *sink)
{
	if (r->tasks != NULL)
		task_trace_declare(r->tasks, sink);
	else if (r->records != NULL)
		record_trace_declare(r->records, sink);
	return r->tasks != NULL || r->records != NULL;
}

/* Passes the findings to the sink, each at its time. */
void
pipeline_tell_findings(const struct pipeline *r, struct sink *sink)
{
	for (int i = 0; i < r->findings.list.n; i++) {
		const struct finding *f = &r->findings.list.at[i];
		struct finding text = *f;
		char line[1024];

		text.time = FINDING_NEVER; /* the record has the time */
		finding_text(&text, line, (int)sizeof line);
		sink_finding(sink,
			&(struct sink_finding){
				.severity = (enum severity)f->severity,
				.time = f->time == FINDING_NEVER ? VALUE_NONE
								 : f->time,
				.row = f->row_next - 1,
				.text = line });
	}
}

/* Plays the tasks of a simulator's store. */
static bool
play_tasks(struct pipeline *r, struct sink *sink, struct err *err)
{
	bool ok;

	r->events = task_trace_count(r->tasks);
	r->duration = task_trace_end(r->tasks) / task_trace_ticks(r->tasks);
	if (filter_args_window(&r->filter))
		task_trace_window(
			r->tasks, r->filter.options.from, r->filter.options.to);
	undo_note_first();
	ok = task_trace_play(r->tasks, sink, &undo_noted, err);
	if (ok && task_trace_is_cut(r->tasks)) {
		r->duration = task_trace_reached(r->tasks);
		pipeline_say_stopped(r);
	}
	return ok;
}

/* Reads a file of records. */
static bool
play_records(struct pipeline *r, struct sink *sink, struct err *err)
{
	bool ok;

	undo_note_first();
	ok = record_trace_play(r->records, sink, pipeline_spill_folder(r), err);
	r->events = record_trace_count(r->records);
	r->duration = record_trace_end(r->records);
	if (undo_is_noted())
		pipeline_say_stopped(r);
	filter_args_report(&r->filter, r->duration);
	pipeline_tell_findings(r, sink);
	return ok;
}

bool
pipeline_play(struct pipeline *r, struct sink *sink, struct err *err)
{
	return r->tasks != NULL ? play_tasks(r, sink, err)
				: play_records(r, sink, err);
}

/* Returns true if a memory profile lies in the directory, or in its directory
 * mem. */
static bool
has_memory(struct arena *a, const char *path)
{
	return file_is_dir(arena_printf(a, "%s/mem", path)) ||
		(file_is_dir(path) &&
			file_any(a, path, "process.mem", NULL, 3));
}

/* Returns a sentence that names the file of Paraver's timelines to read instead
 * of their directory, or of a file beside it, or NULL. */
static const char *
other_file(struct arena *a, const char *path)
{
	const char *dot = strrchr(path, '.'), *prv;

	prv = arena_printf(a, "%s%sthread.prv", path,
		path[0] != '\0' && path[strlen(path) - 1] == '/' ? "" : "/");
	if (file_is_regular(prv))
		return arena_printf(a,
			"%s has timelines of Paraver: name one of them, as %s",
			path, shell_word(a, prv));
	if (dot == NULL ||
		(strcmp(dot, ".pcf") != 0 && strcmp(dot, ".row") != 0))
		return NULL;
	prv = arena_printf(a, "%.*s.prv", (int)(dot - path), path);
	return file_is_regular(prv)
		? arena_printf(a, "%s is a part of %s: name that", path,
			  shell_word(a, prv))
		: NULL;
}

/* Returns a sentence that says which other command reads the input, or NULL. */
static const char *
other_command(struct pipeline *r, const char *path)
{
	const char *word = shell_word(&r->arena, path);

	if (task_trace_is(path))
		return arena_printf(&r->arena,
			"%s is a store of tasks: use weft tasks, stat or emu",
			path);
	if (has_memory(&r->arena, path))
		return arena_printf(&r->arena,
			"%s is a memory measurement: use weft mem report %s",
			path, word);
	if (record_trace_format(path) != NULL)
		return arena_printf(&r->arena,
			"%s has states and no events: use weft stat, emu, view "
			"or convert",
			path);
	if (perfdata_is(path))
		return arena_printf(&r->arena,
			"%s was written by perf: use weft mem report %s", path,
			word);
	return other_file(&r->arena, path);
}

void
pipeline_say_unreadable(
	struct pipeline *r, const char *path, const struct err *err)
{
	const char *other = other_command(r, path);

	/* that it has no known format would contradict its name */
	if (other == NULL || err->kind != ERR_FORMAT)
		log_error("%s", err->text);
	if (other != NULL)
		log_error("%s", other);
}
