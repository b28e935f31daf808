/* SPDX-License-Identifier: MIT */
#include "emu/ctf/point.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "emu/ctf/thread.h"
#include "emu/models/models.h"
#include "emu/state.h"

#define NAME_MAX 160
#define DEPTH 4096

/* What a thread is in, the innermost last: calls and tasks. */
struct open {
	uint32_t class, stream; /* of the event that began it */
	int64_t offset, time;
	bool is_task, is_blocked, is_tc;
};

/* Of a thread, or of a CPU whose threads the trace does not tell. */
struct context {
	VEC(struct open) open;
	struct context *thread; /* of a CPU: the thread that it goes on with */
};

struct points {
	VEC(struct context *) all;
	struct map threads; /* by process, tid */
	struct map streams;
};

static event_fn tc_enter, oc_enter, tc_exit, oc_exit, begin_task, end_task,
	block_task, unblock_task, resume_thread;

/* The convention of names, and what recorders tell: src/rt/ctf_meta.c. */
static const struct {
	const char *context, *end;
	event_fn *call;
} calls[] = {
	{ ":tc:", "_enter", tc_enter },
	{ ":tc:", "_exit", tc_exit },
	{ ":oc:", "_enter", oc_enter },
	{ ":oc:", "_exit", oc_exit },
};

static const struct {
	const char *tells;
	event_fn *call;
} plain[] = {
	{ "weft:task_start", begin_task },
	{ "weft:task_end", end_task },
	{ "weft:task_block", block_task },
	{ "weft:task_unblock", unblock_task },
	{ "weft:thread_resume", resume_thread },
};

#define N(table) (sizeof(table) / sizeof(table)[0])

/* "wait" of "mine:tc:wait_enter"; false if the name is no such. */
static bool
split(const char *name, size_t row, const char **point, size_t *n)
{
	const char *at = strchr(name, ':');
	size_t end = strlen(calls[row].end);

	if (at == NULL ||
		strncmp(at, calls[row].context, strlen(calls[row].context)) !=
			0)
		return false;
	*point = at + strlen(calls[row].context);
	*n = strlen(*point);
	if (*n <= end || strcmp(*point + *n - end, calls[row].end) != 0)
		return false;
	*n -= end;
	return true;
}

static event_fn *
call_of(const struct event_class *class)
{
	const char *point;
	size_t n;

	for (size_t i = 0; i < N(calls); i++)
		if (split(class->name, i, &point, &n))
			return calls[i].call;
	for (size_t i = 0; i < N(plain) && class->tells != NULL; i++)
		if (strcmp(class->tells, plain[i].tells) == 0)
			return plain[i].call;
	return NULL;
}

void
point_bind(struct emu *emu, const struct event_class *class, struct binding *to)
{
	const char *checked = model_nanos6_ctf.prefix; /* by its own rows */
	event_fn *call = call_of(class);
	struct binding *b;

	if (call == NULL || strncmp(class->name, checked, strlen(checked)) == 0)
		return;
	b = ARENA_NEW(emu->arena, struct binding);
	b->action = ACTION_CALL;
	b->call = call;
	while (to->next != NULL)
		to = (struct binding *)(uintptr_t)to->next;
	to->next = b;
}

static struct points *
points_of(struct emu *emu)
{
	struct ctf *c = ctf_of(emu);

	if (c->points == NULL)
		c->points = ARENA_NEW(emu->arena, struct points);
	return c->points;
}

static struct context *
get(struct emu *emu, struct map *in, uint64_t key)
{
	uint64_t *at = map_put(in, key);
	struct context *c;

	if (*at != 0)
		return (struct context *)(uintptr_t)*at;
	c = ARENA_NEW(emu->arena, struct context);
	*at = (uint64_t)(uintptr_t)c;
	VEC_PUSH(&points_of(emu)->all, emu->arena, c);
	return c;
}

static struct context *
of_thread(struct emu *emu, int64_t tid)
{
	const struct process *p = emu->system.process_of[emu->event->stream];
	uint64_t process = (uint64_t)(p - emu->system.processes);

	return get(
		emu, &points_of(emu)->threads, process << 32 | (uint32_t)tid);
}

