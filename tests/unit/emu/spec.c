/* SPDX-License-Identifier: MIT */
/*
 * spec.c - the tables of what Nanos6 and ovni traces hold, written down a
 * second time from the description of the formats: no row is left out, and
 * none is there that the description does not have.
 */
#include "emu/model.h"
#include "emu/signature.h"
#include "emu/view.h"
#include "test.h"

/* clang-format off */
static const struct {
	const char *key, *title;
	int64_t number;
	enum chan_kind kind;
	bool dup;
	enum track thread;
	enum emission emission;
	int64_t start, idle;
} nanos6_chan[] = {
	{ "taskid", "Nanos6 task ID", 35,
	  CHAN_SINGLE, false, TRACK_RUNNING, SKIPDUP, 0, 0 },
	{ "task_type", "Nanos6 task type", 36,
	  CHAN_SINGLE, true, TRACK_RUNNING, EMITDUP, 0, 0 },
	{ "subsystem", "Nanos6 subsystem", 37,
	  CHAN_STACK, false, TRACK_ACTIVE, SKIPDUP, 0, 0 },
	{ "rank", "Nanos6 task MPI rank", 38,
	  CHAN_SINGLE, true, TRACK_RUNNING, EMITDUP, 0, 0 },
	{ "thread_type", "Nanos6 thread type", 39,
	  CHAN_STACK, false, TRACK_NONE, SKIPDUP, 0, 0 },
	{ "idle", "Nanos6 idle state", 40,
	  CHAN_SINGLE, false, TRACK_RUNNING, SKIPDUP, 100, 101 },
	{ "point", "Nanos6 punctual events", 42,
	  CHAN_SINGLE, false, TRACK_ACTIVE, SKIPDUP, 0, 0 },
};

static const struct span {
	const char *in, *out;
	int64_t value;
	const char *label;
} nanos6_subsystem[] = {
	{ "6W[", "6W]", 19, "Worker: Looking for work" },
	{ "6Wt", "6WT", 18, "Worker: Handling task" },
	{ "6Ww", "6WW", 20, "Worker: Switching to another thread" },
	{ "6Wm", "6WM", 21, "Worker: Migrating CPU" },
	{ "6Ws", "6WS", 22, "Worker: Suspending thread" },
	{ "6Wr", "6WR", 23, "Worker: Resuming another thread" },
	{ "6Wg", "6WG", 24, "Worker: Sponge mode" },
	{ "6C[", "6C]",  3, "Task: Creating" },
	{ "6U[", "6U]",  4, "Task: Submitting" },
	{ "6F[", "6F]",  5, "Task: Spawning function" },
	{ "6Ma", "6MA", 16, "Memory: Allocating" },
	{ "6Mf", "6MF", 17, "Memory: Freeing" },
	{ "6Dr", "6DR", 10, "Dependency: Registering" },
	{ "6Du", "6DU", 11, "Dependency: Unregistering" },
	{ "6S[", "6S]",  9, "Scheduler: Serving tasks" },
	{ "6Sa", "6SA",  7, "Scheduler: Adding ready tasks" },
	{ "6Sp", "6SP",  8, "Scheduler: Processing ready tasks" },
	{ "6Bb", "6BB", 14, "Blocking: Blocking current task" },
	{ "6Bu", "6BU", 15, "Blocking: Unblocking remote task" },
	{ "6Bw", "6BW", 12, "Blocking: Taskwait" },
	{ "6Bf", "6BF", 13, "Blocking: Wait for deadline" },
}, nanos6_thread_type[] = {
	{ "6He", "6HE", 4, "External" },
	{ "6Hw", "6HW", 3, "Worker" },
	{ "6Hl", "6HL", 1, "Leader" },
	{ "6Hm", "6HM", 2, "Main" },
};

