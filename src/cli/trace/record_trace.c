/* SPDX-License-Identifier: MIT */
#include "cli/trace/record_trace.h"

#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "cli/trace/formats.h"
#include "cli/trace/known_types.h"
#include "cli/undo.h"
#include "export/infile.h"
#include "export/order.h"
#include "export/reader.h"
#include "trace/source.h"

struct record_trace {
	struct source source; /* has no streams */
	struct reader *reader;
	struct reader_setup setup;
	struct arena *arena; /* borrowed */
	const struct model *const *models;
	const struct model *model; /* of the type that was declared last */
	bool has_life;
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
	const struct record_trace *t = (const struct record_trace *)s;

	*done = t->reader->done;
	*total = t->reader->size;
}

static void
close_records(struct source *s)
{
	struct record_trace *t = (struct record_trace *)s;

	if (t->reader != NULL)
		reader_close(t->reader);
	trace_fini(&s->trace);
}

static const struct source_ops ops_of_records = {
	.name = "records",
	.next = next,
	.progress = progress,
	.close = close_records,
};

const struct reader_ops *
record_trace_format(const char *path)
{
	const struct format *format = NULL;
	struct infile in;

	if (!file_is_regular(path) ||
		!infile_open(&in, path, READER_HEAD, &(struct err){ 0 }))
		return NULL;
	while (infile_fill(&in))
		;
	if (in.end > in.at)
		format = format_of_input(in.at, (size_t)(in.end - in.at));
	infile_close(&in);
	return format == NULL ? NULL : format->in;
}

const char *
record_trace_known(struct arena *a)
{
	const char *list = "";

	for (const struct format *f = formats; f->use != NULL; f++)
		if (f->in != NULL)
			list = arena_printf(a, "%s%s%s (%s)", list,
				*list == '\0' ? "" : ", ", f->in->name,
				f->in->help);
	return list;
}

static void
add_finding(void *arg, const struct reader_finding *f)
{
	struct record_trace *t = arg;
	const char *file = f->file != NULL ? f->file : t->setup.path;

	finding_add(t->source.trace.findings,
		(struct finding){
			.severity = (enum finding_severity)f->severity,
			.file = file,
			.offset = f->line > 0    ? (int64_t)f->line
				: f->offset >= 0 ? f->offset
						 : FINDING_NOWHERE,
			.by_line = f->line > 0,
			.time = f->time == VALUE_NONE ? FINDING_NEVER : f->time,
			.row_next = f->row + 1 },
		"%s", f->text);
}

static bool
know_type(void *arg, struct type *type)
{
	struct record_trace *t = arg;

	bool zero = known_type(t->arena, t->models, type, &t->model);

	t->has_life = t->has_life || strcmp(type->key, "ovni.state") == 0;
	return zero;
}

static enum meaning
know_label(void *arg, const struct type *type, int64_t value, const char *text)
{
	const struct record_trace *t = arg;

	return known_label(t->model, type, value, text);
}

static const struct sink_ops unheard = { .name = "unheard" };

struct record_trace *
record_trace_open(struct arena *a, const char *path,
	const struct reader_ops *ops, const struct model *const *models,
	struct findings *findings, struct err *err)
{
	struct record_trace *t = ARENA_NEW(a, struct record_trace);
	struct trace *trace = &t->source.trace;

	t->source.ops = &ops_of_records;
	t->arena = a;
	trace_init(trace, a, findings);
	trace->path = path;
	trace->format = ops->name;
	t->setup = (struct reader_setup){ .path = path,
		.finding = add_finding,
		.know_type = know_type,
		.know_label = know_label,
		.arg = t,
		.stop = &undo_noted };
	t->models = models;
	t->reader = ops->open(a, &t->setup, err);
	if (t->reader == NULL) {
		close_records(&t->source);
		return NULL;
	}
	trace->unit = t->reader->unit;
	trace->rows_grow = t->reader->rows_grow;
	if (t->reader->start_realtime != CLOCK_UNKNOWN)
		trace->start_realtime = trace->since_1970 =
			t->reader->start_realtime;
	if (t->reader->start_monotonic != CLOCK_UNKNOWN)
		trace->start_monotonic = t->reader->start_monotonic;
	reader_declare(t->reader, &(struct sink){ .ops = &unheard });
	return t;
}

struct source *
record_trace_source(struct record_trace *t)
{
	return &t->source;
}

void
record_trace_declare(struct record_trace *t, struct sink *sink)
{
	reader_declare(t->reader, sink);
}

bool
record_trace_play(struct record_trace *t, struct sink *sink,
	const char *spill_dir, struct err *err)
{
	struct sink *order;
	bool ok;

	if (!t->reader->unordered)
		return reader_read(t->reader, sink, err);
	order = order_open(t->arena, sink, ORDER_WINDOW_BYTES, spill_dir, err);
	ok = reader_read(t->reader, order, err);
	return order_finish(order, ok ? err : &(struct err){ 0 }) && ok;
}

bool
record_trace_has_life(const struct record_trace *t)
{
	return t->has_life;
}

void
record_trace_losses(const struct record_trace *t,
	void (*fn)(void *arg, const struct loss *loss), void *arg)
{
	if (t->reader->ops->loss != NULL)
		t->reader->ops->loss(t->reader, fn, arg);
}

uint64_t
record_trace_count(const struct record_trace *t)
{
	return t->reader->records;
}

int64_t
record_trace_end(const struct record_trace *t)
{
	return t->reader->end;
}
