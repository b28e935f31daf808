/* SPDX-License-Identifier: MIT */
#include "serve/serve.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/now.h"
#include "serve/events.h"
#include "serve/guard.h"
#include "serve/http.h"
#include "serve/page.h"
#include "serve/route.h"
#include "serve/shown.h"

struct serve {
	struct serve_options options;
	struct secrets secrets;
	const struct http_ops *ops; /* NULL: the server does not listen */
	struct http *http;
	struct events *events;
	struct shown *shown;  /* by trace; owned */
	pthread_mutex_t turn; /* callbacks run one at a time */
	_Atomic int port;     /* atomic: threads of http run before it is set */
	_Atomic int64_t asked; /* time of the last request */
};

static const struct {
	const char *name;
	route_fn *answer;
	enum cost {
		FAST,
		SLOW,      /* may walk many records: runs as a job */
		SLOW_DUMP, /* SLOW if the question is also for events */
	} cost;
} routes[] = {
	{ "meta", route_meta, FAST },
	{ "rows", route_rows, FAST },
	{ "labels", route_labels, FAST },
	{ "tile", route_tile, FAST },
	{ "stat", route_stat, SLOW },
	{ "at", route_at, SLOW_DUMP },
	{ "step", route_step, SLOW },
	{ "find", route_find, SLOW },
	{ "links", route_links, FAST },
	{ "findings", route_findings, FAST },
	{ "durations", route_durations, SLOW },
	{ "table", route_table, SLOW },
	{ "intervals", route_intervals, SLOW },
};

static void
put_traces(struct serve *s, struct answer *to)
{
	struct shown_status now;
	struct doc doc;

	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_word(&doc, "version", WEFT_VERSION);
	doc_begin(&doc, "traces", '[');
	for (int i = 0; i < s->options.ntraces; i++) {
		shown_drop(&s->shown[i], shown_take(&s->shown[i], &now));
		doc_begin(&doc, NULL, '{');
		doc_i64(&doc, "trace", i);
		doc_word(&doc, "gen", now.gen);
		doc_word(&doc, "name", s->options.trace[i].name);
		doc_word(&doc, "state", shown_word(now.state));
		doc_i64(&doc, "done", now.done);
		if (now.state == SERVE_GONE)
			doc_word(&doc, "why", now.why);
		doc_end(&doc, '}');
	}
	doc_end(&doc, ']');
	doc_end(&doc, '}');
	answer_json(to, &doc);
}

static void
put_file(const struct page_file *file, const struct request *q,
	struct answer *to)
{
	to->etag = file->etag;
	to->cache = "no-cache";
	if (request_has(q, file->etag)) {
		to->status = 304;
		return;
	}
	to->type = file->type;
	to->body = file->gzip;
	to->size = file->size;
	to->gzip = true;
}

static void
not_found(struct answer *to, const char *path)
{
	answer_error(to, 404, "there is no %s here", path);
}

static bool
is_slow(enum cost cost, const struct request *q)
{
	return cost == SLOW ||
		(cost == SLOW_DUMP && strstr(q->query, "dump") != NULL);
}

/* Answers a question about the generation in c; `name` follows the generation
 * in the path. */
static void
answer_route(struct serve *s, const struct request *q, const char *name,
	struct call *c)
{
	struct answer *to = c->to;

	for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
		if (strcmp(routes[i].name, name) == 0) {
			if (is_slow(routes[i].cost, q) && !to->may_take_long) {
				to->slow = true;
				return;
			}
			c->turn = &s->turn;
			routes[i].answer(c);
			if (!index_is_whole(c->index)) {
				answer_error(to, 410, SHOWN_CUT);
				shown_gone(&s->shown[c->number], SHOWN_CUT);
			}
			return;
		}
	not_found(to, q->path);
}

