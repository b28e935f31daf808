/* SPDX-License-Identifier: MIT */
/* weft dump - prints the events of a trace as text, in time order. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/trace/dump.h"
#include "cli/trace/input_names.h"

#define TID_WIDTH 7 /* digits of the kernel's greatest TID */
#define THREAD_WIDTH \
	40 /* at most; longer names push the rest of their line \
	    * aside */

/* Redirects the output to memory, until take_text(). */
static void
begin_text(struct dump *d)
{
	d->kept = d->out;
	out_open_memory(&d->out);
}

static const char *
take_text(struct dump *d, size_t *length)
{
	const char *text;

	*length = (size_t)(d->out.at - d->out.buf);
	text = arena_strndup(&d->run->arena, d->out.buf, *length);
	out_close(&d->out);
	d->out = d->kept;
	return text;
}

static void
put_column(struct dump *d, const char *text, size_t width)
{
	size_t n = strlen(text);

	out_put(&d->out, text, n);
	dump_disarm(d, d->out.buf, n);
	for (; n < width; n++)
		out_put(&d->out, " ", 1);
	out_put(&d->out, "  ", 2);
}

/* Appends the members that are the same for all events of the class. */
static void
put_json_kind(struct dump *d, struct dump_kind *k, const char *name)
{
	const struct binding *b = k->is->binding;
	char says[DUMP_LINE_BYTES];

	out_puts(&d->out, ",\"event\":");
	out_json(&d->out, name);
	k->constant = b->says != NULL && b->trouble == NULL && b->nargs == 0 &&
		k->is->nfields == 0;
	if (!k->constant)
		return;
	describe_says(k->is, says, sizeof says);
	out_puts(&d->out, ",\"args\":{},\"says\":");
	out_json(&d->out, says);
}

static const struct dump_kind *__attribute__((noinline, cold))
new_kind(struct dump *d, uint32_t class)
{
	const struct event_class *c = &d->trace->classes.at[class];
	struct dump_kind *k;

	while ((uint32_t)d->kinds.n <= class)
		(void)VEC_ADD(&d->kinds, &d->run->arena);
	k = &d->kinds.at[class];
	k->is = d->line == dump_ovnidump
		? describe_class(&d->run->arena, c, d->events->models)
		: describe_plainly(&d->run->arena, c, d->events->models);
	k->mark = dump_mark_verb(c->name);
	k->in = context_fields_find(c);
	for (int i = 0; i < k->is->binding->nargs; i++)
		k->string =
			k->string || k->is->binding->arg[i].type == FIELD_STR;
	if (d->trace->parts.n > 0)
		k->fields = fields_plan(
			&d->run->arena, c, d->line == dump_babeltrace);
	begin_text(d);
	if (d->line == dump_json)
		put_json_kind(d, k, c->name);
	else if (d->line == dump_babeltrace)
		out_puts(&d->out, c->name);
	else
		put_column(d, c->name, 0);
	k->name = take_text(d, &k->length);
	return k;
}

static inline const struct dump_kind *
kind_of(struct dump *d, uint32_t class)
{
	if (__builtin_expect(class < (uint32_t)d->kinds.n, 1) &&
		__builtin_expect(d->kinds.at[class].is != NULL, 1))
		return &d->kinds.at[class];
	return new_kind(d, class);
}

static const struct trace_thread *
thread_of(const struct trace *t, int stream)
{
	int thread = t->streams.at[stream].thread;

	return thread == TRACE_NONE ? NULL : &t->threads.at[thread];
}

static bool
tids_differ(const struct trace *t)
{
	struct map seen = { 0 };
	bool differ = true;

	for (int i = 0; i < t->threads.n; i++) {
		uint64_t *n = map_put(&seen, (uint64_t)t->threads.at[i].tid);

		differ = differ && *n == 0;
		*n = 1;
	}
	map_fini(&seen);
	return differ;
}

static void
put_json_place(struct dump *d, int stream, const struct trace_thread *th)
{
	struct out *o = &d->out;

	out_puts(o, ",\"stream\":");
	out_json(o, d->trace->streams.at[stream].name);
	if (d->trace->streams.at[stream].has_vtid)
		return; /* each event names its thread */
	if (th == NULL) {
		out_puts(o, ",\"thread\":null,\"pid\":null");
		return;
	}
	out_puts(o, ",\"thread\":");
	out_i64(o, th->tid);
	out_puts(o, ",\"pid\":");
	out_i64(o, d->trace->processes.at[th->process].pid);
}

static const char *
thread_text(struct dump *d, int stream, bool tids)
{
	const struct trace_thread *th = thread_of(d->trace, stream);

	if (th == NULL || !tids)
		return d->trace->streams.at[stream].name;
	return arena_printf(&d->run->arena, "%" PRId64, th->tid);
}

static size_t
thread_width(struct dump *d, bool tids)
{
	size_t width = 0;

	for (int i = 0; i < d->trace->streams.n; i++) {
		size_t n = 0;

		if (d->trace->streams.at[i].has_vtid)
			n = TID_WIDTH;
		else if (events_has_stream(d->events, i))
			n = strlen(thread_text(d, i, tids));
		width = n > width ? n : width;
	}
	return width < THREAD_WIDTH ? width : THREAD_WIDTH;
}

static void
set_context(struct dump *d, struct dump_position *p, int stream, size_t width)
{
	const struct stream *s = &d->trace->streams.at[stream];

	p->pid = -1;
	if (!s->has_vtid)
		return;
	p->width = width == 0 ? TID_WIDTH : (int)width;
	if (s->part->process != TRACE_NONE)
		p->pid = d->trace->processes.at[s->part->process].pid;
}

