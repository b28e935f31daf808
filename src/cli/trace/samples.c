/* SPDX-License-Identifier: MIT */
#include "cli/trace/samples.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/log.h"
#include "cli/trace/events.h"
#include "cli/trace/record_trace.h"
#include "export/sink.h"
#include "mem/db/symbols.h"
#include "mem/structure/segments.h"
#include "trace/perf/maps.h"
#include "trace/perf/perf.h"

#define CONTEXT_LEAST \
	(-UINT64_C(4095))    /* a mark in a call path, no address \
	                      */
#define FIRST_NUMBER 6400301 /* of the Paraver types */
#define SAMPLES_LEFT_OUT \
	"samples of perf (--sampled; folded, pprof and speedscope show them)"
#define TIME_MOST (INT64_MAX / 2)

/* A file with code. */
struct code_file {
	int number; /* in symbols */
	bool is_elf;
	struct segments segments;
};

struct thread_row {
	uint32_t row;
	bool is_shown; /* timeline: has a stack now */
	uint32_t type;
};

struct samples {
	struct pipeline *run;
	struct sink *to;
	bool timeline;
	struct events events;
	struct symbols symbols;
	VEC(struct code_file) files;
	struct map file_of; /* address of a mapping's name -> 1 + file */
	VEC(struct thread_row) threads;
	struct map thread_of; /* TID -> 1 + index */
	struct intern types;  /* names of events; the number is the type */
	struct intern functions;
	struct map labelled; /* type and function */
	VEC(int64_t) stack;
	uint64_t others; /* events that are no samples, and show states */
	int64_t weights; /* the sum so far: time of flame graphs */
	uint32_t class;  /* perf:sample */
	int pid, tid, event, ip, period, callchain; /* its fields */
};

static uint32_t
find_class(const struct trace *t, const char *name)
{
	for (int i = 0; i < t->classes.n; i++)
		if (strcmp(t->classes.at[i].name, name) == 0)
			return (uint32_t)i;
	return UINT32_MAX;
}

bool
samples_are_in(const struct pipeline *r)
{
	return r->source->ops == &source_perf &&
		find_class(&r->source->trace, "perf:sample") != UINT32_MAX;
}

static void
set_fields(struct samples *j)
{
	const struct trace *t = &j->run->source->trace;
	const struct event_class *c;

	j->class = find_class(t, "perf:sample");
	c = &t->classes.at[j->class];
	j->pid = trace_class_field(c, "pid");
	j->tid = trace_class_field(c, "tid");
	j->event = trace_class_field(c, "event");
	j->ip = trace_class_field(c, "ip");
	j->period = trace_class_field(c, "period");
	j->callchain = trace_class_field(c, "callchain");
}

static struct thread_row *
row_of(struct samples *j, int64_t tid)
{
	uint64_t *index = map_put(&j->thread_of, (uint64_t)tid);
	uint32_t row = (uint32_t)j->threads.n;
	const char *name;

	if (*index == 0) {
		VEC_PUSH(&j->threads, &j->run->arena,
			((struct thread_row){ .row = row }));
		*index = (uint64_t)j->threads.n;
		name = arena_printf(&j->run->arena, "%s %" PRId64,
			perf_thread_name(j->run->source, (uint32_t)tid), tid);
		sink_row(j->to,
			&(struct row){ .id = row,
				.parent = ROW_NONE,
				.class = "thread",
				.name = name });
	}
	return &j->threads.at[*index - 1];
}

/* Periods of the kernel's clocks are ns. */
static bool
is_clock(const char *event)
{
	return strncmp(event, "cpu-clock", 9) == 0 ||
		strncmp(event, "task-clock", 10) == 0;
}

static uint32_t
type_of(struct samples *j, const char *event)
{
	uint32_t n = j->types.n, type;

	if (*event == '\0')
		event = "samples";
	type = intern_add(&j->types, event);
	if (type < n)
		return type;
	sink_type(j->to,
		&(struct type){ .id = type,
			.class = "thread",
			.key = arena_printf(&j->run->arena, "perf.%s", event),
			.title = intern_name(&j->types, type),
			.none = "No sample",
			.number = FIRST_NUMBER + type,
			.kind = TYPE_STATE,
			.stack = true,
			.sampled = !j->timeline,
			.unit = is_clock(event) ? "ns" : "1" });
	return type;
}