/* Answers that the generation in the path is not shown now. */
static void
answer_other(struct answer *to, const struct shown_status *now)
{
	struct doc doc;

	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_word(&doc, "error",
		"the index was built again (another generation): ask for "
		"/v1/traces");
	doc_word(&doc, "gen", now->gen);
	doc_word(&doc, "state", shown_word(now->state));
	answer_i64(&doc, "watermark", now->end);
	doc_end(&doc, '}');
	to->status = 409;
	answer_json(to, &doc);
}

/* Answers while there is no index yet. */
static void
answer_early(struct answer *to, const struct shown_status *now)
{
	struct doc doc;

	if (now->state == SERVE_GONE) {
		answer_error(to, 410, "%s", now->why);
		return;
	}
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_word(&doc, "state", shown_word(now->state));
	doc_i64(&doc, "done", now->done);
	answer_u64(&doc, "records", now->records);
	doc_end(&doc, '}');
	to->status = 202;
	answer_json(to, &doc);
}

static void
answer_reload(struct answer *to, const struct shown_status *now)
{
	struct doc doc;

	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_word(&doc, "gen", now->gen);
	doc_end(&doc, '}');
	answer_json(to, &doc);
}

/* Answers "GEN/NAME" about a trace. */
static void
answer_trace(struct serve *s, const struct request *q, int trace,
	const char *at, struct answer *to)
{
	const char *name = at + SHOWN_GEN + 1;
	struct shown_status now;
	struct generation *g;

	if (strspn(at, "0123456789abcdef") != SHOWN_GEN ||
		at[SHOWN_GEN] != '/') {
		not_found(to, q->path);
		return;
	}
	if (strcmp(name, "events") == 0) {
		to->events = true;
		to->type = "text/event-stream";
		return;
	}
	g = shown_take(&s->shown[trace], &now);
	if (strcmp(name, "reload") == 0) {
		shown_want_reload(&s->shown[trace]);
		answer_reload(to, &now);
	} else if (g == NULL) {
		answer_early(to, &now);
	} else if (strncmp(at, g->text, SHOWN_GEN) != 0) {
		answer_other(to, &now);
	} else {
		struct call c = { .trace = s->shown[trace].trace,
			.number = trace,
			.index = g->index,
			.state = shown_word(now.state),
			.status = &now,
			.meta = index_meta(g->index),
			.gen = g->text,
			.request = q,
			.to = to,
			.arena = &to->arena,
			.query = { .ix = g->index, .budget = ROUTE_BUDGET } };

		answer_route(s, q, name, &c);
	}
	shown_drop(&s->shown[trace], g);
}

/* Answers a path after "/v1/". */
static void
answer_v1(struct serve *s, const struct request *q, const char *at,
	struct answer *to)
{
	int64_t trace;

	if (strcmp(at, "traces") == 0) {
		if (*q->query != '\0')
			answer_error(to, 400, "traces takes no parameters");
		else
			put_traces(s, to);
		return;
	}
	if (!param_digits(&at, s->options.ntraces - 1, &trace) || *at != '/')
		not_found(to, q->path);
	else
		answer_trace(s, q, (int)trace, at + 1, to);
}

static void
answer_path(struct serve *s, const struct request *q, struct answer *to)
{
	for (const struct page_file *f = page_files; f->path != NULL; f++)
		if (strcmp(f->path, q->path) == 0) {
			put_file(f, q, to);
			return;
		}
	if (strncmp(q->path, "/v1/", 4) == 0)
		answer_v1(s, q, q->path + 4, to);
	else
		not_found(to, q->path);
}

void
serve_answer(struct serve *s, const struct request *q, struct answer *to)
{
	int64_t now = now_ns();
	struct guard g = guard_check(q, &s->secrets, s->port, now);

	to->status = g.status;
	if (g.twice && s->options.twice != NULL)
		s->options.twice(s->options.arg);
	if (g.status == 200) {
		atomic_store(&s->asked, now);
		answer_path(s, q, to);
	} else if (g.status == 303) {
		atomic_store(&s->asked, now);
		to->location = "/";
		to->cookie = arena_printf(&to->arena,
			"weft-%d=%s; HttpOnly; SameSite=Strict; Path=/",
			s->port, g.cookie);
	} else if (strncmp(q->path, "/v1/", 4) == 0) {
		answer_error(to, g.status, "%s", g.says);
	} else {
		answer_page(to, g.status, g.says);
	}
}

