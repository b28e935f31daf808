/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mem/db/charge.h"
#include "mem/db/database.h"
#include "mem/db/owner.h"
#include "store/catalog.h"

#define LINES_MOST INT32_MAX

struct numbers {
	VEC(uint32_t) list; /* by number in the database: that in the profile */
};

struct reader {
	struct profile *p;
	struct store_reader *store;
	struct arena arena;
	const struct database_wish *wish;
	struct numbers event, location, variable, node, chain;
	int first_process; /* index of the database's process 0 */
	int64_t process;   /* whose rows are collected; -1: none */
	int64_t heap;      /* process whose heap is being read; -1: none */
	VEC(struct database_row) row;
	int next_chain;  /* entry of `chain` that was not taken yet */
	const char *why; /* the database is wrong */
};

static const char *
text_of(struct reader *d, const struct store_value *v)
{
	struct intern *t = &d->p->symbols.text;

	if (v->null)
		return NULL;
	return intern_name(
		t, intern_add(t, store_read_name(d->store, v->name, NULL)));
}

static struct cost
cost_of(const struct store_value *v)
{
	return (struct cost){ v[0].u, v[1].u, v[2].u };
}

/* Returns the profile's number for one of the database; sets d->why if there is
 * none. */
static uint32_t
number_of(
	struct reader *d, const struct numbers *of, const struct store_value *v)
{
	if (v->i >= 0 && v->i < of->list.n)
		return of->list.at[v->i];
	d->why = "a row refers to a row that does not exist";
	return 0;
}

static bool
walk(struct reader *d, enum database_table which,
	void (*take)(struct reader *d, const struct store_value *v))
{
	const struct store_table *want = &database_tables[which];
	const struct store_table *t = store_read_find(d->store, want->name);
	struct store_value v[STORE_COLUMNS_MAX];

	if (t == NULL || !store_table_equal(t, want)) {
		d->why = "not a database of weft mem merge";
		return false;
	}
	store_read_start(d->store, t, NULL);
	while (d->why == NULL && store_read_next(d->store, v))
		take(d, v);
	return d->why == NULL;
}

static void
add_metric(struct profile *p, long number, uint64_t value)
{
	if (number >= 0 && number < PERF_METRICS)
		p->metric[number] += value;
}

static void
take_info(struct reader *d, const struct store_value *v)
{
	const char *key = store_read_name(d->store, v[INFO_KEY].name, NULL);
	uint64_t value = strtoull(v[INFO_VALUE].text, NULL, 10);
	struct profile *p = d->p;

	if (strcmp(key, "version") == 0 && value != DATABASE_VERSION)
		d->why = "a database of another version of weft: merge the "
			 "measurements again";
	if (strcmp(key, "min_bytes") == 0 && p->min_bytes == 0)
		p->min_bytes = value;
	if (strcmp(key, "unresolved") == 0)
		p->unresolved += value;
	if (strcmp(key, "findings") == 0)
		p->findings.n += value;
	if (strcmp(key, "has_metrics") == 0)
		p->has_metrics |= value != 0;
	if (strncmp(key, "metric_", 7) == 0)
		add_metric(p, strtol(key + 7, NULL, 10), value);
}

static void
add_event(struct profile_event *e, const struct store_value *v)
{
	struct cost cost = cost_of(&v[EVENT_COST]);
	struct cost guess = cost_of(&v[EVENT_GUESS]);
	struct cost mixed = cost_of(&v[EVENT_MIXED]);

	e->computes += v[EVENT_COMPUTES].u;
	e->unsure += v[EVENT_UNSURE].u;
	e->known += v[EVENT_KNOWN].u;
	cost_add(&e->cost, &cost);
	cost_add(&e->guess, &guess);
	cost_add(&e->mixed, &mixed);
}

