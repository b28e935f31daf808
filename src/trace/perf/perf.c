/* SPDX-License-Identifier: MIT */
#include "trace/perf/perf.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intern.h"
#include "trace/perf/classes.h"
#include "trace/perf/maps.h"
#include "trace/perf/records.h"
#include "trace/perf/round.h"
#include "trace/perf/swap.h"

#define MISC_OUT (1u << 13)       /* SWITCH: the thread leaves the CPU */
#define MISC_EXEC (1u << 13)      /* COMM: the process runs another program */
#define MISC_PREEMPTED (1u << 14) /* ... and could go on */

struct perf_source {
	struct source source; /* first */
	int fd;
	struct perf_file file;
	struct perf_records records;
	struct perf_round round;
	struct perf_classes classes;
	struct perf_maps maps;
	struct trace_part part;
	struct perf_bytes first; /* the first record of the kernel; at NULL:
	                          * none, or it was taken */
	bool is_over;
	int64_t time;         /* of the last event */
	int64_t *stream_time; /* of the last event of each stream */
	struct map comm;      /* TID -> number of its name + 1 */
	struct intern names;
	uint64_t bad, backwards;
	uint64_t nowhere; /* switches without a CPU */
	bool reported;
	bool is_ahead; /* the first event was read when the file was opened */
	enum source_status ahead;
	struct event first_event;
};

static void
say(struct perf_source *p, enum finding_severity severity, int64_t offset,
	const char *text)
{
	finding_add(p->source.trace.findings,
		(struct finding){ .severity = severity,
			.file = p->source.trace.path,
			.offset = offset,
			.time = FINDING_NEVER },
		"%s", text);
}

static const char *
name_of(const struct perf_source *p, uint32_t tid)
{
	const uint64_t *name = map_get(&p->comm, tid);

	return name == NULL ? (tid == 0 ? "swapper" : "?")
			    : intern_name(&p->names, (uint32_t)(*name - 1));
}

static void
set_name(struct perf_source *p, uint32_t tid, const char *name)
{
	*map_put(&p->comm, tid) = (uint64_t)intern_add(&p->names, name) + 1;
}

/* Returns the index of the record's event. */
static uint32_t
event_of(const struct perf_source *p, const struct perf_bytes *b)
{
	const struct perf_file *f = &p->file;
	const uint64_t *event;

	if (f->event.n == 1)
		return 0;
	event = map_get(
		&f->ids, perf_record_id(&f->event.at[0].attr, b->at, b->size));
	return event != NULL ? (uint32_t)*event : 0;
}

static bool
is_mapping(const struct perf_record *r)
{
	return r->type == PERF_RECORD_MMAP || r->type == PERF_RECORD_MMAP2;
}

/* Keeps the names and mappings that perf lists before it records. Returns true
 * if the record has a time: then it is an event. */
static bool
is_timed(struct perf_source *p, const struct perf_record *r)
{
	if (r->time != 0 && r->time <= INT64_MAX)
		return true;
	if (r->type == PERF_RECORD_COMM)
		set_name(p, r->comm.tid, r->comm.name);
	if (is_mapping(r))
		perf_maps_add(&p->maps, &r->mmap);
	return false;
}

/* Returns the index of the record's event. Brings the record into the byte
 * order of this machine, so it is called once. */
static uint32_t
take_order(const struct perf_source *p, const struct perf_bytes *b)
{
	uint8_t *at = (uint8_t *)(uintptr_t)b->at;
	uint32_t event;

	if (!p->file.swapped)
		return event_of(p, b);
	perf_swap_words(at, b->size);
	event = event_of(p, b);
	perf_swap_parts(at, b->size, &p->file.event.at[event].attr);
	return event;
}

/* Adds a record of the kernel to the round. */
static void
add(struct perf_source *p, const struct perf_bytes *b)
{
	struct perf_entry entry = { .offset = b->offset,
		.event = take_order(p, b) };
	struct perf_record r;

	if (!perf_record_parse(
		    &r, &p->file.event.at[entry.event].attr, b->at, b->size)) {
		p->bad++;
		return;
	}
	if (!is_timed(p, &r))
		return;
	entry.time = r.time;
	perf_round_add(&p->round, b->at, (uint32_t)b->size, entry);
}

/* Reads until records can be passed on. Returns false at the end. */
static bool
read_round(struct perf_source *p)
{
	struct perf_bytes b;

	if (p->is_over)
		return false;
	if (p->first.at != NULL) {
		add(p, &p->first);
		p->first.at = NULL;
	}
	while (perf_records_next(&p->records, &b)) {
		if (b.type < 64)
			add(p, &b);
		if (b.type == PERF_FILE_ROUND)
			perf_round_end(&p->round, false);
		else if (perf_round_is_full(&p->round))
			perf_round_force(&p->round);
		if (p->round.next < p->round.ready)
			return true;
	}
	p->is_over = true;
	perf_round_end(&p->round, true);
	return true;
}

