/* SPDX-License-Identifier: MIT */
#include "trace/obs/meta_nosv.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/json.h"
#include "trace/trace.h"

static void
read_breakdown(struct trace *t, struct json_object *doc, int thread)
{
	bool can;

	if (json_truth(json_get(doc, "nosv.can_breakdown"), &can))
		t->threads.at[thread].can_breakdown =
			can ? TRACE_SAID_YES : TRACE_SAID_NO;
}

static void
count(void *arg, const char *key, struct json_object *value)
{
	(void)key;
	(void)value;
	++*(size_t *)arg;
}

/* Returns the name of counter i, or NULL. */
static const char *
counter_name(struct json_object *hwc, size_t i)
{
	char key[32];

	snprintf(key, sizeof key, "%zu", i);
	return json_str(json_get(json_get(hwc, key), "name"));
}

/* Where the counters of a thread are collected. */
struct reading {
	struct trace *trace;
	const char *file;
	int thread;
};

/* Reads the counters of a model, in its member "hwc", if it has any. */
static void
read_counters(void *arg, const char *model, struct json_object *value)
{
	const struct reading *r = arg;
	struct trace *t = r->trace;
	struct json_object *hwc = json_get(value, "hwc");
	struct trace_counters c = { .thread = r->thread, .file = r->file };
	const char **name;
	size_t n = 0;

	if (json_type(value, "hwc") == JSON_MISSING)
		return;
	json_each(hwc, count, &n);
	if (json_type(value, "hwc") != JSON_OBJECT)
		c.wrong = "must be an object";
	else if (n >= TRACE_COUNTERS_MAX)
		c.wrong = "more than 99 counters";
	name = ARENA_ARRAY(t->arena, const char *, n);
	c.model = arena_strdup(t->arena, model);
	c.name = name;
	for (size_t i = 0; i < n && c.wrong == NULL; i++) {
		const char *text = counter_name(hwc, i);

		if (text == NULL)
			c.wrong = "its counters must be \"0\", \"1\"..., each "
				  "with a name";
		else
			name[c.n++] = arena_strdup(t->arena, text);
	}
	VEC_PUSH(&t->counters, t->arena, c);
}

void
obs_meta_nosv(
	struct trace *t, struct json_object *doc, const char *file, int thread)
{
	struct reading r = { t, file, thread };

	read_breakdown(t, doc, thread);
	json_each(doc, read_counters, &r);
}
