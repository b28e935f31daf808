/* SPDX-License-Identifier: MIT */
#include "trace/text/parse.h"

#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/err.h"
#include "trace/trace.h"

#define NAME_MAX_BYTES 4096 /* of a thread, an event, a model... */

/* The arguments of an event line as they are read. */
struct args {
	struct field field[PARSE_ARGS];
	union value value[PARSE_ARGS];
	int n;
	bool raw;
};

static bool
take_name(struct parse *p, const char *what, const char **out)
{
	const char *start = p->lex.at;

	if (!lex_word(&p->lex, what, &p->line, out))
		return false;
	if (strlen(*out) <= NAME_MAX_BYTES)
		return true;
	p->lex.at = start;
	return lex_fail(&p->lex, "longer than %d bytes", NAME_MAX_BYTES);
}

static bool
take_new_name(struct parse *p, const struct intern *known, const char *what,
	const char **out)
{
	const char *start = p->lex.at;

	if (!take_name(p, what, out))
		return false;
	if (intern_find(known, *out) == INTERN_NONE)
		return true;
	p->lex.at = start;
	return lex_fail(&p->lex, "expected a new name, %s is known", *out);
}

static bool
expect_end(struct parse *p, const char *what)
{
	return lex_end(&p->lex) || lex_fail(&p->lex, "expected %s", what);
}

/* Nodes are numbered in the order of the names, here and in the trace. */
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

static bool
read_node(struct parse *p)
{
	struct lex *l = &p->lex;
	struct trace *t = p->trace;
	const char *name;
	int node;

	if (p->default_node)
		return lex_fail(l, "expected no node, the default one is used");
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

	if (!take_name(p, "the name of a node", &name))
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

static bool
read_process(struct parse *p)
{
	struct lex *l = &p->lex;
	struct trace *t = p->trace;
	int64_t pid, app = 1, rank = 0, nranks = 0;
	int node = TRACE_NONE, process;
	bool ranked = false;

	if (p->default_process)
		return lex_fail(
			l, "expected no process, the default one is used");
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
	if (!expect_end(p, "node, app, rank or the end of the line"))
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

		if (!take_name(p, "the name of a model", &model) ||
			!take_name(p, "the version of the model", &version))
			return false;
		if (thread != TRACE_NONE)
			trace_add_require(
				p->trace, thread, model, version, p->lex.file);
	}
	return true;
}

/* The stream that stands for the thread's file. */
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

static bool
read_thread(struct parse *p)
{
	struct lex *l = &p->lex;
	struct trace *t = p->trace;
	int64_t tid = t->streams.n + 1;
	int process = TRACE_NONE, stream, thread;
	const char *name;

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
	return expect_end(
		p, "tid, process, require, killed or the end of the line");
}

static bool
read_mark(struct parse *p)
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

static bool
read_arg(struct parse *p, struct args *args)
{
	struct lex *l = &p->lex;
	struct field *field = &args->field[args->n];
	union value *value = &args->value[args->n];

	if (args->n == PARSE_ARGS)
		return lex_fail(l, "expected at most %d arguments", PARSE_ARGS);
	field->name = lex_assign(l, &p->line);
	args->n++;
	if (lex_is(l, '"')) {
		field->type = FIELD_STR;
		return lex_string(l, "a string", &p->line, &value->s);
	}
	field->type = FIELD_I64;
	return lex_int(l, "a number, a string or :raw:bytes", &value->i);
}

static bool
read_args(struct parse *p, struct args *args, struct event *ev)
{
	struct lex *l = &p->lex;

	args->n = 0;
	args->raw = lex_is(l, ':');
	if (args->raw && !lex_raw(l, &p->line, &ev->data, &ev->size))
		return false;
	if (args->raw)
		return expect_end(p, "nothing after the raw payload");
	while (!lex_end(l))
		if (!read_arg(p, args))
			return false;
	return true;
}

/* No word has bytes 1 to 4, so they can keep the parts apart. */
static const char *
class_text(
	struct parse *p, const char *name, bool jumbo, const struct args *args)
{
	size_t room = strlen(name) + 3, n;
	char *text;

	for (int i = 0; i < args->n; i++)
		room += 1 +
			(args->field[i].name ? strlen(args->field[i].name) : 0);
	text = arena_alloc(&p->line, room);
	n = (size_t)snprintf(
		text, room, "%s%c%c", name, jumbo ? 2 : 1, args->raw ? 2 : 1);
	for (int i = 0; i < args->n; i++) {
		const struct field *f = &args->field[i];

		n += (size_t)snprintf(text + n, room - n, "%c%s",
			f->type == FIELD_STR ? 4 : 3,
			f->name != NULL ? f->name : "");
	}
	return text;
}

static struct field *
copy_fields(struct arena *a, const struct args *args)
{
	struct field *to = ARENA_ARRAY(a, struct field, args->n);

	for (int i = 0; i < args->n; i++) {
		to[i] = args->field[i];
		if (to[i].name != NULL)
			to[i].name = arena_strdup(a, to[i].name);
	}
	return to;
}

