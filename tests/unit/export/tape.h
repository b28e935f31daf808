/* SPDX-License-Identifier: MIT */
/*
 * tape.h - a sink that keeps every call as a line of text, and the rows, types
 * and labels that were declared.
 */
#ifndef WEFT_TEST_EXPORT_TAPE_H
#define WEFT_TEST_EXPORT_TAPE_H

#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/vec.h"
#include "export/sink.h"

enum tape_kind { TAPE_OTHER, TAPE_GAP, TAPE_STATE, TAPE_LINK, TAPE_LABEL };

/* A call, with the members that concern time. */
struct tape_call {
	enum tape_kind kind;
	const char *text; /* the call, as text */
	struct record state;
	struct link link;
	uint32_t type; /* type of a label */
	int64_t value;
	const char *label;
};

struct tape {
	struct sink base;
	struct arena a;
	VEC(struct tape_call) calls;
	VEC(struct row) rows;
	VEC(struct type) types;
	int64_t end; /* the last advance */
};

static inline struct tape_call *
tape_add(struct tape *t, enum tape_kind kind, const char *text)
{
	struct tape_call *c = VEC_ADD(&t->calls, &t->a);

	*c = (struct tape_call){ .kind = kind, .text = text };
	return c;
}

static inline const char *
tape_or(const char *text)
{
	return text == NULL ? "(null)" : text;
}

static void
tape_row(struct sink *s, const struct row *r)
{
	struct tape *t = (struct tape *)s;
	struct row copy = *r;

	copy.class = arena_strdup(&t->a, r->class);
	copy.name = arena_strdup(&t->a, r->name);
	copy.identity = NULL;
	VEC_PUSH(&t->rows, &t->a, copy);
	tape_add(t, TAPE_OTHER,
		arena_printf(&t->a, "row %u %u %s %s %s %" PRId64, r->id,
			r->parent, r->class, r->name,
			r->identity ? tape_or(r->identity->node) : "-",
			r->identity ? r->identity->tid : -1));
}

static void
tape_type(struct sink *s, const struct type *type)
{
	struct tape *t = (struct tape *)s;
	struct type copy = *type;

	copy.class = arena_strdup(&t->a, type->class);
	copy.key = arena_strdup(&t->a, type->key);
	copy.none = type->none ? arena_strdup(&t->a, type->none) : NULL;
	VEC_PUSH(&t->types, &t->a, copy);
	tape_add(t, TAPE_OTHER,
		arena_printf(&t->a, "type %u %s %s %s %s %" PRId64 " %d %d",
			type->id, type->class, type->key, tape_or(type->title),
			tape_or(type->none), type->number, (int)type->kind,
			type->stack));
}

static void
tape_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct tape *t = (struct tape *)s;
	struct tape_call *c = tape_add(t, TAPE_LABEL,
		arena_printf(&t->a, "label %u %" PRId64 " %s %d", type, value,
			text, (int)meaning));

	c->type = type;
	c->value = value;
	c->label = arena_strdup(&t->a, text);
}

static void
tape_state(struct sink *s, const struct record *r)
{
	struct tape *t = (struct tape *)s;
	uint64_t sum = 0;
	struct tape_call *c;

	for (uint32_t i = 0; r->stack != NULL && i < r->depth; i++)
		sum = (sum ^ (uint64_t)r->stack[i]) * UINT64_C(1099511628211);
	c = tape_add(t, TAPE_STATE,
		arena_printf(&t->a,
			"state %" PRId64 " %u %u %" PRId64 " %u %d %" PRIx64,
			r->time, r->row, r->type, r->value, r->depth,
			r->stack != NULL, sum));
	c->state = *r;
	c->state.stack = NULL;
}

static void
tape_link(struct sink *s, const struct link *l)
{
	struct tape *t = (struct tape *)s;
	struct tape_call *c = tape_add(t, TAPE_LINK,
		arena_printf(&t->a,
			"link %" PRId64 " %" PRId64 " %u %u %" PRId64
			" %" PRId64 " %" PRId64,
			l->from_time, l->to_time, l->from_row, l->to_row,
			l->kind, l->id, l->bytes));

	c->link = *l;
	c->state.time = l->from_time;
}

static void
tape_advance(struct sink *s, int64_t time)
{
	((struct tape *)s)->end = time;
}

static void
tape_panel(struct sink *s, const struct panel *p)
{
	struct tape *t = (struct tape *)s;

	tape_add(t, TAPE_OTHER,
		arena_printf(&t->a, "panel %s %s %s %d %d %u", p->class, p->key,
			p->title, p->ntypes, p->apart, p->types[0]));
}

static void
tape_rename(struct sink *s, uint32_t row, const char *name)
{
	struct tape *t = (struct tape *)s;

	t->rows.at[row].name = arena_strdup(&t->a, name);
	tape_add(t, TAPE_OTHER, arena_printf(&t->a, "rename %u %s", row, name));
}

static void
tape_link_kind(struct sink *s, const struct link_kind *k)
{
	struct tape *t = (struct tape *)s;

	tape_add(t, TAPE_OTHER,
		arena_printf(&t->a, "kind %" PRId64 " %s %d", k->kind, k->name,
			(int)k->meaning));
}

static void
tape_gap(struct sink *s, const struct gap *g)
{
	struct tape *t = (struct tape *)s;
	struct tape_call *c = tape_add(t, TAPE_GAP,
		arena_printf(&t->a,
			"gap %" PRId64 " %" PRId64 " %u %" PRIu64 " %s",
			g->from, g->to, g->row, g->events, tape_or(g->why)));

	c->state.time = g->from;
	c->state.row = g->row;
}

static void
tape_finding(struct sink *s, const struct sink_finding *f)
{
	struct tape *t = (struct tape *)s;

	tape_add(t, TAPE_OTHER,
		arena_printf(&t->a, "finding %d %" PRId64 " %u %s",
			(int)f->severity, f->time, f->row, f->text));
}

static bool
tape_close(struct sink *s, struct err *err)
{
	(void)s;
	(void)err;
	return true;
}

static const struct sink_ops tape_ops = {
	.name = "tape",
	.help = "keeps all calls",
	.row = tape_row,
	.type = tape_type,
	.label = tape_label,
	.state = tape_state,
	.link = tape_link,
	.advance = tape_advance,
	.close = tape_close,
	.panel = tape_panel,
	.rename = tape_rename,
	.link_kind = tape_link_kind,
	.gap = tape_gap,
	.finding = tape_finding,
};

#define TAPE \
	{ \
		.base = {.ops = &tape_ops, .takes_stacks = true } \
	}

#endif
