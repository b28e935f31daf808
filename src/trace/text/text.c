/* SPDX-License-Identifier: MIT */
#include "trace/text/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/clock.h"
#include "trace/text/parse.h"

#define FILE_MAX (64u << 20) /* bytes */
#define SUFFIX ".tt"

struct text {
	struct source source; /* first */
	struct parse parse;
	uint64_t size; /* bytes of the file */
	int next;      /* index of the next event */
};

static bool
text_recognise(const char *path)
{
	size_t n = strlen(path), suffix = strlen(SUFFIX);

	return n > suffix && strcmp(path + n - suffix, SUFFIX) == 0 &&
		file_is_regular(path);
}

/* Compares by time, then by position in the file. */
static int
compare(const void *a, const void *b)
{
	const struct parse_position *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static void
finding_clock(
	struct text *x, const struct parse_position *place, int64_t offset)
{
	const struct trace *t = &x->source.trace;

	finding_add(t->findings,
		(struct finding){ .severity = FINDING_ERROR,
			.file = t->path,
			.offset = place->line,
			.by_line = true,
			.time = FINDING_NEVER },
		"time %lld with clock offset %lld does not fit in 64 bits",
		(long long)place->time, (long long)offset);
}

static void
apply_offsets(struct text *x)
{
	const struct trace *t = &x->source.trace;

	for (int i = 0; i < x->parse.places.n; i++) {
		struct parse_position *place = &x->parse.places.at[i];
		struct event ev;
		const struct trace_node *node;
		int64_t time;

		parse_event(&x->parse, place, &ev);
		node = trace_node_of(t, t->streams.at[ev.stream].thread);
		time = clock_time(node, place->time);
		if (time < 0 || time == INT64_MAX) {
			finding_clock(x, place, node->clock_offset);
			time = 0;
		}
		place->time = time;
	}
}

static bool
read_clocks(
	struct text *x, const struct source_options *options, struct err *err)
{
	if (options == NULL || options->clock_table == NULL)
		return true;
	if (!clock_read(&x->source.trace, options->clock_table, err))
		return false;
	apply_offsets(x);
	return true;
}

static bool
load(struct text *x, const struct source_options *options, struct err *err)
{
	struct trace *t = &x->source.trace;
	size_t size;
	const char *text = file_read(t->arena, t->path, FILE_MAX, &size, err);

	if (text == NULL)
		return err_in(err, "%s", t->path);
	x->size = size;
	if (!parse_file(&x->parse, t, t->path, text, size, err))
		return false;
	if (t->streams.n == 0)
		return err_set(err, ERR_INPUT,
			"%s: no thread is declared in it, begin with a line: "
			"thread NAME",
			t->path);
	if (!read_clocks(x, options, err))
		return false;
	if (x->parse.places.n > 0)
		qsort(x->parse.places.at, (size_t)x->parse.places.n,
			sizeof x->parse.places.at[0], compare);
	if (x->parse.places.n > 0)
		t->start = x->parse.places.at[0].time;
	trace_check(t);
	return true;
}

static void
text_close(struct source *s)
{
	struct text *x = (struct text *)s;

	parse_fini(&x->parse);
	trace_fini(&s->trace);
}

static struct source *
text_open(struct arena *a, const char *path,
	const struct source_options *options, struct findings *fs,
	struct err *err)
{
	struct text *x = ARENA_NEW(a, struct text);

	x->source.ops = &source_text;
	trace_init(&x->source.trace, a, fs);
	x->source.trace.path = arena_strdup(a, path);
	x->source.trace.format = "text";
	x->source.trace.by_line = true;
	if (load(x, options, err))
		return &x->source;
	text_close(&x->source);
	return NULL;
}

static enum source_status
text_next(struct source *s, struct event *ev)
{
	struct text *x = (struct text *)s;

	if (x->next == x->parse.places.n)
		return SOURCE_END;
	parse_event(&x->parse, &x->parse.places.at[x->next++], ev);
	return SOURCE_EVENT;
}

static void
text_progress(const struct source *s, uint64_t *done, uint64_t *total)
{
	const struct text *x = (const struct text *)s;
	int n = x->parse.places.n;

	*total = x->size;
	*done = n > 0 ? x->size * (uint64_t)x->next / (uint64_t)n : x->size;
}

const struct source_ops source_text = {
	.name = "text",
	.help = "hand-written events in a file NAME.tt",
	.extensions = ".tt",
	.recognise = text_recognise,
	.open = text_open,
	.next = text_next,
	.progress = text_progress,
	.close = text_close,
};
