/* SPDX-License-Identifier: MIT */
#include "mem/db/charge.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mem/db/owner.h"

/* Returns the cost of a pair, by event. *last: the index + 1 of a pair that it
 * may be, and of the pair that it is. */
static struct cost *
pair_cost(struct profile *p, struct pairs *pairs, uint32_t variable,
	uint32_t with, uint32_t *last)
{
	/* pairs of one image only have the events that are known by now */
	bool is_of_image = pairs->arena != NULL;
	struct arena *a = is_of_image ? pairs->arena : p->arena;
	struct pair *pair;
	uint64_t *slot;

	if (*last != 0 && *last <= (uint32_t)pairs->list.n) {
		pair = &pairs->list.at[*last - 1];
		if (pair->variable == variable && pair->with == with)
			return pair->cost;
	}
	slot = map_put(&pairs->index, (uint64_t)variable << 32 | with);
	if (*slot == 0) {
		pair = VEC_ADD(&pairs->list, a);
		pair->variable = variable;
		pair->with = with;
		pair->cost = ARENA_ARRAY(a, struct cost,
			is_of_image ? p->n_events : p->event_room);
		*slot = (uint64_t)pairs->list.n;
	}
	*last = (uint32_t)*slot;
	return pairs->list.at[*slot - 1].cost;
}

void
charge_pair(struct profile *p, struct pairs *pairs, const struct pair *pair,
	uint32_t event)
{
	uint32_t last = 0;

	cost_add(&pair_cost(p, pairs, pair->variable, pair->with, &last)[event],
		pair->cost);
}

/* Returns a number for a thread. Processes on other hosts may have the same
 * PID. */
static uint64_t
thread_key(const struct image *i, int32_t tid)
{
	uint64_t key = (uint64_t)(uint32_t)i->head.pid << 32 | (uint32_t)tid;

	key ^= (uint64_t)(i->rank + 1) * 0x9e3779b97f4a7c15u;
	for (const char *at = i->node; at != NULL && *at != '\0'; at++)
		key = (key ^ (uint8_t)*at) * 0xff51afd7ed558ccdu;
	return key;
}

static uint32_t
find_thread(struct charge *c, int32_t tid)
{
	struct profile *p = c->profile;
	uint64_t *slot = map_put(&p->threads, thread_key(c->image, tid));
	const struct mem_thread *t = image_thread(c->image, tid);
	struct profile_thread *new;

	if (*slot == 0) {
		new = VEC_ADD(&p->thread, p->arena);
		new->pid = c->image->head.pid;
		new->rank = c->image->rank;
		new->node = c->image->node;
		new->tid = tid;
		new->name = t == NULL
			? ""
			: arena_strndup(p->arena, t->name,
				  strnlen(t->name, sizeof t->name));
		*slot = (uint64_t)p->thread.n;
	}
	return (uint32_t)(*slot - 1);
}

/* Does the same, and keeps the answer for the next sample. */
static uint32_t
thread_number(struct charge *c, int32_t tid)
{
	if (c->thread == 0 || c->tid != tid) {
		c->thread = find_thread(c, tid) + 1;
		c->tid = tid;
	}
	return c->thread - 1;
}

static struct cost
cost_of(const struct mem_sample *s)
{
	uint64_t periods;

	if (__builtin_mul_overflow(s->period, s->count, &periods))
		periods = UINT64_MAX >> 16;
	return (struct cost){ 1, periods, s->weight };
}

/* Counts the sample itself, regardless of what it is charged to. */
static void
count_event(struct profile_event *e, const struct mem_sample *s,
	const struct cost *cost)
{
	cost_add(&e->cost, cost);
	if (s->area != MEM_AREA_NONE)
		return;
	if (s->access == MEM_ACCESS_AMBIGUOUS || s->access == MEM_ACCESS_LOST)
		e->unsure += cost->periods;
	else
		e->computes += cost->periods;
}

void
charge_guess(struct profile *p, struct cost **list, uint32_t event,
	const struct cost *c)
{
	if (*list == NULL && c->samples == 0 && c->periods == 0)
		return;
	if (*list == NULL)
		*list = ARENA_ARRAY(p->arena, struct cost, p->event_room);
	cost_add(&(*list)[event], c);
}

void
charge_metrics(struct profile *p, struct variable_row *v)
{
	p->has_metrics = true;
	if (v->metric == NULL) {
		v->metric = ARENA_ARRAY(p->arena, uint64_t, PERF_METRICS);
		v->level = ARENA_ARRAY(p->arena, uint64_t, PERF_LEVELS);
	}
}

