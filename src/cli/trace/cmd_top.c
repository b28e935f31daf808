/* SPDX-License-Identifier: MIT */
/* weft top - counts the events of a trace. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "base/log.h"
#include "base/map.h"
#include "base/text.h"
#include "cli/table_print.h"
#include "cli/trace/events.h"
#include "cli/trace/input_names.h"
#include "cli/trace/top.h"
#include "cli/undo.h"
#include "emu/ctf/context.h"
#include "emu/describe.h"
#include "emu/model.h"

#define SAYS_ROOM 160

enum by {
	BY_EVENT,
	BY_MODEL,
	BY_THREAD,
};

static const char *const by_name[] = { "event", "model", "thread" };

enum format {
	FORMAT_TEXT,
	FORMAT_OVNITOP,
	FORMAT_JSON,
};

/* The number of events of each class, or of each stream. */
struct counts {
	uint64_t *at;
	uint32_t n;
};

/* A thread that the contexts of events name. */
struct told {
	int64_t pid, tid; /* pid -1: unknown */
	uint64_t count;
	int node;
};

struct told_threads {
	VEC(struct told) at;
	struct map of;                 /* node, pid, tid -> index + 1 */
	VEC(struct context_fields) in; /* by class */
};

struct line {
	const char *name;
	const char *says; /* or NULL */
	uint64_t count;
};

struct lines {
	VEC(struct line) line;
	uint64_t all;
};

/* Returns the counts with room for `index`. They are passed by value, because a
 * struct whose address is not taken stays in registers. */
static struct counts __attribute__((noinline, cold))
grow(struct counts c, struct arena *a, uint32_t index)
{
	uint32_t n = 2 * index + 64;
	uint64_t *at = ARENA_ARRAY(a, uint64_t, n);

	if (c.n > 0)
		memcpy(at, c.at, c.n * sizeof *at);
	return (struct counts){ at, n };
}

static const struct context_fields *
fields_of(struct events *e, struct told_threads *told, uint32_t class)
{
	const struct trace *t = &e->source->trace;
	struct arena *a = &e->run->arena;

	while ((uint32_t)told->in.n <= class)
		VEC_PUSH(&told->in, a, (struct context_fields){ 0 });
	if (!told->in.at[class].known)
		told->in.at[class] = context_fields_find(&t->classes.at[class]);
	return &told->in.at[class];
}

/* Counts an event of the thread. Returns false if another thread has the same
 * key, which can happen only with numbers that no kernel assigns. */
static bool
count_one(struct events *e, struct told_threads *told, const struct told *one)
{
	uint64_t key = (uint64_t)one->node << 54 ^
		((uint64_t)one->pid + 1) << 32 ^ (uint32_t)one->tid;
	uint64_t *at = map_put(&told->of, key);
	struct told *to;

	if (*at == 0) {
		VEC_PUSH(&told->at, &e->run->arena, *one);
		*at = (uint64_t)told->at.n;
	}
	to = &told->at.at[*at - 1];
	if (to->pid != one->pid || to->tid != one->tid || to->node != one->node)
		return false;
	to->count++;
	return true;
}

/* Returns true if the event's context names its thread; the thread's count is
 * then increased. */
static bool
count_told(struct events *e, struct told_threads *told, const struct event *ev)
{
	const struct trace *t = &e->source->trace;
	const struct stream *s = &t->streams.at[ev->stream];
	const struct context_fields *f;
	struct told one = { .pid = -1 };

	if (!s->has_vtid || ev->value == NULL)
		return false;
	f = fields_of(e, told, ev->class);
	if (f->vtid == 0)
		return false;
	one.tid = ev->value[f->vtid - 1].i;
	one.node = s->part->node;
	if (f->vpid > 0)
		one.pid = ev->value[f->vpid - 1].i;
	else if (s->part->process != TRACE_NONE)
		one.pid = t->processes.at[s->part->process].pid;
	return count_one(e, told, &one);
}

static struct counts
count(struct events *e, enum by by, struct told_threads *told)
{
	struct counts c = { 0 };
	struct event ev = { 0 };

	while (events_next(e, &ev)) {
		uint32_t index = by == BY_THREAD ? ev.stream : ev.class;

		if (by == BY_THREAD && count_told(e, told, &ev))
			continue;
		if (__builtin_expect(index >= c.n, 0))
			c = grow(c, &e->run->arena, index);
		c.at[index]++;
	}
	return c;
}