/* Returns the stream of the record's CPU; the last stream is for records
 * without one. */
static uint32_t
stream_of(const struct perf_source *p, const struct perf_record *r,
	const struct perf_file_event *e)
{
	uint32_t n = (uint32_t)p->source.trace.streams.n - 1;

	return (e->attr.sample_type & PERF_SAMPLE_CPU) != 0 && r->cpu < n
		? r->cpu
		: n;
}

static void
note_lost(struct perf_source *p, const struct perf_record *r,
	const struct perf_entry *at, uint32_t stream)
{
	struct trace *t = &p->source.trace;
	struct trace_lost lost = { .from = p->stream_time[stream],
		.to = p->time,
		.count = r->lost.n < INT64_MAX ? (int64_t)r->lost.n : 0 };

	if (lost.from == INT64_MIN || lost.from > lost.to)
		lost.from = lost.to;
	if (lost.count == 0)
		return;
	trace_add_lost(t, (int)stream, lost);
	finding_add(t->findings,
		(struct finding){ .severity = FINDING_WARNING,
			.file = t->path,
			.offset = (int64_t)at->offset,
			.time = FINDING_NEVER },
		"%" PRId64 " event%s lost: perf was too slow (a larger "
		"--mmap-pages helps)",
		lost.count, lost.count == 1 ? " was" : "s were");
}

static void
fill_switch(struct perf_source *p, const struct perf_record *r, bool out,
	union value *v)
{
	/* SWITCH_CPU_WIDE names the other thread. Without it nothing is known
	 * to run until the next thread comes. */
	uint32_t next = !out                             ? r->tid
		: r->type == PERF_RECORD_SWITCH_CPU_WIDE ? r->other.tid
							 : 0;

	v[0].i = (int32_t)next;
	v[1].s = name_of(p, next);
	if (out)
		v[2].u = (r->misc & MISC_PREEMPTED) != 0;
}

static enum perf_kind
fill_fork(struct perf_source *p, const struct perf_record *r, union value *v)
{
	if (r->type == PERF_RECORD_EXIT) {
		v[0].i = (int32_t)r->task.tid;
		v[1].i = (int32_t)r->task.pid;
		return PERF_EXIT;
	}
	perf_maps_fork(&p->maps, r->task.pid, r->task.ppid);
	if (map_get(&p->comm, r->task.ptid) != NULL)
		set_name(p, r->task.tid, name_of(p, r->task.ptid));
	v[0].i = (int32_t)r->task.tid;
	v[1].i = (int32_t)r->task.pid;
	v[2].s = name_of(p, r->task.tid);
	v[3].i = (int32_t)r->task.ptid;
	return PERF_FORK;
}

/* Fills in an event of a record that is no sample. Returns its kind, or
 * PERF_KINDS if the record is no event. */
static enum perf_kind
fill_other(struct perf_source *p, const struct perf_record *r, union value *v)
{
	bool out = (r->misc & MISC_OUT) != 0;

	switch (r->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		fill_switch(p, r, out, v);
		return out ? PERF_SWITCH_OUT : PERF_SWITCH_IN;
	case PERF_RECORD_COMM:
		set_name(p, r->comm.tid, r->comm.name);
		if ((r->misc & MISC_EXEC) != 0)
			perf_maps_exec(&p->maps, r->comm.pid);
		v[0].i = (int32_t)r->comm.tid;
		v[1].i = (int32_t)r->comm.pid;
		v[2].s = r->comm.name;
		return PERF_COMM;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return fill_fork(p, r, v);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		perf_maps_add(&p->maps, &r->mmap);
		return PERF_KINDS;
	default:
		return PERF_KINDS;
	}
}

/* Fills in the values, and returns the class; PERF_CLASS_NONE if the record is
 * no event. */
static uint32_t
fill(struct perf_source *p, const struct perf_record *r, uint32_t event)
{
	const struct perf_class *class = &p->classes.event[event];
	union value *v = perf_classes_begin(&p->classes, r);
	enum perf_kind kind;

	if (r->type != PERF_RECORD_SAMPLE) {
		kind = fill_other(p, r, v);
		return kind == PERF_KINDS ? PERF_CLASS_NONE
					  : p->classes.kind[kind];
	}
	if (class->class == PERF_CLASS_NONE) {
		perf_classes_sample(&p->classes, r, &p->file.event.at[event]);
		p->source.trace.nsamples++;
		return p->classes.kind[PERF_SAMPLE_TAKEN];
	}
	if (class->of != NULL &&
		!perf_classes_tracepoint(&p->classes, r, class->of)) {
		p->bad++;
		return PERF_CLASS_NONE;
	}
	return class->class;
}

