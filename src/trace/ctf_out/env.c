/* SPDX-License-Identifier: MIT */
/* The environment and the clock, as both kinds of metadata have them. */
#include <string.h>

#include "base/arena.h"
#include "trace/ctf_out/out.h"

/* Values of the source that would not be true of the copy. */
static bool
is_stale(const char *name)
{
	static const char *const stale[] = { CTF_OUT_WRITER, CTF_OUT_STREAMS,
		CTF_OUT_SYSTEM, "weft_source" };

	for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++)
		if (strcmp(name, stale[i]) == 0)
			return true;
	return false;
}

/* Passes on the environment of a part. */
static void
env_of_part(const struct trace_part *of,
	void (*put)(
		void *arg, const char *name, const char *text, int64_t number),
	void *arg)
{
	for (int i = 0; i < of->env.n; i++)
		if (!is_stale(of->env.at[i].name))
			put(arg, of->env.at[i].name, of->env.at[i].text,
				of->env.at[i].number);
}

void
ctf_out_env(const struct ctf_out *c, const struct out_part *p,
	void (*put)(
		void *arg, const char *name, const char *text, int64_t number),
	void *arg)
{
	const struct trace *t = c->trace;
	const struct trace_env *source;

	if (p->part != NULL) {
		env_of_part(p->part, put, arg);
	} else {
		if (t->nodes.n > 0)
			put(arg, "hostname", t->nodes.at[0].host, 0);
		put(arg, "domain", "ust", 0);
	}
	if (p->part == NULL || trace_env(p->part, "tracer_name") == NULL) {
		put(arg, "tracer_name", "weft", 0);
		put(arg, "tracer_major", NULL, 0);
		put(arg, "tracer_minor", NULL, 2);
	}
	put(arg, CTF_OUT_WRITER, c->version, 0);
	source = p->part == NULL ? NULL : trace_env(p->part, "weft_source");
	put(arg, "weft_source",
		source != NULL && source->text != NULL ? source->text
						       : ctf_out_source(t),
		0);
	if (t->whole_system)
		put(arg, CTF_OUT_SYSTEM, NULL, 1);
	if (c->tables_text != NULL)
		put(arg, CTF_OUT_STREAMS, c->tables_text, 0);
}

const char *
ctf_out_source(const struct trace *t)
{
	const char *of = strstr(t->format, " of ");

	if (t->parts.n > 0 && strncmp(t->format, "CTF", 3) == 0)
		return "CTF";
	return of != NULL ? of + 4 : t->format;
}

const char *
ctf_out_identifier(struct arena *a, const char *name)
{
	static const char *const keywords[] = { "align", "callsite", "char",
		"clock", "const", "double", "enum", "env", "event", "float",
		"floating_point", "int", "integer", "long", "short", "signed",
		"stream", "string", "struct", "trace", "typealias", "typedef",
		"unsigned", "variant", "void", "_Bool", "_Complex",
		"_Imaginary" };
	const char *plain = shape_plain_name(a, name, 0);

	for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
		if (strcmp(plain, keywords[i]) == 0)
			return arena_printf(a, "_%s", plain);
	return plain;
}

static bool
is_name_taken(const struct out_part *p, const char *name)
{
	for (int i = 0; i < p->clocks.n; i++)
		if (strcmp(p->clocks.at[i]->name, name) == 0)
			return true;
	return false;
}

static bool
is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Returns the clock as the source has it. */
static struct out_clock
describe_clock(const struct trace *t, const struct stream *s)
{
	bool day =
		t->start_realtime != TRACE_UNKNOWN && t->start != TRACE_UNKNOWN;
	struct out_clock k = { .offset = s->clock_offset,
		.base = s->clock_offset,
		.of = s->clock,
		.uuid = s->clock_uuid };

	if (s->part == NULL && day)
		k.offset = (int64_t)((uint64_t)t->start_realtime -
			(uint64_t)t->start);
	if (k.of == NULL)
		k.of = (s->part == NULL ? t->start_monotonic != TRACE_UNKNOWN
					: t->by_monotonic)
			? "monotonic"
			: "weft";
	return k;
}

const struct out_clock *
ctf_out_clock_of(struct ctf_out *c, struct out_part *p, const struct stream *s)
{
	struct out_clock k = describe_clock(c->trace, s), *to;

	if (s->no_clock)
		return NULL;
	for (int i = 0; i < p->clocks.n; i++) {
		const struct out_clock *o = p->clocks.at[i];

		if (o->offset == k.offset && is_same(o->of, k.of) &&
			is_same(o->uuid, k.uuid))
			return o;
	}
	k.name = ctf_out_identifier(c->arena, k.of);
	while (is_name_taken(p, k.name))
		k.name = arena_printf(c->arena, "%s_%d", k.name, p->clocks.n);
	to = ARENA_NEW(c->arena, struct out_clock);
	*to = k;
	VEC_PUSH(&p->clocks, c->arena, to);
	return to;
}

int64_t
ctf_out_seconds(const struct out_clock *clock, int64_t *rest)
{
	int64_t seconds =
		clock->offset / CTF_OUT_NS - (clock->offset % CTF_OUT_NS < 0);

	*rest = clock->offset - seconds * CTF_OUT_NS;
	return seconds;
}
