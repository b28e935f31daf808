/* SPDX-License-Identifier: MIT */
#include "emu/emu.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/progress.h"
#include "emu/apply.h"
#include "emu/away.h"
#include "emu/change.h"
#include "emu/counter.h"
#include "emu/cut.h"
#include "emu/first_event.h"
#include "emu/gap.h"
#include "emu/hooks.h"
#include "emu/mend.h"
#include "emu/open.h"
#include "emu/part.h"
#include "emu/refuse.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/thread.h"
#include "emu/view.h"
#include "export/sink.h"

#define PROGRESS_EVENTS 8192

uint64_t
emu_events(const struct emu *emu)
{
	return emu->nevents;
}

int64_t
emu_time(const struct emu *emu)
{
	return emu->now;
}

int64_t
emu_start(const struct emu *emu)
{
	return emu->nevents == 0 ? TRACE_UNKNOWN : emu->start;
}

bool
emu_is_complete(const struct emu *emu)
{
	return emu->complete;
}

/* Returns true if the event changes nothing that is read, whichever thread sent
 * it. */
static bool
is_idle(const struct emu *emu, const struct binding *b)
{
	bool acts = b->action != ACTION_IGNORE;

	if (emu->quiet && b->action == ACTION_CALL)
		acts = b->model->events[b->value].payload != PAYLOAD_SHOWS;
	return !acts && b->next == NULL && b->need == NEED_NOTHING &&
		b->trouble == NULL && emu->trace->by_cpu && !emu->strict &&
		!emu->incomplete;
}

static const struct binding *
bind(struct emu *emu, uint32_t class)
{
	const struct event_class *c = &emu->trace->classes.at[class];
	struct binding *b;

	while ((uint32_t)emu->bound.n <= class)
		VEC_PUSH(&emu->bound, emu->arena, NULL);
	b = bind_class(emu->arena, c, emu->enabled.model.at,
		emu->enabled.first.at, emu->enabled.model.n, !emu->strict);
	emu->bound.at[class] = counter_bind(emu, c, b);
	b->idle = is_idle(emu, emu->bound.at[class]);
	return emu->bound.at[class];
}

static bool
fits_payload(struct emu *emu, const struct binding *b)
{
	uint32_t size = emu->event->size;

	if (b->trouble != NULL) {
		emu_finding(emu, FINDING_ERROR, "%s", b->trouble);
		return false;
	}
	if (emu->event->value != NULL ||
		(size >= b->size && !(b->exact && size != b->size)))
		return true;
	if (size < b->size)
		emu_finding(emu, FINDING_ERROR,
			"missing payload: %u bytes, needs %u", size, b->size);
	else
		emu_finding(emu, FINDING_ERROR,
			"payload of %u bytes, must be %u", size, b->size);
	return false;
}

/* Checks the arguments of an event that changes nothing; CTF of another version
 * may have other arguments. */
static void
check_unused(struct emu *emu, const struct binding *b)
{
	if (b->trouble != NULL && !emu->trace->by_cpu)
		fits_payload(emu, b);
}

static bool
is_able(struct emu *emu, uint8_t need)
{
	if (__builtin_expect((need & emu->thread->lacks) == 0, 1))
		return true;
	if (need & emu->thread->lacks & NEED_ON_CPU)
		away_refuse(emu);
	else
		emu_finding(emu, FINDING_ERROR,
			"the thread is %s; only %s threads emit this event",
			thread_state_name(
				(enum thread_state)emu->thread->state),
			need & NEED_RUNNING          ? "running"
				: need & NEED_ACTIVE ? "active"
						     : "living");
	return false;
}

static void __attribute__((noinline))
act_rare(struct emu *emu, const struct binding *b)
{
	switch ((enum action)b->action) {
	case ACTION_PUSH:
		emu_push(emu, b->chan, b->value);
		break;
	case ACTION_POP:
		emu_pop(emu, b->chan, b->value);
		break;
	case ACTION_SET:
		emu_set(emu, b->chan, b->value);
		break;
	case ACTION_POINT:
		check_unused(emu, b);
		view_point(emu, &emu->thread->has, b->chan, b->value);
		break;
	case ACTION_AWAY:
		away_look(emu, &emu->thread->has);
		break;
	case ACTION_ROW:
		if (fits_payload(emu, b))
			apply_row(emu, b);
		break;
	case ACTION_CALL: /* in act_one() */
		break;
	case ACTION_IGNORE:
		check_unused(emu, b);
		break;
	case ACTION_UNKNOWN:
		refuse_unknown(emu);
		break;
	}
}

/* Nearly all events push or pop, or are about tasks. */
static inline void
act_one(struct emu *emu, const struct binding *b)
{
	if (b->action == ACTION_PUSH)
		emu_push(emu, b->chan, b->value);
	else if (b->action == ACTION_POP)
		emu_pop(emu, b->chan, b->value);
	else if (b->action != ACTION_CALL)
		act_rare(emu, b);
	else if (fits_payload(emu, b))
		b->call(emu, emu->event);
}

