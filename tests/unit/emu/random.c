/* SPDX-License-Identifier: MIT */
/*
 * random.c - whatever a trace holds, the emulator neither crashes nor breaks
 * the rules of sink.h, and rows show only true states. Events of all models,
 * and of a model whose events enable and disable channels, come in any order
 * with any payload; after each event all rows are compared with a naive view of
 * the system.
 */
#include "base/arena.h"
#include "emu/signature.h"
#include "naive.h"
#include "switched.h"
#include "test.h"

#define EVENTS 20000
#define MAX_TYPES 256
#define MAX_ROWS 16
#define PAYLOAD_MAX 48

/* The last record of a row and type. */
struct last {
	bool written;
	int64_t value;
	uint64_t event; /* number of the event that wrote it, from 1 */
};

static struct {
	struct source source; /* first */
	uint32_t random;
	uint64_t n; /* events given so far */
	int64_t now;
	uint8_t *block; /* exactly as large as the payload, so that a sanitizer
	                 * sees reads beyond it */
	union value value[SIGNATURE_MAX_ARGS + 1];
	struct signature sig[1024]; /* signature of each class */
	struct field wrong[1];
} from;

static struct {
	struct sink sink; /* first */
	struct row row[MAX_ROWS];
	struct type type[MAX_TYPES];
	uint32_t nrows, ntypes;
	struct last last[MAX_ROWS][MAX_TYPES];
	int64_t time;
	uint64_t nrecords, nbad, nmany;
	int wrong;
} to;

static struct arena arena;
static struct findings findings;
static struct emu *emu;

/* Counts errors, and prints the first one. */
static void
wrong(const char *what, uint32_t row, uint32_t type)
{
	if (to.wrong++ < 5)
		printf("# event %llu: %s: row %u type %u\n",
			(unsigned long long)from.n, what, row, type);
}

static uint32_t
draw(uint32_t n)
{
	from.random = from.random * 1664525 + 1013904223;
	return (from.random >> 10) % n;
}

/* The sink. */

static void
take_row(struct sink *s, const struct row *row)
{
	(void)s;
	if (row->id != to.nrows || to.nrows == MAX_ROWS)
		wrong("row id", row->id, 0);
	else
		to.row[to.nrows++] = *row;
}

static void
take_type(struct sink *s, const struct type *type)
{
	(void)s;
	if (type->id != to.ntypes || to.ntypes == MAX_TYPES)
		wrong("type id", 0, type->id);
	else
		to.type[to.ntypes++] = *type;
}

static void
take_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	(void)meaning;
	(void)s;
	if (type >= to.ntypes || value == VALUE_NONE || strlen(text) > 511)
		wrong("label", 0, type);
}

static void
take_state(struct sink *s, const struct record *r)
{
	struct last *last;

	(void)s;
	if (r->row >= to.nrows || r->type >= to.ntypes) {
		wrong("not declared", r->row, r->type);
		return;
	}
	last = &to.last[r->row][r->type];
	if (strcmp(to.row[r->row].class, to.type[r->type].class) != 0)
		wrong("row and type of different classes", r->row, r->type);
	if (r->time < to.time || r->time < 0)
		wrong("time goes back", r->row, r->type);
	if (to.type[r->type].kind == TYPE_POINT) {
		if (r->time != from.now && r->time != from.now - 1)
			wrong("not the time of the point", r->row, r->type);
	} else {
		if (r->time != from.now)
			wrong("not the time of the event", r->row, r->type);
		if (last->written && last->event == from.n)
			wrong("written twice in one event", r->row, r->type);
	}
	if (r->depth > 0 && r->stack != NULL &&
		r->stack[r->depth - 1] != r->value)
		wrong("value is not the top", r->row, r->type);
	*last = (struct last){ true, r->value, from.n };
	to.time = r->time;
	to.nrecords++;
}

/* The naive view looks at every thread for each row. */

/* Returns the value that the row showed last, or nothing if it has no
 * record. */
static int64_t
shown(uint32_t row, uint32_t type)
{
	const struct last *last = &to.last[row][type];

	return last->written ? last->value : VALUE_NONE;
}