static uint32_t
find_class(
	struct parse *p, const char *name, bool jumbo, const struct args *args)
{
	struct trace *t = p->trace;
	uint32_t class =
		intern_add(&p->classes, class_text(p, name, jumbo, args));

	if (class < (uint32_t)t->classes.n)
		return class;
	return trace_add_class(t,
		(struct event_class){ .name = arena_strdup(t->arena, name),
			.jumbo = jumbo,
			.described = !args->raw,
			.nfields = args->n,
			.field = copy_fields(t->arena, args) });
}

static bool
take_thread(struct parse *p, uint32_t *stream)
{
	const char *start = p->lex.at;
	const char *name;

	if (!take_name(p, "the name of a thread", &name))
		return false;
	*stream = intern_find(&p->streams, name);
	if (*stream != INTERN_NONE)
		return true;
	p->lex.at = start;
	return lex_fail(&p->lex, "expected a thread declared above");
}

/* "6Yc+": the name without the mark of a jumbo. */
static bool
take_class_name(struct parse *p, char **name, bool *jumbo)
{
	const char *start = p->lex.at;
	const char *word;
	size_t n;

	if (!take_name(p, "the name of an event", &word))
		return false;
	n = strlen(word);
	*jumbo = word[n - 1] == '+';
	*name = arena_strndup(&p->line, word, *jumbo ? n - 1 : n);
	if (**name != '\0')
		return true;
	p->lex.at = start;
	return lex_fail(&p->lex, "expected a name before +");
}

static bool
read_event(struct parse *p, struct event *ev)
{
	struct args args;
	union value *value;
	char *name;
	bool jumbo;

	*ev = (struct event){ .data = (const uint8_t *)"",
		.offset = p->lex.number };
	if (!lex_int(&p->lex, "a time", &ev->time))
		return false;
	if (!take_thread(p, &ev->stream) ||
		!take_class_name(p, &name, &jumbo) || !read_args(p, &args, ev))
		return false;
	ev->class = find_class(p, name, jumbo, &args);
	if (args.raw)
		return true;
	value = ARENA_ARRAY(&p->line, union value, args.n);
	if (args.n > 0)
		memcpy(value, args.value, (size_t)args.n * sizeof *value);
	ev->value = value;
	return true;
}

static void
finding_back(struct parse *p, const struct event *ev, int64_t last)
{
	const struct trace *t = p->trace;
	char where[80];

	snprintf(where, sizeof where, "thread %s",
		t->streams.at[ev->stream].name);
	finding_add(t->findings,
		(struct finding){ .severity = FINDING_ERROR,
			.file = p->lex.file,
			.where = where,
			.offset = ev->offset,
			.by_line = true,
			.time = FINDING_NEVER },
		"clock goes backwards %lld -> %lld", (long long)last,
		(long long)ev->time);
}

static bool
add_event(struct parse *p)
{
	struct parse_place place = { 0, (uint32_t)(p->lex.line - p->lex.text),
		(uint32_t)p->lex.number };
	struct event ev;
	int64_t *last;

	if (!read_event(p, &ev))
		return false;
	last = &p->last.at[ev.stream];
	if (ev.time < *last)
		finding_back(p, &ev, *last);
	else
		*last = ev.time;
	place.time = *last;
	VEC_PUSH(&p->places, p->trace->arena, place);
	return true;
}

static bool
skip_expect(struct parse *p)
{
	while (lex_line(&p->lex) && !lex_blank(&p->lex))
		;
	return true;
}

static bool
read_statement(struct parse *p)
{
	struct lex *l = &p->lex;

	if (lex_is_number(l))
		return add_event(p);
	if (lex_keyword(l, "expect"))
		return skip_expect(p);
	if (lex_keyword(l, "node"))
		return read_node(p);
	if (lex_keyword(l, "process"))
		return read_process(p);
	if (lex_keyword(l, "thread"))
		return read_thread(p);
	if (lex_keyword(l, "mark"))
		return read_mark(p);
	return lex_fail(
		l, "expected node, process, thread, mark, expect or a time");
}

bool
parse_file(struct parse *p, struct trace *t, const char *file, const char *text,
	size_t size, struct err *err)
{
	*p = (struct parse){ .trace = t };
	lex_init(&p->lex, file, text, size, err);
	intern_init(&p->nodes, t->arena);
	intern_init(&p->streams, t->arena);
	intern_init(&p->classes, t->arena);
	while (lex_line(&p->lex)) {
		arena_reset(&p->line);
		if (!lex_end(&p->lex) && !read_statement(p))
			return false;
	}
	p->lex.err = NULL; /* what is read again was checked here */
	return true;
}

void
parse_event(struct parse *p, const struct parse_place *place, struct event *ev)
{
	struct err err = { 0 };
	bool ok;

	arena_reset(&p->line);
	lex_seek(&p->lex, place->at, place->line);
	p->lex.err = &err;
	ok = read_event(p, ev);
	BUG_ON(!ok);
	ev->time = place->time;
}

void
parse_fini(struct parse *p)
{
	arena_fini(&p->line);
}
