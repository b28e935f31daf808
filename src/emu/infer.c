/* SPDX-License-Identifier: MIT */
#include "emu/infer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "emu/models/models.h"
#include "trace/source.h"

#define MARK_TYPES 100
#define MARK_BYTES 12      /* bytes of its payload: i64 value, i32 type */
#define CPU_INDEX_MAX 4096 /* a larger index in an event is damage */
#define LETTERS 256

/* What the events show about the trace. */
struct seen {
	struct trace *trace;     /* trace whose tables are to be completed */
	struct source *again;    /* the same trace, opened once more */
	bool (*letter)[LETTERS]; /* by stream: letters of the models of its
	                          * events */
	int64_t *top_cpu;        /* by node: highest CPU index, or -1 */
	bool mark[MARK_TYPES], stack[MARK_TYPES]; /* mark types in use, and
	                                           * whether as stacks */
	bool *silent; /* by thread: the thread requires no model */
	int marker;   /* first stream with an undeclared mark, or -1 */
};

/* Returns true for events whose first argument is the index of a CPU. */
static bool
names_cpu(const char *name)
{
	return strcmp(name, "OHx") == 0 || strcmp(name, "OAs") == 0 ||
		strcmp(name, "OAr") == 0;
}

static void
note_cpu(struct seen *seen, const struct event *ev, int node)
{
	int32_t index = -1;

	if (ev->value != NULL)
		index = (int32_t)ev->value[0].i;
	else if (ev->size >= sizeof index)
		memcpy(&index, ev->data, sizeof index);
	if (index > seen->top_cpu[node] && index < CPU_INDEX_MAX)
		seen->top_cpu[node] = index;
}

static bool
is_declared(const struct trace *t, int64_t type)
{
	for (int i = 0; i < t->marks.n; i++)
		if (t->marks.at[i].type == type)
			return true;
	return false;
}

static void
note_mark(struct seen *seen, const struct event *ev, const char *name)
{
	int stream = (int)ev->stream;
	int32_t type = -1;

	if (ev->value != NULL &&
		seen->again->trace.classes.at[ev->class].nfields > 1)
		type = (int32_t)ev->value[1].i;
	else if (ev->value == NULL && ev->size == MARK_BYTES)
		memcpy(&type, ev->data + MARK_BYTES - sizeof type, sizeof type);
	if (type < 0 || type >= MARK_TYPES || is_declared(seen->trace, type))
		return;
	seen->mark[type] = true;
	seen->stack[type] |= name[2] != '=';
	if (seen->marker < 0 || stream < seen->marker)
		seen->marker = stream;
}

static void
note(struct seen *seen, const struct event *ev)
{
	const struct trace *t = &seen->again->trace;
	const struct event_class *class = &t->classes.at[ev->class];
	int thread = t->streams.at[ev->stream].thread;

	if (thread == TRACE_NONE)
		return;
	seen->letter[ev->stream][(unsigned char)class->name[0]] = true;
	if (strncmp(class->name, "OM", 2) == 0)
		note_mark(seen, ev, class->name);
	if (names_cpu(class->name) && (ev->value == NULL || class->nfields > 0))
		note_cpu(seen, ev,
			t->processes.at[t->threads.at[thread].process].node);
}

