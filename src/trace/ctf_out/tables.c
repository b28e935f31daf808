/* SPDX-License-Identifier: MIT */
/* The tables of a trace without parts: a JSON document about the whole, then
 * one for each stream, as in stream.json of ovni. */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/document.h"
#include "base/wrap.h"
#include "trace/clock.h"
#include "trace/ctf_out/out.h"
#include "trace/obs/wire.h"

/* By thread, the entries of a table: 1 + index of the first one; by entry, of
 * the next one of its thread. 0: none. */
struct chain {
	int *first, *next;
};

/* What was appended so far, and what belongs to each thread. */
struct tables {
	struct doc doc;
	const struct trace *trace;
	bool is_part, has_own_clocks;
	bool *node, *process; /* by index: appended */
	/* By thread: its requires, and its counters. */
	struct chain requires, counters;
};

/* Adds entries from the last one to the first. */
static void
link_entry(struct chain *c, int i, int thread)
{
	c->next[i] = c->first[thread];
	c->first[thread] = i + 1;
}

static void
link_entries(struct tables *b)
{
	const struct trace *t = b->trace;
	struct arena *a = t->arena;

	b->requires.first = ARENA_ARRAY(a, int, t->threads.n);
	b->requires.next = ARENA_ARRAY(a, int, t->requires.n);
	for (int i = t->requires.n - 1; i >= 0; i--)
		link_entry(&b->requires, i, t->requires.at[i].thread);
	b->counters.first = ARENA_ARRAY(a, int, t->threads.n);
	b->counters.next = ARENA_ARRAY(a, int, t->counters.n);
	for (int i = t->counters.n - 1; i >= 0; i--)
		link_entry(&b->counters, i, t->counters.at[i].thread);
}

static void
put_known(struct doc *d, const char *key, int64_t value)
{
	if (value != TRACE_UNKNOWN)
		doc_i64(d, key, value);
}

/* Returns true if times are those of CLOCK_MONOTONIC of the nodes, without a
 * correction by a table. */
static bool
has_own_clocks(const struct trace *t)
{
	bool own = t->by_monotonic;

	for (int i = 0; i < t->nodes.n; i++) {
		const struct trace_node *n = &t->nodes.at[i];

		own = own && n->line.points.n == 0 &&
			(n->boot != NULL || n->clock_offset == 0);
	}
	return own;
}

/* Appends the boot of a process. Between time namespaces, times are those of
 * the first node. */
static void
put_clocks(struct doc *d, const struct trace_node *n)
{
	if (n->boot == NULL)
		return;
	doc_begin(d, "clocks", '{');
	doc_word(d, "boot", n->boot);
	doc_i64(d, "timens", wrap_plus(n->timens, n->clock_offset));
	doc_end(d, '}');
}

static void
put_whole(struct doc *d, const struct trace *t, bool own_clocks)
{
	doc_begin(d, NULL, '{');
	doc_word(d, "format", ctf_out_source(t));
	put_known(d, "start", t->start);
	put_known(d, "start_realtime", t->start_realtime);
	put_known(d, "start_monotonic", t->start_monotonic);
	if (own_clocks)
		doc_i64(d, "monotonic", 1);
	doc_end(d, '}');
}

/* Appends the CPUs of a node to the document of its first thread. */
static void
put_cpus(struct doc *d, const struct trace_node *n)
{
	if (n->cpus.n == 0)
		return;
	doc_begin(d, "loom_cpus", '[');
	for (int i = 0; i < n->cpus.n; i++) {
		doc_begin(d, NULL, '{');
		doc_i64(d, "index", n->cpus.at[i].index);
		doc_i64(d, "phyid", n->cpus.at[i].phyid);
		doc_end(d, '}');
	}
	doc_end(d, ']');
}

static void
put_requires(struct tables *b, int thread)
{
	const struct trace *t = b->trace;
	int i = b->requires.first[thread];

	if (i == 0 && !t->threads.at[thread].finished)
		return;
	doc_begin(&b->doc, "require", '{');
	for (; i > 0; i = b->requires.next[i - 1])
		doc_word(&b->doc, t->requires.at[i - 1].model,
			t->requires.at[i - 1].version);
	doc_end(&b->doc, '}');
}