static struct context *
of_stream(struct emu *emu)
{
	return get(emu, &points_of(emu)->streams, emu->event->stream);
}

/* Streams of CPUs say rarely who runs there, those of threads always. */
static struct context *
context_of(struct emu *emu)
{
	struct context *c;

	if (emu->system.of_stream[emu->event->stream] == NULL)
		return of_thread(emu, emu->thread->tid);
	c = of_stream(emu);
	return c->thread != NULL ? c->thread : c;
}

static void
resume_thread(struct emu *emu, const struct event *ev)
{
	const struct event_class *class = &emu->trace->classes.at[ev->class];
	int field = trace_class_field(class, "tid");

	if (field >= 0 && class->field[field].type <= FIELD_I64 &&
		emu->system.process_of[ev->stream] != NULL &&
		emu->system.of_stream[ev->stream] != NULL)
		of_stream(emu)->thread = of_thread(emu, ev->value[field].i);
}

static struct open *
top_of(struct context *c)
{
	return c->open.n == 0 ? NULL : &c->open.at[c->open.n - 1];
}

/* The point of a call, for messages. */
static const char *
name_of(const struct emu *emu, uint32_t class, char to[NAME_MAX])
{
	const char *name = emu->trace->classes.at[class].name, *point = name;
	size_t n = strlen(name);

	for (size_t i = 0; i < N(calls); i++)
		if (split(name, i, &point, &n))
			break;
	snprintf(to, NAME_MAX, "%.*s", (int)n, point);
	return to;
}

static bool
is_same_point(const struct emu *emu, uint32_t a, uint32_t b)
{
	char point_a[NAME_MAX], point_b[NAME_MAX];

	return strcmp(name_of(emu, a, point_a), name_of(emu, b, point_b)) == 0;
}

static bool
is_in_task(struct context *c)
{
	const struct open *top = top_of(c);

	return top != NULL && top->is_task && !top->is_blocked;
}

static void
push(struct emu *emu, struct context *c, bool is_task, bool is_tc)
{
	const struct event *ev = emu->event;

	if (c->open.n == DEPTH) {
		emu_finding(emu, FINDING_ERROR,
			"more than %d calls within each other: it is left out",
			DEPTH);
		return;
	}
	VEC_PUSH(&c->open, emu->arena,
		((struct open){ .class = ev->class,
			.stream = ev->stream,
			.offset = ev->offset,
			.time = emu->now,
			.is_task = is_task,
			.is_tc = is_tc }));
}

/* The call's enter is where the mistake is, whenever it shows. */
static void
never_left(struct emu *emu, const struct open *o,
	enum finding_severity severity, const char *when)
{
	const struct stream *s = &emu->trace->streams.at[o->stream];
	char name[NAME_MAX], where[NAME_MAX];

	if (o->is_task)
		return;
	snprintf(where, sizeof where, "event %s",
		emu->trace->classes.at[o->class].name);
	finding_add(emu->findings,
		(struct finding){
			.severity = s->lost.n > 0 ? FINDING_WARNING : severity,
			.file = s->file,
			.where = where,
			.offset = o->offset,
			.time = o->time },
		"\"%s\" is entered here and never left%s",
		name_of(emu, o->class, name), when);
}

/* Ends what is behind the first n, with what was begun in it. */
static void
cut(struct emu *emu, struct context *c, int n)
{
	while (c->open.n > n)
		never_left(emu, &c->open.at[--c->open.n], FINDING_ERROR,
			", although what it lies in is");
}

/* Both contexts. */
static void
enter(struct emu *emu, bool is_tc)
{
	struct context *c = context_of(emu);
	char name[NAME_MAX];

	name_of(emu, emu->event->class, name);
	if (is_tc && !is_in_task(c))
		emu_finding(emu, FINDING_ERROR,
			"\"%s\" is entered from task context (tc), but no "
			"task runs here",
			name);
	else if (!is_tc && is_in_task(c))
		emu_finding(emu, FINDING_ERROR,
			"\"%s\" is entered from other context (oc), but a "
			"task runs here",
			name);
	push(emu, c, false, is_tc);
}

