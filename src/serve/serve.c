/* SPDX-License-Identifier: MIT */
#include "serve/serve.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "serve/events.h"
#include "serve/guard.h"
#include "serve/http.h"
#include "serve/page.h"
#include "serve/route.h"

#define GEN_TEXT 8 /* hexadecimal digits */

struct serve {
	struct serve_options options;
	struct secrets secrets;
	const struct http_ops *ops; /* NULL: the server does not listen */
	struct http *http;
	struct events *events;
	pthread_mutex_t turn; /* callbacks run one at a time */
	_Atomic int port;     /* atomic: threads of http run before it is set */
	_Atomic int64_t asked; /* time of the last request */
};

static const struct {
	const char *name;
	route_fn *answer;
	bool slow; /* may walk many records: runs as a job */
} routes[] = {
	{ "meta", route_meta, false },
	{ "rows", route_rows, false },
	{ "labels", route_labels, false },
	{ "tile", route_tile, false },
	{ "stat", route_stat, true },
	{ "at", route_at, false },
	{ "step", route_step, true },
	{ "find", route_find, true },
	{ "links", route_links, false },
	{ "findings", route_findings, false },
	{ "durations", route_durations, true },
	{ "table", route_table, true },
	{ "intervals", route_intervals, true },
};

static int64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Writes the first bytes of the generation in hexadecimal. */
static void
write_gen(const struct serve_trace *t, char to[GEN_TEXT + 1])
{
	const uint8_t *g = index_meta(t->index)->generation;

	snprintf(to, GEN_TEXT + 1, "%02x%02x%02x%02x", g[0], g[1], g[2], g[3]);
}

static void
put_traces(struct serve *s, struct answer *to)
{
	struct doc doc;
	char gen[GEN_TEXT + 1];

	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_word(&doc, "version", WEFT_VERSION);
	doc_begin(&doc, "traces", '[');
	for (int i = 0; i < s->options.ntraces; i++) {
		write_gen(&s->options.trace[i], gen);
		doc_begin(&doc, NULL, '{');
		doc_i64(&doc, "trace", i);
		doc_word(&doc, "gen", gen);
		doc_word(&doc, "name", s->options.trace[i].name);
		doc_word(&doc, "state", "ready");
		doc_i64(&doc, "done", 1000);
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

/* Answers a question about a trace; `name` follows the generation in the path.
 */
static void
answer_trace(struct serve *s, const struct request *q, const char *name,
	struct call *c)
{
	struct answer *to = c->to;

	if (strcmp(name, "events") == 0) {
		to->events = true;
		to->type = "text/event-stream";
		return;
	}
	for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
		if (strcmp(routes[i].name, name) == 0) {
			if (routes[i].slow && !to->may_take_long) {
				to->slow = true;
				return;
			}
			c->turn = &s->turn;
			routes[i].answer(c);
			if (!index_is_whole(c->trace->index))
				answer_error(to, 410,
					"the index was cut while it was open");
			return;
		}
	not_found(to, q->path);
}

/* Answers a path after "/v1/". */
static void
answer_v1(struct serve *s, const struct request *q, const char *at,
	struct answer *to)
{
	char gen[GEN_TEXT + 1];
	int64_t trace;
	struct call c = { .request = q, .to = to, .arena = &to->arena };

	if (strcmp(at, "traces") == 0) {
		if (*q->query != '\0')
			answer_error(to, 400, "traces takes no parameters");
		else
			put_traces(s, to);
		return;
	}
	if (!param_digits(&at, s->options.ntraces - 1, &trace) || *at != '/') {
		not_found(to, q->path);
		return;
	}
	c.number = (int)trace;
	c.trace = &s->options.trace[trace];
	c.meta = index_meta(c.trace->index);
	c.gen = gen;
	c.query = (struct index_query){ .ix = c.trace->index,
		.budget = ROUTE_BUDGET };
	write_gen(c.trace, gen);
	if (strcspn(++at, "/") != GEN_TEXT || at[GEN_TEXT] != '/')
		not_found(to, q->path);
	else if (strncmp(at, gen, GEN_TEXT) != 0)
		answer_error(to, 409,
			"the index was built again (another generation): ask "
			"for /v1/traces");
	else
		answer_trace(s, q, at + GEN_TEXT + 1, &c);
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

struct serve *
serve_open_deaf(const struct serve_options *o, struct err *err)
{
	struct serve *s = mem_resize(NULL, 1, sizeof *s);

	*s = (struct serve){ .options = *o, .turn = PTHREAD_MUTEX_INITIALIZER };
	atomic_store(&s->asked, now_ns());
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
	const struct http_options http = { o->port, answer_http, s };

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
	s->events = events_start(ops, s->http, o->trace, o->ntraces);
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
	secret_fini(&s->secrets);
	pthread_mutex_destroy(&s->turn);
	mem_free(s);
}