static const char *
thread_name(struct arena *a, const struct trace *t, uint32_t stream)
{
	const struct stream *s = &t->streams.at[stream];
	const struct trace_thread *th;
	const struct trace_process *p;

	if (s->thread == TRACE_NONE)
		return s->name;
	th = &t->threads.at[s->thread];
	p = &t->processes.at[th->process];
	if (t->processes.n == 1)
		return arena_printf(a, "%" PRId64, th->tid);
	return arena_printf(a, "%s %" PRId64 ".%" PRId64,
		t->nodes.at[p->node].name, p->pid, th->tid);
}

static struct line
class_line(const struct events *e, const struct event_class *class, enum by by)
{
	struct arena *a = &e->run->arena;
	const struct description *d = describe_plainly(a, class, e->models);
	const struct model *m = d->binding->model;
	char says[SAYS_ROOM];

	if (by == BY_MODEL)
		return (struct line){ .name = m == NULL ? "(unknown)" : m->name,
			.says = m == NULL ? DESCRIBE_UNKNOWN : m->brief };
	describe_says(d, says, sizeof says);
	return (struct line){ .name = class->name,
		.says = m == NULL ? NULL : arena_strdup(a, says) };
}

static int
by_text(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	return strcmp(a->name, b->name);
}

static int
most_first(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void
sort(struct lines *l, int (*compare)(const void *, const void *))
{
	if (l->line.n > 0)
		qsort(l->line.at, (size_t)l->line.n, sizeof *l->line.at,
			compare);
}

/* Adds up lines of one name: a jumbo event and a normal event of the same name
 * are two classes. */
static void
join(struct lines *l)
{
	int n = 0;

	sort(l, by_text);
	for (int i = 0; i < l->line.n; i++) {
		struct line *to = &l->line.at[n > 0 ? n - 1 : 0];

		if (n > 0 && strcmp(to->name, l->line.at[i].name) == 0)
			to->count += l->line.at[i].count;
		else
			l->line.at[n++] = l->line.at[i];
	}
	l->line.n = n;
}

/* Adds the threads that contexts name, with their processes if there are
 * several. */
static void
add_told(const struct events *e, const struct told_threads *told,
	struct lines *l)
{
	const struct trace *t = &e->source->trace;
	struct arena *a = &e->run->arena;
	bool several = false;

	for (int i = 1; i < told->at.n; i++)
		several = several || told->at.at[i].pid != told->at.at[0].pid ||
			told->at.at[i].node != told->at.at[0].node;
	for (int i = 0; i < told->at.n; i++) {
		const struct told *one = &told->at.at[i];
		const char *name = several && one->pid >= 0
			? arena_printf(a, "%s %" PRId64 ".%" PRId64,
				  t->nodes.at[one->node].name, one->pid,
				  one->tid)
			: arena_printf(a, "%" PRId64, one->tid);

		l->all += one->count;
		VEC_PUSH(&l->line, a,
			((struct line){ .name = name, .count = one->count }));
	}
}

static void
make_lines(const struct events *e, enum by by, const struct counts *c,
	struct lines *l)
{
	struct pipeline *r = e->run;
	const struct trace *t = &r->source->trace;
	struct arena *a = &r->arena;

	for (uint32_t i = 0; i < c->n; i++) {
		struct line line;

		if (c->at[i] == 0)
			continue;
		if (by == BY_THREAD)
			line = (struct line){ .name = thread_name(a, t, i) };
		else
			line = class_line(e, &t->classes.at[i], by);
		line.count = c->at[i];
		l->all += line.count;
		VEC_PUSH(&l->line, &r->arena, line);
	}
	join(l);
	sort(l, most_first);
}

/* Removes control characters, because a name from the trace may go to a
 * terminal. */
static const char *
clean(struct arena *a, const char *name)
{
	return text_disarm(arena_strdup(a, name));
}

static void
print_ovnitop(struct arena *a, const struct lines *l)
{
	for (int i = 0; i < l->line.n; i++)
		printf("%s %10" PRIu64 "\n", clean(a, l->line.at[i].name),
			l->line.at[i].count);
}

static struct table
table_of(struct arena *a, const struct lines *l, enum by by,
	enum table_format format)
{
	bool has_says = by != BY_THREAD;
	const struct table_column columns[] = {
		{ .name = by_name[by], .in = TABLE_IN_DATA },
		{ .name = "count",
			.title = "events",
			.kind = TABLE_NUMBER,
			.width = 12 },
		{ .name = "share_percent",
			.title = "share",
			.kind = TABLE_SHARE,
			.in = TABLE_IN_TEXT,
			.width = 7 },
		{ .name = by_name[by], .in = TABLE_IN_TEXT },
		{ .name = "says",
			.title = "meaning",
			.is_hidden = !has_says,
			.is_sentence = true },
	};
	struct table t = table_new(a, columns, 5, format, NULL);

	for (int i = 0; i < l->line.n; i++) {
		const struct line *line = &l->line.at[i];

		table_word(&t, line->name);
		table_u64(&t, line->count);
		table_share(&t, (double)line->count, (double)l->all);
		table_word(&t, line->name);
		table_word(&t, line->says);
	}
	return t;
}

/* Prints the table as JSON, one object a line. */
static void
print_json(struct table *t)
{
	struct doc d;

	doc_open(&d);
	table_put(t, &d);
	doc_close(&d);
}

static enum exit_code
top_trace(struct events *e, struct pipeline *r, const char *path, enum by by,
	enum format format)
{
	struct counts c;
	struct told_threads told = { 0 };
	struct lines l = { 0 };
	struct table t;
	struct err err = { 0 };

	r->takes_pipe = true;
	events_prepare(r);
	if (!pipeline_open(r, path))
		return pipeline_closed(r);
	if (!events_open(e, r, &err))
		return cmd_usage_error(&cmd_top, "%s", err.text);
	e->bar = !log_is_quiet();
	c = count(e, by, &told);
	add_told(e, &told, &l);
	make_lines(e, by, &c, &l);
	map_fini(&told.of);
	events_close(e);
	undo_at_once();
	switch (format) {
	case FORMAT_TEXT:
		t = table_of(&r->arena, &l, by, TABLE_TEXT);
		table_print(&t);
		break;
	case FORMAT_OVNITOP:
		print_ovnitop(&r->arena, &l);
		break;
	case FORMAT_JSON:
		t = table_of(&r->arena, &l, by, TABLE_JSON);
		print_json(&t);
		break;
	}
	return pipeline_report(r);
}

enum exit_code
top_as_ovnitop(const char *path)
{
	struct pipeline r = { .max_findings = 20,
		.unmerged = true,
		.raw_clocks = true,
		.merge_all = true };
	struct events e = { 0 };
	enum exit_code code = top_trace(&e, &r, path, BY_EVENT, FORMAT_OVNITOP);

	pipeline_close(&r);
	return code;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct pipeline r = { .max_findings = 20, .unmerged = true };
	struct events e = { 0 };
	int by = BY_EVENT, format = FORMAT_TEXT;
	/* clang-format off */
	const struct option_def opts[] = {
		{ 0, "by", "WHAT", "event, model or thread",
		  .choice = &by, .choices = "event,model,thread" },
		{ 'f', "format", "FORMAT", "text, ovnitop or json (one object a line)",
		  .choice = &format, .choices = "text,ovnitop,json",
		  .old_value = "weft" },
		SHORT_JSON,
		EVENTS_OPTIONS(e),
		FILTER_WINDOW(r.filter, NULL),
		FILTER_OPTIONS(r.filter),
		INPUT_OPTIONS(r),
		READ_OPTIONS(r),
		OLD_LETTER('b', "by"),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;
	int n = cmd_parse(&cmd_top, opts, argc, argv, &code);

	if (n < 0)
		return code;
	pipeline_take_paths(&r, argv, n);
	if (format == FORMAT_OVNITOP && by != BY_EVENT)
		return cmd_usage_error(
			&cmd_top, "--format ovnitop counts by event only");
	code = top_trace(
		&e, &r, input_path(argv[0]), (enum by)by, (enum format)format);
	pipeline_close(&r);
	return code;
}

const struct cmd cmd_top = {
	.name = "top",
	.brief = "count the events of a trace: by event, model or thread",
	.args = "TRACE...",
	.min_args = 1,
	.max_args = INT_MAX,
	.help = "The most frequent ones come first; equal counts are in the "
		"order of their names.\n"
		"--cpu keeps what happens on a CPU, --type what changes a "
		"state: both emulate the trace.\n",
	.examples = "  weft top ovni                  which events there are\n"
		    "  weft top --by thread ovni      who wrote most of them\n"
		    "  weft top --from 1s --to 2s --only-model nanos6 ovni\n",
	.run = run,
};
