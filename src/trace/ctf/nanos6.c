/* SPDX-License-Identifier: MIT */
#include "trace/ctf/nanos6.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/ctf/layout.h"
#include "trace/ctf/parse.h"
#include "trace/ctf/stream.h"
#include "trace/finding.h"
#include "weft/nanos6.h"

#define COUNTERS_MAX 8
#define TRIED_BYTES 65536 /* bytes of each stream read to try a guess */
#define WINDOW 16384
/* The most bytes that an incomplete last event may leave over. Most events are
 * shorter. */
#define EVENT_BYTES 1024

static const struct weft_ctf_tracepoint points[] = { WEFT_NANOS6_TRACEPOINTS{
	0 } };

static const char head[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; } := uint64_t;\n"
	"trace { major = 1; minor = 8; byte_order = le;\n"
	"packet.header := struct { uint32_t magic; uint32_t stream_id; }; };\n"
	"env { domain = \"ust\"; nanos6_trace_version = 1; };\n"
	"clock { name = \"monotonic\"; freq = 1000000000; };\n"
	"typealias integer { size = 64; align = 8; "
	"map = clock.monotonic.value; } := clock_t;\n"
	"struct header { uint8_t id; clock_t timestamp; };\n"
	"stream { id = 1; packet.context := struct { uint16_t cpu_id; };\n"
	"event.header := struct header; };\n"
	"stream { id = 2; packet.context := struct { uint16_t cpu_id; };\n"
	"event.header := struct header; event.context := struct { "
	"struct { uint16_t tid; } unbounded; }; };\n";

/* A version of Nanos6 that may have written the streams. */
struct guess {
	bool old;
	int counters;
};

/* Converts "u32 id, str label" to TSDL; thread ids have 16 bits here. */
static const char *
fields_text(struct arena *a, const char *fields)
{
	const char *text = "";
	char type[8], name[32];

	if (*fields == '\0')
		return "uint8_t _dummy;";
	while (sscanf(fields, " %7s %31[^ ,]", type, name) == 2) {
		if (strcmp(type, "str") == 0)
			text = arena_printf(a, "%s string %s%s;", text,
				strcmp(name, "name") == 0 ? "" : "_", name);
		else
			text = arena_printf(a, "%s uint%s_t _%s;", text,
				strcmp(name, "tid") == 0 ? "16" : type + 1,
				name);
		fields += strcspn(fields, ",");
		fields += *fields == ',';
	}
	return text;
}

/* Returns the context of n counters; without metadata their names are
 * unknown. */
static const char *
counters_text(struct arena *a, int n)
{
	const char *text = "";

	for (int i = 0; i < n; i++)
		text = arena_printf(a, "%s uint64_t counter%d;", text, i + 1);
	return n == 0
		? ""
		: arena_printf(
			  a, "context := struct { struct { %s } hwc; };", text);
}

/* The metadata text being written. */
struct meta_text {
	struct arena *arena;
	const char *counters; /* the context of events with counters */
	char *at;
	size_t n, room;
	int id;
};

/* Adds the next event, for both kinds of streams. */
static void
put_event(struct meta_text *o, const char *name, const char *fields,
	bool has_counters)
{
	o->id++;
	for (int stream = 1; stream <= 2; stream++)
		o->n += (size_t)snprintf(o->at + o->n, o->room - o->n,
			"event { name = \"nanos6:%s\"; id = %d; "
			"stream_id = %d; %s fields := struct { %s }; };\n",
			name, o->id, stream,
			has_counters && stream == 1 ? o->counters : "",
			fields_text(o->arena, fields));
}

static void
put_call(struct meta_text *o, const struct weft_ctf_tracepoint *p,
	const char *context, int counters)
{
	put_event(o, arena_printf(o->arena, "%s:%s_enter", context, p->name),
		p->fields, counters & WEFT_CTF_TASK);
	put_event(o, arena_printf(o->arena, "%s:%s_exit", context, p->name), "",
		counters & WEFT_CTF_RUNTIME);
}