static void
make_places(struct dump *d)
{
	const struct trace *t = d->trace;
	bool tids = tids_differ(t);
	size_t width = 0;

	d->places =
		ARENA_ARRAY(&d->run->arena, struct dump_position, t->streams.n);
	if (d->line == dump_weft)
		width = thread_width(d, tids);
	for (int i = 0; i < t->streams.n; i++) {
		struct dump_position *p = &d->places[i];
		const struct trace_thread *th = thread_of(t, i);

		if (!events_has_stream(d->events, i))
			continue;
		p->node = trace_node_of(t, t->streams.at[i].thread);
		p->no_clock = t->streams.at[i].no_clock;
		set_context(d, p, i, width);
		begin_text(d);
		if (d->line == dump_json)
			put_json_place(d, i, th);
		else if (d->line == dump_babeltrace)
			dump_babeltrace_place(d, t->streams.at[i].part);
		else if (d->line == dump_weft)
			put_column(d, thread_text(d, i, tids), width);
		else
			out_puts(&d->out, t->streams.at[i].name);
		p->text = p->json = take_text(d, &p->length);
	}
}

static void
dump_event(struct dump *d, const struct event *ev)
{
	out_room(&d->out, DUMP_LINE_BYTES);
	d->line(d, ev, kind_of(d, ev->class), &d->places[ev->stream]);
	out_put(&d->out, "\n", 1);
}

static void
dump_events(struct dump *d)
{
	struct event ev = { 0 };

	out_open(&d->out);
	make_places(d);
	d->says_room = DUMP_LINE_BYTES;
	d->says = mem_resize(NULL, d->says_room, 1);
	while (!d->out.failed && events_next(d->events, &ev))
		dump_event(d, &ev);
	mem_free(d->says);
	out_close(&d->out);
}

enum exit_code
dump_trace(struct dump *d, const char *path)
{
	struct pipeline *r = d->run;
	struct err err = { 0 };

	if (d->utc && d->line != dump_weft && d->line != dump_json)
		return cmd_usage_error(
			&cmd_dump, "--utc is for the formats text and json");
	r->takes_pipe = true;
	r->as_stored = d->line == dump_babeltrace;
	events_prepare(r);
	if (!pipeline_open(r, path))
		return pipeline_closed(r);
	if (r->inputs != NULL && d->line != dump_weft && d->line != dump_json)
		return cmd_usage_error(&cmd_dump,
			"several traces are printed as text or json");
	if (!events_open(d->events, r, &err))
		return cmd_usage_error(&cmd_dump, "%s", err.text);
	d->trace = &r->source->trace;
	if (d->utc &&
		(d->trace->start_realtime == TRACE_UNKNOWN ||
			strcmp(d->trace->unit, "ns") != 0))
		return cmd_usage_error(&cmd_dump,
			"--utc: the trace does not say what time it was");
	if (d->line == dump_babeltrace && d->trace->parts.n == 0)
		return cmd_usage_error(
			&cmd_dump, "--format babeltrace needs a CTF trace");
	d->disarm = d->line == dump_weft || isatty(STDOUT_FILENO);
	/* A progress bar between lines of text would be unreadable. */
	d->events->bar = !log_is_quiet() && !isatty(STDOUT_FILENO);
	dump_events(d);
	events_close(d->events);
	return pipeline_report(r);
}

static enum exit_code
run(int argc, char *argv[])
{
	struct pipeline r = RUN_DEFAULTS;
	struct events events = { 0 };
	struct dump d = { .run = &r, .events = &events };
	int format = 0;
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'f', "format", "FORMAT", "text, ovnidump, babeltrace or json",
		  .choice = &format, .choices = DUMP_FORMATS,
		  .old_value = "weft" },
		SHORT_JSON,
		{ 'x', "payload", NULL, "also the payload, in hexadecimal",
		  .flag = &d.payload },
		{ 0, "utc", NULL, "the date and time of day, in UTC",
		  .flag = &d.utc },
		EVENTS_OPTIONS(events),
		FILTER_WINDOW(r.filter, NULL),
		FILTER_OPTIONS(r.filter),
		INPUT_OPTIONS(r),
		READ_OPTIONS(r),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;
	int n = cmd_parse(&cmd_dump, opts, argc, argv, &code);

	if (n < 0)
		return code;
	pipeline_take_paths(&r, argv, n);
	d.line = dump_format(format);
	code = dump_trace(&d, input_path(argv[0]));
	pipeline_close(&r);
	return code;
}

const struct cmd cmd_dump = {
	.name = "dump",
	.brief = "print the events of a trace as text, in time order",
	.args = "TRACE...",
	.min_args = 1,
	.max_args = INT_MAX,
	.help = "A line has the time in ns since the first event, the thread, "
		"the event and its meaning.\n"
		"--utc prints the date and time of day in UTC instead: the "
		"wall clock's at the first event,\n"
		"and what has passed since. --from takes such a time with a Z "
		"at its end. JSON has both.\n"
		"--format ovnidump prints the clock of the stream (without "
		"offsets), the event, its stream\n"
		"and its meaning, or with -x the payload; the order is still "
		"that of corrected clocks.\n"
		"Events that no model knows, and those with a payload that is "
		"too short, are printed as\n"
		"UNKNOWN and reported.\n"
		"--cpu keeps what happens on a CPU, --type what changes a "
		"state: both emulate the trace.\n",
	.examples = "  weft dump ovni | less\n"
		    "  weft dump --thread 3932 --from 1ms --to 2ms ovni\n"
		    "  weft dump --type ovni.state --cpu 3 ovni\n"
		    "  weft dump --format json --event '6T?' ovni\n",
	.run = run,
};