/* Returns the file of a mapping; its name has one address for all samples. */
static const struct code_file *
file_of(struct samples *j, const struct perf_map *m)
{
	uint64_t *index = map_put(&j->file_of, (uint64_t)(uintptr_t)m->name);
	struct code_file *f;

	if (*index == 0) {
		f = VEC_ADD(&j->files, &j->run->arena);
		f->number = symbols_add(
			&j->symbols, m->name, m->build, m->build_size);
		f->is_elf = m->name[0] == '/' &&
			segments_read(m->name, &f->segments);
		*index = (uint64_t)j->files.n;
	}
	return &j->files.at[*index - 1];
}

/* Returns the locations at an address of a process, innermost first. */
static struct code_locations
locations(struct samples *j, int64_t pid, uint64_t address)
{
	const struct perf_map *m =
		perf_map_at(j->run->source, (uint32_t)pid, address);
	const struct code_file *f;
	uint64_t bias;

	if (m == NULL)
		return symbols_code(&j->symbols, -1, address);
	f = file_of(j, m);
	if (!f->is_elf || !segments_bias(&f->segments, m->lo, m->offset, &bias))
		bias = m->lo - m->offset;
	return symbols_code(&j->symbols, f->number, address - bias);
}

/* Appends the functions at an address; all of the kernel are one. */
static void
push_functions(struct samples *j, int64_t pid, uint64_t address)
{
	struct code_locations found = locations(j, pid, address);

	for (int i = 0; i < found.n; i++) {
		const struct code_location *at =
			&j->symbols.location.at[found.at[i]];
		/* 0 means "none" in Paraver. */
		int64_t value =
			(int64_t)intern_add(&j->functions, at->function) + 1;

		if (at->module < 0 && j->stack.n > 0 &&
			j->stack.at[j->stack.n - 1] == value)
			continue;
		VEC_PUSH(&j->stack, &j->run->arena, value);
	}
}

/* Collects the call path, the innermost function first, then turns it round. */
static void
set_stack(struct samples *j, const union value *v)
{
	const struct value_list *chain = v[j->callchain].list;
	bool is_first = true;

	j->stack.n = 0;
	for (uint32_t i = 0; i < chain->n; i++) {
		uint64_t address = chain->at[i].u;

		if (address >= CONTEXT_LEAST) {
			is_first = true;
			continue;
		}
		/* All but the innermost are addresses behind a call. */
		push_functions(j, v[j->pid].i, address - !is_first);
		is_first = false;
	}
	if (j->stack.n == 0)
		push_functions(j, v[j->pid].i, v[j->ip].u);
	for (int i = 0, k = j->stack.n - 1; i < k; i++, k--) {
		int64_t value = j->stack.at[i];

		j->stack.at[i] = j->stack.at[k];
		j->stack.at[k] = value;
	}
}

/* Names the functions that the type shows for the first time. */
static void
put_labels(struct samples *j, uint32_t type)
{
	for (int i = 0; i < j->stack.n; i++) {
		uint32_t function = (uint32_t)j->stack.at[i];
		uint64_t *known =
			map_put(&j->labelled, (uint64_t)type << 32 | function);

		if (*known == 0)
			sink_label(j->to, type, function,
				intern_name(&j->functions, function - 1),
				MEANS_UNSAID);
		*known = 1;
	}
}

/* Shows the call path, or nothing. */
static void
put_state(struct samples *j, int64_t time, struct thread_row *th, uint32_t type,
	bool shown)
{
	int n = shown ? j->stack.n : 0;

	sink_state(j->to,
		&(struct record){ .time = time,
			.row = th->row,
			.type = type,
			.depth = (uint32_t)n,
			.value = n > 0 ? j->stack.at[n - 1] : VALUE_NONE,
			.stack = n > 0 ? j->stack.at : NULL });
	th->is_shown = n > 0;
	th->type = type;
}

