/* SPDX-License-Identifier: MIT */
#include "trace/text/parse.h"

#define CLASSES_MAX 65536 /* a line of 8 bytes costs 300 */

#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/err.h"
#include "trace/text/declare.h"
#include "trace/trace.h"

/* The arguments of an event line. */
struct args {
	struct field field[PARSE_ARGS];
	union value value[PARSE_ARGS];
	int n;
	bool raw;
};

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
		return lex_expect_end(&p->lex, "nothing after the raw payload");
	while (!lex_end(l))
		if (!read_arg(p, args))
			return false;
	return true;
}

/* Returns a text that identifies the class. Its parts are separated by bytes 1
 * to 4, which no word contains. */
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

	if (!lex_word(&p->lex, "the name of a thread", &p->line, &name))
		return false;
	*stream = intern_find(&p->streams, name);
	if (*stream != INTERN_NONE)
		return true;
	p->lex.at = start;
	return lex_fail(&p->lex, "expected a thread declared above");
}

/* Takes "6Yc+": the name without the + of a jumbo. */
static bool
take_class_name(struct parse *p, char **name, bool *jumbo)
{
	const char *start = p->lex.at;
	const char *word;
	size_t n;

	if (!lex_word(&p->lex, "the name of an event", &p->line, &word))
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
	if (ev->class == CLASSES_MAX)
		return lex_fail(&p->lex, "expected at most %d kinds of events",
			CLASSES_MAX);
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
	struct parse_position place = { 0,
		(uint32_t)(p->lex.line - p->lex.text),
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
		return declare_node(p);
	if (lex_keyword(l, "process"))
		return declare_process(p);
	if (lex_keyword(l, "thread"))
		return declare_thread(p);
	if (lex_keyword(l, "mark"))
		return declare_mark(p);
	if (lex_keyword(l, "lost"))
		return declare_lost(p);
	if (lex_keyword(l, "counters"))
		return declare_counters(p);
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
	p->lex.err = NULL; /* the first pass has checked everything */
	return true;
}

void
parse_event(
	struct parse *p, const struct parse_position *place, struct event *ev)
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
