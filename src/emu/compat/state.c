/* SPDX-License-Identifier: MIT */
#include "emu/compat/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/ctf/ctf.h"
#include "emu/ctf/label.h"
#include "emu/ctf/lock.h"
#include "emu/ctf/task.h"
#include "emu/ctf/thread.h"
#include "emu/models/counters.h"
#include "emu/models/models.h"

static const struct {
	event_fn *call;
	enum compat_verb verb;
} verbs[] = {
	{ ctf_thread_create, VERB_CREATE },
	{ ctf_thread_resume, VERB_RESUME },
	{ ctf_thread_suspend, VERB_SUSPEND },
	{ ctf_thread_shutdown, VERB_SHUTDOWN },
	{ ctf_external_create, VERB_EXTERNAL_CREATE },
	{ ctf_external_resume, VERB_EXTERNAL_RESUME },
	{ ctf_external_suspend, VERB_EXTERNAL_SUSPEND },
	{ ctf_external_shutdown, VERB_EXTERNAL_SHUTDOWN },
	{ ctf_label, VERB_LABEL },
	{ ctf_task_create, VERB_TASK_CREATE },
	{ ctf_task_for, VERB_TASK_FOR },
	{ ctf_task_start, VERB_START },
	{ ctf_task_block, VERB_BLOCK },
	{ ctf_task_unblock, VERB_UNBLOCK },
	{ ctf_task_end, VERB_END },
	{ ctf_lock_client, VERB_CLIENT },
	{ ctf_lock_assign, VERB_ASSIGN },
	{ ctf_debug_register, VERB_DEBUG_REGISTER },
	{ ctf_debug_enter, VERB_DEBUG_ENTER },
	{ ctf_debug_transition, VERB_DEBUG_TRANSITION },
	{ ctf_debug_exit, VERB_DEBUG_EXIT },
};

static enum compat_verb
verb_of(event_fn *call)
{
	for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
		if (verbs[i].call == call)
			return verbs[i].verb;
	return VERB_NONE;
}

static const struct binding *
bind_kernel(struct compat *c, const struct event_class *class)
{
	const struct model *m = &model_linux;

	return bind_class(c->arena, class, &m, &(int){ 0 }, 1, false);
}

const struct compat_class *
compat_class(struct compat *c, uint32_t class)
{
	const struct event_class *from = &c->source->trace.classes.at[class];
	const struct model *m = &model_nanos6_ctf;
	struct compat_class *k;
	int at;

	while ((uint32_t)c->classes.n <= class)
		VEC_PUSH(&c->classes, c->arena, NULL);
	if (c->classes.at[class] != NULL)
		return c->classes.at[class];
	k = ARENA_NEW(c->arena, struct compat_class);
	k->bound = bind_class(c->arena, from, &m, &(int){ 0 }, 1, false);
	if (k->bound->action == ACTION_UNKNOWN && c->kind == COMPAT_PYTHON) {
		k->bound = bind_kernel(c, from);
		k->call = k->bound;
		k->verb = k->bound->call != NULL ? VERB_KERNEL : VERB_NONE;
	}
	for (const struct binding *b = k->bound; b != NULL; b = b->next)
		if (b->call != NULL && k->verb == VERB_NONE) {
			k->verb = verb_of(b->call);
			k->call = b;
		}
	at = trace_class_field(from, m->counters_in);
	if (at >= 0 && from->field[at].type == FIELD_STRUCT) {
		k->first_counter = at + 1;
		k->ncounters = from->field[at].n;
	}
	return c->classes.at[class] = k;
}

uint32_t
compat_add_row(struct compat *c, uint32_t parent, const char *name)
{
	sink_row(c->sink,
		&(struct row){ c->nrows, parent, COMPAT_CLASS, name, NULL });
	return c->nrows++;
}

