/* SPDX-License-Identifier: MIT */
/*
 * route.h - one function for each question about a trace: /v1/TRACE/GEN/NAME.
 *
 * A function reads its parameters, queries the index and writes the answer. It
 * reports wrong parameters by route_refuse(), failed queries by route_fail().
 */
#ifndef WEFT_SERVE_ROUTE_H
#define WEFT_SERVE_ROUTE_H

#include <pthread.h>

#include "base/document.h"
#include "export/index/query.h"
#include "serve/answer.h"
#include "serve/param.h"
#include "serve/pick.h"
#include "serve/request.h"
#include "serve/shown.h"

/* Records that one request may walk. */
#define ROUTE_BUDGET INT64_C(200000000)

/* A request that is being answered. */
struct call {
	const struct serve_trace *trace;
	int number;                        /* number of the trace */
	const struct index *index;         /* index of the generation that the
	                                    * request names */
	const char *state;                 /* as in /v1/traces */
	const struct shown_status *status; /* NULL: the answer is for a
	                                    * report */
	const struct index_meta *meta;
	const char *gen;
	const struct request *request;
	struct answer *to;
	struct arena *arena;   /* memory of the answer */
	pthread_mutex_t *turn; /* held during callbacks, which run one at a
	                        * time */
	struct index_query query;
	struct lengths_all *lengths; /* gathered for a report; else NULL */
	struct err err;              /* reason of a refused parameter */
};

typedef void route_fn(struct call *c);

route_fn route_meta, route_rows, route_labels, route_tile, route_stat, route_at,
	route_step, route_find, route_links, route_findings, route_durations,
	route_table, route_intervals;

/* Reads the parameters. On failure answers 400 and returns false. */
bool route_params(struct call *c, const struct param *table);

/* Answers 400 with the text of c->err. Always returns false. */
bool route_refuse(struct call *c);

/* Answers with the error in c->query.state. Always returns false. */
bool route_fail(struct call *c);

/* A window of time inside [0, end]: the parameters "from" and "to". */
struct route_window {
	int64_t from, to;
};

#define ROUTE_WINDOW(w) \
	{ .name = "from", .number = &(w).from, .min = 0, .max = INT64_MAX }, \
	{ \
		.name = "to", .number = &(w).to, .min = 0, .max = INT64_MAX \
	}

/* Returns the whole trace: the default before parameters are read. */
struct route_window route_whole(const struct call *c);

/* Refuses a window that ends before it begins, and returns false. */
bool route_check_window(struct call *c, const struct route_window *w);

/* Table entry of the parameter "type". */
#define ROUTE_TYPE(c, type) \
	{ \
		.name = "type", .needed = true, .number = &(type), .min = 0, \
		.max = (int64_t)(c)->meta->ntypes - 1 \
	}

/* Reads the rows of a text. They must have the class of the type (-1: any),
 * and groups are not allowed. On failure answers 400 and returns false. */
bool route_pick(
	struct call *c, const char *text, int64_t type, struct picked *out);

/* Returns the rows as a set: 1 for each row that is in it, by number. */
const uint8_t *route_rows_set(struct call *c, const struct picked *rows);

/* Returns the series of a row, or INDEX_NONE. */
uint32_t route_series(
	const struct call *c, uint32_t row, int64_t type, int64_t lane);

/* Appends the members "value", "class" and "label". `whole`: does not cut a
 * long label. */
void route_put_value(struct doc *doc, const struct index_type *type,
	int64_t value, bool whole);

/* Appends the members "from", "to", "value", "class" and "label". */
void route_put_interval(struct call *c, struct doc *doc, int64_t type,
	const struct index_interval *iv, bool whole);

void route_put_link(struct doc *doc, const char *key, const struct link *l);

/* Appends the members of a finding; `time` is the name of its time. */
void route_put_finding(
	struct doc *doc, const char *time, const struct sink_finding *f);

/* "message", "wakeup"... */
const char *route_link_word(enum link_meaning meaning);

/* Returns true if the values of the type are numbers of tasks. */
bool route_is_task(const struct index_type *t);

#endif
