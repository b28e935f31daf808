/* SPDX-License-Identifier: MIT */
#include "trace/obs/meta_weft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "trace/obs/meta_clocks.h"
#include "trace/obs/wire.h"
#include "trace/ring_tail.h"
#include "trace/trace.h"

#define LOST_FEW 4 /* intervals of a stream that are listed one by one */

/* The metadata of a thread being read. */
struct part {
	struct trace *trace;
	struct json_object *weft;
	const char *file;
	int thread;
	struct stream *stream;
};

static struct finding
note(const struct part *p, const char *key)
{
	return (struct finding){ .severity = FINDING_NOTE,
		.file = p->file,
		.key = key,
		.offset = FINDING_NOWHERE,
		.time = FINDING_NEVER };
}

/* Returns true for the first thread of a process: notes about the whole process
 * are added once. */
static bool
is_first_of_process(const struct part *p)
{
	const struct trace *t = p->trace;

	for (int i = 0; i < p->thread; i++)
		if (t->threads.at[i].process ==
			t->threads.at[p->thread].process)
			return false;
	return true;
}

static void
read_kind(const struct part *p, const char *kind)
{
	const char *reason = json_str(json_get(p->weft, "ring.reason"));
	bool anonymous = strcmp(kind, "anonymous") == 0;

	if (strcmp(kind, "tmpfs") == 0 || !is_first_of_process(p))
		return;
	finding_add(p->trace->findings, note(p, "weft.ring.kind"),
		"the ring was %s%.40s%s%.100s%s: %s",
		anonymous ? "in memory only (" : "", kind,
		reason != NULL ? ", because of: " : "",
		reason != NULL ? reason : "", anonymous ? ")" : "",
		anonymous ? "if the program is killed, its events are lost"
			  : "events may cost page faults");
}

/* Notes once per process that an exec ended its threads. */
static void
read_exec(const struct part *p)
{
	const struct trace *t = p->trace;
	struct trace_thread *th = &t->threads.at[p->thread];
	const char *image = json_str(json_get(p->weft, "exec"));
	bool is_known = false;

	th->replaced = image != NULL;
	if (image == NULL)
		return;
	th->image = arena_strdup(t->arena, image);
	for (int i = 0; i < p->thread; i++)
		is_known |= t->threads.at[i].process == th->process &&
			t->threads.at[i].replaced;
	if (!is_known)
		finding_add(t->findings, note(p, "weft.exec"),
			"the process went on as another program: exec of "
			"%.200s",
			image);
}

/* Notes that a thread is not recorded to its end. */
static void
read_end(const struct part *p)
{
	const char *why = json_str(json_get(p->weft, "ended"));

	p->trace->threads.at[p->thread].confined = why != NULL;
	if (why != NULL)
		finding_add(p->trace->findings, note(p, "weft.ended"),
			"the thread is recorded until it gave up the system "
			"calls of the recorder (%.40s)",
			why);
}

static void
add_lost(const struct part *p, struct trace_lost lost)
{
	if (lost.count > 0 && lost.from >= 0 && lost.to >= lost.from)
		trace_add_lost(p->trace,
			(int)(p->stream - p->trace->streams.at), lost);
}

static void
read_lost(const struct part *p)
{
	struct json_object *list = json_get(p->weft, "lost");

	for (size_t i = 0; i < json_length(list); i++) {
		struct json_object *one = json_at(list, i);
		const char *why = json_str(json_at(one, 3));
		struct trace_lost lost = { 0 };

		lost.is_limited = why != NULL && strcmp(why, "limit") == 0;
		if (json_int(json_at(one, 0), &lost.from) &&
			json_int(json_at(one, 1), &lost.to) &&
			json_int(json_at(one, 2), &lost.count))
			add_lost(p, lost);
	}
}

/* Returns the path of the ring's file: the path that its writer stored or, if
 * the trace was moved, the path beside the trace. */
static const char *
find_file(const struct part *p, const char *file)
{
	struct arena *a = p->trace->arena;
	const char *process = file_parent(a, file_parent(a, p->stream->file));
	const char *moved = arena_printf(a, "%s/%s", process, file_name(file));

	return file_is_regular(file) || !file_is_regular(moved)
		? arena_strdup(a, file)
		: moved;
}

static void
use_ring(const struct part *p, const struct ring_tail *r,
	const struct ringfile *page)
{
	p->stream->ring = r;
	p->trace->nlost -= (uint64_t)p->stream->lost.n;
	p->stream->lost.n = 0; /* the ring's page has newer losses */
	for (uint32_t i = 0; i < page->nlost; i++)
		add_lost(p,
			(struct trace_lost){
				.from = (int64_t)page->lost[i].from,
				.to = (int64_t)page->lost[i].to,
				.count = (int64_t)page->lost[i].count });
	if (r->end > r->begin)
		finding_add(p->trace->findings, note(p, "weft.ring.file"),
			"%" PRId64 " bytes of the stream are read from its "
			"ring",
			r->end - r->begin);
	if (r->overwritten > 0)
		finding_add(p->trace->findings, note(p, "weft.ring.file"),
			"%" PRIu64 " earlier bytes are missing: a flight "
			"recorder keeps only the newest events",
			r->overwritten);
	p->stream->overwritten = (int64_t)(page->skip + r->overwritten);
}