static void
set_time(struct perf_source *p, uint64_t time)
{
	p->backwards += (int64_t)time < p->time;
	if ((int64_t)time > p->time)
		p->time = (int64_t)time;
}

/* Makes the event of a record. Returns false if it has none. */
static bool
make(struct perf_source *p, const struct perf_entry *at, struct event *ev)
{
	const struct perf_file_event *e = &p->file.event.at[at->event];
	const uint8_t *bytes = p->round.bytes + at->at;
	struct perf_record r;
	uint32_t stream, class;

	if (!perf_record_parse(&r, &e->attr, bytes, at->size))
		return false;
	set_time(p, at->time);
	stream = stream_of(p, &r, e);
	if (r.type == PERF_RECORD_LOST || r.type == PERF_RECORD_LOST_SAMPLES)
		note_lost(p, &r, at, stream);
	class = fill(p, &r, at->event);
	if (class == PERF_CLASS_NONE)
		return false;
	p->stream_time[stream] = p->time;
	p->nowhere += (class == p->classes.kind[PERF_SWITCH_IN] ||
			      class == p->classes.kind[PERF_SWITCH_OUT]) &&
		p->source.trace.streams.at[stream].cpu == TRACE_NONE;
	*ev = (struct event){ .time = p->time,
		.stream = stream,
		.class = class,
		.size = at->size - 8,
		.data = bytes + 8,
		.value = p->classes.values,
		.offset = (int64_t)at->offset };
	return true;
}

/* Reports, at the end, what was wrong with records. */
static void
report(struct perf_source *p)
{
	struct findings *fs = p->source.trace.findings;
	const char *file = p->source.trace.path;

	if (p->reported)
		return;
	p->reported = true;
	if (p->bad > 0)
		finding_file(fs, FINDING_ERROR, file,
			"%" PRIu64 " records are shorter than their fields, "
			"and left out",
			p->bad);
	if (p->backwards > 0)
		finding_file(fs, FINDING_WARNING, file,
			"%" PRIu64 " records are late: perf marks no rounds, "
			"or they hold more than 24 MiB; the time of the event "
			"before is used",
			p->backwards);
	if (p->nowhere > 0)
		finding_file(fs, FINDING_NOTE, file,
			"%" PRIu64 " switches do not say on which CPU, so no "
			"timeline shows them: record with --sample-cpu or -a",
			p->nowhere);
	if (p->records.damage != NULL)
		say(p, FINDING_ERROR,
			(int64_t)(p->records.offset + p->records.at),
			p->records.damage);
	for (int i = 0; i < p->source.trace.streams.n; i++)
		trace_end_stream(&p->source.trace, i);
}

static enum source_status
read_event(struct perf_source *p, struct event *ev)
{
	const struct perf_entry *at;

	for (;;) {
		at = perf_round_next(&p->round);
		if (at != NULL) {
			if (make(p, at, ev))
				return SOURCE_EVENT;
			continue;
		}
		if (!read_round(p)) {
			report(p);
			return SOURCE_END;
		}
	}
}

static enum source_status
next(struct source *source, struct event *ev)
{
	struct perf_source *p = (struct perf_source *)source;

	if (__builtin_expect(!p->is_ahead, 1))
		return read_event(p, ev);
	p->is_ahead = false;
	*ev = p->first_event;
	return p->ahead;
}

/* Reads the first event, which tells when the trace starts. */
static void
find_start(struct perf_source *p)
{
	struct trace *t = &p->source.trace;

	p->ahead = read_event(p, &p->first_event);
	p->is_ahead = true;
	if (p->ahead != SOURCE_EVENT)
		return;
	t->start = p->first_event.time;
	if (t->by_monotonic)
		t->start_monotonic = t->start;
}

static void
progress(const struct source *source, uint64_t *done, uint64_t *total)
{
	const struct perf_source *p = (const struct perf_source *)source;

	*done = p->records.offset + p->records.at;
	*total = p->file.size;
}

static void
close_source(struct source *source)
{
	struct perf_source *p = (struct perf_source *)source;

	perf_records_close(&p->records);
	perf_round_fini(&p->round);
	perf_classes_fini(&p->classes);
	perf_file_fini(&p->file);
	perf_maps_fini(&p->maps);
	map_fini(&p->comm);
	if (p->fd >= 0)
		close(p->fd);
	trace_fini(&source->trace);
}

/* In the form of a pipe, records carry what a file has in sections. Reads them,
 * up to the first record of the kernel. */
static bool
read_pipe(struct perf_source *p, struct err *err)
{
	struct perf_bytes b;

	while (perf_records_next(&p->records, &b)) {
		if (b.type < 64) {
			p->first = b;
			break;
		}
		if (!perf_file_take(
			    &p->file, b.at, b.size, b.more, b.nmore, err))
			return false;
	}
	return p->file.event.n > 0 ||
		err_set(err, ERR_INPUT, "it has no event");
}

