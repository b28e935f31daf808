/* SPDX-License-Identifier: MIT */
/* The environment and the clock, as both kinds of metadata have them. */
#include <string.h>

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
ctf_out_clock_name(const struct ctf_out *c)
{
	return c->trace->start_monotonic != TRACE_UNKNOWN ? "monotonic"
							  : "weft";
}

int64_t
ctf_out_clock_offset(const struct ctf_out *c, const struct out_stream_class *s)
{
	const struct trace *t = c->trace;

	if (s->part->part != NULL)
		return s->clock_offset;
	return t->start_realtime == TRACE_UNKNOWN || t->start == TRACE_UNKNOWN
		? 0
		: (int64_t)((uint64_t)t->start_realtime - (uint64_t)t->start);
}