static void
put_point(struct meta_text *o, const struct weft_ctf_tracepoint *p, bool old)
{
	if (p->variants == 0)
		put_event(o, p->name, p->fields, p->counters != 0);
	if (p->variants & WEFT_CTF_TC)
		put_call(o, p, "tc", p->counters);
	if (p->variants & WEFT_CTF_OC)
		put_call(o, p, "oc", 0);
	if (old && p->does == WEFT_CTF_TASK_START) {
		put_event(o, "taskfor_init_enter", "u16 type, u32 id", false);
		put_event(o, "taskfor_init_exit", "", false);
	}
}

static bool
make_meta(struct ctf_meta *m, struct arena *a, const struct guess *g,
	struct err *err)
{
	struct meta_text o = { .arena = a,
		.counters = counters_text(a, g->counters),
		.n = sizeof head - 1,
		.room = 64 * 1024 };

	o.at = arena_alloc(a, o.room);
	memcpy(o.at, head, o.n);
	for (const struct weft_ctf_tracepoint *p = points; p->name != NULL; p++)
		put_point(&o, p, g->old);
	*m = (struct ctf_meta){ 0 };
	if (!ctf_parse(m, a, "the description of Nanos6", o.at, o.n, err))
		return false;
	m->made = true;
	return true;
}

/* How much of the streams a guess can read. */
struct yield {
	int64_t bytes;
	bool whole; /* everything was read, or enough to judge */
};

static void
try_stream(const char *file, const struct ctf_meta *m,
	const struct ctf_layout *l, struct arena *a, struct yield *y)
{
	struct findings fs;
	struct ctf_stream s = { .layout = l, .meta = m, .findings = &fs };
	int64_t good = 0;

	findings_init(&fs, a, 0);
	if (!ctf_stream_open(&s, file, WINDOW, true))
		return;
	while (good < TRIED_BYTES && ctf_stream_next(&s) &&
		fs.count[FINDING_ERROR] == 0)
		good = ctf_stream_done(&s);
	if (good < TRIED_BYTES &&
		(good + EVENT_BYTES < s.size || fs.count[FINDING_ERROR] > 0))
		y->whole = false;
	y->bytes += good;
	ctf_stream_close(&s);
}

static struct yield
try_guess(const struct ctf_folder *folder, const struct guess *g)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	struct ctf_meta m;
	struct ctf_layout l;
	struct yield y = { .whole = true };

	if (make_meta(&m, &a, g, &err) && ctf_layout_make(&l, &a, &m, &err)) {
		for (int i = 0; i < folder->streams.n; i++)
			try_stream(folder->streams.at[i], &m, &l, &a, &y);
		ctf_layout_fini(&l);
	}
	arena_fini(&a);
	return y;
}

bool
ctf_nanos6_is(const struct ctf_folder *folder)
{
	static const char channel[] = "channel_";

	for (int i = 0; i < folder->streams.n; i++)
		if (strncmp(file_name(folder->streams.at[i]), channel,
			    sizeof channel - 1) != 0)
			return false;
	return folder->streams.n > 0;
}

static void
report(const struct guess *g, const struct ctf_folder *folder,
	struct findings *fs)
{
	char counters[64] = "";

	if (g->counters > 0)
		snprintf(counters, sizeof counters,
			", with %d hardware counters of unknown names",
			g->counters);
	finding_file(fs, FINDING_WARNING, folder->path,
		"no readable metadata: read as streams of Nanos6 "
		"%s%s; clock offset, pid and CPUs are not known",
		g->old ? "2.8 or older" : "3.0 or newer", counters);
}

bool
ctf_nanos6_meta(struct ctf_meta *m, struct arena *a,
	const struct ctf_folder *folder, struct findings *fs, struct err *err)
{
	struct guess best = { 0 };
	struct yield most = { 0 };

	for (int i = 0; i < 2 * (COUNTERS_MAX + 1) && !most.whole; i++) {
		struct guess g = { .old = i % 2 == 1, .counters = i / 2 };
		struct yield y = try_guess(folder, &g);

		/* If there is no event at all, no other guess can read one. */
		if (y.bytes == 0 && i == 0)
			break;
		if (y.bytes > most.bytes) {
			most = y;
			best = g;
		}
	}
	if (most.bytes == 0)
		return err_set(err, ERR_INPUT,
			"%s: no metadata, and no event of Nanos6 in its "
			"streams",
			folder->path);
	report(&best, folder, fs);
	return make_meta(m, a, &best, err);
}
