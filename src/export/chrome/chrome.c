/* SPDX-License-Identifier: MIT */
#include "export/chrome/chrome.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/digits.h"
#include "base/map.h"
#include "base/text.h"
#include "export/chrome/put.h"
#include "export/primary.h"
#include "export/stacks.h"

#define SMALL 64 /* values whose names are found without the map */
/* Values without a label whose names are kept; names of others are made for
 * each event. */
#define NAMES_MAX 65536
#define FIRST_TID 1000 /* never the number of a process */
#define HEAVY_BYTES (200LL << 20)
#define SORT_TYPES 64 /* sort indexes between two rows */

struct class
{
	const char *name;
	int nrows;
	struct primary candidates;
	bool chosen, has_primary;
	uint32_t primary;
};

struct row_of {
	const char *name;
	int class, pos; /* class: index; pos: in the class */
	struct chrome_thread lost, links;
	int64_t lost_until;
};

struct name {
	struct chrome_text text;
	const char *label; /* NULL: the value's digits */
};

struct type_of {
	const char *key, *title;
	enum type_kind kind;
	int class;
	struct name *small;
	struct map index; /* value -> name + 1; owned */
	VEC(struct name) names;
};

/* What lines of a lane have in common. */
struct lane_of {
	struct chrome_thread thread;
	struct chrome_text counter; /* name of the counter */
	int tid;
	int64_t point; /* a point that is not written yet */
};

struct chrome {
	struct sink base;
	struct arena *arena; /* borrowed */
	struct chrome_out out;
	VEC(struct class) classes;
	VEC(struct row_of) rows;
	VEC(struct type_of) types;
	struct stacks stacks;
	VEC(struct lane_of) lanes; /* by number of the lane of stacks */
	struct map kinds;          /* kind of links -> text + 1; owned */
	VEC(struct chrome_text) kind_names;
	struct chrome_thread findings;
	int ntids;
	int64_t end;
	uint64_t nlinks, nowhere, panels, unset, nnames;
};

static struct sink *
chrome_open(struct arena *a, const char *dir, const struct sink_setup *setup,
	struct err *err)
{
	struct chrome *c = ARENA_NEW(a, struct chrome);

	c->base.ops = &sink_chrome;
	c->base.takes_stacks = true;
	c->arena = c->stacks.arena = a;
	return chrome_out_open(&c->out, a, dir, setup, err) ? &c->base : NULL;
}

static int
class_of(struct chrome *c, const char *name)
{
	for (int i = 0; i < c->classes.n; i++)
		if (strcmp(c->classes.at[i].name, name) == 0)
			return i;
	VEC_PUSH(&c->classes, c->arena,
		((struct class){ .name = arena_strdup(c->arena, name) }));
	chrome_meta(
		&c->out, "process_name", c->classes.n, c->classes.n, name, 0);
	chrome_meta(&c->out, "process_sort_index", c->classes.n, c->classes.n,
		NULL, c->classes.n);
	return c->classes.n - 1;
}

static void
chrome_row(struct sink *s, const struct row *row)
{
	struct chrome *c = (struct chrome *)s;
	int class = class_of(c, row->class);
	struct row_of *r = VEC_ADD(&c->rows, c->arena);

	BUG_ON(row->id != (uint32_t)c->rows.n - 1);
	r->name = *row->name == '\0'
		? "-"
		: arena_strdup(c->arena, text_trim(row->name));
	r->class = class;
	r->pos = c->classes.at[class].nrows++;
}

static void
chrome_type(struct sink *s, const struct type *type)
{
	struct chrome *c = (struct chrome *)s;
	int class = class_of(c, type->class);
	struct type_of *t = VEC_ADD(&c->types, c->arena);

	BUG_ON(type->id != (uint32_t)c->types.n - 1);
	t->key = arena_strdup(c->arena, type->key);
	t->title = type->title != NULL ? arena_strdup(c->arena, type->title)
				       : t->key;
	t->kind = type->kind;
	t->class = class;
	t->small = ARENA_ARRAY(c->arena, struct name, SMALL);
	primary_add(&c->classes.at[class].candidates, type, type->id);
}

static struct name *
find_name(struct type_of *t, int64_t value)
{
	const uint64_t *index;

	if ((uint64_t)value < SMALL)
		return &t->small[value];
	index = map_get(&t->index, (uint64_t)value);
	if (index == NULL)
		return NULL;
	BUG_ON(t->names.at == NULL);
	return &t->names.at[*index - 1];
}