/* Counts the CPUs of a file that does not say how many there are. */
static uint32_t
count_cpus(struct perf_source *p)
{
	struct perf_records all;
	struct perf_bytes b;
	uint32_t n = 1;

	perf_records_open(&all, p->fd, p->file.data, p->file.end);
	all.swapped = p->file.swapped;
	while (perf_records_next(&all, &b)) {
		const struct perf_event_attr *attr;
		struct perf_record r;

		if (b.type >= 64)
			continue;
		attr = &p->file.event.at[take_order(p, &b)].attr;
		if ((attr->sample_type & PERF_SAMPLE_CPU) != 0 &&
			perf_record_parse(&r, attr, b.at, b.size) &&
			r.cpu >= n && r.cpu < 8192)
			n = r.cpu + 1;
	}
	perf_records_close(&all);
	return n;
}

/* Adds a stream for each CPU, and one for records without a CPU. */
static void
add_streams(struct perf_source *p)
{
	struct trace *t = &p->source.trace;
	uint32_t n = p->file.ncpus != 0 ? p->file.ncpus : count_cpus(p);

	p->part = (struct trace_part){ .name = "", .path = t->path };
	p->part.node =
		trace_add_node(t, p->file.host != NULL ? p->file.host : "node");
	p->part.process = TRACE_NONE;
	if (p->file.host != NULL)
		VEC_PUSH(&p->part.env, t->arena,
			((struct trace_env){ "hostname", p->file.host, 0 }));
	VEC_PUSH(&t->parts, t->arena, &p->part);
	p->stream_time = ARENA_ARRAY(t->arena, int64_t, n + 1);
	for (uint32_t i = 0; i <= n; i++) {
		struct stream *s = VEC_ADD(&t->streams, t->arena);

		p->stream_time[i] = INT64_MIN;
		s->file = s->meta = t->path;
		s->name = i < n ? arena_printf(t->arena, "cpu%u", i) : "any";
		s->thread = TRACE_NONE;
		s->part = &p->part;
		s->instance = i;
		s->cpu = i < n ? (int64_t)i : TRACE_NONE;
		if (i < n)
			trace_add_cpu(t, p->part.node, i, i, t->path);
	}
}

static bool
open_file(struct perf_source *p, struct err *err)
{
	struct trace *t = &p->source.trace;
	struct stat st;

	p->fd = open(t->path, O_RDONLY | O_CLOEXEC);
	if (p->fd < 0 || fstat(p->fd, &st) != 0)
		return err_set(err, ERR_SYSTEM, "it cannot be read");
	p->file = (struct perf_file){
		.arena = t->arena, .fd = p->fd, .size = (uint64_t)st.st_size
	};
	if (!perf_file_read(&p->file, err))
		return false;
	perf_records_open(&p->records, p->fd, p->file.data, p->file.end);
	p->records.swapped = p->file.swapped;
	if (p->file.is_pipe && !read_pipe(p, err))
		return false;
	if (p->file.unfinished)
		say(p, FINDING_WARNING, FINDING_NOWHERE,
			"perf was killed: names of events and formats of "
			"tracepoints are missing");
	return true;
}

static struct source *
open_source(struct arena *a, const char *path,
	const struct source_options *options, struct findings *fs,
	struct err *err)
{
	struct perf_source *p = ARENA_NEW(a, struct perf_source);
	struct trace *t = &p->source.trace;

	(void)options;
	p->source.ops = &source_perf;
	p->fd = -1;
	p->time = INT64_MIN;
	trace_init(t, a, fs);
	t->path = path;
	t->format = "perf";
	t->rows_grow = t->by_cpu = t->whole_system = true;
	intern_init(&p->names, a);
	p->maps = (struct perf_maps){ .arena = a, .builds = &p->file.builds };
	if (open_file(p, err)) {
		add_streams(p);
		t->by_monotonic = perf_file_is_monotonic(&p->file);
		perf_classes_add(&p->classes, t, &p->file);
		p->classes.swapped = p->file.swapped;
		find_start(p);
		return &p->source;
	}
	close_source(&p->source);
	err_in(err, "%.300s", path);
	return NULL;
}

const struct perf_map *
perf_map_at(struct source *source, uint32_t pid, uint64_t address)
{
	return perf_maps_find(
		&((struct perf_source *)source)->maps, pid, address);
}

const char *
perf_thread_name(struct source *source, uint32_t tid)
{
	return name_of((struct perf_source *)source, tid);
}

const struct source_ops source_perf = {
	.name = "perf",
	.help = "file of perf record or perf sched record (perf.data)",
	.extensions = ".data",
	.recognise = perf_file_is,
	.open = open_source,
	.next = next,
	.progress = progress,
	.close = close_source,
};
