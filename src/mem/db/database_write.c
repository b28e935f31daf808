/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mem/db/database.h"
#include "mem/db/database_order.h"

struct writer {
	const struct profile *p;
	struct store *store;
	struct arena arena;
	struct database_order order;
	int table[DATABASE_TABLES];
	const uint16_t *event; /* by index in the profile: number */
};

static void
put(struct writer *w, enum database_table table,
	const struct store_value *value)
{
	store_put(w->store, w->table[table], value);
}

static struct store_value
name(struct writer *w, const char *text)
{
	return text == NULL
		? store_null()
		: store_name(store_intern(w->store, text, strlen(text)));
}

static void
put_cost(struct store_value *to, const struct cost *c)
{
	to[0] = store_uint(c->samples);
	to[1] = store_uint(c->periods);
	to[2] = store_uint(c->weights);
}

static bool
is_zero(const struct cost *c)
{
	return c->samples == 0 && c->periods == 0 && c->weights == 0;
}

static void
write_fact(struct writer *w, const char *key, uint64_t value)
{
	char text[24];
	int n = snprintf(text, sizeof text, "%llu", (unsigned long long)value);

	put(w, DATABASE_INFO,
		(struct store_value[]){
			name(w, key), store_text(text, (uint32_t)n) });
}

static void
write_info(struct writer *w)
{
	write_fact(w, "version", DATABASE_VERSION);
	write_fact(w, "min_bytes", w->p->min_bytes);
	write_fact(w, "unresolved", w->p->unresolved);
	write_fact(w, "findings", w->p->findings.n);
	write_fact(w, "has_metrics", w->p->has_metrics);
	for (int i = 0; i < PERF_METRICS; i++) {
		char key[24];

		snprintf(key, sizeof key, "metric_%d", i);
		if (w->p->metric[i] > 0)
			write_fact(w, key, w->p->metric[i]);
	}
}

static void
write_event(struct writer *w, const struct profile_event *e, int number)
{
	struct store_value v[EVENT_COLUMNS] = {
		[EVENT_NUMBER] = store_int(number),
		[EVENT_NAME] = name(w, e->name),
		[EVENT_KIND] = store_int(e->kind),
		[EVENT_SOURCE] = store_int(e->source),
		[EVENT_ERROR] = store_int(e->error),
		[EVENT_PERIOD] = store_uint(e->period),
		[EVENT_REAL] = store_uint(e->real),
		[EVENT_COMPUTES] = store_uint(e->computes),
		[EVENT_UNSURE] = store_uint(e->unsure),
		[EVENT_KNOWN] = store_uint(e->known),
	};

	put_cost(&v[EVENT_COST], &e->cost);
	put_cost(&v[EVENT_GUESS], &e->guess);
	put_cost(&v[EVENT_MIXED], &e->mixed);
	put(w, DATABASE_EVENT, v);
}

