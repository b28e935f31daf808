/* SPDX-License-Identifier: MIT */
/* weft dump - prints the events of a trace as text, in time order. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "cli/dump.h"

#define PROGRESS_EVENTS 8192
#define THREAD_WIDTH 40 /* at most: longer ones push their line aside */

/* What is put next goes to memory, until take_text(). */
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

static bool
kind_wanted(const struct dump_wanted *want, const struct event_class *class,
	const struct model *m)
{
	if (want->event != NULL && !signature_match(want->event, class->name))
		return false;
	return want->model == NULL ||
		(m != NULL && strcmp(want->model, m->name) == 0);
}

/* The members that are the same in all events of the class. */
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
	k->is = describe_class(&d->run->arena, c, d->models);
	k->wanted = kind_wanted(d->want, c, k->is->binding->model);
	for (int i = 0; i < k->is->binding->nargs; i++)
		k->string =
			k->string || k->is->binding->arg[i].type == FIELD_STR;
	begin_text(d);
	if (d->line == dump_json)
		put_json_kind(d, k, c->name);
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

static const struct trace_node *
node_of(const struct trace *t, const struct trace_thread *th)
{
	return &t->nodes.at[t->processes.at[th->process].node];
}

static bool
is_wanted(const struct dump *d, const struct trace_thread *th)
{
	const struct dump_wanted *want = d->want;

	if (th == NULL)
		return want->tid_text == NULL && want->loom == NULL;
	return (want->tid_text == NULL || th->tid == want->tid) &&
		(want->loom == NULL ||
			strcmp(node_of(d->trace, th)->name, want->loom) == 0);
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
		size_t n = d->places[i].wanted ? strlen(thread_text(d, i, tids))
					       : 0;

		width = n > width ? n : width;
	}
	return width < THREAD_WIDTH ? width : THREAD_WIDTH;
}

static void
make_places(struct dump *d)
{
	const struct trace *t = d->trace;
	bool tids = tids_differ(t);
	size_t width = 0;

	d->places =
		ARENA_ARRAY(&d->run->arena, struct dump_place, t->streams.n);
	for (int i = 0; i < t->streams.n; i++)
		d->places[i].wanted = is_wanted(d, thread_of(t, i));
	if (d->line == dump_weft)
		width = thread_width(d, tids);
	for (int i = 0; i < t->streams.n; i++) {
		struct dump_place *p = &d->places[i];
		const struct trace_thread *th = thread_of(t, i);

		if (!p->wanted)
			continue;
		p->clock_offset = th == NULL ? 0 : node_of(t, th)->clock_offset;
		begin_text(d);
		if (d->line == dump_json)
			put_json_place(d, i, th);
		else if (d->line == dump_weft)
			put_column(d, thread_text(d, i, tids), width);
		else
			out_puts(&d->out, t->streams.at[i].name);
		p->text = p->json = take_text(d, &p->length);
	}
}

/* False behind the window: no event that follows lies before. */
static inline bool
dump_event(struct dump *d, const struct event *ev)
{
	const struct dump_place *place = &d->places[ev->stream];
	const struct dump_kind *kind;
	int64_t now;

	if (d->nevents == 0)
		d->start = ev->time;
	now = dump_difference(ev->time, d->start);
	if (now > d->want->to)
		return false;
	if (now < d->want->from || !place->wanted)
		return true;
	kind = kind_of(d, ev->class);
	if (!kind->wanted)
		return true;
	out_room(&d->out, DUMP_LINE_BYTES);
	d->line(d, ev, kind, place);
	out_put(&d->out, "\n", 1);
	return true;
}

static void
dump_events(struct dump *d)
{
	struct source *source = d->run->source;
	struct progress progress;
	struct event ev = { 0 };
	enum source_status status;
	uint64_t done, total;
	/* A bar in the middle of the text helps nobody. */
	bool shown = !d->run->quiet && !isatty(STDOUT_FILENO);

	source_progress(source, &done, &total);
	progress_start(&progress, "dump", "events", total);
	while (!d->out.failed &&
		(status = source_next(source, &ev)) != SOURCE_END) {
		if (status == SOURCE_WAIT)
			continue;
		if (!dump_event(d, &ev))
			break;
		if (++d->nevents % PROGRESS_EVENTS != 0 || !shown)
			continue;
		source_progress(source, &done, &total);
		progress_step(&progress, done, d->nevents);
	}
	progress_end(&progress);
}