static struct name *
add_name(struct chrome *c, struct type_of *t, int64_t value)
{
	struct name *name = VEC_ADD(&t->names, c->arena);

	*map_put(&t->index, (uint64_t)value) = (uint64_t)t->names.n;
	c->nnames++;
	return name;
}

static void
chrome_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct chrome *c = (struct chrome *)s;
	struct type_of *t;
	struct name *name;

	(void)meaning;
	BUG_ON(type >= (uint32_t)c->types.n);
	t = &c->types.at[type];
	name = find_name(t, value);
	if (name == NULL)
		name = add_name(c, t, value);
	if (name->label != NULL)
		return;
	name->label = arena_strdup(c->arena, text_trim(text));
	name->text.at = NULL;
}

/* Returns the text of a value's name, until the next call. */
static struct chrome_text __attribute__((noinline))
make_name(struct chrome *c, struct type_of *t, int64_t value)
{
	struct name *name = find_name(t, value);
	char digits[DIGITS_MAX];

	if (name == NULL && c->nnames < NAMES_MAX)
		name = add_name(c, t, value);
	if (name != NULL && name->text.at != NULL)
		return name->text;
	*digits_i64(digits, value) = '\0';
	if (name == NULL)
		return chrome_name_once(&c->out, digits, t->key);
	name->text = chrome_name(
		&c->out, name->label != NULL ? name->label : digits, t->key);
	return name->text;
}

static inline struct chrome_text
name_of(struct chrome *c, struct type_of *t, int64_t value)
{
	if (__builtin_expect((uint64_t)value < SMALL, 1) &&
		__builtin_expect(t->small[value].text.at != NULL, 1))
		return t->small[value].text;
	return make_name(c, t, value);
}

/* Writes the begin or the end of a slice with the name of a value. */
static inline void
put_slice(struct chrome *c, bool begins, struct type_of *t, int64_t value,
	const struct lane_of *lane, int64_t time)
{
	chrome_slice(
		&c->out, begins, name_of(c, t, value), &lane->thread, time);
}

/* Declares a thread of the row's process; returns its text. */
static struct chrome_thread
new_thread(struct chrome *c, const struct row_of *r, const char *what, int rank)
{
	int pid = r->class + 1, tid = FIRST_TID + c->ntids++;
	const char *name =
		what == NULL ? r->name : chrome_join(&c->out, r->name, what);

	chrome_meta(&c->out, "thread_name", pid, tid, name, 0);
	chrome_meta(&c->out, "thread_sort_index", pid, tid, NULL,
		(int64_t)r->pos * SORT_TYPES + rank);
	return chrome_thread(pid, tid);
}

static void
choose_primary(struct class *class)
{
	class->chosen = true;
	class->has_primary = primary_type(&class->candidates, &class->primary);
}

static void __attribute__((noinline))
new_lane(struct chrome *c, uint32_t row, uint32_t type)
{
	const struct row_of *r = &c->rows.at[row];
	const struct type_of *t = &c->types.at[type];
	struct class *class = &c->classes.at[r->class];
	struct lane_of *lane = VEC_ADD(&c->lanes, c->arena);
	bool own;

	if (!class->chosen)
		choose_primary(class);
	own = class->has_primary && class->primary == type;
	lane->tid = FIRST_TID + c->ntids;
	lane->thread = new_thread(
		c, r, own ? NULL : t->title, own ? 0 : 1 + (int)type % 60);
	lane->point = VALUE_NONE;
	if (t->kind == TYPE_NUMBER)
		lane->counter = chrome_name(&c->out,
			chrome_join(&c->out, r->name, t->title), t->key);
}

/* Ends and begins slices so that the lane shows the entries of `now`. */
static void __attribute__((noinline))
show_any(struct chrome *c, uint32_t number, struct type_of *t,
	const struct stack_now *now, int64_t time)
{
	struct stack_lane *l = &c->stacks.lanes.at[number];
	const struct lane_of *lane = &c->lanes.at[number];
	uint32_t same = stack_same(l, now);

	for (uint32_t i = l->depth; i > same; i--)
		put_slice(c, false, t, l->value[i - 1], lane, time);
	for (uint32_t i = same; i < now->depth; i++)
		put_slice(c, true, t, now->value[i], lane, time);
	stack_set_above(&c->stacks, l, now, same);
}

