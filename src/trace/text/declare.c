/* SPDX-License-Identifier: MIT */
#include "trace/text/declare.h"

#define THREADS_MAX 65536 /* a line of 12 bytes costs a kilobyte */

#include "trace/text/parse_state.h"
#include "trace/trace.h"

static bool
take_new_name(struct parse *p, const struct intern *known, const char *what,
	const char **out)
{
	const char *start = p->lex.at;

	if (!lex_word(&p->lex, what, &p->line, out))
		return false;
	if (intern_find(known, *out) == INTERN_NONE)
		return true;
	p->lex.at = start;
	return lex_fail(&p->lex, "expected a new name, %s is known", *out);
}

/* Adds a node; its number here and in the trace is the same. */
static int
add_node(struct parse *p, const char *name)
{
	intern_add(&p->nodes, name);
	return trace_add_node(p->trace, name);
}

static int
last_node(struct parse *p)
{
	struct trace *t = p->trace;

	if (t->nodes.n == 0) {
		int node = add_node(p, "node");

		p->default_node = true;
		trace_add_cpu(t, node, 0, 0, p->lex.file);
		trace_add_cpu(t, node, 1, 1, p->lex.file);
	}
	return t->nodes.n - 1;
}

static int
last_process(struct parse *p)
{
	struct trace *t = p->trace;

	if (t->processes.n == 0) {
		int process =
			trace_add_process(t, last_node(p), 1, p->lex.file);

		p->default_process = true;
		trace_set_app(t, process, 1, p->lex.file);
	}
	return t->processes.n - 1;
}

bool
declare_node(struct parse *p)
{
	struct lex *l = &p->lex;
	struct trace *t = p->trace;
	const char *name;
	int node;

	if (p->default_node)
		return lex_fail(
			l, "expected no node: the default node is in use");
	if (!take_new_name(p, &p->nodes, "the name of the node", &name))
		return false;
	node = add_node(p, name);
	while (!lex_end(l)) {
		int64_t index, phyid;

		if (!lex_int_part(l, "the index of a CPU", &index))
			return false;
		if (!lex_byte(l, ':'))
			return lex_fail(l, "expected : and a CPU's phyid");
		if (!lex_int(l, "the phyid of a CPU", &phyid))
			return false;
		trace_add_cpu(t, node, index, phyid, l->file);
	}
	return true;
}

static bool
take_node(struct parse *p, int *node)
{
	struct lex *l = &p->lex;
	const char *start = l->at;
	const char *name;
	uint32_t id;

	if (!lex_word(&p->lex, "the name of a node", &p->line, &name))
		return false;
	id = intern_find(&p->nodes, name);
	if (id == INTERN_NONE) {
		l->at = start;
		return lex_fail(l, "expected a node declared above");
	}
	*node = (int)id;
	return true;
}

static bool
take_rank(struct parse *p, int64_t *rank, int64_t *nranks)
{
	struct lex *l = &p->lex;

	if (!lex_int_part(l, "a rank", rank))
		return false;
	if (!lex_byte(l, '/'))
		return lex_fail(l, "expected / and the number of ranks");
	return lex_int(l, "the number of ranks", nranks);
}

bool
declare_process(struct parse *p)
{
	struct lex *l = &p->lex;
	struct trace *t = p->trace;
	int64_t pid, app = 1, rank = 0, nranks = 0;
	int node = TRACE_NONE, process;
	bool ranked = false;

	if (p->default_process)
		return lex_fail(l,
			"expected no process: the default process is in use");
	if (!lex_int(l, "a pid", &pid))
		return false;
	if (lex_keyword(l, "node") && !take_node(p, &node))
		return false;
	if (lex_keyword(l, "app") && !lex_int(l, "an application id", &app))
		return false;
	if (lex_keyword(l, "rank")) {
		ranked = true;
		if (!take_rank(p, &rank, &nranks))
			return false;
	}
	if (!lex_expect_end(&p->lex, "node, app, rank or the end of the line"))
		return false;
	process = trace_add_process(
		t, node == TRACE_NONE ? last_node(p) : node, pid, l->file);
	trace_set_app(t, process, app, l->file);
	if (ranked)
		trace_set_rank(t, process, rank, nranks, l->file);
	return true;
}

static bool
take_process(struct parse *p, int *process)
{
	const struct trace *t = p->trace;
	const char *start = p->lex.at;
	int64_t pid;

	if (!lex_int(&p->lex, "a pid", &pid))
		return false;
	for (int i = t->processes.n - 1; i >= 0; i--) {
		if (t->processes.at[i].pid == pid) {
			*process = i;
			return true;
		}
	}
	p->lex.at = start;
	return lex_fail(&p->lex, "expected a process declared above");
}

static bool
read_requires(struct parse *p, int thread)
{
	while (lex_keyword(&p->lex, "require")) {
		const char *model, *version;

		if (!lex_word(
			    &p->lex, "the name of a model", &p->line, &model) ||
			!lex_word(&p->lex, "the version of the model", &p->line,
				&version))
			return false;
		if (thread != TRACE_NONE)
			trace_add_require(
				p->trace, thread, model, version, p->lex.file);
	}
	return true;
}

