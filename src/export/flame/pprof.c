/* SPDX-License-Identifier: MIT */
#include "export/flame/pprof.h"

#include "base/arena.h"
#include "base/intern.h"
#include "export/compress.h"
#include "export/flame/flame.h"
#include "export/proto.h"

/* Numbers of fields, from profile.proto of pprof. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_DEFAULT = 14,
	VALUE_TYPE = 1,
	VALUE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
};

enum { THE_MAPPING = 1 };

struct pprof {
	struct flame flame;
	struct intern strings;
	struct proto all, part;
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
	intern_init(&p->strings, a);
	intern_add(&p->strings, "");
	p->flame.name = "profile.pb";
	return flame_open(&p->flame, &sink_pprof, a, dir, &p->setup, err)
		? &p->flame.base
		: NULL;
}

static void
put_value_type(struct pprof *p, const char *type, const char *unit)
{
	size_t at = proto_begin(&p->all, PROFILE_SAMPLE_TYPE);

	proto_u64(&p->all, VALUE_TYPE, intern_add(&p->strings, type));
	proto_u64(&p->all, VALUE_UNIT, intern_add(&p->strings, unit));
	proto_end(&p->all, at);
}

/* Writes the entries of a stack, the top first; the last is the row. Returns
 * the row's frame. */
static uint32_t
put_stack(struct pprof *p, uint32_t node)
{
	const struct flame *f = &p->flame;
	char id[PROTO_VARINT_MAX];

	p->part.n = 0;
	while (f->nodes.at[node].parent != FLAME_ROOT) {
		char *end =
			proto_varint(id, (uint64_t)f->nodes.at[node].frame + 1);

		proto_raw(&p->part, id, (size_t)(end - id));
		node = f->nodes.at[node].parent;
	}
	proto_bytes(&p->all, SAMPLE_LOCATION, p->part.at, p->part.n);
	return f->nodes.at[node].frame;
}

static void
put_sample(struct pprof *p, uint32_t number)
{
	const struct flame_node *node = &p->flame.nodes.at[number];
	size_t at = proto_begin(&p->all, PROFILE_SAMPLE), label;
	char values[2 * PROTO_VARINT_MAX], *end = values;
	uint32_t row = put_stack(p, number);

	end = proto_varint(end, (uint64_t)(node->time / p->flame.per));
	end = proto_varint(end, node->count);
	proto_bytes(&p->all, SAMPLE_VALUE, values, (size_t)(end - values));
	label = proto_begin(&p->all, SAMPLE_LABEL);
	proto_u64(&p->all, LABEL_KEY, intern_add(&p->strings, "thread"));
	proto_u64(&p->all, LABEL_TEXT,
		intern_add(&p->strings, flame_text(&p->flame, row)));
	proto_end(&p->all, label);
	proto_end(&p->all, at);
}

/* Moves what is encoded so far to the file. */
static void
flush(struct pprof *p)
{
	outfile_write(&p->flame.out, p->all.at, p->all.n);
	p->all.n = 0;
}

/* Location i and function i are frame i - 1. */
static void
put_location(struct pprof *p, uint32_t frame)
{
	size_t at = proto_begin(&p->all, PROFILE_LOCATION), line;

	proto_u64(&p->all, LOCATION_ID, (uint64_t)frame + 1);
	proto_u64(&p->all, LOCATION_MAPPING, THE_MAPPING);
	line = proto_begin(&p->all, LOCATION_LINE);
	proto_u64(&p->all, LINE_FUNCTION, (uint64_t)frame + 1);
	proto_end(&p->all, line);
	proto_end(&p->all, at);
	at = proto_begin(&p->all, PROFILE_FUNCTION);
	proto_u64(&p->all, FUNCTION_ID, (uint64_t)frame + 1);
	proto_u64(&p->all, FUNCTION_NAME,
		intern_add(&p->strings, flame_text(&p->flame, frame)));
	proto_end(&p->all, at);
	flush(p);
}

static void
put_rest(struct pprof *p)
{
	const struct flame *f = &p->flame;
	size_t at = proto_begin(&p->all, PROFILE_MAPPING);

	proto_u64(&p->all, MAPPING_ID, THE_MAPPING);
	proto_u64(&p->all, MAPPING_FILE,
		intern_add(&p->strings, f->title != NULL ? f->title : ""));
	proto_u64(&p->all, MAPPING_HAS_FUNCTIONS, 1);
	proto_end(&p->all, at);
	if (p->start_realtime != CLOCK_UNKNOWN)
		proto_i64(&p->all, PROFILE_TIME, p->start_realtime);
	proto_i64(&p->all, PROFILE_DURATION, f->end / f->per);
	proto_u64(&p->all, PROFILE_DEFAULT, intern_add(&p->strings, "time"));
	for (uint32_t i = 0; i < p->strings.n; i++)
		proto_text(
			&p->all, PROFILE_STRING, intern_name(&p->strings, i));
	flush(p);
}

static bool
pprof_close(struct sink *s, struct err *err)
{
	struct pprof *p = (struct pprof *)s;
	struct flame *f = &p->flame;
	bool *used;

	flame_end(f);
	used = ARENA_ARRAY(f->arena, bool, f->frames.n);
	put_value_type(p, "time", "nanoseconds");
	put_value_type(p, "count", "count");
	for (int i = 1; i < f->nodes.n; i++) {
		const struct flame_node *node = &f->nodes.at[i];

		if (node->parent == FLAME_ROOT)
			continue; /* a row */
		used[node->frame] = true;
		put_sample(p, (uint32_t)i);
		flush(p);
	}
	for (int i = 0; i < f->frames.n; i++)
		if (used[i])
			put_location(p, (uint32_t)i);
	put_rest(p);
	proto_fini(&p->all);
	proto_fini(&p->part);
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
