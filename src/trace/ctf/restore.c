/* SPDX-License-Identifier: MIT */
#include "trace/ctf/restore.h"

#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "trace/ctf_out/out.h"
#include "trace/obs/meta.h"
#include "trace/wall.h"

/* The class of an event of the CTF trace. */
struct restored {
	uint32_t class; /* in our table */
	uint32_t skip;  /* bytes in front of the payload */
};

struct restore {
	struct source source; /* first */
	struct source *from;  /* owned */
	int *stream;          /* by stream of `from`: ours */
	uint64_t shift;       /* added to times */
	uint64_t nended;
	bool ends;                    /* the original said when a stream ends */
	VEC(struct restored) classes; /* by class of `from` */
};

/* Finds the name of the event in the URI of its class. Returns false for an
 * event that the writer did not write. */
static bool
read_uri(const char *uri, struct event_class *class, uint32_t *skip)
{
	for (int i = 0; uri != NULL && i < 4; i++) {
		bool jumbo = (i & 2) != 0, bytes = (i & 1) != 0;
		const char *prefix = ctf_out_prefix(jumbo, bytes);
		size_t n = strlen(prefix);

		if (strncmp(uri, prefix, n) != 0)
			continue;
		class->name = uri + n;
		class->jumbo = jumbo;
		*skip = CTF_OUT_THREAD + (bytes ? CTF_OUT_SIZE : 0);
		return true;
	}
	return false;
}

static uint32_t
find_class(struct trace *t, const struct event_class *class)
{
	for (int i = 0; i < t->classes.n; i++)
		if (t->classes.at[i].jumbo == class->jumbo &&
			strcmp(t->classes.at[i].name, class->name) == 0)
			return (uint32_t)i;
	return trace_add_class(t, *class);
}

/* Adds the classes of all events. Returns false if one has no name. */
static bool
add_classes(struct restore *r)
{
	const struct trace *from = &r->from->trace;
	struct trace *t = &r->source.trace;

	for (int i = 0; i < from->classes.n; i++) {
		struct event_class class = { 0 };
		struct restored to = { 0 };

		if (!read_uri(from->classes.at[i].tells, &class, &to.skip))
			return false;
		to.class = find_class(t, &class);
		VEC_PUSH(&r->classes, t->arena, to);
	}
	return true;
}

/* Returns the number in the name of a file "stream-07", or -1. */
static int
number_of(const char *name)
{
	const char *at = strrchr(name, '-');
	int n = 0;

	if (at == NULL || strlen(at + 1) > 9 || at[1] == '\0')
		return -1;
	while (*++at != '\0') {
		if (*at < '0' || *at > '9')
			return -1;
		n = n * 10 + (*at - '0');
	}
	return n;
}

static bool
add_stream(struct restore *r, struct json_object *doc)
{
	struct trace *t = &r->source.trace;
	const char *name = json_str(json_get(doc, "name")), *lib;
	struct stream *s = VEC_ADD(&t->streams, t->arena);
	int at = t->streams.n - 1;

	s->file = s->meta = t->path;
	s->name = name == NULL ? "?" : arena_strdup(t->arena, name);
	s->thread = TRACE_NONE;
	s->cpu = TRACE_NONE;
	if (json_type(doc, "ovni") != JSON_OBJECT)
		return name != NULL;
	s->thread = obs_meta_take(t, doc, s->file, at, &lib);
	if (t->lib == NULL)
		t->lib = lib;
	return name != NULL;
}

/* Returns what the metadata adds to the times of the original: the offset of
 * the clock, which is that of all streams. */
static uint64_t
offset_of(const struct trace *from)
{
	for (int i = 0; i < from->streams.n; i++)
		if (!from->streams.at[i].is_unread)
			return (uint64_t)from->streams.at[i].clock_offset;
	return 0;
}

/* Moves the time of a clock at the start. */
static void
move_start(int64_t *clock, uint64_t by)
{
	if (*clock != TRACE_UNKNOWN)
		*clock = (int64_t)((uint64_t)*clock + by);
}

/* Takes the times of the original, not those of the day. The copy may begin
 * later than the original. */
static void
take_whole(struct restore *r, struct json_object *doc)
{
	struct trace *t = &r->source.trace;
	const char *format = json_str(json_get(doc, "format"));
	int64_t start;
	uint64_t later;

	t->format = arena_printf(t->arena, "%s of %s", r->from->trace.format,
		format != NULL ? format : "ovni");
	r->ends = format == NULL || strcmp(format, "text") != 0;
	json_int(json_get(doc, "start_realtime"), &t->start_realtime);
	json_int(json_get(doc, "start_monotonic"), &t->start_monotonic);
	t->by_monotonic = json_type(doc, "monotonic") != JSON_MISSING;
	r->shift = -offset_of(&r->from->trace);
	t->start = (int64_t)((uint64_t)r->from->trace.start + r->shift);
	if (!json_int(json_get(doc, "start"), &start))
		return;
	later = (uint64_t)t->start - (uint64_t)start;
	move_start(&t->start_realtime, later);
	move_start(&t->start_monotonic, later);
}

