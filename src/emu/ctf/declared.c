/* SPDX-License-Identifier: MIT */
#include "emu/ctf/declared.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/bind.h"
#include "emu/ctf/declared_row.h"
#include "emu/ctf/entry_point.h"
#include "emu/ctf/task.h"
#include "emu/ctf/thread.h"
#include "emu/numbers.h"
#include "trace/trace.h"

#define MODELS_MAX 16
#define EVENTS_MAX 1024 /* per prefix; the recorder declares at most 255 */
#define NAME_BYTES 200
#define FIRST_NUMBER 6500000 /* Paraver types; each model has NUMBERS */
#define NUMBERS 100
#define FIRST_COUNTER 3900000 /* counters have the Paraver types of Nanos6 */
#define HWC "hwc"

#define LETTERS \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* An event, with its name split. */
struct named {
	const struct event_class *class;
	size_t prefix;     /* bytes of "mine:" */
	const char *rest;  /* "tc:wait_enter" */
	const char *point; /* "wait" */
	bool is_call, is_tc, is_enter;
};

struct names {
	VEC(struct named) at;
};

struct declared {
	struct declared_model made; /* the first member */
	struct arena *arena;
	VEC(struct event_def) events;
	VEC(struct label_def)
	labels;                         /* label_defs, then calls, then
	                                 * events */
	VEC(struct declared_row) calls; /* calls that have a value */
};

/* The suffixes of names of entry points, by context. */
static const struct {
	const char *context, *end;
	event_fn *call;
	bool is_tc, is_enter;
} calls[] = {
	{ "tc:", "_enter", entry_point_tc_enter, true, true },
	{ "tc:", "_exit", entry_point_tc_exit, true, false },
	{ "oc:", "_enter", entry_point_oc_enter, false, true },
	{ "oc:", "_exit", entry_point_oc_exit, false, false },
};

/* The prefixes of the texts with which recorders describe events:
 * src/inproc/ctf/meta.c. */
static const struct {
	const char *tells;
	event_fn *call;
} plain[] = {
	{ "weft:task_start", entry_point_begin_task },
	{ "weft:task_end", entry_point_end_task },
	{ "weft:task_block", entry_point_block_task },
	{ "weft:task_unblock", entry_point_unblock_task },
	{ "weft:thread_resume", entry_point_resume_thread },
};

#define N(table) ((int)(sizeof(table) / sizeof(table)[0]))

static const struct chan_def chan_defs[DECLARED_CHANS] = {
	[DECLARED_CALLS] = { .key = "calls",
		.title = "runtime calls",
		.none = "No call",
		.means = MEANS_OVERHEAD,
		.kind = CHAN_STACK },
	[DECLARED_CONTEXT] = { .key = "context",
		.title = "task context",
		.none = "No task",
		.means = MEANS_OVERHEAD },
	[DECLARED_TASK] = { .key = "task",
		.title = "task id",
		.none = "No task",
		.shows = TYPE_ID },
	[DECLARED_TYPE] = { .key = "type",
		.title = "task type",
		.none = "No task",
		.means = MEANS_TASK },
	[DECLARED_EVENT] = { .key = "event",
		.title = "other events",
		.none = "No event",
		.means = MEANS_OVERHEAD,
		.punctual = true },
};

static const struct label_def label_defs[] = {
	{ DECLARED_CALLS, CALLS_TASK, MEANS_TASK, "Task" },
	{ DECLARED_CONTEXT, CONTEXT_TASK, MEANS_TASK, "Task" },
	{ DECLARED_CONTEXT, CONTEXT_TC, 0, "Runtime, called from a task" },
	{ DECLARED_CONTEXT, CONTEXT_OC, 0, "Runtime, called from elsewhere" },
};

static const struct task_chans task_chans = {
	.id = DECLARED_TASK,
	.type = DECLARED_TYPE,
};

static const struct panel_def panel_defs[] = {
	{ "hardware_counters", "Hardware Counters",
		(const char *const[]){ HWC, NULL } },
};

/* Splits the name of an entry point: "wait" of "tc:wait_enter". Returns false
 * if the name has another form. */
static bool
split_call(struct arena *a, struct named *n, int call)
{
	size_t begin = strlen(calls[call].context);
	size_t end = strlen(calls[call].end), size = strlen(n->rest);

	if (size <= begin + end ||
		strncmp(n->rest, calls[call].context, begin) != 0 ||
		strcmp(n->rest + size - end, calls[call].end) != 0)
		return false;
	n->point = arena_strndup(a, n->rest + begin, size - begin - end);
	n->is_call = true;
	n->is_tc = calls[call].is_tc;
	n->is_enter = calls[call].is_enter;
	return true;
}

/* Splits an event's name. Returns false for names that the recorder does not
 * give: a trace may hold any names, and names are used for model rows and
 * files. */
