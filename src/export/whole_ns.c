/* SPDX-License-Identifier: MIT */
#include "export/whole_ns.h"

#include <string.h>

#include "base/arena.h"

#define PS_PER_NS 1000

struct whole_ns {
	struct sink base;
	struct sink *next;
	uint64_t *rounded; /* borrowed */
};

static struct sink *
next(struct sink *s)
{
	return ((struct whole_ns *)s)->next;
}

static int64_t
ns_of(struct sink *s, int64_t ps)
{
	*((struct whole_ns *)s)->rounded += ps % PS_PER_NS != 0;
	return ps / PS_PER_NS;
}

static void
ns_row(struct sink *s, const struct row *row)
{
	sink_row(next(s), row);
}

static void
ns_type(struct sink *s, const struct type *type)
{
	sink_type(next(s), type);
}

static void
ns_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	sink_label(next(s), type, value, text, meaning);
}

static void
ns_panel(struct sink *s, const struct panel *panel)
{
	sink_panel(next(s), panel);
}

static void
ns_rename(struct sink *s, uint32_t row, const char *name)
{
	sink_rename(next(s), row, name);
}

static void
ns_link_kind(struct sink *s, const struct link_kind *kind)
{
	sink_link_kind(next(s), kind);
}

static void
ns_state(struct sink *s, const struct record *r)
{
	struct record out = *r;

	out.time = ns_of(s, r->time);
	sink_state(next(s), &out);
}

static void
ns_link(struct sink *s, const struct link *l)
{
	struct link out = *l;

	out.from_time = ns_of(s, l->from_time);
	out.to_time = ns_of(s, l->to_time);
	sink_link(next(s), &out);
}

static void
ns_gap(struct sink *s, const struct gap *g)
{
	struct gap out = *g;

	out.from = ns_of(s, g->from);
	out.to = ns_of(s, g->to);
	sink_gap(next(s), &out);
}

static void
ns_finding(struct sink *s, const struct sink_finding *f)
{
	struct sink_finding out = *f;

	if (out.time != VALUE_NONE)
		out.time = ns_of(s, f->time);
	sink_finding(next(s), &out);
}

static void
ns_advance(struct sink *s, int64_t time)
{
	sink_advance(next(s), time / PS_PER_NS);
}

static void
ns_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	sink_loss(next(s), fn, arg);
}

static bool
ns_close(struct sink *s, struct err *err)
{
	return sink_close(next(s), err);
}

static const struct sink_ops ns_ops = {
	.name = "whole-ns",
	.help = "rounds times in ps to ns for the next sink",
	.row = ns_row,
	.type = ns_type,
	.label = ns_label,
	.panel = ns_panel,
	.rename = ns_rename,
	.link_kind = ns_link_kind,
	.state = ns_state,
	.link = ns_link,
	.gap = ns_gap,
	.finding = ns_finding,
	.advance = ns_advance,
	.loss = ns_loss,
	.close = ns_close,
};

bool
whole_ns_wanted(const struct sink_setup *setup)
{
	return setup->whole_ns && strcmp(setup->unit, "ps") == 0;
}

struct sink *
whole_ns_open(struct arena *a, struct sink *next, uint64_t *rounded)
{
	struct whole_ns *w = ARENA_NEW(a, struct whole_ns);

	w->base.ops = &ns_ops;
	w->base.takes_stacks = next->takes_stacks;
	w->next = next;
	w->rounded = rounded;
	return &w->base;
}