static void
check_thread(const struct thread *th)
{
	const uint32_t *core = emu->core_thread_type;
	bool active = naive_is_tracked(th, TRACK_ACTIVE);

	if (!to.last[th->has.row][core[THREAD_STATE]].written)
		return; /* the thread did not begin */
	if (shown(th->has.row, core[THREAD_STATE]) != th->state)
		wrong("state", th->has.row, core[THREAD_STATE]);
	if (shown(th->has.row, core[THREAD_TID]) !=
		(active ? th->tid : VALUE_NONE))
		wrong("tid", th->has.row, core[THREAD_TID]);
	if (shown(th->has.row, core[THREAD_CPU]) !=
		(th->cpu == NULL ? VALUE_NONE : th->cpu - emu->system.cpus + 1))
		wrong("cpu", th->has.row, core[THREAD_CPU]);
	for (int i = 0; i < emu->chans.n; i++) {
		const struct emu_chan *c = &emu->chans.at[i];
		int64_t want = naive_thread(emu, th, i);

		if (shown(th->has.row, c->thread_type) != want)
			wrong("value of the thread", th->has.row,
				c->thread_type);
	}
}

/* Checks the row of a CPU with no running thread, or with several. */
static void
check_other(const struct cpu *cpu, uint32_t type, int64_t want)
{
	/* A row without a record never showed a thread. */
	if (to.last[cpu->row][type].written && shown(cpu->row, type) != want)
		wrong("cpu without one thread", cpu->row, type);
}

/* Checks the rows of a CPU with the TID and PID of its only running thread;
 * NULL: no thread or several. */
static void
check_cpu_core(const struct cpu *cpu, const struct thread *only)
{
	uint32_t tid = emu->core_cpu_type[CPU_TID];
	uint32_t pid = emu->core_cpu_type[CPU_PID];

	if (only == NULL) {
		check_other(cpu, tid, VALUE_NONE);
		check_other(cpu, pid, VALUE_NONE);
	} else if (shown(cpu->row, tid) != only->tid ||
		shown(cpu->row, pid) != only->process->pid) {
		wrong("tid or pid", cpu->row, tid);
	}
}

static void
check_cpu_chan(const struct cpu *cpu, int chan)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	enum track track = c->def->cpu_active ? TRACK_ACTIVE : TRACK_RUNNING;
	const struct thread *only;
	int n = naive_count(emu, cpu, track, &only);
	int64_t want = naive_cpu(emu, cpu, chan);

	to.nbad += want == NAIVE_BAD;
	to.nmany += want == NAIVE_TOO_MANY;
	if (n != 1)
		check_other(cpu, c->cpu_type, want);
	else if (!to.last[cpu->row][c->cpu_type].written ||
		shown(cpu->row, c->cpu_type) != want)
		wrong("not the value of the one thread", cpu->row, c->cpu_type);
}

static void
check_cpu(const struct cpu *cpu)
{
	uint32_t running = emu->core_cpu_type[CPU_RUNNING];
	const struct thread *only;
	int n = naive_count(emu, cpu, TRACK_RUNNING, &only);

	if (to.last[cpu->row][running].written ? shown(cpu->row, running) != n
					       : n != 0)
		wrong("number of running threads", cpu->row, running);
	check_cpu_core(cpu, only);
	for (int i = 0; i < emu->chans.n; i++)
		check_cpu_chan(cpu, i);
}

static void
check_all(void)
{
	for (int i = 0; i < emu->system.nthreads; i++)
		check_thread(&emu->system.threads[i]);
	for (int i = 0; i < emu->system.ncpus; i++)
		check_cpu(&emu->system.cpus[i]);
}

/* The source: classes. */

static struct trace *
trace(void)
{
	return &from.source.trace;
}

static void
add_class(struct event_class class, const struct signature *sig)
{
	int n = trace()->classes.n;

	if (n == (int)(sizeof from.sig / sizeof from.sig[0]))
		return;
	class.name = arena_strdup(&arena, class.name);
	from.sig[n] = *sig;
	trace_add_class(trace(), class);
}

/* Payloads come as bytes, as a jumbo, and as fields: right and damaged. */
static void
add_event(const struct signature *sig)
{
	struct event_class c = { .name = sig->name };
	struct signature odd = { .nargs = 1 };
	struct field *field = ARENA_ARRAY(&arena, struct field, sig->nargs + 1);

	if (strchr(sig->name, '?') != NULL) {
		struct signature letter = *sig;

		*strchr(letter.name, '?') = ']';
		add_event(&letter);
		return;
	}
	add_class(c, sig);
	c.jumbo = true;
	add_class(c, sig);
	c.described = true;
	c.nfields = sig->nargs;
	c.field = field;
	for (int i = 0; i < sig->nargs; i++)
		field[i] = (struct field){ .name = arena_strdup(
						   &arena, sig->arg[i].name),
			.type = sig->arg[i].type };
	add_class(c, sig);
	odd.arg[0].type = FIELD_STR;
	c.nfields = 1;
	c.field = from.wrong;
	from.wrong[0].type = FIELD_STR;
	add_class(c, &odd);
}