static void
take_event(struct reader *d, const struct store_value *v)
{
	const char *name = text_of(d, &v[EVENT_NAME]);
	int i = profile_join_event(d->p,
		&(struct profile_event){ .name = name,
			.kind = (uint32_t)v[EVENT_KIND].i,
			.source = (uint32_t)v[EVENT_SOURCE].i,
			.error = (uint32_t)v[EVENT_ERROR].i,
			.period = v[EVENT_PERIOD].u,
			.real = v[EVENT_REAL].u });

	if (i < 0 || v[EVENT_NUMBER].i != d->event.list.n) {
		d->why = "it has too many events";
		return;
	}
	VEC_PUSH(&d->event.list, &d->arena, (uint32_t)i);
	add_event(&d->p->event[i], v);
}

static void
add_text(struct reader *d, struct image *i, const char *called)
{
	if (called != NULL)
		VEC_PUSH(&i->argument, d->p->arena, called);
}

static void
take_process(struct reader *d, const struct store_value *v)
{
	struct arena *a = d->p->arena;
	struct image *i = VEC_ADD(&d->p->image, a);
	struct mem_heap *heap = ARENA_NEW(a, struct mem_heap);

	i->arena = a;
	i->findings = &d->p->findings;
	i->head.image = v[PROCESS_IMAGE].u;
	i->head.pid = (int32_t)v[PROCESS_PID].i;
	i->head.realtime = v[PROCESS_STARTED].u;
	i->head.time = v[PROCESS_STARTED].u;
	i->last = i->head.time + v[PROCESS_DURATION].u;
	i->rank = v[PROCESS_RANK].null ? -1 : v[PROCESS_RANK].i;
	i->node = text_of(d, &v[PROCESS_NODE]);
	i->program = text_of(d, &v[PROCESS_PROGRAM]);
	add_text(d, i, text_of(d, &v[PROCESS_CALLED]));
	i->thread.n = (int)v[PROCESS_THREADS].i;
	i->silent = (int)v[PROCESS_SILENT].i;
	i->silent_ns = v[PROCESS_SILENT_NS].u;
	i->samples = v[PROCESS_SAMPLES].u;
	i->ended = v[PROCESS_ENDED].flag;
	i->cost = ARENA_ARRAY(a, struct cost, d->p->event_room);
	heap->live_bytes = v[PROCESS_LIVE_BYTES].u;
	heap->live_blocks = v[PROCESS_LIVE_BLOCKS].u;
	heap->peak_bytes = v[PROCESS_PEAK_BYTES].u;
	if (heap->peak_bytes > 0)
		VEC_PUSH(&i->heap, a, heap);
}

/* Returns the image of a process, or NULL. */
static struct image *
image_of(struct reader *d, const struct store_value *v)
{
	if (v->i >= 0 && v->i < d->p->image.n - d->first_process)
		return &d->p->image.at[d->first_process + v->i];
	d->why = "a row refers to a process that does not exist";
	return NULL;
}

/* The heap over time takes the place of its last state, which the row of the
 * process has. */
static void
take_heap(struct reader *d, const struct store_value *v)
{
	struct image *i = image_of(d, &v[HEAP_PROCESS]);
	struct mem_heap *h;

	if (i == NULL)
		return;
	if (d->heap != v[HEAP_PROCESS].i)
		i->heap.n = 0;
	d->heap = v[HEAP_PROCESS].i;
	h = ARENA_NEW(d->p->arena, struct mem_heap);
	h->time = i->head.time + (uint64_t)v[HEAP_TIME].i;
	h->live_bytes = v[HEAP_LIVE_BYTES].u;
	h->live_blocks = v[HEAP_LIVE_BLOCKS].u;
	h->mapped_bytes = v[HEAP_MAPPED_BYTES].u;
	h->peak_bytes = v[HEAP_PEAK_BYTES].u;
	VEC_PUSH(&i->heap, d->p->arena, h);
}

static void
take_loss(struct reader *d, const struct store_value *v)
{
	struct image *i = image_of(d, &v[LOSS_PROCESS]);
	int64_t kind = v[LOSS_KIND].i;

	if (i != NULL && kind >= 0 && kind < IMAGE_LOSSES)
		i->lost[kind] += v[LOSS_COUNT].u;
}