static const struct state {
	const char *event; /* NULL: no event sets it */
	int64_t value;
	const char *label;
} nanos6_idle[] = {
	{ "6Pp", 100, "Progressing" },
	{ "6Pr", 101, "Resting" },
	{ "6Pa", 102, "Absorbing noise" },
}, nanos6_other[] = {
	{ NULL,  1, "Task: Running body" },
	{ NULL,  2, "Unknown subsystem" },
	{ NULL,  6, "Task: Running task for" },
	{ NULL, 60, "EV Scheduler: Recv task" },
	{ NULL, 61, "EV Scheduler: Send task" },
	{ NULL, 62, "EV Scheduler: Self-assign task" },
	{ NULL, 63, "EV CPU: Becomes idle" },
	{ NULL, 64, "EV CPU: Becomes active" },
	{ NULL, 65, "EV Worker: Waking another thread" },
};

/* The rows of punctual events have a type of their own; 63 and 64 have no
 * event. */
static const struct state nanos6_point[] = {
	{ "6Sr", 60, "EV Scheduler: Recv task" },
	{ "6Ss", 61, "EV Scheduler: Send task" },
	{ "6S@", 62, "EV Scheduler: Self-assign task" },
	{ "6W*", 65, "EV Worker: Waking another thread" },
};

/* Rows that are there with any model. */
static const struct core {
	int64_t number;
	const char *title;
} thread_core[] = {
	{ 2, "Thread: TID of the ACTIVE thread" },
	{ 4, "Thread: thread state" },
	{ 6, "Thread: CPU affinity" },
};

static const char *const thread_state[] = {
	"Unknown", "Running", "Paused", "Dead", "Cooling", "Warming",
};

enum use { IGNORED, USED };

/* Arguments: name, jumbo, and "type name" pairs as they lie in the payload. */
struct other_event {
	const char *name;
	bool jumbo;
	const char *args;
	enum use use;
	enum payload payload;
};

static const struct other_event nanos6_event[] = {
	{ "6Yc", true,  "u32 typeid str label",  USED,    PAYLOAD_ALL },
	{ "6Tc", false, "u32 taskid u32 typeid", USED,    PAYLOAD_EXACT },
	{ "6Tx", false, "u32 taskid",            USED,    PAYLOAD_ALL },
	{ "6Te", false, "u32 taskid",            USED,    PAYLOAD_ALL },
	{ "6Tp", false, "u32 taskid",            USED,    PAYLOAD_ALL },
	{ "6Tr", false, "u32 taskid",            USED,    PAYLOAD_ALL },
	{ "6TC", false, "",                      USED,    PAYLOAD_ALL },
	{ "6O[", false, "u32 taskid",            USED,    PAYLOAD_ANY },
	{ "6O]", false, "u32 taskid",            USED,    PAYLOAD_ANY },
	{ "6t[", false, "u32 taskid",            IGNORED, PAYLOAD_ALL },
	{ "6t]", false, "u32 taskid",            IGNORED, PAYLOAD_ALL },
	{ "6W*", false, "i32 tid",               IGNORED, PAYLOAD_ALL },
	{ "6S@", false, "",                      IGNORED, PAYLOAD_ALL },
	{ "6Sr", false, "",                      IGNORED, PAYLOAD_ALL },
	{ "6Ss", false, "",                      IGNORED, PAYLOAD_ALL },
}, ovni_event[] = {
	{ "OF[", false, "",                      USED,    PAYLOAD_ALL },
	{ "OF]", false, "",                      USED,    PAYLOAD_ALL },
	{ "OHx", false, "i32 cpu i32 tid u64 tag", USED,  PAYLOAD_FIRST },
	{ "OHe", false, "",                      USED,    PAYLOAD_ALL },
	{ "OHp", false, "",                      USED,    PAYLOAD_ALL },
	{ "OHr", false, "",                      USED,    PAYLOAD_ALL },
	{ "OHc", false, "",                      USED,    PAYLOAD_ALL },
	{ "OHw", false, "",                      USED,    PAYLOAD_ALL },
	{ "OHC", false, "i32 cpu u64 tag",       IGNORED, PAYLOAD_ALL },
	{ "OAs", false, "i32 cpu",               USED,    PAYLOAD_EXACT },
	{ "OAr", false, "i32 cpu i32 tid",       USED,    PAYLOAD_EXACT },
	{ "OB?", false, "",                      USED,    PAYLOAD_ALL },
	{ "OCn", false, "i32 cpu",               USED,    PAYLOAD_ANY },
	{ "OU?", false, "",                      IGNORED, PAYLOAD_ALL },
	{ "OM[", false, "i64 value i32 type",    USED,    PAYLOAD_EXACT },
	{ "OM]", false, "i64 value i32 type",    USED,    PAYLOAD_EXACT },
	{ "OM=", false, "i64 value i32 type",    USED,    PAYLOAD_EXACT },
};

