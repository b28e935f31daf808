/* SPDX-License-Identifier: MIT */
#include "cli/mem/pprof.h"

#include "base/arena.h"
#include "export/compress.h"
#include "export/flame/profile_out.h"
#include "export/single.h"
#include "export/sink.h"
#include "mem/db/profile.h"

/* The values of a sample, in this order. */
enum {
	ALLOC_OBJECTS,
	ALLOC_SPACE,
	INUSE_OBJECTS,
	INUSE_SPACE,
	SAMPLES,
	LATENCY,
	VALUES
};

static const struct {
	const char *name, *unit;
} values[VALUES] = {
	[ALLOC_OBJECTS] = { "alloc_objects", "count" },
	[ALLOC_SPACE] = { "alloc_space", "bytes" },
	[INUSE_OBJECTS] = { "inuse_objects", "count" },
	[INUSE_SPACE] = { "inuse_space", "bytes" },
	[SAMPLES] = { "samples", "count" },
	[LATENCY] = { "latency", "cycles" },
};

struct writer {
	const struct profile *profile;
	struct arena *arena;
	struct profile_out out;
	VEC(uint32_t) stack;
	uint64_t value[VALUES];
	int event; /* whose samples are written; -1: none */
};

static void
push(struct writer *w, uint32_t location)
{
	const struct code_location *at = profile_location(w->profile, location);

	VEC_PUSH(&w->stack, w->arena,
		profile_out_function(
			&w->out, at->function, at->file, at->line));
}

static void
put(struct writer *w, const char *variable)
{
	if (w->stack.n > 0)
		profile_out_sample(&w->out,
			&(struct profile_out_sample){ w->stack.at, w->stack.n,
				w->value, "variable", variable });
	memset(w->value, 0, sizeof w->value);
	w->stack.n = 0;
}

/* Writes what the call path of a variable's blocks allocated. */
static void
put_blocks(struct writer *w, const struct variable_row *v)
{
	if (v->blocks == 0)
		return;
	for (int i = 0; i < v->nchain; i++)
		push(w, v->chain[i]);
	if (v->nchain == 0)
		push(w, v->location);
	w->value[ALLOC_OBJECTS] = v->blocks;
	w->value[ALLOC_SPACE] = v->bytes;
	w->value[INUSE_OBJECTS] = v->live_blocks;
	w->value[INUSE_SPACE] = v->live_bytes;
	put(w, v->name);
}

/* Returns true if the node is below <datacentric>. */
static bool
is_data(const struct profile *p, uint32_t node)
{
	while (node != 0 && node != p->data)
		node = p->node.at[node].parent;
	return node != 0;
}

/* Writes the accesses of a node: its own, not those of what it calls. */
static void
put_accesses(struct writer *w, uint32_t number)
{
	const struct profile *p = w->profile;
	const struct cost *own = p->node.at[number].own;
	const char *variable = NULL;

	if (w->event < 0 || own == NULL || own[w->event].samples == 0 ||
		!is_data(p, number))
		return;
	w->value[SAMPLES] = own[w->event].samples;
	w->value[LATENCY] = own[w->event].weights;
	/* The path ends where the variable's own begins. */
	for (; number != 0 && variable == NULL;
		number = p->node.at[number].parent) {
		const struct node *n = &p->node.at[number];

		if (n->variable > 0)
			variable = p->variable.at[n->variable - 1].name;
		else if (node_is_code(n->kind))
			push(w, n->location);
	}
	put(w, variable);
}

bool
mem_pprof(const struct mem_report *r, const char *path, struct err *err)
{
	struct compress_options packing = { .kind = COMPRESS_GZIP };
	struct sink_setup setup = { .file = path, .compress = &packing };
	struct outfile file;
	struct writer w = { .profile = r->profile,
		.arena = r->arena,
		.event = r->event >= 0 ? r->event
				       : profile_main_event(r->profile) };
	bool data =
		w.event >= 0 && event_has_data(r->profile->event[w.event].kind);

	if (!compress_check(&packing, err) ||
		!single_open(&file, r->arena, ".", "mem.pb.gz", &setup, err))
		return false;
	profile_out_begin(&w.out, r->arena, &file);
	for (int i = 0; i < VALUES; i++)
		profile_out_type(&w.out, values[i].name, values[i].unit);
	for (int i = 0; i < r->profile->variable.n; i++)
		put_blocks(&w, &r->profile->variable.at[i]);
	for (int i = 1; data && i < r->profile->node.n; i++)
		put_accesses(&w, (uint32_t)i);
	profile_out_end(&w.out,
		&(struct profile_out_about){
			.shown = values[r->profile->is_recording ? SAMPLES
								 : ALLOC_SPACE]
					 .name,
			.title = "memory" });
	return outfile_close(&file, err);
}