static void
count_metrics(
	struct profile *p, struct variable_row *v, const struct mem_sample *s)
{
	uint32_t set = perf_data_src_metrics(s->data_src);

	if (s->data_src == 0 || perf_data_src_decode(s->data_src).op == 0)
		return;
	charge_metrics(p, v);
	for (int i = 0; i < PERF_METRICS; i++) {
		v->metric[i] += set >> i & 1;
		p->metric[i] += set >> i & 1;
	}
	v->level[perf_data_src_decode(s->data_src).level]++;
}

static bool
begins_with(const char *text, const char *const *begins)
{
	for (; text != NULL && *begins != NULL; begins++)
		if (strncmp(text, *begins, strlen(*begins)) == 0)
			return true;
	return false;
}

/* Returns true for a function without source lines in a static program: it came
 * from the archive of a library. */
static bool
is_of_archive(const struct profile *p, const struct code_location *at)
{
	return at->file == NULL && at->is_named &&
		p->symbols.file.at[at->module].is_static;
}

/* Returns true for code that works on behalf of others: the language's
 * libraries, and functions in system headers. */
static bool
is_of_library(const struct profile *p, const struct code_location *at)
{
	static const char *const folders[] = { "/usr/include/", "/usr/lib/",
		"/usr/local/include/", NULL };
	static const char *const names[] = { "libc.so", "libstdc++.so",
		"libc++.so", NULL };

	return begins_with(at->file, folders) ||
		(at->module >= 0 &&
			(is_of_archive(p, at) ||
				begins_with(p->symbols.file.at[at->module].name,
					names)));
}

/* Does the same, and keeps the answer. */
static bool
is_library(struct profile *p, uint32_t location)
{
	struct code_location *at = &p->symbols.location.at[location];

	if (at->of_library == 0)
		at->of_library = is_of_library(p, at) ? 2 : 1;
	return at->of_library == 2;
}

/* Returns the statement below a node that caused an access. A user cannot
 * change a statement in memset(), so for such a function the statement of its
 * caller is returned. */
static uint32_t
wanter(struct profile *p, uint32_t top, uint32_t leaf)
{
	uint32_t n = leaf;

	while (n != top && is_library(p, p->node.at[n].location))
		n = p->node.at[n].parent;
	if (n == top ||
		profile_location(p, p->node.at[n].location)->file == NULL)
		n = leaf;
	return p->node.at[n].location;
}

/* Counts the samples from which the share of small blocks is computed. */
static void
count_small(struct charge *c, int event, const struct mem_sample *s,
	struct variable_row *v)
{
	struct profile_event *e = &c->profile->event[event];
	const struct image_object *o = image_object(c->image, s->ref);
	struct cost cost = cost_of(s);

	if (o == NULL)
		return;
	if (s->area == MEM_AREA_SMALL || s->area == MEM_AREA_MIXED) {
		charge_guess(c->profile, &v->guessed, (uint32_t)event, &cost);
		cost_add(&e->guess, &cost);
	}
	if (s->area == MEM_AREA_MIXED) {
		charge_guess(c->profile, &v->mixed, (uint32_t)event, &cost);
		cost_add(&e->mixed, &cost);
	}
	e->known += s->area == MEM_AREA_OBJECT &&
		o->record->kind == MEM_OBJECT_HEAP && c->image->setup != NULL &&
		o->record->size < c->image->setup->min_bytes;
}

/* Charges the variable, and the thread and the code that touched it. */
static void
charge_data(struct charge *c, int event, const struct mem_sample *s,
	const struct tree_sample *code, int32_t tid)
{
	struct profile *p = c->profile;
	struct cost cost = cost_of(s);
	struct owner owner = owner_of(c, s);
	struct variable_row *v = &p->variable.at[owner.variable];
	uint32_t top, leaf, node = owner.node;
	struct node *n;

	cost_add(&v->cost[event], &cost);
	count_small(c, event, s, v);
	v->freed += s->area == MEM_AREA_FREED;
	count_metrics(p, v, s);
	if (node_is_variable(p->node.at[node].kind) &&
		!(p->node.at[node].kind & NODE_VARIABLE))
		node = tree_access(p, node);
	top = node;
	leaf = tree_code(c, node, code);
	n = &p->node.at[leaf];
	cost_add(&tree_cost(p, leaf)[event], &cost);
	cost_add(&pair_cost(p, &p->statements, owner.variable,
			 code->locations.at[0], &n->statement)[event],
		&cost);
	cost_add(&pair_cost(p, &p->wanters, owner.variable,
			 wanter(p, top, leaf), &n->wanter)[event],
		&cost);
	cost_add(&pair_cost(p, &p->touchers, owner.variable,
			 thread_number(c, tid), &v->toucher)[event],
		&cost);
}