static void
take_process_cost(struct reader *d, const struct store_value *v)
{
	struct image *i = image_of(d, &v[PROCESS_COST_PROCESS]);
	uint32_t event = number_of(d, &d->event, &v[PROCESS_COST_EVENT]);
	struct cost cost = cost_of(&v[PROCESS_COST_COST]);

	if (d->why == NULL)
		cost_add(&i->cost[event], &cost);
}

static void
take_location(struct reader *d, const struct store_value *v)
{
	static const uint8_t no_build;
	const char *module = text_of(d, &v[LOCATION_MODULE]);
	const char *function = text_of(d, &v[LOCATION_FUNCTION]);
	struct code_location l = { .function =
					   function == NULL ? "?" : function,
		.file = text_of(d, &v[LOCATION_FILE]),
		.line = (int)v[LOCATION_LINE].i,
		.module = module == NULL
			? -1
			: symbols_same(&d->p->symbols,
				  symbols_add(&d->p->symbols, module, &no_build,
					  0)),
		.is_named = v[LOCATION_IS_NAMED].flag,
		.is_inlined = v[LOCATION_IS_INLINED].flag,
		.call = v[LOCATION_CALL].u };

	if (v[LOCATION_NUMBER].i != d->location.list.n)
		d->why = "its code locations are not in order";
	else
		VEC_PUSH(&d->location.list, &d->arena,
			symbols_location(&d->p->symbols, &l));
}

/* Chains are stored behind variables, but a variable is found by its chain. So
 * the rows of variables are kept until their chains are known. */
static void
take_chain(struct reader *d, const struct store_value *v)
{
	uint32_t location = number_of(d, &d->location, &v[CHAIN_LOCATION]);

	VEC_PUSH(&d->chain.list, &d->arena, (uint32_t)v[CHAIN_VARIABLE].i);
	VEC_PUSH(&d->chain.list, &d->arena, location);
}

static enum variable_kind
kind_of(struct reader *d, const struct store_value *v)
{
	const char *name = store_read_name(d->store, v->name, NULL);

	for (enum variable_kind kind = 0; kind < VARIABLE_KINDS; kind++)
		if (strcmp(variable_kind_name(kind), name) == 0)
			return kind;
	d->why = "a variable is of an unknown kind";
	return VARIABLE_UNKNOWN;
}

/* Returns true for rows whose size is that of a block for each allocation. */
static bool
is_block(enum variable_kind kind)
{
	return kind <= VARIABLE_POOL;
}

static void
add_sizes(struct variable_row *r, const struct store_value *v)
{
	uint64_t bytes = v[VARIABLE_BYTES].u, least = v[VARIABLE_LEAST].u;

	if (is_block(r->kind))
		r->bytes += bytes;
	else if (bytes > r->bytes)
		r->bytes = bytes;
	r->blocks += v[VARIABLE_BLOCKS].u;
	r->live_bytes += v[VARIABLE_LIVE_BYTES].u;
	r->live_blocks += v[VARIABLE_LIVE_BLOCKS].u;
	r->half_bytes += v[VARIABLE_HALF_BYTES].u;
	r->peak_bytes += v[VARIABLE_PEAK_BYTES].u;
	if (least > 0 && (r->least == 0 || least < r->least))
		r->least = least;
	if (v[VARIABLE_MOST].u > r->most)
		r->most = v[VARIABLE_MOST].u;
	r->is_estimate |= v[VARIABLE_IS_ESTIMATE].flag;
	r->freed += v[VARIABLE_FREED].u;
	r->threads += v[VARIABLE_THREADS].u;
}

/* Takes the part of d->chain that belongs to a variable; chains are in the
 * order of variables. */
static int
chain_of(struct reader *d, int64_t variable, int *at, uint32_t *chain)
{
	int n = 0;

	while (*at < d->chain.list.n &&
		d->chain.list.at[*at] == (uint32_t)variable &&
		n < OWNER_CHAIN) {
		chain[n++] = d->chain.list.at[*at + 1];
		*at += 2;
	}
	return n;
}