static bool
split(struct arena *a, const struct event_class *class, struct named *n)
{
	size_t prefix = strspn(class->name, LETTERS "-");

	*n = (struct named){ .class = class, .prefix = prefix + 1 };
	if (prefix == 0 || class->name[prefix] != ':')
		return false;
	n->rest = n->point = class->name + prefix + 1;
	for (int i = 0; i < N(calls) && !n->is_call; i++)
		split_call(a, n, i);
	prefix = strlen(n->point);
	return prefix > 0 && prefix < NAME_BYTES &&
		strspn(n->point, LETTERS) == prefix;
}

static bool
is_same_prefix(const struct named *a, const struct named *b)
{
	return a->prefix == b->prefix &&
		memcmp(a->class->name, b->class->name, a->prefix) == 0;
}

static bool
is_built_in(const struct named *n)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if ((*m)->prefix != NULL && n->prefix == strlen((*m)->prefix) &&
			memcmp(n->class->name, (*m)->prefix, n->prefix) == 0)
			return true;
	return false;
}

static int
told(const struct event_class *class)
{
	for (int i = 0; i < N(plain) && class->tells != NULL; i++)
		if (strcmp(class->tells, plain[i].tells) == 0)
			return i;
	return -1;
}

static bool
is_number(const struct named *n, const char *field)
{
	int at = trace_class_field(n->class, field);

	return at >= 0 && n->class->field[at].type <= FIELD_I64;
}

static bool
is_text(const struct named *n, const char *field)
{
	int at = trace_class_field(n->class, field);

	return at >= 0 && n->class->field[at].type == FIELD_STR;
}

static void
add_row(struct declared *d, const char *signature, event_fn *call,
	struct declared_row row)
{
	VEC_PUSH(&d->events, d->arena,
		((struct event_def){ signature, NULL, call, PAYLOAD_ANY }));
	VEC_PUSH(&d->made.rows, d->arena, row);
}

static void
add_label(struct declared *d, int chan, int64_t value, const char *label)
{
	VEC_PUSH(&d->labels, d->arena,
		((struct label_def){ chan, value, MEANS_UNSAID, label }));
}

/* Returns the index of the call among those with a value, or -1. */
static int
find_call(const struct declared *d, const char *point, bool is_tc)
{
	for (int i = 0; i < d->calls.n; i++)
		if (d->calls.at[i].is_tc == is_tc &&
			strcmp(d->calls.at[i].point, point) == 0)
			return i;
	return -1;
}

/* Returns the row of a call. Enter and exit have the same value; calls of other
 * contexts have values of their own. */
static struct declared_row
call_row(struct declared *d, const struct named *n)
{
	int at = find_call(d, n->point, n->is_tc);
	bool both = !n->is_tc && find_call(d, n->point, true) >= 0;
	struct declared_row row = { .point = n->point, .is_tc = n->is_tc };

	if (at >= 0)
		return d->calls.at[at];
	row.value = CALLS_TASK + 1 + d->calls.n;
	VEC_PUSH(&d->calls, d->arena, row);
	add_label(d, DECLARED_CALLS, row.value,
		both ? arena_printf(d->arena, "%s (outside a task)", n->point)
		     : n->point);
	return row;
}

static void
add_call(struct declared *d, const struct named *n)
{
	struct declared_row row = call_row(d, n);

	for (int i = 0; i < N(calls); i++)
		if (calls[i].is_tc == n->is_tc &&
			calls[i].is_enter == n->is_enter)
			add_row(d, n->rest, calls[i].call, row);
	/* Nanos6 gives the type of a task in this event. */
	if (n->is_enter && strcmp(n->point, "task_create") == 0 &&
		is_number(n, "id") && is_number(n, "type"))
		add_row(d,
			arena_printf(d->arena, "%s(u32 id, u32 type)", n->rest),
			ctf_task_create, row);
}

static const char *
task_signature(struct declared *d, const struct named *n)
{
	if (!is_number(n, "id"))
		return n->rest;
	return arena_printf(d->arena, "%s(u32 id%s)", n->rest,
		is_number(n, "type") ? ", u32 type" : "");
}

static void
add_plain(struct declared *d, const struct named *n, int64_t *value)
{
	int tells = told(n->class);
	struct declared_row row = { .point = n->rest };

	if (tells >= 0) {
		add_row(d,
			plain[tells].call == entry_point_begin_task
				? task_signature(d, n)
				: n->rest,
			plain[tells].call, row);
		return;
	}
	row.value = ++*value;
	add_label(d, DECLARED_EVENT, row.value, n->rest);
	add_row(d, n->rest, entry_point_moment, row);
	if (strcmp(n->rest, "task_label") == 0 && is_number(n, "type") &&
		is_text(n, "label"))
		add_row(d,
			arena_printf(
				d->arena, "%s(u32 type, str label)", n->rest),
			entry_point_label, row);
}