static const char *
number(struct arena *a, int64_t value)
{
	return arena_printf(a, "%" PRId64, value);
}

static void
put_mark(struct doc *d, struct arena *a, const struct trace_mark *m)
{
	doc_begin(d, number(a, m->type), '{');
	doc_word(d, "title", m->title);
	doc_word(d, "chan_type", m->stack ? "stack" : "single");
	doc_begin(d, "labels", '{');
	for (int i = 0; i < m->labels.n; i++)
		doc_word(d, number(a, m->labels.at[i].value),
			m->labels.at[i].text);
	doc_end(d, '}');
	doc_end(d, '}');
}

static void
put_marks(struct doc *d, const struct trace *t)
{
	if (t->marks.n == 0)
		return;
	doc_begin(d, "mark", '{');
	for (int i = 0; i < t->marks.n; i++)
		put_mark(d, t->arena, &t->marks.at[i]);
	doc_end(d, '}');
}

static void
put_process(struct doc *d, const struct trace_process *p)
{
	doc_i64(d, "pid", p->pid);
	if (p->app_id > 0)
		doc_i64(d, "app_id", p->app_id);
	if (p->rank == TRACE_NONE)
		return;
	doc_i64(d, "rank", p->rank);
	doc_i64(d, "nranks", p->nranks);
}

/* Appends version and commit of the library: "1.14.0 commit x". */
static void
put_library(struct doc *d, const struct trace *t)
{
	const char *lib = t->lib != NULL ? t->lib : "? commit ?";
	const char *commit = strstr(lib, " commit ");

	doc_begin(d, "lib", '{');
	doc_text(d, "version", lib,
		commit != NULL ? (size_t)(commit - lib) : strlen(lib));
	doc_word(d, "commit", commit != NULL ? commit + 8 : "?");
	doc_end(d, '}');
}

static void
put_ovni(struct tables *b, int thread)
{
	const struct trace *t = b->trace;
	const struct trace_thread *th = &t->threads.at[thread];
	const struct trace_process *p = &t->processes.at[th->process];
	struct doc *d = &b->doc;

	doc_begin(d, "ovni", '{');
	doc_word(d, "part", "thread");
	put_library(d, t);
	doc_word(d, "loom", t->nodes.at[p->node].name);
	put_process(d, p);
	doc_i64(d, "tid", th->tid);
	if (!b->node[p->node])
		put_cpus(d, &t->nodes.at[p->node]);
	b->node[p->node] = true;
	put_requires(b, thread);
	if (thread == 0)
		put_marks(d, t);
	if (th->finished && !b->is_part)
		doc_i64(d, "finished", 1);
	doc_end(d, '}');
}

/* Appends the counters of a thread: an object for each model. What the model
 * nosv says about breakdowns is in its object. */
static void
put_counters(struct tables *b, int thread)
{
	const struct trace *t = b->trace;
	struct doc *d = &b->doc;
	enum trace_said can = t->threads.at[thread].can_breakdown;
	bool said = can == TRACE_UNSAID;

	for (int i = b->counters.first[thread]; i > 0;
		i = b->counters.next[i - 1]) {
		const struct trace_counters *k = &t->counters.at[i - 1];

		if (k->wrong != NULL || k->inferred)
			continue;
		doc_begin(d, k->model, '{');
		doc_begin(d, "hwc", '{');
		for (int j = 0; j < k->n; j++) {
			doc_begin(d, number(t->arena, j), '{');
			doc_word(d, "name", k->name[j]);
			doc_end(d, '}');
		}
		doc_end(d, '}');
		if (!said && strcmp(k->model, "nosv") == 0) {
			doc_bare(d, "can_breakdown",
				can == TRACE_SAID_YES ? "true" : "false");
			said = true;
		}
		doc_end(d, '}');
	}
	if (said)
		return;
	doc_begin(d, "nosv", '{');
	doc_bare(d, "can_breakdown", can == TRACE_SAID_YES ? "true" : "false");
	doc_end(d, '}');
}