/* Runs all actions of the event. */
static inline void
act(struct emu *emu, const struct binding *b)
{
	act_one(emu, b);
	while (__builtin_expect((b = b->next) != NULL, 0)) {
		emu->binding = b;
		act_one(emu, b);
	}
}

/* Returns the thread that sent an event of a stream that belongs to no
 * thread. */
static void
find_sender(struct emu *emu, const struct event *ev)
{
	if (emu->system.process_of[ev->stream] != NULL)
		emu->thread = emu->tellers->sender(emu, ev);
	if (emu->thread == NULL)
		refuse_stranger(emu);
}

/* Handles an event whose sender is unknown, or may have lost events. */
static void __attribute__((noinline))
look_at_sender(struct emu *emu, const struct event *ev)
{
	if (emu->incomplete && emu->thread != NULL)
		thread_began_earlier(emu, emu->thread);
	if (emu->thread == NULL)
		find_sender(emu, ev);
	if (emu->incomplete && emu->thread != NULL && emu->thread->lost)
		gap_event(emu, emu->thread);
}

/* Returns true in strict mode after an error: the first error ends the
 * emulation, as in the ovni tools, and its event writes nothing. */
static inline bool
is_refused(const struct emu *emu)
{
	return __builtin_expect(emu->findings->strict, 0) &&
		emu->findings->count[FINDING_ERROR] > 0;
}

/* Records in the past are sorted. So the time of the last record, which a
 * punctual value heeds, can be that of the event's node: no other node's events
 * change what this one shows. */
static inline void
enter_node(struct emu *emu, struct node *node)
{
	if (__builtin_expect(emu->writer == node, 1))
		return;
	if (emu->writer != NULL)
		emu->writer->written = emu->written;
	emu->written = node->written;
	emu->writer = node;
}

/* Emulates an event. Returns false if the emulation shall end. */
static bool
step(struct emu *emu, const struct event *ev)
{
	const struct binding *b = NULL;

	if (__builtin_expect(ev->class < (uint32_t)emu->bound.n, 1))
		b = emu->bound.at[ev->class];
	if (__builtin_expect(b == NULL, 0))
		b = bind(emu, ev->class);
	emu->event = ev;
	emu->binding = b;
	emu->now = ev->time - emu->start;
	emu->thread = emu->system.of_stream[ev->stream];
	if (b->idle && emu->thread != NULL)
		return true;
	if (__builtin_expect(emu->incomplete | (emu->thread == NULL), 0))
		look_at_sender(emu, ev);
	if (emu->past && emu->thread != NULL)
		enter_node(emu, emu->thread->process->node);
	if (emu->thread != NULL && is_able(emu, b->need))
		act(emu, b);
	if (is_refused(emu))
		return false;
	if (!emu->quiet)
		view_emit(emu);
	if (emu->past && emu->thread != NULL)
		emu->thread->last = emu->now;
	return true;
}

/* Notes that damaged events were left out: other threads may show their
 * effects. */
static void
take_damage(struct emu *emu)
{
	if (!emu->trace->damaged || emu->strict)
		return;
	emu->any_cut = emu->incomplete = true;
}

/* Ends the thread of the last event if its stream has ended, which is known
 * only when the next event is requested. */
static void
check_end(struct emu *emu)
{
	const struct event *ev = emu->event;
	struct thread *th;

	emu->nended = emu->trace->nended;
	take_damage(emu);
	if (ev == NULL || emu->trace->by_cpu ||
		!emu->trace->streams.at[ev->stream].ended)
		return;
	th = emu->system.of_stream[ev->stream];
	if (th != NULL)
		cut_thread(emu, th);
}

/* Shows progress from time to time. Returns false if the user wants to stop. */
static bool
look_up(struct emu *emu, struct progress *progress)
{
	uint64_t done, total;

	if (progress != NULL) {
		source_progress(emu->source, &done, &total);
		progress_step(progress, done, emu->nevents);
	}
	if (emu->part != NULL && emu->part->is_over)
		return false;
	return emu->stop == NULL || !*emu->stop;
}

static void
say_at_end(struct emu *emu)
{
	finding_add(emu->findings,
		(struct finding){ .severity = FINDING_ERROR,
			.file = emu->trace->path,
			.offset = FINDING_NOWHERE,
			.time = emu->now },
		"%s", emu->said_at_end);
}

/* Reads and emulates one event. Returns false if the emulation shall end. */
static inline bool
take(struct emu *emu, const struct event *ev, struct progress *progress)
{
	if (emu->nevents == 0) {
		emu->start = emu->part != NULL ? emu->trace->start : ev->time;
		if (emu->part == NULL || emu->part->is_first)
			view_begin(emu);
		emu->nended = emu->trace->nended;
		take_damage(emu);
		gap_look(emu, ev);
	}
	first_event_note(emu->first, ev);
	if (__builtin_expect(emu->part != NULL, 0)) {
		emu->part->now = ev->time - emu->start;
		emu->part->stream = part_stream(ev->stream);
	}
	if (__builtin_expect(emu->absent >= 0, 0))
		cut_absent(emu, ev);
	gap_look(emu, ev);
	if (!step(emu, ev))
		return false;
	if (++emu->nevents % PROGRESS_EVENTS != 0)
		return true;
	if (emu->past)
		sink_advance(emu->sink, view_promise(emu));
	return look_up(emu, progress);
}