static void
take_variable(struct reader *d, const struct store_value *v)
{
	uint32_t chain[OWNER_CHAIN];
	int at = d->next_chain;
	struct owner_name name = { .kind = kind_of(d, &v[VARIABLE_KIND]),
		.name = text_of(d, &v[VARIABLE_NAME]),
		.location = number_of(d, &d->location, &v[VARIABLE_LOCATION]),
		.chain = chain };
	const char *given = text_of(d, &v[VARIABLE_GIVEN]);
	uint32_t number;

	name.nchain = chain_of(d, v[VARIABLE_NUMBER].i, &at, chain);
	d->next_chain = at;
	if (v[VARIABLE_NUMBER].i != d->variable.list.n)
		d->why = "its variables are not in order";
	if (d->why != NULL)
		return;
	number = owner_variable(d->p, &name);
	VEC_PUSH(&d->variable.list, &d->arena, number);
	add_sizes(&d->p->variable.at[number], v);
	if (given != NULL)
		charge_given(d->p, &d->p->variable.at[number], given);
}

static void
take_total(struct reader *d, const struct store_value *v)
{
	uint32_t variable = number_of(d, &d->variable, &v[TOTAL_VARIABLE]);
	uint32_t event = number_of(d, &d->event, &v[TOTAL_EVENT]);
	struct cost cost = cost_of(&v[TOTAL_COST]);
	struct cost guessed = cost_of(&v[TOTAL_GUESSED]);
	struct cost mixed = cost_of(&v[TOTAL_MIXED]);
	struct variable_row *r;

	if (d->why != NULL)
		return;
	r = &d->p->variable.at[variable];
	cost_add(&r->cost[event], &cost);
	charge_guess(d->p, &r->guessed, event, &guessed);
	charge_guess(d->p, &r->mixed, event, &mixed);
}

static void
take_access(struct reader *d, const struct store_value *v)
{
	uint32_t variable = number_of(d, &d->variable, &v[ACCESS_VARIABLE]);
	uint32_t location = number_of(d, &d->location, &v[ACCESS_LOCATION]);
	uint32_t event = number_of(d, &d->event, &v[ACCESS_EVENT]);
	struct cost cost = cost_of(&v[ACCESS_COST]);

	if (d->why == NULL)
		charge_pair(d->p,
			v[ACCESS_IS_OUTER].flag ? &d->p->wanters
						: &d->p->statements,
			&(struct pair){ variable, location, &cost }, event);
}

static void
take_node(struct reader *d, const struct store_value *v)
{
	uint32_t parent = number_of(d, &d->node, &v[NODE_PARENT]);
	uint32_t location = number_of(d, &d->location, &v[NODE_LOCATION]);
	uint32_t kind = (uint32_t)v[NODE_KIND].i, number;
	struct node *n;

	if (d->why != NULL)
		return;
	if (!node_is_valid(kind) || v[NODE_NUMBER].i != d->node.list.n) {
		d->why = "its tree is damaged";
		return;
	}
	number = tree_again(d->p, parent, kind, location);
	VEC_PUSH(&d->node.list, &d->arena, number);
	n = &d->p->node.at[number];
	n->kind |= kind;
	if (kind & NODE_ALLOCATION) {
		n->bytes += v[NODE_BYTES].u;
		n->blocks += v[NODE_BLOCKS].u;
	} else if (v[NODE_BYTES].u > n->bytes) {
		n->bytes = v[NODE_BYTES].u;
	}
	if (!v[NODE_VARIABLE_OF].null)
		n->variable =
			number_of(d, &d->variable, &v[NODE_VARIABLE_OF]) + 1;
}

static void
take_node_cost(struct reader *d, const struct store_value *v)
{
	uint32_t node = number_of(d, &d->node, &v[NODE_COST_NODE]);
	uint32_t event = number_of(d, &d->event, &v[NODE_COST_EVENT]);
	struct cost cost = cost_of(&v[NODE_COST_COST]);

	if (d->why == NULL)
		cost_add(&tree_cost(d->p, node)[event], &cost);
}