void
charge_sample(void *arg, const struct mem_sample *s, int32_t tid)
{
	struct charge *c = arg;
	struct profile *p = c->profile;
	int event = s->event < IMAGE_EVENTS ? c->event[s->event] : -1;
	struct cost cost = cost_of(s);
	struct tree_sample code;
	uint32_t node;

	if (event < 0) {
		p->unresolved++;
		return;
	}
	count_event(&p->event[event], s, &cost);
	cost_add(&c->image->cost[event], &cost);
	code = tree_sample(c, s);
	node = tree_code(c, p->program, &code);
	cost_add(&tree_cost(p, node)[event], &cost);
	if (event_has_data(p->event[event].kind))
		charge_data(c, event, s, &code, tid);
}

/* Returns the live bytes of a site at a time. */
static uint64_t
live_at(const struct image_site *site, uint64_t time)
{
	uint64_t live = 0;

	for (int i = 0; i < site->record.n; i++) {
		const struct mem_site *r = site->record.at[i];

		if (r->time > time)
			break;
		live = r->bytes - r->freed_bytes;
	}
	return live;
}

static void
add_site(struct charge *c, const struct image_site *site)
{
	struct image *i = c->image;
	const struct mem_site *r = site->record.at[site->record.n - 1];
	struct owner owner = owner_of_path(c, r->path, r->kind);
	struct variable_row *v = &c->profile->variable.at[owner.variable];
	struct node *n = &c->profile->node.at[owner.node];
	uint64_t half = i->head.time + (i->last - i->head.time) / 2;

	v->bytes += r->bytes;
	v->blocks += r->blocks;
	n->bytes += r->bytes;
	n->blocks += r->blocks;
	v->live_bytes += r->bytes - r->freed_bytes;
	v->live_blocks += r->blocks - r->freed_blocks;
	v->half_bytes += live_at(site, half);
	v->peak_bytes += r->peak_bytes;
	v->least = v->least == 0 || r->least < v->least ? r->least : v->least;
	v->most = r->most > v->most ? r->most : v->most;
	v->is_estimate |= r->is_small != 0;
}

#define GIVEN_MOST 3 /* names that one row shows */

static int
by_name(const void *pa, const void *pb)
{
	const char *const *a = pa, *const *b = pb;

	return strcmp(*a, *b);
}

/* Splits names with ", " between them. Returns how many there are. */
static int
split(char *names, const char **list, int most)
{
	int n = 0;

	for (char *at = names; at != NULL && n < most;) {
		char *comma = strstr(at, ", ");

		list[n++] = at;
		if (comma != NULL)
			*comma = '\0';
		at = comma == NULL ? NULL : comma + 2;
	}
	return n;
}

void
charge_given(struct profile *p, struct variable_row *v, const char *names)
{
	const char *list[2 * GIVEN_MOST + 2], *text = "";
	bool has_more;
	int n, kept = 0;

	if (v->given != NULL && strcmp(v->given, names) == 0)
		return;
	text = v->given == NULL
		? names
		: arena_printf(p->arena, "%s, %s", v->given, names);
	has_more = strstr(text, ", ...") != NULL;
	n = split(arena_strdup(p->arena, text), list, 2 * GIVEN_MOST + 2);
	qsort(list, (size_t)n, sizeof list[0], by_name);
	for (int i = 0; i < n; i++)
		if (strcmp(list[i], "...") != 0 &&
			(kept == 0 || strcmp(list[i], list[kept - 1]) != 0))
			list[kept++] = list[i];
	text = "";
	for (int i = 0; i < kept && i < GIVEN_MOST; i++)
		text = arena_printf(
			p->arena, "%s%s%s", text, i > 0 ? ", " : "", list[i]);
	v->given = has_more || kept > GIVEN_MOST
		? arena_printf(p->arena, "%s, ...", text)
		: text;
}

/* Adds a block's name to its row. Sites have no names, so only names of sampled
 * blocks are known. */
static void
add_given(struct charge *c, const struct image_object *o)
{
	struct owner owner = owner_of_path(c, o->record->path, o->record->kind);

	charge_given(
		c->profile, &c->profile->variable.at[owner.variable], o->name);
}

void
charge_sites(struct charge *c)
{
	for (int n = 0; n < c->image->site.n; n++)
		add_site(c, &c->image->site.at[n]);
	for (int n = 0; n < c->image->object.n; n++)
		if (c->image->object.at[n].name != NULL)
			add_given(c, &c->image->object.at[n]);
}