/* Appends the suspensions, with times of events. */
static void
put_suspended(
	struct doc *d, const struct trace *t, const struct trace_process *p)
{
	const struct trace_node *n = &t->nodes.at[p->node];

	if (p->suspended.n == 0)
		return;
	doc_begin(d, "suspended", '[');
	for (int i = 0; i < p->suspended.n; i++) {
		doc_begin(d, NULL, '[');
		doc_i64(d, NULL, clock_time(n, p->suspended.at[i].from));
		doc_i64(d, NULL, clock_time(n, p->suspended.at[i].to));
		doc_i64(d, NULL, p->suspended.at[i].ns);
		doc_end(d, ']');
	}
	doc_end(d, ']');
}

/* Appends the intervals of lost events, as times of events. Emulation needs
 * them before it reads the events. */
static void
put_lost(struct doc *d, const struct trace *t, const struct stream *s)
{
	const struct trace_node *n = trace_node_of(t, s->thread);

	if (s->lost.n == 0)
		return;
	doc_begin(d, "lost", '[');
	for (int i = 0; i < s->lost.n; i++) {
		const struct trace_lost *l = &s->lost.at[i];

		doc_begin(d, NULL, '[');
		doc_i64(d, NULL, clock_time(n, l->from));
		doc_i64(d, NULL, clock_time(n, l->to));
		doc_i64(d, NULL, l->count);
		if (l->is_limited)
			doc_word(d, NULL, "limit");
		doc_end(d, ']');
	}
	doc_end(d, ']');
}

/* Appends what our recorder says of a stream and, once, of its process. */
static void
put_weft(struct tables *b, const struct stream *s)
{
	const struct trace_thread *th = &b->trace->threads.at[s->thread];
	int process = th->process;
	struct doc *d = &b->doc;

	doc_begin(d, "weft", '{');
	if (th->image != NULL)
		doc_word(d, "exec", th->image);
	if (s->cut)
		doc_i64(d, "cut", 1);
	if (s->switches)
		doc_i64(d, "switches", 1);
	if (s->overwritten > 0)
		doc_i64(d, "overwritten", s->overwritten);
	put_lost(d, b->trace, s);
	if (!b->process[process]) {
		const struct trace_process *p =
			&b->trace->processes.at[process];

		if (b->has_own_clocks)
			put_clocks(d, &b->trace->nodes.at[p->node]);
		put_suspended(d, b->trace, p);
	}
	b->process[process] = true;
	doc_end(d, '}');
}

static void
put_stream(struct tables *b, const struct stream *s)
{
	struct doc *d = &b->doc;

	doc_begin(d, NULL, '{');
	doc_word(d, "name", s->name);
	doc_i64(d, "version", OBS_METADATA_VERSION);
	if (s->thread != TRACE_NONE) {
		put_ovni(b, s->thread);
		put_counters(b, s->thread);
		put_weft(b, s);
	}
	doc_end(d, '}');
}

const char *
ctf_out_tables(struct ctf_out *c)
{
	static const char separator[] = { CTF_OUT_SEPARATOR };
	const struct trace *t = c->trace;
	struct tables b = { .trace = t,
		.is_part = c->is_part,
		.node = ARENA_ARRAY(c->arena, bool, t->nodes.n),
		.process = ARENA_ARRAY(c->arena, bool, t->processes.n) };
	struct out *o = &b.doc.out;
	const char *text;

	link_entries(&b);
	doc_open_memory(&b.doc);
	b.has_own_clocks = has_own_clocks(t);
	put_whole(&b.doc, t, b.has_own_clocks);
	for (int i = 0; i < t->streams.n; i++) {
		out_put(o, separator, 1);
		put_stream(&b, &t->streams.at[i]);
	}
	for (int i = 0; i < t->nodes.n; i++)
		c->ncorrected += t->nodes.at[i].clock_how != NULL;
	text = arena_strndup(c->arena, o->buf, (size_t)(o->at - o->buf));
	mem_free(o->buf);
	return text;
}
