/* SPDX-License-Identifier: MIT */
/*
 * route.h - the questions about a trace, a function each: /v1/TRACE/GEN/NAME.
 *
 * A function reads its parameters, asks the index and writes the answer; with
 * route_refuse() and route_fail() it says what is wrong with either.
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
#include "serve/trace.h"

/* Records that one request may walk. */
#define ROUTE_BUDGET INT64_C(200000000)

/* A request while it is answered. */
struct call {
	const struct serve_trace *trace;
	int number; /* of the trace */
	const struct index_meta *meta;
	const char *gen;
	const struct request *request;
	struct answer *to;
	struct arena *arena;   /* of the answer */
	pthread_mutex_t *turn; /* of callbacks, which come one at a time */
	struct index_query query;
	struct err err; /* for parameters */
};

typedef void route_fn(struct call *c);

route_fn route_meta, route_rows, route_labels, route_tile, route_stat, route_at,
	route_step, route_find, route_links, route_findings, route_durations,
	route_table, route_intervals;

/* Reads the parameters. False: the answer is there, 400. */
bool route_params(struct call *c, const struct param *table);

/* 400 with the text of c->err; always false. */
bool route_refuse(struct call *c);

/* The answer if the index could not say: by c->query.state. Always false. */
bool route_fail(struct call *c);

/* A window of times inside [0, end]: parameters "from" and "to". */
struct route_window {
	int64_t from, to;
};

#define ROUTE_WINDOW(w) \
	{ .name = "from", .number = &(w).from, .min = 0, .max = INT64_MAX }, \
	{ \
		.name = "to", .number = &(w).to, .min = 0, .max = INT64_MAX \
	}

/* The whole trace, before the parameters are read. */
struct route_window route_whole(const struct call *c);

/* False, refused: it ends before it begins. */
bool route_check_window(struct call *c, const struct route_window *w);

/* The parameter "type". */
#define ROUTE_TYPE(c, type) \
	{ \
		.name = "type", .needed = true, .number = &(type), .min = 0, \
		.max = (int64_t)(c)->meta->ntypes - 1 \
	}

/* The rows of a text, of the class of the type, -1: of any; no groups. False,
 * refused. */
bool route_pick(
	struct call *c, const char *text, int64_t type, struct picked *out);

/* The series of a row, or INDEX_NONE. */
uint32_t route_series(
	const struct call *c, uint32_t row, int64_t type, int64_t lane);

/* Members "value", "class", "label"; a long label is cut, or goes over whole.
 */
void route_put_value(struct doc *doc, const struct index_type *type,
	int64_t value, bool whole);

#endif