/* Reads the documents. Returns false if one is not usable. */
static bool
read_tables(struct restore *r, const char *text)
{
	for (int i = 0; *text != '\0'; i++) {
		size_t n = strcspn(text, (char[]){ CTF_OUT_SEPARATOR, '\0' });
		char *one = arena_strndup(r->source.trace.arena, text, n);
		struct json_object *doc =
			json_parse(one, n, &(struct err){ 0 });
		bool ok = doc != NULL;

		if (ok && i == 0)
			take_whole(r, doc);
		else if (ok)
			ok = add_stream(r, doc);
		json_close(doc);
		if (!ok)
			return false;
		text += n + (text[n] != '\0');
	}
	return r->source.trace.streams.n > 0;
}

/* Finds our stream of each stream of the CTF trace. */
static bool
match_streams(struct restore *r)
{
	const struct trace *from = &r->from->trace;
	struct trace *t = &r->source.trace;

	r->stream = ARENA_ARRAY(t->arena, int, from->streams.n);
	for (int i = 0; i < from->streams.n; i++) {
		const struct stream *s = &from->streams.at[i];
		int n = number_of(file_name(s->name));

		if (n < 0 || n >= t->streams.n)
			return false;
		r->stream[i] = n;
		t->streams.at[n].file = s->file;
		t->streams.at[n].meta = s->meta;
	}
	/* A stream without events has no file. */
	for (int i = 0; i < t->streams.n && r->ends; i++)
		if (t->streams.at[i].file == t->path)
			trace_end_stream(t, i);
	return true;
}

/* Passes on the ends of streams. The losses of the whole trace were in the
 * tables from the begin, so those of the packets are not passed on. */
static void __attribute__((noinline, cold)) pass_on(struct restore *r)
{
	const struct trace *from = &r->from->trace;
	struct trace *t = &r->source.trace;

	for (int i = 0; i < from->streams.n && r->ends; i++)
		if (from->streams.at[i].ended)
			trace_end_stream(t, r->stream[i]);
	if (from->damaged)
		trace_note_damage(t);
	r->nended = from->nended;
}

static enum source_status
next(struct source *source, struct event *ev)
{
	struct restore *r = (struct restore *)source;
	enum source_status status = source_next(r->from, ev);
	const struct restored *is;

	if (__builtin_expect(r->nended != r->from->trace.nended, 0))
		pass_on(r);
	if (status != SOURCE_EVENT)
		return status;
	is = &r->classes.at[ev->class];
	ev->time = (int64_t)((uint64_t)ev->time + r->shift);
	ev->stream = (uint32_t)r->stream[ev->stream];
	ev->class = is->class;
	ev->data += is->skip;
	ev->size = ev->size > is->skip ? ev->size - is->skip : 0;
	ev->value = NULL;
	return SOURCE_EVENT;
}

static void
seek(struct source *source, int64_t time)
{
	struct restore *r = (struct restore *)source;

	source_seek(r->from, (int64_t)((uint64_t)time - r->shift));
}

static void
progress(const struct source *source, uint64_t *done, uint64_t *total)
{
	source_progress(((const struct restore *)source)->from, done, total);
}

static void
close_source(struct source *source)
{
	source_close(((struct restore *)source)->from);
	trace_fini(&source->trace);
}

static const struct source_ops restored_ops = {
	.name = "ctf",
	.next = next,
	.seek = seek,
	.progress = progress,
	.close = close_source,
};

struct source *
ctf_restore(struct arena *a, struct source *ctf)
{
	const struct trace_env *e = ctf->trace.parts.n == 1
		? trace_env(ctf->trace.parts.at[0], CTF_OUT_STREAMS)
		: NULL;
	struct restore *r;
	struct trace *t;

	if (e == NULL || e->text == NULL)
		return ctf;
	r = ARENA_NEW(a, struct restore);
	t = &r->source.trace;
	r->source.ops = &restored_ops;
	r->from = ctf;
	trace_init(t, a, ctf->trace.findings);
	t->path = ctf->trace.path;
	t->unit = "ns";
	if (!read_tables(r, e->text) || !match_streams(r) || !add_classes(r)) {
		finding_file(t->findings, FINDING_WARNING, t->path,
			"the tables of the original trace cannot be used: its "
			"events are read as those of any CTF trace");
		trace_fini(t);
		return ctf;
	}
	trace_check(t);
	wall_report(t, t->start);
	pass_on(r);
	return &r->source;
}