static bool
is_taken(const struct model_list *list, const char *name)
{
	for (int i = 0; i < list->model.n; i++)
		if (strcmp(list->model.at[i]->name, name) == 0)
			return true;
	return model_find(name) != NULL;
}

/* Returns the first of NUMBERS Paraver types that no model of the list uses. */
static int64_t
free_numbers(const struct model_list *list, int64_t first)
{
	int64_t number;

	for (int i = 0; i < list->model.n; i++)
		for (int pos = 0;
			numbers_next(list->model.at[i], &pos, &number);)
			if (number >= first && number < first + NUMBERS)
				return free_numbers(list, first + NUMBERS);
	return first;
}

static const struct chan_def *
make_chans(struct declared *d, int64_t first)
{
	struct chan_def *def =
		ARENA_ARRAY(d->arena, struct chan_def, DECLARED_CHANS);

	for (int i = 0; i < DECLARED_CHANS; i++) {
		def[i] = chan_defs[i];
		def[i].title = arena_printf(d->arena, "%s: %s",
			d->made.model.name, chan_defs[i].title);
		def[i].number = first + i;
		def[i].thread = TRACK_ACTIVE;
		def[i].plain = def[i].dup = def[i].cpu_active = true;
	}
	return def;
}

/* Adds rows for calls from tasks, then for other calls, then for other events,
 * each in the order of names. */
static void
add_events(struct declared *d, const struct named *n, int count)
{
	int64_t value = 0;

	for (int i = 0; i < N(label_defs); i++)
		VEC_PUSH(&d->labels, d->arena, label_defs[i]);
	for (int pass = 0; pass < 3; pass++)
		for (int i = 0; i < count && d->made.rows.n < EVENTS_MAX; i++) {
			if (i > 0 && strcmp(n[i].rest, n[i - 1].rest) == 0)
				continue;
			if (n[i].is_call && n[i].is_tc == (pass == 0) &&
				pass < 2)
				add_call(d, &n[i]);
			else if (!n[i].is_call && pass == 2)
				add_plain(d, &n[i], &value);
		}
}

static const struct model *
make(struct arena *a, const struct named *n, int count,
	const struct model_list *taken)
{
	struct declared *d = ARENA_NEW(a, struct declared);
	struct model *m = &d->made.model;

	d->arena = a;
	m->end = entry_point_check_ends;
	m->fini = ctf_fini;
	m->prefix = arena_strndup(a, n->class->name, n->prefix);
	m->name = arena_strndup(a, n->class->name, n->prefix - 1);
	if (is_taken(taken, m->name))
		m->name = arena_printf(a, "%s-ctf", m->name);
	m->version = "1.0.0";
	m->brief = "events that the trace declares";
	m->chans = make_chans(d, free_numbers(taken, FIRST_NUMBER));
	m->nchans = DECLARED_CHANS;
	add_events(d, n, count);
	m->events = d->events.at;
	m->nevents = d->events.n;
	m->labels = d->labels.at;
	m->nlabels = d->labels.n;
	m->panels = panel_defs;
	m->npanels = N(panel_defs);
	m->counters_in = HWC;
	m->counters_from = FIRST_COUNTER;
	m->told = &task_chans;
	return m;
}

static int
by_name(const void *pa, const void *pb)
{
	const struct named *a = pa, *b = pb;

	return strcmp(a->class->name, b->class->name);
}

/* Returns true if the events include an entry point or a task; else they may
 * come from any tool. */
static bool
is_runtime(const struct named *n, int count)
{
	for (int i = 0; i < count; i++)
		if (n[i].is_call || told(n[i].class) >= 0)
			return true;
	return false;
}

void
declared_models(struct arena *a, const struct trace *t, struct model_list *list)
{
	int end, max = list->model.n + MODELS_MAX;
	struct names names = { 0 };
	const struct model *m;
	struct named n;

	for (int i = 0; i < t->classes.n && t->by_cpu; i++)
		if (split(a, &t->classes.at[i], &n) && !is_built_in(&n))
			VEC_PUSH(&names.at, a, n);
	if (names.at.n > 0)
		qsort(names.at.at, (size_t)names.at.n, sizeof n, by_name);
	for (int i = 0; i < names.at.n && list->model.n < max; i = end) {
		const struct named *first = &names.at.at[i];

		end = i + 1;
		while (end < names.at.n &&
			is_same_prefix(first, &names.at.at[end]))
			end++;
		if (!is_runtime(first, end - i))
			continue;
		m = make(a, first, end - i, list);
		VEC_PUSH(&list->model, a, m);
	}
}