static void
add_name(const char *name)
{
	struct signature sig = { 0 };

	snprintf(sig.name, sizeof sig.name, "%s", name);
	add_event(&sig);
}

static void
add_model(const struct model *m)
{
	struct err err = { 0 };
	struct signature sig;

	for (int i = 0; i < m->nspans; i++) {
		add_name(m->spans[i].in);
		add_name(m->spans[i].out);
	}
	for (int i = 0; i < m->nsets; i++)
		add_name(m->sets[i].event);
	for (int i = 0; i < m->nevents; i++)
		if (signature_parse(&sig, m->events[i].signature, &err))
			add_event(&sig);
	for (int i = 0; i < m->nrows; i++)
		if (signature_parse(&sig, m->rows[i].signature, &err))
			add_event(&sig);
}

/* Returns the class of that name whose payload comes as bytes. */
static uint32_t
class_of(const char *name, bool jumbo)
{
	for (int i = 0; i < trace()->classes.n; i++) {
		const struct event_class *c = &trace()->classes.at[i];

		if (strcmp(c->name, name) == 0 && !c->described &&
			c->jumbo == jumbo)
			return (uint32_t)i;
	}
	return 0;
}

/* The source: events. */

/* Returns mostly a small number, so that a thread or CPU has it, else any. */
static int64_t
draw_number(void)
{
	if (draw(20) != 0)
		return (int64_t)draw(7) - 1;
	return (int64_t)((uint64_t)draw(1u << 22) << 42 | draw(1u << 22));
}

static uint32_t
draw_text(uint8_t *to_bytes)
{
	static const char *const label[] = { "a", "b", "", "27273", "55510",
		"a label that has more than 24 bytes", "\x01\xff" };
	const char *text = label[draw(7)];

	memcpy(to_bytes, text, strlen(text) + 1);
	return (uint32_t)strlen(text) + 1;
}

/* Writes a payload that fits the signature. Returns its size. */
static uint32_t
draw_args(uint8_t *at, const struct signature *sig)
{
	uint32_t size = 0;

	for (int i = 0; i < sig->nargs; i++) {
		uint32_t n = signature_type_size(sig->arg[i].type);
		int64_t number = draw_number();

		if (size + PAYLOAD_MAX > 4 * PAYLOAD_MAX)
			break;
		if (sig->arg[i].type == FIELD_STR)
			n = draw_text(at + size);
		else
			memcpy(at + size, &number, n);
		size += n;
	}
	return size;
}

static void
draw_bytes(struct event *ev)
{
	uint8_t bytes[4 * PAYLOAD_MAX];

	if (draw(4) != 0) {
		ev->size = draw_args(bytes, &from.sig[ev->class]);
	} else {
		ev->size = draw(PAYLOAD_MAX);
		for (uint32_t i = 0; i < ev->size; i++)
			bytes[i] = (uint8_t)draw(draw(2) == 0 ? 4 : 256);
	}
	mem_free(from.block);
	from.block = mem_resize(NULL, ev->size + (ev->size == 0), 1);
	memcpy(from.block, bytes, ev->size);
	ev->data = ev->size == 0 ? NULL : from.block;
}

static void
draw_values(struct event *ev, const struct event_class *c)
{
	static const char *const label[] = { "a", "b", "", "27273", "55510" };

	for (int i = 0; i < c->nfields; i++)
		if (c->field[i].type == FIELD_STR)
			from.value[i].s = label[draw(5)];
		else
			from.value[i].i = draw_number();
	ev->value = from.value;
}

/* Returns any class, most often one that starts threads or changes states. */
static uint32_t
draw_class(void)
{
	static const char *const often[] = { "OHx", "OHr", "OHw", "OHp", "OHe",
		"OHc", "OAs", "OAr", "6Tc", "6Tx", "6Tx", "6Te", "6Te", "6Tp",
		"6Tr", "OM[", "OM]", "OM=", "OHx", "OHr", "XAd", "XBe", "XC[",
		"XC]", "KCI", "KCI", "KCI", "VTc", "VTC", "VTx", "VTx", "VTe",
		"VTp", "PPc", "PPx", "PPe" };
	static const char *const types[] = { "6Yc", "6Yc", "VYc", "POc" };

	switch (draw(5)) {
	case 0:
	case 1:
		return class_of(
			often[draw(sizeof often / sizeof often[0])], false);
	case 2:
		return class_of(types[draw(4)], true);
	default:
		return draw((uint32_t)trace()->classes.n);
	}
}