static void
take_metric(struct reader *d, const struct store_value *v)
{
	uint32_t variable = number_of(d, &d->variable, &v[METRIC_VARIABLE]);
	bool is_level = v[METRIC_IS_LEVEL].flag;
	int64_t number = v[METRIC_NUMBER].i;
	struct variable_row *r;

	if (number < 0 || number >= (is_level ? PERF_LEVELS : PERF_METRICS))
		d->why = "a metric is unknown";
	if (d->why != NULL)
		return;
	r = &d->p->variable.at[variable];
	charge_metrics(d->p, r);
	(is_level ? r->level : r->metric)[number] += v[METRIC_SAMPLES].u;
}

/* Passes on the rows of the process that ends. */
static void
end_process(struct reader *d)
{
	if (d->process >= 0 && d->row.n > 0)
		d->wish->costs(d->wish->arg, d->first_process + (int)d->process,
			d->row.at, d->row.n);
	d->row.n = 0;
}

static void
take_cost(struct reader *d, const struct store_value *v)
{
	uint32_t variable = number_of(d, &d->variable, &v[COST_VARIABLE]);
	uint32_t event = number_of(d, &d->event, &v[COST_EVENT]);

	if (image_of(d, &v[COST_PROCESS]) == NULL || d->why != NULL)
		return;
	if (v[COST_PROCESS].i != d->process)
		end_process(d);
	d->process = v[COST_PROCESS].i;
	VEC_PUSH(&d->row, &d->arena,
		((struct database_row){ variable, (uint16_t)event,
			(uint16_t)v[COST_THREADS].i, cost_of(&v[COST_COST]) }));
}

static bool
walk_all(struct reader *d)
{
	static const struct {
		enum database_table table;
		void (*take)(struct reader *d, const struct store_value *v);
	} parts[] = {
		{ DATABASE_PROCESS, take_process },
		{ DATABASE_HEAP, take_heap },
		{ DATABASE_LOSS, take_loss },
		{ DATABASE_PROCESS_COST, take_process_cost },
		{ DATABASE_LOCATION, take_location },
		{ DATABASE_CHAIN, take_chain },
		{ DATABASE_VARIABLE, take_variable },
		{ DATABASE_TOTAL, take_total },
		{ DATABASE_ACCESS, take_access },
		{ DATABASE_NODE, take_node },
		{ DATABASE_NODE_COST, take_node_cost },
		{ DATABASE_METRIC, take_metric },
	};

	VEC_PUSH(&d->node.list, &d->arena, 0); /* node 0 stands for none */
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if ((parts[i].table != DATABASE_HEAP || d->wish->heap) &&
			!walk(d, parts[i].table, parts[i].take))
			return false;
	if (d->wish->images != NULL)
		d->wish->images(d->wish->arg, d->p);
	if (d->wish->costs == NULL)
		return true;
	if (!walk(d, DATABASE_COST, take_cost))
		return false;
	end_process(d);
	return true;
}

static bool
read_database(struct reader *d, const char *path, struct err *err)
{
	bool is_read;

	d->first_process = d->p->image.n;
	d->process = d->heap = -1;
	d->store = store_read(arena_printf(&d->arena, "sqlite:%s", path), err);
	if (d->store == NULL) {
		arena_fini(&d->arena);
		return false;
	}
	is_read = walk(d, DATABASE_INFO, take_info) &&
		walk(d, DATABASE_EVENT, take_event);
	if (d->p->event_room == 0)
		d->p->event_room = d->p->n_events;
	is_read = is_read && walk_all(d);
	if (store_read_failed(d->store, err))
		is_read = err_in(err, "%s", path);
	else if (!is_read)
		err_set(err, ERR_INPUT, "%s: %s", path, d->why);
	store_read_close(d->store);
	arena_fini(&d->arena);
	return is_read;
}

bool
database_read(struct profile *p, const char *path,
	const struct database_wish *wish, struct err *err)
{
	struct reader d = { .p = p, .wish = wish };

	return read_database(&d, path, err);
}