static int
by_event(const void *pa, const void *pb)
{
	const struct profile_event *a = *(void *const *)pa;
	const struct profile_event *b = *(void *const *)pb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void
write_events(struct writer *w)
{
	const struct profile_event *sorted[PROFILE_EVENTS] = { NULL };
	uint16_t *number = ARENA_ARRAY(&w->arena, uint16_t, PROFILE_EVENTS);
	int n = w->p->n_events;

	for (int i = 0; i < n; i++)
		sorted[i] = &w->p->event[i];
	qsort(sorted, (size_t)n, sizeof sorted[0], by_event);
	for (int i = 0; i < n; i++) {
		number[sorted[i] - w->p->event] = (uint16_t)i;
		write_event(w, sorted[i], i);
	}
	w->event = number;
}

/* Returns the index of the event with a number. */
static int
event_of(const struct writer *w, int number)
{
	int i = 0;

	while (w->event[i] != number)
		i++;
	return i;
}

static void
write_process(struct writer *w, const struct image *i, int number)
{
	const struct mem_heap *heap =
		i->heap.n == 0 ? NULL : i->heap.at[i->heap.n - 1];
	struct store_value v[PROCESS_COLUMNS] = {
		[PROCESS_NUMBER] = store_int(number),
		[PROCESS_IMAGE] = store_uint(i->head.image),
		[PROCESS_PID] = store_int(i->head.pid),
		[PROCESS_RANK] =
			i->rank < 0 ? store_null() : store_int(i->rank),
		[PROCESS_NODE] = name(w, i->node),
		[PROCESS_PROGRAM] = name(w, i->program),
		[PROCESS_CALLED] =
			name(w, i->argument.n == 0 ? NULL : i->argument.at[0]),
		[PROCESS_STARTED] = store_uint(i->head.realtime),
		[PROCESS_DURATION] = store_uint(i->last - i->head.time),
		[PROCESS_THREADS] = store_int(i->thread.n),
		[PROCESS_SILENT] = store_int(i->silent),
		[PROCESS_SILENT_NS] = store_uint(i->silent_ns),
		[PROCESS_SAMPLES] = store_uint(i->samples),
		[PROCESS_ENDED] = store_flag(i->ended),
		[PROCESS_LIVE_BYTES] =
			store_uint(heap == NULL ? 0 : heap->live_bytes),
		[PROCESS_LIVE_BLOCKS] =
			store_uint(heap == NULL ? 0 : heap->live_blocks),
		[PROCESS_PEAK_BYTES] =
			store_uint(heap == NULL ? 0 : heap->peak_bytes),
	};

	put(w, DATABASE_PROCESS, v);
}

static void
write_heap(struct writer *w, const struct image *i, int number)
{
	for (int n = 0; n < i->heap.n; n++) {
		const struct mem_heap *h = i->heap.at[n];

		put(w, DATABASE_HEAP,
			(struct store_value[HEAP_COLUMNS]){ store_int(number),
				store_int((int64_t)(h->time - i->head.time)),
				store_uint(h->live_bytes),
				store_uint(h->live_blocks),
				store_uint(h->mapped_bytes),
				store_uint(h->peak_bytes) });
	}
}

static void
write_processes(struct writer *w)
{
	const struct profile *p = w->p;

	for (int n = 0; n < p->image.n; n++)
		write_process(w, &p->image.at[n], n);
	for (int n = 0; n < p->image.n; n++)
		write_heap(w, &p->image.at[n], n);
	for (int n = 0; n < p->image.n; n++)
		for (int kind = 0; kind < IMAGE_LOSSES; kind++)
			if (p->image.at[n].lost[kind] > 0)
				put(w, DATABASE_LOSS,
					(struct store_value[]){ store_int(n),
						store_int(kind),
						store_uint(
							p->image.at[n]
								.lost[kind]) });
	for (int n = 0; n < p->image.n; n++)
		for (int e = 0; e < p->n_events; e++) {
			const struct cost *c =
				&p->image.at[n].cost[event_of(w, e)];
			struct store_value v[PROCESS_COST_COST + 3] = {
				store_int(n), store_int(e)
			};

			put_cost(&v[PROCESS_COST_COST], c);
			if (!is_zero(c))
				put(w, DATABASE_PROCESS_COST, v);
		}
}

static void
write_locations(struct writer *w)
{
	const struct profile *p = w->p;

	for (uint32_t i = 0; i < w->order.location.n; i++) {
		const struct code_location *l =
			profile_location(p, w->order.location.old[i]);
		struct store_value v[LOCATION_COLUMNS] = {
			[LOCATION_NUMBER] = store_int(i),
			[LOCATION_FUNCTION] = name(w, l->function),
			[LOCATION_FILE] = name(w, l->file),
			[LOCATION_LINE] = store_int(l->line),
			[LOCATION_MODULE] = name(w,
				l->module < 0
					? NULL
					: p->symbols.file.at[l->module].name),
			[LOCATION_IS_NAMED] = store_flag(l->is_named),
			[LOCATION_IS_INLINED] = store_flag(l->is_inlined),
			[LOCATION_CALL] = store_uint(l->call),
		};

		put(w, DATABASE_LOCATION, v);
	}
}

static void
write_variable(struct writer *w, const struct variable_row *r, uint32_t number)
{
	const uint32_t *location = w->order.location.new;
	struct store_value v[VARIABLE_COLUMNS] = {
		[VARIABLE_NUMBER] = store_int(number),
		[VARIABLE_KIND] = name(w, variable_kind_name(r->kind)),
		[VARIABLE_NAME] = name(w, r->name),
		[VARIABLE_GIVEN] = name(w, r->given),
		[VARIABLE_LOCATION] = store_int(location[r->location]),
		[VARIABLE_BYTES] = store_uint(r->bytes),
		[VARIABLE_BLOCKS] = store_uint(r->blocks),
		[VARIABLE_LIVE_BYTES] = store_uint(r->live_bytes),
		[VARIABLE_LIVE_BLOCKS] = store_uint(r->live_blocks),
		[VARIABLE_HALF_BYTES] = store_uint(r->half_bytes),
		[VARIABLE_PEAK_BYTES] = store_uint(r->peak_bytes),
		[VARIABLE_LEAST] = store_uint(r->least),
		[VARIABLE_MOST] = store_uint(r->most),
		[VARIABLE_IS_ESTIMATE] = store_flag(r->is_estimate),
		[VARIABLE_FREED] = store_uint(r->freed),
		[VARIABLE_THREADS] = store_uint(r->threads),
	};

	put(w, DATABASE_VARIABLE, v);
}

static void
write_chain(struct writer *w, const struct variable_row *r, uint32_t number)
{
	for (int i = 0; i < r->nchain; i++)
		put(w, DATABASE_CHAIN,
			(struct store_value[]){ store_int(number), store_int(i),
				store_int(
					w->order.location.new[r->chain[i]]) });
}

static void
write_total(struct writer *w, const struct variable_row *r, uint32_t number)
{
	static const struct cost none;

	for (int n = 0; n < w->p->n_events; n++) {
		int e = event_of(w, n);
		struct store_value v[TOTAL_COLUMNS] = { store_int(number),
			store_int(n) };

		put_cost(&v[TOTAL_COST], &r->cost[e]);
		put_cost(&v[TOTAL_GUESSED],
			r->guessed == NULL ? &none : &r->guessed[e]);
		put_cost(&v[TOTAL_MIXED],
			r->mixed == NULL ? &none : &r->mixed[e]);
		if (!is_zero(&r->cost[e]))
			put(w, DATABASE_TOTAL, v);
	}
}

static void
write_metrics(struct writer *w, const struct variable_row *r, uint32_t number)
{
	for (int i = 0; r->metric != NULL && i < PERF_METRICS; i++)
		if (r->metric[i] > 0)
			put(w, DATABASE_METRIC,
				(struct store_value[]){ store_int(number),
					store_int(i), store_flag(false),
					store_uint(r->metric[i]) });
	for (int i = 0; r->level != NULL && i < PERF_LEVELS; i++)
		if (r->level[i] > 0)
			put(w, DATABASE_METRIC,
				(struct store_value[]){ store_int(number),
					store_int(i), store_flag(true),
					store_uint(r->level[i]) });
}

static void
write_variables(struct writer *w)
{
	static void (*const parts[])(struct writer * w,
		const struct variable_row *r, uint32_t number) = {
		write_variable, write_chain, write_total, write_metrics
	};

	for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
		for (uint32_t i = 0; i < w->order.variable.n; i++)
			parts[part](w,
				&w->p->variable.at[w->order.variable.old[i]],
				i);
}

static int
by_row(const void *pa, const void *pb)
{
	const struct database_row *a = pa, *b = pb;

	if (a->variable != b->variable)
		return a->variable < b->variable ? -1 : 1;
	return (a->event > b->event) - (a->event < b->event);
}

static void
write_costs(struct writer *w, const struct database_costs *costs)
{
	for (int process = 0; process < w->p->image.n; process++) {
		int n;
		struct database_row *row = costs->rows(costs->arg, process, &n);

		for (int i = 0; i < n; i++) {
			row[i].variable =
				w->order.variable.new[row[i].variable];
			row[i].event = w->event[row[i].event];
		}
		if (n > 0)
			qsort(row, (size_t)n, sizeof *row, by_row);
		for (int i = 0; i < n; i++) {
			struct store_value v[COST_COLUMNS] = {
				[COST_PROCESS] = store_int(process),
				[COST_VARIABLE] = store_int(row[i].variable),
				[COST_EVENT] = store_int(row[i].event),
				[COST_THREADS] = store_int(row[i].threads),
			};

			put_cost(&v[COST_COST], &row[i].cost);
			put(w, DATABASE_COST, v);
		}
	}
}

/* A pair in the order of the database. */
struct ordered {
	uint32_t variable, location;
	const struct cost *cost;
};

static int
by_pair(const void *pa, const void *pb)
{
	const struct ordered *a = pa, *b = pb;

	if (a->variable != b->variable)
		return a->variable < b->variable ? -1 : 1;
	return (a->location > b->location) - (a->location < b->location);
}

static void
write_pair(struct writer *w, const struct ordered *o, bool is_outer)
{
	for (int n = 0; n < w->p->n_events; n++) {
		const struct cost *c = &o->cost[event_of(w, n)];
		struct store_value v[ACCESS_COLUMNS] = {
			[ACCESS_VARIABLE] = store_int(o->variable),
			[ACCESS_LOCATION] = store_int(o->location),
			[ACCESS_EVENT] = store_int(n),
			[ACCESS_IS_OUTER] = store_flag(is_outer),
		};

		put_cost(&v[ACCESS_COST], c);
		if (!is_zero(c))
			put(w, DATABASE_ACCESS, v);
	}
}

static void
write_accesses(struct writer *w, const struct pairs *pairs, bool is_outer)
{
	int n = pairs->list.n;
	struct ordered *list = ARENA_ARRAY(&w->arena, struct ordered, n);

	for (int i = 0; i < n; i++) {
		const struct pair *at = &pairs->list.at[i];

		list[i] = (struct ordered){ w->order.variable.new[at->variable],
			w->order.location.new[at->with], at->cost };
	}
	if (n > 0)
		qsort(list, (size_t)n, sizeof *list, by_pair);
	for (int i = 0; i < n; i++)
		write_pair(w, &list[i], is_outer);
}

static void
write_node(struct writer *w, uint32_t number)
{
	const struct database_order *o = &w->order;
	const struct node *n = &w->p->node.at[o->node.old[number]];
	struct store_value v[NODE_COLUMNS] = {
		[NODE_NUMBER] = store_int(number),
		[NODE_PARENT] = store_int(o->node.new[n->parent]),
		[NODE_KIND] = store_int(n->kind),
		[NODE_LOCATION] = store_int(o->location.new[n->location]),
		[NODE_VARIABLE_OF] = n->variable == 0
			? store_null()
			: store_int(o->variable.new[n->variable - 1]),
		[NODE_BYTES] = store_uint(n->bytes),
		[NODE_BLOCKS] = store_uint(n->blocks),
	};

	put(w, DATABASE_NODE, v);
}

static void
write_nodes(struct writer *w)
{
	for (uint32_t i = 1; i < w->order.node.n; i++)
		write_node(w, i);
	for (uint32_t i = 1; i < w->order.node.n; i++) {
		const struct node *node = &w->p->node.at[w->order.node.old[i]];

		for (int n = 0; n < w->p->n_events && node->own != NULL; n++) {
			const struct cost *c = &node->own[event_of(w, n)];
			struct store_value v[NODE_COST_COST + 3] = {
				store_int(i), store_int(n)
			};

			put_cost(&v[NODE_COST_COST], c);
			if (!is_zero(c))
				put(w, DATABASE_NODE_COST, v);
		}
	}
}

bool
database_write(const struct profile *p, const struct database_costs *costs,
	const char *path, struct err *err)
{
	struct writer w = { .p = p };
	struct store_options options = { .no_spool = true, .retry_ms = -1 };

	w.store = store_open(
		arena_printf(&w.arena, "sqlite:%s", path), &options, err);
	if (w.store == NULL) {
		arena_fini(&w.arena);
		return false;
	}
	for (int i = 0; i < DATABASE_TABLES; i++)
		w.table[i] = store_table(w.store, &database_tables[i]);
	database_order(&w.order, &w.arena, p);
	write_info(&w);
	write_events(&w);
	write_processes(&w);
	write_locations(&w);
	write_variables(&w);
	write_costs(&w, costs);
	write_accesses(&w, &p->statements, false);
	write_accesses(&w, &p->wanters, true);
	write_nodes(&w);
	arena_fini(&w.arena);
	return store_close(w.store, NULL, err);
}