/* Shows a record of a lane. */
static inline void
show(struct chrome *c, uint32_t number, struct type_of *t,
	const struct record *r)
{
	struct stack_now now = stack_now(r);
	struct stack_step step;

	if (stack_step(&c->stacks.lanes.at[number], &now, &step))
		put_slice(c, step.begins, t, step.value, &c->lanes.at[number],
			r->time);
	else
		show_any(c, number, t, &now, r->time);
}

/* What events of one time have at the end. */
static const struct chrome_text instant = { ",\"s\":\"t\",\"args\":{}}", 19,
	0 };

static void
put_point(struct chrome *c, struct lane_of *lane, struct type_of *t,
	int64_t time, int64_t next)
{
	if (lane->point != VALUE_NONE)
		chrome_event(&c->out, 'i', name_of(c, t, lane->point),
			&lane->thread, time, instant);
	lane->point = next;
}

static void
chrome_state(struct sink *s, const struct record *r)
{
	struct chrome *c = (struct chrome *)s;
	struct type_of *t;
	struct lane_of *lane;
	uint32_t number;

	BUG_ON(r->row >= (uint32_t)c->rows.n);
	BUG_ON(r->type >= (uint32_t)c->types.n);
	t = &c->types.at[r->type];
	number = stacks_number(&c->stacks, r->row, r->type);
	if (__builtin_expect(c->lanes.n < c->stacks.lanes.n, 0))
		new_lane(c, r->row, r->type);
	lane = &c->lanes.at[number];
	if (r->time > c->end)
		c->end = r->time;
	if (t->kind == TYPE_NUMBER) {
		c->unset += r->value == VALUE_NONE;
		chrome_counter(&c->out, lane->counter, &lane->thread, r->time,
			r->value == VALUE_NONE ? 0 : r->value);
	} else if (t->kind == TYPE_POINT) {
		put_point(c, lane, t, r->time, r->value);
	} else {
		show(c, number, t, r);
	}
}

static struct chrome_text *
kind_name(struct chrome *c, int64_t kind)
{
	uint64_t *index = map_put(&c->kinds, (uint64_t)kind);

	if (*index == 0) {
		VEC_PUSH(&c->kind_names, c->arena,
			chrome_name(&c->out,
				arena_printf(c->arena, "link of kind %" PRId64,
					kind),
				"link"));
		*index = (uint64_t)c->kind_names.n;
	}
	return &c->kind_names.at[*index - 1];
}

static void
chrome_link_kind(struct sink *s, const struct link_kind *kind)
{
	struct chrome *c = (struct chrome *)s;

	*kind_name(c, kind->kind) = chrome_name(&c->out, kind->name, "link");
}

static void
put_end(struct chrome *c, struct row_of *r, int64_t time, const char *flow,
	const struct link *l)
{
	char rest[256];
	int n;

	if (r->links.n == 0)
		r->links = new_thread(c, r, "links", SORT_TYPES - 3);
	n = snprintf(rest, sizeof rest,
		",\"dur\":0,\"bind_id\":\"0x%" PRIx64 "\",\"%s\":true,\"args\":"
		"{\"kind\":\"%" PRId64 "\",\"id\":\"%" PRId64
		"\",\"bytes\":\"%" PRId64 "\"}}",
		c->nlinks, flow, l->kind, l->id, l->bytes);
	chrome_event(&c->out, 'X', *kind_name(c, l->kind), &r->links, time,
		(struct chrome_text){ rest, (size_t)n, 0 });
}

static void
chrome_link(struct sink *s, const struct link *l)
{
	struct chrome *c = (struct chrome *)s;
	uint32_t n = (uint32_t)c->rows.n;

	if (l->from_row >= n || l->to_row >= n) {
		c->nowhere++;
		return;
	}
	c->nlinks++;
	/* The start is earlier than what was written last. Readers sort
	 * complete events, which these are, and only B and E must be in order
	 * of time: the row's links have a thread without any. */
	put_end(c, &c->rows.at[l->from_row], l->from_time, "flow_out", l);
	put_end(c, &c->rows.at[l->to_row], l->to_time, "flow_in", l);
}