static bool
fit(const struct part *p, struct ring_tail *r, const struct ringfile *page,
	char why[RING_WHY])
{
	int64_t head = sizeof(struct obs_file_header);
	struct stat st;

	if (stat(p->stream->file, &st) == 0 && st.st_size >= head)
		return ring_fit(r, page, st.st_size,
			(uint64_t)(st.st_size - head), why);
	snprintf(why, RING_WHY, "stream.obs has no header");
	return false;
}

static bool
read_ring(const struct part *p)
{
	const char *file = json_str(json_get(p->weft, "ring.file"));
	const char *id = json_str(json_get(p->weft, "ring.id"));
	struct ring_tail *r;
	struct ringfile page;
	char why[RING_WHY];

	if (file == NULL || id == NULL)
		return false;
	r = ARENA_NEW(p->trace->arena, struct ring_tail);
	file = find_file(p, file);
	if (ring_open(r, file, strtoull(id, NULL, 16), &page, why) &&
		fit(p, r, &page, why))
		use_ring(p, r, &page);
	else
		finding_add(p->trace->findings, note(p, "weft.ring.file"),
			"the ring %s is not used: %s: events that were not "
			"yet in stream.obs are lost, how many is not known",
			file, why);
	return p->stream->ring != NULL && r->live;
}

bool
obs_meta_weft(
	struct trace *t, struct json_object *doc, const char *file, int thread)
{
	struct part p = { t, json_get(doc, "weft"), file, thread,
		&t->streams.at[t->threads.at[thread].stream] };
	const char *kind = json_str(json_get(p.weft, "ring.kind"));
	bool is_finished = json_type(doc, "ovni.finished") != JSON_MISSING;
	int64_t hz;

	p.stream->by_weft = kind != NULL;
	if (kind != NULL)
		read_kind(&p, kind);
	if (json_int(json_get(p.weft, "sampled"), &hz) &&
		is_first_of_process(&p))
		finding_add(t->findings, note(&p, "weft.sampled"),
			"sampled %" PRId64 " times a second: what threads did "
			"between two samples is not known",
			hz);
	read_exec(&p);
	read_end(&p);
	obs_meta_clocks(t, p.weft, t->threads.at[thread].process);
	read_lost(&p);
	p.stream->cut = json_type(p.weft, "cut") != JSON_MISSING;
	p.stream->switches = json_type(p.weft, "switches") != JSON_MISSING;
	if (!json_int(json_get(p.weft, "overwritten"), &p.stream->overwritten))
		p.stream->overwritten = 0;
	return !is_finished && read_ring(&p);
}

static const char *
lost_advice(const struct stream *s, const struct trace_lost *l)
{
	if (l->is_limited)
		return "WEFT_MAX_MB was reached: a larger value would have "
		       "kept them";
	if (s->overwritten > 0)
		return "a flight recorder keeps only the newest events: a "
		       "larger WEFT_RING_KB (and WEFT_MAX_MB, if set) keeps "
		       "more";
	return s->switches
		? "switches came faster than weft run could read "
		  "them: leave a CPU free for weft run"
		: "the ring, WEFT_MAX_MB or the disk was full: "
		  "use a larger WEFT_RING_KB or WEFT_MAX_MB, "
		  "WEFT_FULL=block, or record fewer events (WEFT_EVENTS)";
}

/* Reports n intervals of losses; several are reported as a single one that
 * covers them. */
static void
report_lost(const struct trace *t, const struct stream *s,
	const struct trace_lost *l, int n, int64_t start)
{
	char where[32], when[TRACE_WHEN_MAX], parts[32] = "";

	snprintf(where, sizeof where, "thread %lld",
		s->thread == TRACE_NONE
			? 0LL
			: (long long)t->threads.at[s->thread].tid);
	if (n > 1)
		snprintf(parts, sizeof parts, " in %d intervals", n);
	finding_add(t->findings,
		(struct finding){ .severity = FINDING_WARNING,
			.file = s->file,
			.where = where,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER,
			.advice = lost_advice(s, l) },
		"%" PRId64 " event%s lost%s %s", l->count,
		l->count == 1 ? "" : "s", parts,
		trace_lost_when(l, start, when));
}

void
obs_meta_report_lost(const struct trace *t, int stream, int64_t start)
{
	const struct stream *s = &t->streams.at[stream];
	struct trace_lost all = { 0 };

	for (int i = 0; i < s->lost.n; i++) {
		const struct trace_lost *l = &s->lost.at[i];

		if (s->lost.n <= LOST_FEW)
			report_lost(t, s, l, 1, start);
		all.from = i == 0 ? l->from : all.from;
		all.to = l->to;
		if (__builtin_add_overflow(all.count, l->count, &all.count))
			all.count = INT64_MAX;
		all.is_limited |= l->is_limited;
	}
	if (s->lost.n > LOST_FEW)
		report_lost(t, s, &all, s->lost.n, start);
}