/* Events of each model; 6TC is obsolete and not among its 67. */
static const struct {
	const char *model;
	int nevents;
} count[] = {
	{ "ovni", 18 }, { "nanos6", 68 }, { "nosv", 72 }, { "nodes", 16 },
	{ "tampi", 24 }, { "mpi", 98 }, { "kernel", 2 }, { "openmp", 68 },
};
/* clang-format on */

#define LENGTH(table) ((int)(sizeof(table) / sizeof(table)[0]))

static const struct model *
model(const char *name)
{
	static const struct model none;
	const struct model *m = model_find(name);

	CHECK(m != NULL);
	return m == NULL ? &none : m;
}

/* The index of the channel, or -1. */
static int
chan_of(const struct model *m, const char *key)
{
	for (int i = 0; i < m->nchans; i++)
		if (strcmp(m->chans[i].key, key) == 0)
			return i;
	return -1;
}

static void
check_span(const struct model *m, int chan, const struct span *want)
{
	int found = 0;

	for (int i = 0; i < m->nspans; i++) {
		const struct span_def *d = &m->spans[i];

		if (strcmp(d->in, want->in) != 0)
			continue;
		found++;
		CHECK_STR(d->out, want->out);
		CHECK_INT(d->chan, chan);
		CHECK_INT(d->value, want->value);
		CHECK_STR(d->label, want->label);
	}
	if (found != 1)
		printf("#   %s: %d times\n", want->in, found);
	CHECK_INT(found, 1);
}

/* The channel has these spans and no others. */
static void
check_spans(
	const struct model *m, const char *key, const struct span *want, int n)
{
	int chan = chan_of(m, key), have = 0;

	for (int i = 0; i < n; i++)
		check_span(m, chan, &want[i]);
	for (int i = 0; i < m->nspans; i++)
		have += m->spans[i].chan == chan;
	CHECK_INT(have, n);
}

static void
check_event(const struct model *m, const struct other_event *want)
{
	int found = 0;

	for (int i = 0; i < m->nevents; i++) {
		struct signature s;
		struct err err = { 0 };
		char args[256] = "";
		size_t n = 0;

		CHECK(signature_parse(&s, m->events[i].signature, &err));
		if (strcmp(s.name, want->name) != 0)
			continue;
		for (int j = 0; j < s.nargs; j++)
			n += (size_t)snprintf(args + n, sizeof args - n,
				"%s%s %s", j > 0 ? " " : "",
				signature_type_name(s.arg[j].type),
				s.arg[j].name);
		found++;
		CHECK_STR(args, want->args);
		CHECK_INT(s.jumbo, want->jumbo);
		CHECK_INT(m->events[i].call != NULL, want->use == USED);
		CHECK_INT(m->events[i].payload, want->payload);
	}
	if (found != 1)
		printf("#   %s: %d times\n", want->name, found);
	CHECK_INT(found, 1);
}

TEST(nanos6_channels)
{
	const struct model *m = model("nanos6");

	CHECK_INT(m->nchans, LENGTH(nanos6_chan));
	for (int i = 0; i < LENGTH(nanos6_chan); i++) {
		int at = chan_of(m, nanos6_chan[i].key);
		const struct chan_def *c = &m->chans[at < 0 ? 0 : at];

		CHECK(at >= 0);
		CHECK_STR(c->title, nanos6_chan[i].title);
		CHECK_INT(c->number, nanos6_chan[i].number);
		CHECK_INT(c->kind, nanos6_chan[i].kind);
		CHECK_INT(c->dup, nanos6_chan[i].dup);
		CHECK_INT(c->thread, nanos6_chan[i].thread);
		CHECK_INT(c->emission, nanos6_chan[i].emission);
		CHECK_INT(c->start, nanos6_chan[i].start);
		CHECK_INT(c->idle, nanos6_chan[i].idle);
		CHECK(!c->cpu_active && !c->off && c->disabled == 0);
	}
}