static int
by_number(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* Finds the CPUs of a rank: those in its metadata, else those with a stream. */
static void
find_cpus(struct compat *c, struct compat_rank *rank)
{
	const struct trace *t = &c->source->trace;
	const struct trace_node *node = &t->nodes.at[rank->part->node];

	for (int i = 0; i < node->cpus.n; i++)
		VEC_PUSH(&rank->cpus, c->arena, node->cpus.at[i].phyid);
	if (rank->cpus.n > 0)
		qsort(rank->cpus.at, (size_t)rank->cpus.n,
			sizeof *rank->cpus.at, by_number);
	rank->last_cpu =
		rank->cpus.n == 0 ? -1 : rank->cpus.at[rank->cpus.n - 1];
}

static const char *
row_name(struct compat *c, const struct compat_rank *rank, const char *fmt,
	int64_t n)
{
	const char *name = arena_printf(c->arena, fmt, (int)n);

	if (c->kind != COMPAT_MERGE)
		return name;
	return arena_printf(c->arena, "RANK %d %s",
		(int)(rank->process - c->ranks.at[0]->process), name);
}

static void
declare_rows(struct compat *c, struct compat_rank *rank)
{
	bool python = c->kind == COMPAT_PYTHON;
	uint32_t parent = c->kind == COMPAT_MERGE ? rank->process : ROW_NONE;

	rank->first_row = c->nrows;
	for (int i = 0; i < rank->cpus.n; i++)
		compat_add_row(c, parent,
			row_name(c, rank, python ? "CPU %d" : "CPU %2d",
				rank->cpus.at[i]));
	/* The fast converter gives the row to whichever external thread comes
	 * first. */
	rank->leader_row = compat_add_row(c, parent,
		row_name(c, rank, python ? "LT VCPU %d" : "LEADER",
			rank->last_cpu + 1));
}

static void
place_streams(struct compat *c, struct compat_rank *rank)
{
	const struct trace *t = &c->source->trace;

	for (int i = 0; i < t->streams.n; i++) {
		const struct stream *s = &t->streams.at[i];
		struct compat_stream *to = &c->streams[i];

		if (s->part == NULL || s->part->node != rank->part->node)
			continue;
		to->rank = rank;
		to->external = true;
		for (int j = 0; j < rank->cpus.n; j++)
			if (rank->cpus.at[j] == s->cpu) {
				to->external = false;
				to->row = rank->first_row + (uint32_t)j;
			}
	}
}

/* Returns the label of the value 0: "End", except where the converters have
 * labels of their own. */
static const char *
none_of(const struct model *m, int chan)
{
	const char *none = m->chans[chan].none;
	bool own = m != &model_nanos6_ctf || chan == ctf_chans.subsystem ||
		chan == ctf_chans.mode;

	return none == NULL || own ? none : "End";
}

uint32_t
compat_declare(struct compat *c, const struct model *m)
{
	uint32_t first = c->ntypes;
	struct label_def l;

	for (int i = 0; i < m->nchans; i++)
		sink_type(c->sink,
			&(struct type){ .id = c->ntypes++,
				.class = COMPAT_CLASS,
				.key = m->chans[i].key,
				.title = m->chans[i].title,
				.none = none_of(m, i),
				.number = m->chans[i].number,
				.kind = m->chans[i].shows,
				.stack = m->chans[i].kind == CHAN_STACK,
				.none_means = m->chans[i].none_means });
	for (int pos = 0; model_next_label(m, &pos, &l);)
		sink_label(c->sink, first + (uint32_t)l.chan, l.value, l.label,
			l.means);
	return first;
}

bool
compat_open(struct compat *c, struct err *err)
{
	struct trace *t = &c->source->trace;

	for (int i = 0; i < t->parts.n; i++) {
		const struct trace_env *domain =
			trace_env(t->parts.at[i], "domain");
		struct compat_rank *rank;

		if (trace_env(t->parts.at[i], "nanos6_trace_version") == NULL ||
			domain == NULL || domain->text == NULL ||
			strcmp(domain->text, "ust") != 0)
			continue;
		rank = ARENA_NEW(c->arena, struct compat_rank);
		rank->part = t->parts.at[i];
		rank->process = (uint32_t)c->ranks.n;
		rank->count =
			ARENA_ARRAY(c->arena, int64_t, model_nanos6_ctf.nchans);
		VEC_PUSH(&c->ranks, c->arena, rank);
	}
	if (c->ranks.n == 0)
		return err_set(err, ERR_INPUT, "%s: not a CTF trace of Nanos6",
			t->path);
	if (c->ranks.n > 1 && c->kind != COMPAT_MERGE)
		return err_set(err, ERR_INPUT,
			"%s has %d ranks: name the directory of one, or merge "
			"them",
			t->path, c->ranks.n);
	c->streams = ARENA_ARRAY(c->arena, struct compat_stream, t->streams.n);
	for (int i = 0; c->kind == COMPAT_MERGE && i < c->ranks.n; i++)
		sink_row(c->sink,
			&(struct row){ c->nrows++, ROW_NONE, "rank",
				arena_printf(c->arena, "RANK %d", i), NULL });
	compat_declare(c, &model_nanos6_ctf);
	if (c->kind == COMPAT_PYTHON)
		compat_kernel_open(c);
	for (int i = 0; i < c->ranks.n; i++) {
		find_cpus(c, c->ranks.at[i]);
		declare_rows(c, c->ranks.at[i]);
		place_streams(c, c->ranks.at[i]);
	}
	return true;
}

void
compat_close(struct compat *c)
{
	for (int i = 0; i < c->ranks.n; i++) {
		map_fini(&c->ranks.at[i]->threads);
		map_fini(&c->ranks.at[i]->types);
		map_fini(&c->ranks.at[i]->many);
		map_fini(&c->ranks.at[i]->assigned);
	}
	map_fini(&c->counters);
	compat_kernel_close(c);
}

struct compat_thread *
compat_thread(struct compat *c, struct compat_rank *rank, int64_t tid)
{
	uint64_t *at = map_put(&rank->threads, (uint64_t)tid);
	struct compat_thread *th = (struct compat_thread *)(uintptr_t)*at;

	if (th != NULL)
		return th;
	th = ARENA_NEW(c->arena, struct compat_thread);
	th->tid = tid;
	th->row = ROW_NONE;
	*at = (uint64_t)(uintptr_t)th;
	return th;
}

/* Declares the row of a new external thread. */
static uint32_t
external_row(struct compat *c, const struct event *ev)
{
	struct compat_rank *rank = c->stream->rank;
	uint32_t parent = c->kind == COMPAT_MERGE ? rank->process : ROW_NONE;
	bool leader = c->source->trace.streams.at[ev->stream].cpu ==
		rank->last_cpu + 1;
	uint32_t n = rank->nexternal;

	if (c->kind == COMPAT_PYTHON && leader)
		return rank->leader_row;
	rank->nexternal++;
	if (c->kind == COMPAT_PYTHON)
		return compat_add_row(c, parent,
			row_name(
				c, rank, "ET VCPU %d", rank->last_cpu + 2 + n));
	return n == 0
		? rank->leader_row
		: compat_add_row(c, parent, row_name(c, rank, "EXT %d", n - 1));
}

static struct compat_thread *
external(struct compat *c, const struct event *ev)
{
	const struct event_class *k = &c->source->trace.classes.at[ev->class];
	int at = trace_class_field(k, TRACE_CTF_THREAD);
	struct compat_thread *th;

	if (at < 0 || k->field[at].n == 0 || ev->value == NULL)
		return NULL;
	th = compat_thread(c, c->stream->rank, ev->value[at + 1].i);
	if (th->row == ROW_NONE)
		th->row = external_row(c, ev);
	return th;
}

bool
compat_place(struct compat *c, const struct event *ev)
{
	const struct stream *s = &c->source->trace.streams.at[ev->stream];

	c->event = ev;
	c->stream = &c->streams[ev->stream];
	if (c->stream->rank == NULL)
		return false;
	c->class = compat_class(c, ev->class);
	c->time = c->kind == COMPAT_PYTHON ? ev->time - s->clock_offset
					   : ev->time;
	c->thread = c->stream->external ? external(c, ev) : c->stream->current;
	if (c->stream->external && c->thread == NULL)
		return false;
	c->row = c->stream->external ? c->thread->row : c->stream->row;
	return true;
}

int64_t
compat_time(const struct compat *c, int64_t clock)
{
	const struct trace *t = &c->source->trace;

	if (c->kind == COMPAT_PYTHON)
		return clock;
	return clock + t->streams.at[c->event->stream].clock_offset;
}

int64_t
compat_arg(const struct compat *c, int i)
{
	return bind_i64(c->class->call, c->event, i);
}

void
compat_put(struct compat *c, int64_t time, uint32_t type, int64_t value)
{
	/* The fast converter aborts here; no output has negative times. */
	if (time < 0)
		time = 0;
	sink_state(c->sink,
		&(struct record){ .time = time,
			.row = c->row,
			.type = type,
			.value = value });
}