static void
take_sample(struct samples *j, const struct event *ev)
{
	const union value *v = ev->value;
	uint64_t weight = v[j->period].u > 0 ? v[j->period].u : 1;
	struct thread_row *th = row_of(j, v[j->tid].i);
	uint32_t type = type_of(j, v[j->event].s);

	set_stack(j, v);
	put_labels(j, type);
	if (j->timeline) {
		put_state(j, events_time(&j->events, ev), th, type, true);
		return;
	}
	if (weight > (uint64_t)(TIME_MOST - j->weights))
		weight = (uint64_t)(TIME_MOST - j->weights);
	put_state(j, j->weights, th, type, true);
	j->weights += (int64_t)weight;
	put_state(j, j->weights, th, type, false);
}

/* Ends what a thread shows when it ends or leaves its CPU. */
static void
end_thread(struct samples *j, const struct event *ev, int64_t tid)
{
	const uint64_t *index = map_get(&j->thread_of, (uint64_t)tid);
	struct thread_row *th;

	if (index == NULL)
		return;
	th = &j->threads.at[*index - 1];
	if (th->is_shown)
		put_state(j, events_time(&j->events, ev), th, th->type, false);
}

/* Returns true if states may show the event: a switch or a tracepoint. The
 * names, forks and ends of threads are only about these. */
static bool
has_states(const struct samples *j, uint32_t class)
{
	const char *name = j->run->source->trace.classes.at[class].name;

	return strncmp(name, "perf:", 5) != 0 ||
		strncmp(name, "perf:switch", 11) == 0;
}

static void
read_events(struct samples *j)
{
	const struct trace *t = &j->run->source->trace;
	uint32_t out = find_class(t, "perf:switch_out");
	uint32_t end = find_class(t, "perf:exit");
	struct event ev;

	while (events_next(&j->events, &ev)) {
		if (ev.class == j->class)
			take_sample(j, &ev);
		else if (j->timeline && (ev.class == out || ev.class == end))
			end_thread(j, &ev, ev.value[j->tid].i);
		j->others += ev.class != j->class && has_states(j, ev.class);
		j->events.last = events_time(&j->events, &ev);
		j->run->inside++;
	}
	j->run->duration = j->events.last;
	j->run->events = j->events.filtered ? j->events.n : j->run->inside;
	j->run->nthreads = j->threads.n;
	sink_advance(j->to, j->timeline ? j->run->duration : j->weights);
}

struct samples *
samples_open(struct pipeline *r, bool timeline, struct err *err)
{
	struct samples *j = ARENA_NEW(&r->arena, struct samples);

	j->run = r;
	j->timeline = timeline;
	j->events.bar = !log_is_quiet();
	return events_open(&j->events, r, err) ? j : NULL;
}

void
samples_play(struct samples *j, struct sink *to)
{
	j->to = to;
	set_fields(j);
	symbols_init(&j->symbols, &j->run->arena);
	intern_init(&j->types, &j->run->arena);
	intern_init(&j->functions, &j->run->arena);
	read_events(j);
	events_close(&j->events);
	symbols_fini(&j->symbols);
	map_fini(&j->file_of);
	map_fini(&j->thread_of);
	map_fini(&j->labelled);
}

static uint64_t
intervals(const struct trace *t)
{
	uint64_t n = 0;

	for (int i = 0; i < t->streams.n; i++)
		n += (uint64_t)t->streams.at[i].lost.n;
	return n;
}

void
samples_losses(const struct pipeline *r, const struct samples *s,
	struct sink *sink, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	static const char *const losses[] = { SAMPLES_LEFT_OUT,
		"switches and tracepoints (states: --type chooses)",
		"switches and tracepoints (states: without --sampled)",
		"intervals of lost events", NULL };
	bool timeline = s != NULL && s->timeline;
	uint64_t others = s == NULL ? 0 : s->others;

	sink_loss(sink, fn, arg);
	if (r->records != NULL)
		record_trace_losses(r->records, fn, arg);
	sink_tell_losses(losses,
		(const uint64_t[]){ s == NULL ? r->samples : 0,
			timeline ? 0 : others, timeline ? others : 0,
			s == NULL ? 0 : intervals(&r->source->trace) },
		fn, arg);
}