/* Adds a stream that stands for the thread's own file. */
static int
add_stream(struct parse *p, const char *name)
{
	struct trace *t = p->trace;

	intern_add(&p->streams, name);
	VEC_PUSH(&p->last, t->arena, 0);
	VEC_PUSH(&t->streams, t->arena,
		((struct stream){ .file = p->lex.file,
			.name = arena_strdup(t->arena, name),
			.thread = TRACE_NONE }));
	return t->streams.n - 1;
}

bool
declare_thread(struct parse *p)
{
	struct lex *l = &p->lex;
	struct trace *t = p->trace;
	int64_t tid = t->streams.n + 1;
	int process = TRACE_NONE, stream, thread;
	const char *name;

	if (t->streams.n == THREADS_MAX)
		return lex_fail(l, "expected at most %d threads", THREADS_MAX);
	if (!take_new_name(p, &p->streams, "the name of the thread", &name))
		return false;
	if (lex_keyword(l, "tid") && !lex_int(l, "a tid", &tid))
		return false;
	if (lex_keyword(l, "process") && !take_process(p, &process))
		return false;
	if (process == TRACE_NONE)
		process = last_process(p);
	stream = add_stream(p, name);
	thread = trace_add_thread(t, process, tid, stream);
	t->streams.at[stream].thread = thread;
	if (!read_requires(p, thread))
		return false;
	if (thread != TRACE_NONE)
		t->threads.at[thread].finished = !lex_keyword(l, "killed");
	if (thread != TRACE_NONE)
		t->threads.at[thread].can_breakdown =
			lex_keyword(l, "no-breakdown") ? TRACE_SAID_NO
						       : TRACE_SAID_YES;
	return lex_expect_end(&p->lex,
		"tid, process, require, killed, no-breakdown or the end of "
		"the line");
}

bool
declare_mark(struct parse *p)
{
	struct lex *l = &p->lex;
	struct trace_mark *mark;
	const char *title;
	int64_t type;
	bool stack;

	if (!lex_int(l, "the type of a mark", &type))
		return false;
	stack = lex_keyword(l, "stack");
	if (!stack && !lex_keyword(l, "single"))
		return lex_fail(l, "expected single or stack");
	if (!lex_string(l, "the title of the mark in quotes", &p->line, &title))
		return false;
	mark = trace_add_mark(p->trace, type, title, stack, l->file);
	while (!lex_end(l)) {
		const char *label;
		int64_t value;

		if (!lex_int(l, "a value of the mark", &value) ||
			!lex_string(l, "its label in quotes", &p->line, &label))
			return false;
		if (mark != NULL)
			trace_add_mark_label(
				p->trace, mark, value, label, l->file);
	}
	return true;
}

/* Reads the name of a thread declared above, and finds its stream. */
static bool
take_stream(struct parse *p, int *stream)
{
	const char *start = p->lex.at, *name;
	uint32_t id;

	if (!lex_word(&p->lex, "the name of a thread", &p->line, &name))
		return false;
	id = intern_find(&p->streams, name);
	if (id == INTERN_NONE) {
		p->lex.at = start;
		return lex_fail(&p->lex, "expected a thread declared above");
	}
	*stream = (int)id;
	return true;
}

bool
declare_lost(struct parse *p)
{
	struct lex *l = &p->lex;
	struct trace_lost lost = { 0 };
	const char *start;
	int stream = 0;

	if (!take_stream(p, &stream) ||
		!lex_int(l, "the time of the first event lost", &lost.from))
		return false;
	start = l->at;
	if (!lex_int(l, "the time of the last event lost", &lost.to))
		return false;
	if (lost.to < lost.from) {
		l->at = start;
		return lex_fail(
			l, "expected a time that is not before the first");
	}
	start = l->at;
	if (!lex_int(l, "the number of events lost", &lost.count))
		return false;
	if (lost.count < 1) {
		l->at = start;
		return lex_fail(l, "expected one event or more");
	}
	trace_add_lost(p->trace, stream, lost);
	return lex_expect_end(l, "the end of the line");
}

bool
declare_counters(struct parse *p)
{
	struct trace *t = p->trace;
	struct trace_counters c = { .file = p->lex.file };
	VEC(const char *) names = { 0 };
	const char *name;
	int stream = 0;

	c.model = "nosv";
	if (!take_stream(p, &stream))
		return false;
	if (lex_keyword(&p->lex, "model") &&
		!lex_word(&p->lex, "the name of a model", t->arena, &c.model))
		return false;
	while (!lex_end(&p->lex)) {
		if (!lex_string(&p->lex, "the name of a counter in quotes",
			    t->arena, &name))
			return false;
		VEC_PUSH(&names, t->arena, name);
	}
	c.thread = t->streams.at[stream].thread;
	c.name = names.at;
	c.n = names.n;
	VEC_PUSH(&t->counters, t->arena, c);
	return true;
}