static enum source_status
next(struct source *s, struct event *ev)
{
	(void)s;
	if (from.n > 0)
		check_all();
	if (from.n == EVENTS)
		return SOURCE_END;
	if (from.n++ > 0)
		from.now += draw(3);
	*ev = (struct event){ .time = 1000 + from.now,
		.stream = draw((uint32_t)trace()->streams.n),
		.class = draw_class() };
	if (trace()->classes.at[ev->class].described)
		draw_values(ev, &trace()->classes.at[ev->class]);
	else
		draw_bytes(ev);
	return SOURCE_EVENT;
}

static void
add_thread(const char *node, int64_t pid, int64_t tid)
{
	int p = trace_add_process(
		trace(), trace_add_node(trace(), node), pid, "meta");
	int stream = trace()->streams.n;

	trace_set_app(trace(), p, pid, "meta");
	if (pid < 3)
		trace_set_rank(trace(), p, pid, 3, "meta");
	VEC_PUSH(&trace()->streams, &arena, ((struct stream){ .file = "s" }));
	trace()->streams.at[stream].thread =
		trace_add_thread(trace(), p, tid, stream);
	trace()->threads.at[trace()->threads.n - 1].finished = true;
}

/* Declares two nodes; their tids and CPU indexes are numbers drawn often. */
static void
declare(void)
{
	static const char *const odd[] = { "", "6", "O", "6zz", "OHz", "ZZZ",
		"nanos6:tc:task", "%s%n" };

	trace_init(trace(), &arena, &findings);
	add_thread("a", 1, 1);
	add_thread("a", 1, 2);
	add_thread("a", 2, 3);
	add_thread("b", 3, 4);
	trace_add_cpu(trace(), 0, 0, 4, "meta");
	trace_add_cpu(trace(), 0, 1, 2, "meta");
	trace_add_cpu(trace(), 1, 0, 0, "meta");
	trace_add_mark(trace(), 0, "Stack", true, "meta");
	trace_add_mark(trace(), 1, "Single", false, "meta");
	trace_add_mark(trace(), 2, "Single", false, "meta");
	VEC_PUSH(&trace()->streams, &arena,
		((struct stream){ .file = "odd", .thread = TRACE_NONE }));
	for (const struct model *const *m = models; *m != NULL; m++)
		add_model(*m);
	add_model(&switched);
	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
		add_name(odd[i]);
}

static void
progress(const struct source *s, uint64_t *done, uint64_t *total)
{
	(void)s;
	*done = *total = 0;
}

static void
run(uint32_t seed, enum emu_errors errors)
{
	const struct model *extra = &switched;
	struct emu_options options = { .all_models = true,
		.errors = errors,
		.extra = &extra,
		.nextra = 1 };
	static const struct source_ops source_ops = {
		.next = next,
		.progress = progress,
	};
	static const struct sink_ops sink_ops = { .row = take_row,
		.type = take_type,
		.label = take_label,
		.state = take_state };

	memset(&from, 0, sizeof from);
	memset(&to, 0, sizeof to);
	from.source.ops = &source_ops;
	from.random = seed;
	to.sink.ops = &sink_ops;
	findings_init(&findings, &arena, 100);
	declare();
	emu = emu_open(
		&arena, &from.source, &to.sink, &options, &(struct err){ 0 });
	emu_run(emu, NULL);
	printf("# %llu records, %llu errors\n", (unsigned long long)to.nrecords,
		(unsigned long long)findings.count[FINDING_ERROR]);
	CHECK_INT(to.wrong, 0);
	CHECK_INT(emu_events(emu), EVENTS);
	CHECK_INT(emu_time(emu), from.now);
	CHECK(to.nrecords > EVENTS / 4);
	CHECK(errors == ERRORS_NULL
			? to.nbad + to.nmany == 0
			: to.nbad > EVENTS / 10 && to.nmany > EVENTS / 10);
	emu_close(emu);
	trace_fini(trace());
	mem_free(from.block);
	arena_fini(&arena);
}

TEST(events_in_any_order_keep_the_rules)
{
	run(1, ERRORS_SHOW);
}

TEST(so_does_another_order)
{
	run(20240229, ERRORS_SHOW);
}

TEST(so_do_rows_without_error_states)
{
	run(3, ERRORS_NULL);
}

TEST(so_do_rows_with_all_error_states)
{
	run(4, ERRORS_ALL);
}

TEST_MAIN(RUN(events_in_any_order_keep_the_rules), RUN(so_does_another_order),
	RUN(so_do_rows_without_error_states),
	RUN(so_do_rows_with_all_error_states))
