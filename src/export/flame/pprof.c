/* SPDX-License-Identifier: MIT */
#include "export/flame/pprof.h"

#include "base/arena.h"
#include "export/compress.h"
#include "export/flame/flame.h"
#include "export/flame/profile_out.h"

struct pprof {
	struct flame flame;
	struct profile_out out;
	VEC(uint32_t) stack; /* of a sample */
	int64_t start_realtime;
	struct compress_options packing;
	struct sink_setup setup;
};

/* pprof reads gzip files, and the format's files are always such. */
static struct sink *
pprof_open(struct arena *a, const char *dir, const struct sink_setup *setup,
	struct err *err)
{
	struct pprof *p = ARENA_NEW(a, struct pprof);

	p->setup = *setup;
	if (setup->compress != NULL)
		p->packing = *setup->compress;
	if (p->packing.kind == COMPRESS_NONE)
		p->packing.kind = COMPRESS_GZIP;
	p->setup.compress = &p->packing;
	p->flame.by_row = true;
	p->start_realtime = setup->start_realtime;
	p->flame.name = "profile.pb";
	return flame_open(&p->flame, &sink_pprof, a, dir, &p->setup, err)
		? &p->flame.base
		: NULL;
}

/* Writes the stack of a node, the top first; the last entry is the row. */
static void
put_sample(struct pprof *p, uint32_t number, const uint32_t *function)
{
	struct flame *f = &p->flame;
	const struct flame_node *node = &f->nodes.at[number];
	const uint64_t value[] = { (uint64_t)(node->time / f->per),
		node->count };

	p->stack.n = 0;
	while (f->nodes.at[number].parent != FLAME_ROOT) {
		VEC_PUSH(&p->stack, f->arena,
			function[f->nodes.at[number].frame]);
		number = f->nodes.at[number].parent;
	}
	profile_out_sample(&p->out,
		&(struct profile_out_sample){ p->stack.at, p->stack.n, value,
			"thread", flame_text(f, f->nodes.at[number].frame) });
}

static bool
is_time(const struct flame *f)
{
	const char *unit = f->sampled ? f->types.at[f->type].unit : "ns";

	return unit != NULL && strcmp(unit, "ns") == 0;
}

/* Samples weigh time or a number of events, "cycles". Returns the name of the
 * weight. */
static const char *
put_types(struct pprof *p)
{
	const struct flame *f = &p->flame;
	const char *name = !f->sampled ? "time" : is_time(f) ? "cpu" : f->title;

	profile_out_type(&p->out, name, is_time(f) ? "nanoseconds" : "count");
	profile_out_type(&p->out, f->sampled ? "samples" : "count", "count");
	return name;
}

static bool
pprof_close(struct sink *s, struct err *err)
{
	struct pprof *p = (struct pprof *)s;
	struct flame *f = &p->flame;
	struct profile_out_about about = { .start_ns = p->start_realtime ==
				CLOCK_UNKNOWN
			? 0
			: p->start_realtime };
	uint32_t *function;

	flame_end(f);
	profile_out_begin(&p->out, f->arena, &f->out);
	about.shown = put_types(p);
	about.title = f->title != NULL ? f->title : "";
	about.duration_ns = f->sampled ? 0 : f->end / f->per;
	function = ARENA_ARRAY(f->arena, uint32_t, f->frames.n);
	for (int i = 1; i < f->nodes.n; i++) {
		const struct flame_node *node = &f->nodes.at[i];

		if (node->parent == FLAME_ROOT)
			continue; /* a row */
		if (function[node->frame] == 0)
			function[node->frame] = profile_out_function(
				&p->out, flame_text(f, node->frame), NULL, 0);
		put_sample(p, (uint32_t)i, function);
	}
	profile_out_end(&p->out, &about);
	return flame_close(f, err);
}

const struct sink_ops sink_pprof = {
	.name = "pprof",
	.help = "time of each stack of states for pprof: profile.pb.gz",
	.extensions = ".pb.gz .pprof",
	.streams = true,
	.packs = true,
	.open = pprof_open,
	.close = pprof_close,
	FLAME_CALLS,
};