TEST(nanos6_punctual_events)
{
	const struct model *m = model("nanos6");
	int chan = chan_of(m, "point");

	CHECK_INT(m->npoints, LENGTH(nanos6_point));
	for (int i = 0; i < m->npoints && i < LENGTH(nanos6_point); i++) {
		CHECK_STR(m->points[i].event, nanos6_point[i].event);
		CHECK_INT(m->points[i].chan, chan);
		CHECK_INT(m->points[i].value, nanos6_point[i].value);
		CHECK_STR(m->points[i].label, nanos6_point[i].label);
	}
	CHECK(m->chans[chan].punctual);
	CHECK_INT(m->chans[chan].shows, TYPE_POINT);
}

TEST(nanos6_breakdown)
{
	const struct model *m = model("nanos6");
	const struct breakdown_def *b = m->breakdown;

	CHECK_STR(b->title, "CPU: Nanos6 Runtime/Idle/Task breakdown");
	CHECK_INT(b->number, 41);
	CHECK_INT(b->type, chan_of(m, "task_type"));
	CHECK_INT(b->subsystem, chan_of(m, "subsystem"));
	CHECK_INT(b->idle, chan_of(m, "idle"));
	CHECK_INT(b->body, 1);
	CHECK_INT(b->progressing, 100);
	CHECK_INT(b->unknown, 2);
}

TEST(versions_of_models)
{
	CHECK_STR(model("ovni")->version, "1.1.0");
	CHECK_STR(model("nanos6")->old_version, "1.1.0");
	CHECK_STR(model("nanos6")->version, "1.2.0");
}

TEST(rows_that_are_always_there)
{
	CHECK_INT(THREAD_CORE, LENGTH(thread_core));
	for (int i = 0; i < LENGTH(thread_core); i++) {
		CHECK_INT(view_core_thread[i].number, thread_core[i].number);
		CHECK_STR(view_core_thread[i].title, thread_core[i].title);
	}
	CHECK_INT(CPU_CORE, 3);
	for (int i = 0; i < CPU_CORE; i++)
		CHECK_INT(view_core_cpu[i].number, i + 1);
	for (int i = 0; i < LENGTH(thread_state); i++)
		CHECK_STR(thread_state_name((enum thread_state)i),
			thread_state[i]);
}

TEST(nanos6_subsystems)
{
	check_spans(model("nanos6"), "subsystem", nanos6_subsystem,
		LENGTH(nanos6_subsystem));
}

TEST(nanos6_thread_types)
{
	check_spans(model("nanos6"), "thread_type", nanos6_thread_type,
		LENGTH(nanos6_thread_type));
}

TEST(nanos6_has_no_other_spans)
{
	CHECK_INT(model("nanos6")->nspans,
		LENGTH(nanos6_subsystem) + LENGTH(nanos6_thread_type));
}

TEST(nanos6_idle_states)
{
	const struct model *m = model("nanos6");
	int idle = chan_of(m, "idle");

	CHECK_INT(m->nsets, LENGTH(nanos6_idle));
	for (int i = 0; i < m->nsets && i < LENGTH(nanos6_idle); i++) {
		CHECK_STR(m->sets[i].event, nanos6_idle[i].event);
		CHECK_INT(m->sets[i].chan, idle);
		CHECK_INT(m->sets[i].value, nanos6_idle[i].value);
		CHECK_STR(m->sets[i].label, nanos6_idle[i].label);
	}
}