/* Advances the sink to a time up to which a live stream has no events. */
static void
wait_until(struct emu *emu, const struct event *ev)
{
	if (emu->nevents > 0 && !emu->past)
		sink_advance(emu->sink, ev->time - emu->start);
}

/* Takes the next event. Returns false if it was the last one, or there is
 * none. */
static inline __attribute__((always_inline)) bool
take_next(struct emu *emu, struct progress *progress)
{
	struct event *ev = emu->event == emu->pair ? emu->pair + 1 : emu->pair;
	enum source_status status;

	while ((status = source_next(emu->source, ev)) != SOURCE_END) {
		if (__builtin_expect(emu->nended != emu->trace->nended, 0))
			check_end(emu);
		if (status == SOURCE_EVENT)
			return take(emu, ev, progress);
		wait_until(emu, ev);
	}
	emu->complete = true;
	return false;
}

static void
finish(struct emu *emu)
{
	emu->over = true;
	if (emu->nended != emu->trace->nended)
		check_end(emu);
	if (emu->part != NULL) {
		emu->part->stream = PART_END;
		emu->part->nfindings = emu->findings->list.n;
		emu->part->is_alone = emu->trace->damaged ||
			emu->trace->nlost > 0 || emu->system.own != NULL ||
			emu->any_cut != emu->part->was_cut;
	}
	if (emu->absent >= 0 && emu->complete)
		cut_absent(emu, NULL);
	first_event_check(emu);
	if (emu->complete && emu->said_at_end != NULL)
		say_at_end(emu);
	hooks_end(emu);
	mends_finish(emu);
	if (emu->complete && emu->lint)
		open_lint(emu);
	sink_advance(emu->sink, emu->now);
}

void
emu_run(struct emu *emu, struct progress *progress)
{
	while (take_next(emu, progress))
		;
	finish(emu);
}

const struct event *
emu_next(struct emu *emu)
{
	if (emu->over)
		return NULL;
	if (!take_next(emu, NULL))
		finish(emu);
	return emu->complete ? NULL : emu->event;
}

static void
tell_open(const struct emu *emu, const struct thread *th,
	void (*fn)(void *arg, const struct emu_open_stack *open), void *arg)
{
	char text[OPEN_ROOM], key[256];

	for (int i = 0; i < emu->chans.n; i++) {
		const struct emu_chan *c = &emu->chans.at[i];

		if (!open_is(emu, th, i))
			continue;
		snprintf(key, sizeof key, "%s.%s", c->model->name, c->def->key);
		fn(arg,
			&(struct emu_open_stack){ th->name, key, c->def->title,
				open_stack(emu, th, i, text, sizeof text),
				th->has.chan[i].depth, th->tid,
				c->def->number });
	}
}

void
emu_each_open(const struct emu *emu,
	void (*fn)(void *arg, const struct emu_open_stack *open), void *arg)
{
	for (int i = 0; i < emu->system.nthreads; i++)
		tell_open(emu, &emu->system.threads[i], fn, arg);
	/* Threads that have ended do not leave the section in which they
	 * started. */
	for (int i = 0; i < emu->system.added.n; i++)
		if (emu->system.added.at[i]->state != THREAD_DEAD)
			tell_open(emu, emu->system.added.at[i], fn, arg);
}

bool
emu_has_stacks(const struct emu *emu)
{
	for (int i = 0; i < emu->chans.n; i++) {
		const struct chan_def *def = emu->chans.at[i].def;

		if (def->kind == CHAN_STACK && def->of == CHAN_OF_THREAD &&
			strcmp(def->key, "flush") != 0)
			return true;
	}
	return false;
}

const struct event *
emu_event(const struct emu *emu)
{
	return emu->event;
}

int64_t
emu_tid(const struct emu *emu, uint32_t stream)
{
	const struct thread *th = emu->thread;

	if (th == NULL)
		th = emu->system.of_stream[stream];
	if (th != NULL && th->cpu != NULL && th->cpu->nobody == th)
		th = th->cpu->running.only;
	return th == NULL ? -1 : th->tid;
}

/* If contexts tell the thread of an event, its packet tells the CPU. */
int
emu_cpu(const struct emu *emu, uint32_t stream)
{
	const struct stream *s = &emu->trace->streams.at[stream];
	const struct process *p = emu->system.process_of[stream];
	const struct thread *th = emu->system.of_stream[stream];
	const struct cpu *cpu;

	if (s->has_vtid) {
		cpu = p == NULL || s->cpu < 0 ? NULL
					      : system_phys(p->node, s->cpu);
		return cpu == NULL ? -1 : cpu->index;
	}
	return th == NULL || th->cpu == NULL ? -1 : th->cpu->index;
}