static void
chrome_gap(struct sink *s, const struct gap *g)
{
	struct chrome *c = (struct chrome *)s;
	struct row_of *r = &c->rows.at[g->row];
	int64_t from = g->from < r->lost_until ? r->lost_until : g->from;
	int64_t to = g->to < from ? from : g->to;
	int64_t ns = (to - from) / c->out.per_ns;
	char rest[64];
	int n = snprintf(rest, sizeof rest,
		",\"dur\":%" PRId64 ".%03d,\"args\":{}}", ns / 1000,
		(int)(ns % 1000));
	char name[256];

	snprintf(name, sizeof name, "lost: %" PRIu64 " events%s%s", g->events,
		g->why != NULL ? ": " : "", g->why != NULL ? g->why : "");
	r->lost_until = to;
	if (r->lost.n == 0)
		r->lost = new_thread(c, r, "lost", SORT_TYPES - 2);
	chrome_event(&c->out, 'X', chrome_name_once(&c->out, name, "lost"),
		&r->lost, from, (struct chrome_text){ rest, (size_t)n, 0 });
}

static void
chrome_finding(struct sink *s, const struct sink_finding *f)
{
	static const char *const severity[] = {
		[SEVERITY_NOTE] = "note",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_ERROR] = "error",
	};
	struct chrome *c = (struct chrome *)s;
	const struct row_of own = { .name = "findings" };

	if (c->findings.n == 0)
		c->findings = new_thread(c, &own, NULL, SORT_TYPES - 1);
	chrome_event(&c->out, 'i',
		chrome_name_once(&c->out, f->text, severity[f->severity]),
		&c->findings, f->time < 0 ? 0 : f->time, instant);
}

static void
chrome_panel(struct sink *s, const struct panel *panel)
{
	(void)panel;
	((struct chrome *)s)->panels++;
}

static void
chrome_rename(struct sink *s, uint32_t row, const char *name)
{
	struct chrome *c = (struct chrome *)s;

	c->rows.at[row].name = arena_strdup(c->arena, text_trim(name));
	/* Threads that are declared already get the name at the end. */
	for (int i = 0; i < c->lanes.n; i++) {
		const struct stack_lane *l = &c->stacks.lanes.at[i];
		const struct class *class =
			&c->classes.at[c->rows.at[row].class];

		if (l->row == row && class->has_primary &&
			class->primary == l->type)
			chrome_meta(&c->out, "thread_name",
				c->rows.at[row].class + 1, c->lanes.at[i].tid,
				name, 0);
	}
}

static void
chrome_advance(struct sink *s, int64_t time)
{
	struct chrome *c = (struct chrome *)s;

	if (time > c->end)
		c->end = time;
}

/* In the order of chrome_loss(). */
static const char *const losses[] = { "links from or to no row", "panels",
	"times below 1 ns, which are rounded down",
	"numbers without a value, which are written as 0",
	"numbers above 2^53, which are written as texts",
	"times after 101 days, whose ns readers round",
	"texts that are not UTF-8, which are repaired", NULL };

static void
chrome_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	const struct chrome *c = (const struct chrome *)s;

	sink_tell_losses(losses,
		(const uint64_t[]){ c->nowhere, c->panels, c->out.rounded,
			c->unset, c->out.inexact, c->out.far, c->out.mended },
		fn, arg);
}

static bool
chrome_close(struct sink *s, struct err *err)
{
	struct chrome *c = (struct chrome *)s;
	const struct stack_now nothing = { 0 };
	uint64_t rounded = c->out.rounded, far = c->out.far;

	for (int i = 0; i < c->stacks.lanes.n; i++) {
		struct stack_lane *l = &c->stacks.lanes.at[i];
		struct type_of *t = &c->types.at[l->type];

		if (t->kind == TYPE_POINT)
			put_point(c, &c->lanes.at[i], t, c->end, VALUE_NONE);
		else
			show_any(c, (uint32_t)i, t, &nothing, c->end);
	}
	c->out.rounded = rounded; /* the end is no record */
	c->out.far = far;
	for (int i = 0; i < c->types.n; i++)
		map_fini(&c->types.at[i].index);
	map_fini(&c->kinds);
	return chrome_out_close(&c->out, err);
}

const struct sink_ops sink_chrome = {
	.name = "chrome",
	.help = "events for Chrome, Firefox Profiler and scripts: trace.json",
	.extensions = ".json .trace.json",
	.streams = true,
	.packs = true,
	.is_text = true,
	.heavy = HEAVY_BYTES,
	.losses = losses,
	.open = chrome_open,
	.row = chrome_row,
	.type = chrome_type,
	.label = chrome_label,
	.state = chrome_state,
	.link = chrome_link,
	.advance = chrome_advance,
	.loss = chrome_loss,
	.close = chrome_close,
	.panel = chrome_panel,
	.rename = chrome_rename,
	.link_kind = chrome_link_kind,
	.gap = chrome_gap,
	.finding = chrome_finding,
};