static bool
has_model(const struct dump *d, const char *name)
{
	for (const struct model *const *m = d->models; *m != NULL; m++)
		if (strcmp((*m)->name, name) == 0)
			return true;
	return false;
}

/* A filter that no table of the trace can pass. */
static const char *
unmatched(const struct dump *d)
{
	bool any = false;

	if (d->want->model != NULL && !has_model(d, d->want->model))
		return "there is no such model; 'weft models' lists them";

	for (int i = 0; i < d->trace->streams.n; i++)
		any = any || d->places[i].wanted;
	if (any)
		return NULL;
	return d->want->tid_text != NULL && d->want->loom != NULL
		? "the trace has no such thread in this loom"
		: d->want->loom != NULL ? "the trace has no such loom"
					: "the trace has no such thread";
}

static enum exit_code
dump_trace(struct run *r, const char *path, const struct dump_wanted *want)
{
	struct dump d = {
		.run = r, .want = want, .line = dump_format(want->format)
	};
	const char *why;

	if (!run_open(r, path))
		return EXIT_UNABLE;
	d.trace = &r->source->trace;
	d.models = dump_models(r);
	d.disarm = d.line == dump_weft || isatty(STDOUT_FILENO);
	out_open(&d.out);
	make_places(&d);
	why = unmatched(&d);
	if (why == NULL) {
		d.says_room = DUMP_LINE_BYTES;
		d.says = mem_resize(NULL, d.says_room, 1);
		dump_events(&d);
		mem_free(d.says);
	}
	out_close(&d.out);
	if (why != NULL)
		return cmd_usage_error(&cmd_dump, "%s", why);
	return run_report(r);
}

static bool
parse_tid(const char *text, int64_t *tid)
{
	char *end;

	*tid = strtoll(text, &end, 10);
	return end != text && *end == '\0';
}

/* What is wrong with the command line, or EXIT_YES. */
static enum exit_code
check(struct dump_wanted *want)
{
	if (dump_format(want->format) == NULL)
		return cmd_usage_error(&cmd_dump,
			"--format takes weft, ovnidump or json, not \"%s\"",
			want->format);
	if (want->tid_text != NULL && !parse_tid(want->tid_text, &want->tid))
		return cmd_usage_error(&cmd_dump,
			"--thread needs a thread id, not \"%s\"",
			want->tid_text);
	return EXIT_YES;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct run r = RUN_DEFAULTS;
	struct dump_wanted want = { .format = "weft", .to = INT64_MAX };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'f', "format", "FORMAT", "weft, ovnidump or json (one object a line)",
		  .text = &want.format },
		{ 'x', "payload", NULL, "also the payload, in hexadecimal",
		  .flag = &want.payload },
		{ 0, "from", "T", "only events at T ns since the start or later",
		  .number = &want.from },
		{ 0, "to", "T", "only events at T ns since the start or before",
		  .number = &want.to },
		{ 0, "thread", "TID", "only events of threads with this id",
		  .text = &want.tid_text },
		{ 0, "loom", "NAME", "only events of this loom",
		  .text = &want.loom },
		{ 0, "only-model", "NAME", "only events of this model",
		  .text = &want.model },
		{ 0, "event", "NAME", "only these events; '?' is any letter: \"6W?\"",
		  .text = &want.event },
		RUN_OPTIONS(r),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;

	if (cmd_parse(&cmd_dump, opts, argc, argv, &code) < 0)
		return code;
	code = check(&want);
	if (code == EXIT_YES)
		code = dump_trace(&r, argv[0], &want);
	run_close(&r);
	return code;
}

const struct cmd cmd_dump = {
	.name = "dump",
	.brief = "print the events of a trace as text, in time order",
	.args = "TRACE",
	.min_args = 1,
	.max_args = 1,
	.help = "A line is the time in ns since the first event, the thread, "
		"the event and what it says.\n"
		"--format ovnidump prints the clock as the stream has it, "
		"without offsets, the event, its stream\n"
		"and what it says, or with -x the payload; lines are in the "
		"order of corrected clocks.\n"
		"Both ends of --from and --to belong to the window. Events "
		"that no model knows, or whose\n"
		"payload is too short, are UNKNOWN, and a finding.\n",
	.examples = "  weft dump ovni | less\n"
		    "  weft dump --thread 3932 --from 1000000 --to 2000000 "
		    "ovni\n"
		    "  weft dump --format json --event '6T?' ovni\n",
	.run = run,
};