static void
leave(struct emu *emu, bool is_tc)
{
	struct context *c = context_of(emu);
	char name[NAME_MAX];
	int i = c->open.n;

	/* not out of a task that began within the call */
	while (--i >= 0 && !c->open.at[i].is_task)
		if (c->open.at[i].is_tc == is_tc &&
			is_same_point(
				emu, c->open.at[i].class, emu->event->class))
			break;
	if (i >= 0 && !c->open.at[i].is_task) {
		cut(emu, c, i + 1);
		c->open.n--;
		return;
	}
	emu_finding(emu, FINDING_ERROR,
		"\"%s\" is left, but was not entered in %s context",
		name_of(emu, emu->event->class, name),
		is_tc ? "task" : "other");
}

static void
tc_enter(struct emu *emu, const struct event *ev)
{
	(void)ev;
	enter(emu, true);
}

static void
oc_enter(struct emu *emu, const struct event *ev)
{
	(void)ev;
	enter(emu, false);
}

static void
tc_exit(struct emu *emu, const struct event *ev)
{
	(void)ev;
	leave(emu, true);
}

static void
oc_exit(struct emu *emu, const struct event *ev)
{
	(void)ev;
	leave(emu, false);
}

static void
begin_task(struct emu *emu, const struct event *ev)
{
	struct context *c = context_of(emu);

	(void)ev;
	if (is_in_task(c))
		emu_finding(emu, FINDING_ERROR,
			"a task begins, but the one before runs and is not "
			"blocked");
	push(emu, c, true, false);
}

/* The place of the innermost task; -1 with a finding: there is none. */
static int
find_task(struct emu *emu, const struct context *c)
{
	int i = c->open.n - 1;

	while (i >= 0 && !c->open.at[i].is_task)
		i--;
	if (i < 0)
		emu_finding(emu, FINDING_ERROR, "no task runs here");
	return i;
}

static void
end_task(struct emu *emu, const struct event *ev)
{
	struct context *c = context_of(emu);
	int i = find_task(emu, c);

	(void)ev;
	if (i < 0)
		return;
	cut(emu, c, i + 1);
	if (c->open.at[i].is_blocked)
		emu_finding(
			emu, FINDING_ERROR, "the task ends, but it is blocked");
	c->open.n--;
}

static void
set_blocked(struct emu *emu, bool is_blocked)
{
	struct context *c = context_of(emu);
	int i = find_task(emu, c);

	if (i < 0)
		return;
	if (c->open.at[i].is_blocked == is_blocked)
		emu_finding(emu, FINDING_ERROR, "the task is %s",
			is_blocked ? "blocked already" : "not blocked");
	c->open.at[i].is_blocked = is_blocked;
}

static void
block_task(struct emu *emu, const struct event *ev)
{
	(void)ev;
	set_blocked(emu, true);
}

static void
unblock_task(struct emu *emu, const struct event *ev)
{
	(void)ev;
	set_blocked(emu, false);
}

/* The recorder writes when it ended. */
static bool
was_killed(const struct emu *emu, uint32_t stream)
{
	const struct trace_part *part = emu->trace->streams.at[stream].part;
	const struct trace_env *end =
		part == NULL ? NULL : trace_env(part, "end_ts");

	return end != NULL && end->number == 0;
}

void
point_check_ends(struct emu *emu)
{
	const struct points *p = emu->ctf == NULL ? NULL : emu->ctf->points;

	for (int i = 0; p != NULL && i < p->all.n; i++) {
		const struct context *c = p->all.at[i];

		for (int j = c->open.n - 1; j >= 0; j--)
			if (!was_killed(emu, c->open.at[j].stream))
				never_left(emu, &c->open.at[j], FINDING_WARNING,
					"");
	}
}

void
point_fini(struct points *p)
{
	if (p == NULL)
		return;
	map_fini(&p->threads);
	map_fini(&p->streams);
}