TEST(nanos6_values_without_an_event_of_their_own)
{
	const struct model *m = model("nanos6");
	int chan = chan_of(m, "subsystem");

	CHECK_INT(m->nlabels, LENGTH(nanos6_other));
	for (int i = 0; i < LENGTH(nanos6_other); i++)
		CHECK_STR(model_label(m, chan, nanos6_other[i].value),
			nanos6_other[i].label);
}

TEST(nanos6_nothing_has_a_label)
{
	const struct model *m = model("nanos6");

	CHECK_STR(model_label(m, chan_of(m, "subsystem"), VALUE_NONE),
		"No subsystem");
}

TEST(nanos6_other_events)
{
	const struct model *m = model("nanos6");

	CHECK_INT(m->nevents, LENGTH(nanos6_event));
	for (int i = 0; i < LENGTH(nanos6_event); i++)
		check_event(m, &nanos6_event[i]);
}

TEST(nanos6_tasks_pause_and_nest_and_their_body_may_repeat)
{
	const struct model *m = model("nanos6");

	CHECK(m->tasks->may_pause && m->tasks->nests);
	CHECK_INT(m->tasks->body, 1);
	CHECK_INT(m->tasks->section, chan_of(m, "subsystem"));
	CHECK_INT(m->tasks->id, chan_of(m, "taskid"));
	CHECK_INT(m->tasks->type, chan_of(m, "task_type"));
	CHECK_INT(m->tasks->rank, chan_of(m, "rank"));
	CHECK_INT(m->chans[chan_of(m, "subsystem")].repeat, 1);
	CHECK_INT(m->need, NEED_ACTIVE);
}

TEST(ovni_flushes)
{
	const struct model *m = model("ovni");
	const struct chan_def *c = &m->chans[chan_of(m, "flush")];

	CHECK_STR(model_label(m, chan_of(m, "flush"), 1), "Flushing");
	CHECK_INT(m->nlabels, 1);
	CHECK_INT(m->nchans, 1);
	CHECK_STR(c->title, "Flushing ovni buffer");
	CHECK_INT(c->number, 7);
	CHECK_INT(c->thread, TRACK_NONE);
	CHECK_INT(c->emission, SKIPDUP);
	CHECK(!c->dup);
}

TEST(ovni_other_events)
{
	const struct model *m = model("ovni");

	CHECK_INT(m->nevents, LENGTH(ovni_event));
	CHECK_INT(m->need, NEED_NOTHING);
	for (int i = 0; i < LENGTH(ovni_event); i++)
		check_event(m, &ovni_event[i]);
}

/*
 * A span is two events, a set one and any other row one, a pattern like "OB?"
 * too; but "OU?" stands for the two that the description lists, "OU[" and
 * "OU]".
 */
static int
count_events(const struct model *m)
{
	int n = 2 * m->nspans + m->nsets + m->nevents;

	for (int i = 0; i < m->nevents; i++)
		n += strcmp(m->events[i].signature, "OU?") == 0;
	return n;
}

static void
check_count(const struct model *m, int want)
{
	if (m == NULL)
		return; /* a model that this build does not have */
	if (count_events(m) != want)
		printf("#   model %s\n", m->name);
	CHECK_INT(count_events(m), want);
}

TEST(models_have_as_many_events_as_described)
{
	for (int i = 0; i < LENGTH(count); i++)
		check_count(model_find(count[i].model), count[i].nevents);
}

TEST_MAIN(RUN(nanos6_channels), RUN(nanos6_subsystems),
	RUN(nanos6_thread_types), RUN(nanos6_has_no_other_spans),
	RUN(nanos6_idle_states), RUN(nanos6_punctual_events),
	RUN(nanos6_breakdown), RUN(versions_of_models),
	RUN(rows_that_are_always_there),
	RUN(nanos6_values_without_an_event_of_their_own),
	RUN(nanos6_nothing_has_a_label), RUN(nanos6_other_events),
	RUN(nanos6_tasks_pause_and_nest_and_their_body_may_repeat),
	RUN(ovni_flushes), RUN(ovni_other_events),
	RUN(models_have_as_many_events_as_described))