static void __attribute__((format(printf, 3, 4)))
inferred(struct seen *seen, const char *key, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	finding_add(seen->trace->findings,
		(struct finding){ .severity = FINDING_NOTE,
			.file = seen->trace->path,
			.key = key,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"inferred: %s", text);
}

static void
add_cpus(struct seen *seen, int node)
{
	struct trace *t = seen->trace;
	int known = t->nodes.at[node].cpus.n, n;
	struct trace_cpu *cpu = trace_fill_cpus(
		t->arena, &t->nodes.at[node], seen->top_cpu[node], &n);

	if (n == known)
		return;
	for (int i = known; i < n; i++)
		trace_add_cpu(t, node, cpu[i].index, cpu[i].phyid, t->path);
	inferred(seen, "ovni.loom_cpus",
		"loom %s has %d CPU%s, as its events name",
		t->nodes.at[node].name, t->nodes.at[node].cpus.n,
		text_plural((unsigned)t->nodes.at[node].cpus.n));
}

static bool
is_required(const struct trace *t, const char *model)
{
	for (int i = 0; i < t->requires.n; i++)
		if (strcmp(t->requires.at[i].model, model) == 0)
			return true;
	return false;
}

/* Adds a requirement, with the version that all tools of the format know. */
static void
require(struct trace *t, int thread, const struct model *m)
{
	trace_add_require(t, thread, m->name,
		m->old_version != NULL ? m->old_version : m->version, t->path);
}

/* Threads without requirements require all models of their events; the other
 * threads that did not finish require the models that no thread requires
 * yet. */
static void
add_model(struct seen *seen, const struct model *m)
{
	struct trace *t = seen->trace;
	bool lacks = !is_required(t, m->name);
	int before = t->requires.n;

	for (int i = 0; i < t->threads.n; i++) {
		int stream = t->threads.at[i].stream;

		if (stream == TRACE_NONE ||
			!seen->letter[stream][(unsigned char)m->id] ||
			!(seen->silent[i] ||
				(lacks && !t->threads.at[i].finished)))
			continue;
		require(t, i, m);
	}
	if (lacks && t->requires.n > before)
		inferred(seen, "ovni.require",
			"model %s is enabled, because its events occur",
			m->name);
}

static void
add_models(struct seen *seen)
{
	const struct trace *t = seen->trace;

	seen->silent = ARENA_ARRAY(t->arena, bool, t->threads.n);
	for (int i = 0; i < t->threads.n; i++)
		seen->silent[i] = !trace_has_requires(t, i);
	for (const struct model *const *m = models; *m != NULL; m++)
		add_model(seen, *m);
}

/* Returns the file to which inferred mark types are attributed: the last one
 * that declares any, so that all types keep their order when the repaired trace
 * is read. */
static const char *
mark_file(const struct seen *seen)
{
	const struct trace *t = seen->trace;
	const char *file = t->streams.at[seen->marker].meta;

	for (int i = 0; i < t->streams.n; i++)
		for (int j = 0; j < t->marks.n; j++)
			if (t->streams.at[i].meta != NULL &&
				strcmp(t->marks.at[j].file,
					t->streams.at[i].meta) == 0)
				file = t->streams.at[i].meta;
	return file != NULL ? file : t->path;
}

static void
add_marks(struct seen *seen)
{
	struct trace *t = seen->trace;
	const char *file = seen->marker < 0 ? NULL : mark_file(seen);

	for (int i = 0; i < MARK_TYPES; i++) {
		if (!seen->mark[i])
			continue;
		trace_add_mark(t, i, arena_printf(t->arena, "Mark %d", i),
			seen->stack[i], file)
			->inferred = true;
		inferred(seen, "ovni.mark", "mark type %d is a %s", i,
			seen->stack[i] ? "stack" : "single value");
	}
}

bool
infer_is_same(const struct trace *a, const struct trace *b)
{
	return a->streams.n == b->streams.n && a->nodes.n == b->nodes.n &&
		a->processes.n == b->processes.n &&
		a->threads.n == b->threads.n &&
		a->requires.n == b->requires.n && a->marks.n == b->marks.n;
}

void
infer_complete(struct source *source, const struct source_options *options)
{
	struct trace *t = &source->trace;
	struct seen seen = { .trace = t, .marker = -1 };
	struct arena arena = { 0 };
	struct findings findings;
	struct err err = { 0 };
	struct event ev;

	/* These findings were reported when the source was opened. */
	findings_init(&findings, &arena, 0);
	seen.letter =
		arena_array(&arena, (size_t)t->streams.n, sizeof *seen.letter);
	seen.top_cpu = ARENA_ARRAY(&arena, int64_t, t->nodes.n);
	for (int i = 0; i < t->nodes.n; i++)
		seen.top_cpu[i] = -1;
	seen.again = sources_open(&arena, t->path, options, &findings, &err);
	if (seen.again != NULL && infer_is_same(t, &seen.again->trace))
		while (source_next(seen.again, &ev) != SOURCE_END)
			note(&seen, &ev);
	for (int i = 0; i < t->nodes.n; i++)
		add_cpus(&seen, i);
	add_models(&seen);
	add_marks(&seen);
	infer_core(t);
	if (seen.again != NULL)
		source_close(seen.again);
	arena_fini(&arena);
}

void
infer_core(struct trace *t)
{
	for (int i = 0; i < t->threads.n && !t->by_cpu; i++)
		if (!trace_has_requires(t, i))
			require(t, i, &model_ovni);
}

static bool
is_finished(const struct trace *t, const struct trace_counters *c)
{
	return c->thread != TRACE_NONE && t->threads.at[c->thread].finished;
}

/* Returns true if the list of c is only the beginning of the list of d. */
static bool
is_start_of(const struct trace_counters *c, const struct trace_counters *d)
{
	bool starts = d->wrong == NULL && c->n < d->n &&
		strcmp(c->model, d->model) == 0;

	for (int i = 0; i < c->n && starts; i++)
		starts = strcmp(c->name[i], d->name[i]) == 0;
	return starts;
}

/* Returns the list that begins with the list of c, or NULL: one of a finished
 * thread, else the longest. */
static const struct trace_counters *
whole_list(const struct trace *t, const struct trace_counters *c)
{
	const struct trace_counters *best = NULL;

	for (int i = 0; i < t->counters.n; i++) {
		const struct trace_counters *d = &t->counters.at[i];

		if (!is_start_of(c, d))
			continue;
		if (is_finished(t, d))
			return d;
		if (best == NULL || d->n > best->n)
			best = d;
	}
	return best;
}

void
infer_counters(struct trace *t)
{
	for (int i = 0; i < t->counters.n; i++) {
		struct trace_counters *c = &t->counters.at[i];
		const struct trace_counters *whole;

		if (c->wrong != NULL || c->n == 0 || is_finished(t, c))
			continue;
		whole = whole_list(t, c);
		if (whole == NULL)
			continue;
		finding_add(t->findings,
			(struct finding){ .severity = FINDING_NOTE,
				.file = c->file,
				.key = arena_printf(
					t->arena, "%s.hwc", c->model),
				.offset = FINDING_NOWHERE,
				.time = FINDING_NEVER },
			"inferred: the thread has all %d hardware counters of "
			"%s",
			whole->n, whole->file);
		c->name = whole->name;
		c->n = whole->n;
		c->inferred = true;
	}
}