static void
answer_http(void *arg, const struct request *q, struct answer *to)
{
	serve_answer(arg, q, to);
}

static size_t
hello(void *arg, char *to, size_t room)
{
	struct serve *s = arg;

	return events_hello(s->shown, s->options.ntraces, to, room);
}

struct serve *
serve_open_deaf(const struct serve_options *o, struct err *err)
{
	struct serve *s = mem_resize(NULL, 1, sizeof *s);

	*s = (struct serve){ .options = *o, .turn = PTHREAD_MUTEX_INITIALIZER };
	atomic_store(&s->asked, now_ns());
	s->shown = mem_resize(NULL, (size_t)o->ntraces, sizeof *s->shown);
	for (int i = 0; i < o->ntraces; i++)
		shown_init(&s->shown[i], &o->trace[i]);
	if (secret_init(&s->secrets, err))
		return s;
	serve_close(s);
	return NULL;
}

bool
serve_is_possible(struct err *err)
{
	return http_load(err) != NULL;
}

struct serve *
serve_open(const struct serve_options *o, struct err *err)
{
	const struct http_ops *ops = http_load(err);
	struct serve *s = ops == NULL ? NULL : serve_open_deaf(o, err);
	const struct http_options http = { o->port, answer_http, hello, s };

	if (s == NULL)
		return NULL;
	s->ops = ops;
	s->http = ops->open(&http, err);
	if (s->http == NULL) {
		serve_close(s);
		return NULL;
	}
	s->port = ops->port(s->http);
	secret_start(&s->secrets, now_ns());
	s->events = events_start(ops, s->http, s->shown, o->ntraces);
	return s;
}

int
serve_port(const struct serve *s)
{
	return s->port;
}

const char *
serve_token(const struct serve *s)
{
	return s->secrets.text[SECRET_TOKEN];
}

const char *
serve_ticket(const struct serve *s)
{
	return s->secrets.text[SECRET_TICKET];
}

void
serve_show(struct serve *s, int trace, struct index *index, struct arena *a,
	enum serve_state state)
{
	shown_replace(&s->shown[trace], index, a, state);
}

void
serve_progress(struct serve *s, int trace, int done, uint64_t records)
{
	shown_progress(&s->shown[trace], done, records);
}

void
serve_gone(struct serve *s, int trace, const char *why)
{
	shown_gone(&s->shown[trace], why);
}

void
serve_refused(struct serve *s, int trace, const char *why)
{
	shown_refused(&s->shown[trace], why);
}

bool
serve_wants_reload(struct serve *s, int trace)
{
	return shown_take_reload(&s->shown[trace]);
}

void
serve_forget_pages(struct serve *s)
{
	for (int i = 0; i < s->options.ntraces; i++) {
		struct shown_status now;
		struct generation *g = shown_take(&s->shown[i], &now);

		if (g != NULL)
			index_forget_pages(g->index);
		shown_drop(&s->shown[i], g);
	}
}

int64_t
serve_idle(const struct serve *s)
{
	return (now_ns() - atomic_load(&s->asked)) / 1000000000;
}

void
serve_close(struct serve *s)
{
	if (s == NULL)
		return;
	events_stop(s->events);
	if (s->http != NULL)
		s->ops->close(s->http);
	for (int i = 0; i < s->options.ntraces; i++)
		shown_fini(&s->shown[i]);
	mem_free(s->shown);
	secret_fini(&s->secrets);
	pthread_mutex_destroy(&s->turn);
	mem_free(s);
}
