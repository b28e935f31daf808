/* SPDX-License-Identifier: MIT */
/* The input is a request to the viewer's server: a line with the target, in
 * which GEN stands for the generation of its trace, and lines of headers. The
 * request has a valid cookie unless the target begins with "!". Answers in
 * JSON must be valid JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/json.h"
#include "export/index/index.h"
#include "export/index/sink.h"
#include "harness.h"
#include "serve/answer.h"
#include "serve/request.h"
#include "serve/serve.h"

#define NTYPES 5
#define HOST "127.0.0.1:4000"

static const struct type types[NTYPES] = {
	{ .id = 0, .class = "t", .key = "state", .none = "<nothing>" },
	{ .id = 1, .class = "t", .key = "id", .kind = TYPE_ID },
	{ .id = 2, .class = "t", .key = "point", .kind = TYPE_POINT },
	{ .id = 3, .class = "t", .key = "number", .kind = TYPE_NUMBER },
	{ .id = 4, .class = "t", .key = "stack", .stack = true },
};

static void
put_records(struct sink *s)
{
	static const int64_t stack[] = { 3, 1, 4 };

	for (int i = 0; i < 2000; i++) {
		uint32_t depth = (uint32_t)(i / 5 % 4);
		struct record r = { .time = i * 3,
			.row = (uint32_t)(i % 3),
			.type = (uint32_t)(i % NTYPES),
			.value = i * 7 % 5 };

		if (r.type == 4) {
			r.depth = depth;
			r.stack = stack;
			r.value = depth == 0 ? VALUE_NONE : stack[depth - 1];
		}
		sink_state(s, &r);
	}
	for (int i = 0; i < 20; i++)
		sink_link(s, &(struct link){ i, 2 * i, 0, 1, 1, i, INT64_MAX });
	sink_advance(s, 6001);
}

static void
build(const char *path)
{
	static const uint32_t ids[] = { 0, 4 };
	struct arena a = { 0 };
	struct err err = { 0 };
	struct sink *s = sink_index.open(&a, "",
		&(struct sink_setup){
			.unit = "ns", .file = path, .title = "t\xff" },
		&err);

	BUG_ON(s == NULL);
	for (uint32_t i = 0; i < 3; i++)
		sink_row(s,
			&(struct row){ i, ROW_NONE, "t", "r \"1\"\n", NULL });
	for (int i = 0; i < NTYPES; i++)
		sink_type(s, &types[i]);
	sink_label(s, 0, 1, "</script>\xc3", MEANS_TASK);
	sink_label(s, 4, 3, "three, or so", MEANS_IO);
	sink_panel(s, &(struct panel){ "t", "p", "P", ids, 2, false });
	sink_link_kind(s, &(struct link_kind){ 1, "wake", LINK_WAKEUP });
	sink_finding(s, &(struct sink_finding){ SEVERITY_NOTE, 5, 0, "f\t" });
	sink_gap(s, &(struct gap){ 1, 2, 0, UINT64_MAX, "why" });
	put_records(s);
	BUG_ON(!sink_close(s, &err));
	arena_fini(&a);
}

static bool
count(void *arg, const struct serve_stat *what, struct doc *to, struct err *err)
{
	(void)arg;
	(void)what;
	(void)to;
	return err_set(err, ERR_INPUT, "no trace");
}

/* The server that all inputs ask. */
static struct serve *
server(char gen[9])
{
	static struct serve *s;
	static struct serve_trace trace = { .name = "t", .stat = count };
	static struct arena a;
	struct serve_options o = { .trace = &trace, .ntraces = 1 };
	const char *dir = getenv("TMPDIR");
	const uint8_t *g;
	struct err err = { 0 };

	if (s == NULL) {
		const char *path = arena_printf(&a, "%s/fuzz-%d.widx",
			dir == NULL ? "/tmp" : dir, (int)getpid());

		build(path);
		trace.index = index_open(&a, path, &err);
		unlink(path);
		BUG_ON(trace.index == NULL);
		s = serve_open_deaf(&o, &err);
		BUG_ON(s == NULL);
	}
	g = index_meta(trace.index)->generation;
	snprintf(gen, 9, "%02x%02x%02x%02x", g[0], g[1], g[2], g[3]);
	return s;
}

static void
put_header(struct request *q, const char *name, const char *value)
{
	request_header(q, name, strlen(name), value, strlen(value));
}

/* Cuts up the header lines after the first one. */
static void
put_headers(struct request *q, char *line)
{
	while (line != NULL && *line != '\0') {
		char *next = strchr(line, '\n'), *colon;

		if (next != NULL)
			*next++ = '\0';
		colon = strchr(line, ':');
		if (colon != NULL)
			request_header(q, line, (size_t)(colon - line),
				colon + 1, strlen(colon + 1));
		line = next;
	}
}

/* The target of the request, with GEN replaced by the generation. */
static char *
target_of(struct arena *a, const char *text, const char *gen)
{
	const char *at = strstr(text, "GEN");

	if (at == NULL)
		return arena_strdup(a, text);
	return arena_printf(a, "%.*s%s%s", (int)(at - text), text, gen, at + 3);
}

static void
check(const struct answer *to)
{
	struct err err = { 0 };
	struct json_object *doc;
	struct arena a = { 0 };

	BUG_ON(to->status < 200 || to->status > 599);
	BUG_ON(to->status == 500);
	if (to->type != NULL && strcmp(to->type, "application/json") == 0) {
		doc = json_parse(
			arena_strndup(&a, to->body, to->size), to->size, &err);
		BUG_ON(doc == NULL);
		json_close(doc);
	}
	arena_fini(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	char gen[9], bearer[64], *text, *headers, *target;
	struct serve *s = server(gen);
	struct request q = { .method = "GET" };
	struct answer to = { .may_take_long = true };
	bool stranger = size > 0 && data[0] == '!';

	text = arena_strndup(
		&a, (const char *)data + stranger, size - (size_t)stranger);
	headers = strchr(text, '\n');
	if (headers != NULL)
		*headers++ = '\0';
	target = target_of(&a, text, gen);
	request_target(&q, target);
	if (!stranger) {
		snprintf(bearer, sizeof bearer, "Bearer %s", serve_token(s));
		put_header(&q, "Host", HOST);
		put_header(&q, "Authorization", bearer);
	}
	put_headers(&q, headers);
	serve_answer(s, &q, &to);
	check(&to);
	answer_fini(&to);
	arena_fini(&a);
	return 0;
}
