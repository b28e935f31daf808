/* SPDX-License-Identifier: MIT */
#include "trace/obs/repair_walk.h"

#include <string.h>

#include "base/arena.h"
#include "base/loser.h"
#include "trace/finding.h"
#include "trace/obs/repair_scan.h"

#define EDITS_MAX (1 << 19) /* 16 MiB of them */
#define LABEL_MAX 512       /* bytes of a task type's label, with the NUL */
#define IN(state) (1u << (state))

/* The event at hand. */
struct step {
	struct repair *r;
	struct repair_thread *th;
	const struct obs_stream *s;
};

static bool
is_in(const struct repair_thread *th, unsigned states)
{
	return (states & IN(th->state)) != 0;
}

/* Before the thread's current event, or behind its last. */
static void
add_edit(struct repair *r, struct repair_thread *th, struct edit e)
{
	e.offset = th->ended ? EDIT_TAIL : obs_stream_offset(&th->in);
	if (r->nedits < EDITS_MAX)
		VEC_PUSH(&th->edits.list, r->arena, e);
	r->nedits++;
}

static void
insert(struct repair *r, struct repair_thread *th, enum edit_kind kind,
	int64_t time)
{
	add_edit(r, th, (struct edit){ .kind = (uint8_t)kind, .time = time });
}

static struct map *
running_of(struct repair *r, const struct repair_thread *th)
{
	return &r->nodes[th->node].running;
}

/* The other thread that runs on the CPU, or NULL. */
static struct repair_thread *
occupant(struct repair *r, const struct repair_thread *th, int64_t cpu)
{
	const uint64_t *at = map_get(running_of(r, th), (uint64_t)cpu);
	struct repair_thread *other;

	if (cpu < 0 || at == NULL)
		return NULL;
	other = &r->threads[*at - 1];
	return other == th ? NULL : other;
}

static bool
holds(struct repair *r, const struct repair_thread *th)
{
	const uint64_t *at = map_get(running_of(r, th), (uint64_t)th->cpu);

	return th->cpu >= 0 && at != NULL && &r->threads[*at - 1] == th;
}

static void
leave(struct repair *r, struct repair_thread *th)
{
	if (holds(r, th))
		map_remove(running_of(r, th), (uint64_t)th->cpu);
}

static void
change(struct repair *r, struct repair_thread *th, enum repair_state state)
{
	if (state != STATE_RUNNING)
		leave(r, th);
	else if (th->cpu >= 0)
		*map_put(running_of(r, th), (uint64_t)th->cpu) =
			(uint64_t)(th - r->threads) + 1;
	th->state = state;
}

/*
 * What moved this thread away from its CPU is lost: nobody knows where to, so
 * the thread at hand moves it to the virtual CPU, right before its event.
 */
static void
evict(const struct step *p, struct repair_thread *th)
{
	add_edit(p->r, p->th,
		(struct edit){ .kind = EDIT_LEAVE,
			.time = p->s->time,
			.a = (uint32_t)th->tid });
	leave(p->r, th);
	th->cpu = -1;
	th->evicted++;
}

/* The thread runs on its CPU from now on. Of two threads on one CPU, the one
 * whose place was said earlier is not there any more. */
static void
run(const struct step *p, struct repair_thread *th)
{
	struct repair_thread *other = occupant(p->r, th, th->cpu);

	if (other != NULL && p->r->any_cut)
		evict(p, other->placed <= th->placed ? other : th);
	change(p->r, th, STATE_RUNNING);
}

static void
place(const struct step *p, struct repair_thread *th, int64_t cpu)
{
	bool runs = th->state == STATE_RUNNING;

	leave(p->r, th);
	th->cpu = cpu < 0 ? -1 : cpu;
	th->placed = p->s->time;
	if (runs)
		run(p, th);
}

/* That of the first time stays: times count from it on. */
static void
drop(const struct step *p)
{
	if (p->s->time == p->r->first)
		return;
	insert(p->r, p->th, EDIT_DROP, p->s->time);
	p->th->dropped++;
}

/* A thread was killed while it stood still. What handlers recorded meanwhile
 * may lie behind the beginning of that. */
static void
end_flushes(struct repair *r, struct repair_thread *th, int64_t time)
{
	for (; th->nflushes > 0; th->nflushes--)
		insert(r, th, EDIT_FLUSHED, time);
}

static void
flush(const struct step *p)
{
	if (p->s->at[3] == '[')
		p->th->nflushes++;
	else if (p->s->at[3] == ']' && p->th->nflushes > 0)
		p->th->nflushes--;
	else if (p->s->at[3] == ']')
		drop(p); /* its beginning is lost */
}

/* Ends the thread behind its last event. */
static void
finish(struct repair *r, struct repair_thread *th, int64_t time)
{
	static const char *const name[] = {
		[STATE_UNKNOWN] = "not started",
		[STATE_RUNNING] = "Running",
		[STATE_PAUSED] = "Paused",
		[STATE_COOLING] = "Cooling",
		[STATE_WARMING] = "Warming",
		[STATE_DEAD] = "dead",
	};

	end_flushes(r, th, time);
	if (th->state == STATE_DEAD)
		return;
	r->any_cut = r->incomplete = true;
	finding_add(r->options->done,
		(struct finding){ .severity = FINDING_NOTE,
			.file = th->stream->file,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"inferred: thread %d ends after its last event; it was %s",
		th->tid, name[th->state]);
	if (th->state == STATE_UNKNOWN)
		insert(r, th, EDIT_START, time);
	if (is_in(th, IN(STATE_PAUSED) | IN(STATE_WARMING))) {
		/* Its CPU may have another thread by now. */
		if (th->cpu != -1)
			add_edit(r, th,
				(struct edit){ .kind = EDIT_LEAVE,
					.time = time,
					.a = (uint32_t)th->tid });
		insert(r, th, EDIT_RESUME, time);
	}
	insert(r, th, EDIT_END, time);
	change(r, th, STATE_DEAD);
}

static void
end_stream(struct repair *r, struct repair_thread *th, int64_t time)
{
	th->ended = true;
	finish(r, th, time);
}

static void
move_self(const struct step *p)
{
	const unsigned active =
		IN(STATE_RUNNING) | IN(STATE_COOLING) | IN(STATE_WARMING);
	int64_t cpu = (int32_t)repair_u32(p->s, 0);

	if (is_in(p->th, active) && cpu != p->th->cpu)
		place(p, p->th, cpu);
}

static void
move_other(const struct step *p)
{
	int64_t cpu = (int32_t)repair_u32(p->s, 0);
	struct repair_thread *to =
		repair_target(p->r, p->th, (int32_t)repair_u32(p->s, 4));

	if (to == NULL) {
		drop(p);
		return;
	}
	if (cpu == to->cpu || is_in(to, IN(STATE_UNKNOWN) | IN(STATE_DEAD)))
		drop(p);
	else
		place(p, to, cpu);
}

static void
start(const struct step *p)
{
	struct repair_thread *th = p->th;

	if (!is_in(th, IN(STATE_UNKNOWN) | IN(STATE_DEAD)))
		return;
	th->cpu = (int32_t)repair_u32(p->s, 0);
	if (th->cpu < 0)
		th->cpu = -1;
	th->placed = p->s->time;
	run(p, th);
}

static void
change_state(const struct step *p)
{
	struct repair_thread *th = p->th;
	const unsigned on = IN(STATE_RUNNING) | IN(STATE_COOLING);

	switch (p->s->at[3]) {
	case 'x':
		if (p->s->size >= 4)
			start(p);
		break;
	case 'e':
		end_flushes(p->r, th, p->s->time);
		if (is_in(th, on))
			change(p->r, th, STATE_DEAD);
		break;
	case 'p':
		if (is_in(th, on))
			change(p->r, th, STATE_PAUSED);
		break;
	case 'r':
		if (is_in(th, IN(STATE_PAUSED) | IN(STATE_WARMING)))
			run(p, th);
		break;
	case 'c':
		if (is_in(th, IN(STATE_RUNNING)))
			change(p->r, th, STATE_COOLING);
		break;
	case 'w':
		if (is_in(th, IN(STATE_PAUSED)))
			change(p->r, th, STATE_WARMING);
		break;
	default:
		break;
	}
}

static void
core(const struct step *p)
{
	uint32_t key = repair_key(p->s);

	if (p->s->at[2] == 'H')
		change_state(p);
	else if (p->s->at[2] == 'F')
		flush(p);
	else if (key == REPAIR_KEY('O', 'A', 's') && p->s->size == 4)
		move_self(p);
	else if (key == REPAIR_KEY('O', 'A', 'r') && p->s->size == 8)
		move_other(p);
}

enum { KNOWN = 1, MADE_UP };

static uint64_t
id_key(int model, uint32_t id)
{
	return (uint64_t)model << 32 | id;
}

static void
make_type(const struct step *p, int model, uint32_t id)
{
	struct repair_process *process = &p->r->processes[p->th->process];

	*map_put(&process->types, id_key(model, id)) = MADE_UP;
	add_edit(p->r, p->th,
		(struct edit){ .kind = EDIT_TYPE,
			.model = p->r->options->model[model].id,
			.time = p->s->time,
			.a = id });
}

/* An id that no type of the process has. */
static uint32_t
unknown_type(const struct step *p, int model)
{
	struct repair_process *process = &p->r->processes[p->th->process];
	uint32_t id = process->unknown[model];

	if (id != 0)
		return id;
	id = process->top_type + 1;
	if (id == 0)
		id = 1;
	while (map_get(&process->types, id_key(model, id)) != NULL)
		id++;
	process->unknown[model] = id;
	make_type(p, model, id);
	return id;
}

static void
create_task(const struct step *p, int model)
{
	struct repair_process *process = &p->r->processes[p->th->process];
	uint32_t id = repair_u32(p->s, 0), type = repair_u32(p->s, 4);
	uint64_t *task = map_put(&process->tasks, id_key(model, id));

	if (*task == MADE_UP) {
		drop(p);
		return;
	}
	*task = KNOWN;
	if (p->r->incomplete && type != 0 &&
		map_get(&process->types, id_key(model, type)) == NULL)
		make_type(p, model, type);
}

static void
use_task(const struct step *p, int model)
{
	struct repair_process *process = &p->r->processes[p->th->process];
	uint32_t id = repair_u32(p->s, 0);
	bool body = p->s->size >= 8 && repair_u32(p->s, 4) != 0;

	if (!p->r->incomplete || id == 0 ||
		map_get(&process->tasks, id_key(model, id)) != NULL)
		return;
	*map_put(&process->tasks, id_key(model, id)) = MADE_UP;
	add_edit(p->r, p->th,
		(struct edit){ .kind = body ? EDIT_PARALLEL : EDIT_TASK,
			.model = p->r->options->model[model].id,
			.time = p->s->time,
			.a = id,
			.b = unknown_type(p, model) });
	p->th->tasks++;
}

/* True if the emulator takes the event's type. */
static bool
has_label(const struct obs_stream *s)
{
	const uint8_t *end = (s->key & OBS_KEY_JUMBO) == 0 || s->size < 5
		? NULL
		: memchr(s->data + 4, '\0', s->size - 4);

	return end != NULL && end - (s->data + 4) < LABEL_MAX &&
		repair_u32(s, 0) != 0;
}

static void
task(const struct step *p, int model)
{
	struct repair_process *process = &p->r->processes[p->th->process];
	const struct obs_stream *s = p->s;
	uint8_t verb = s->at[3];

	if (s->at[2] == 'Y' && verb == 'c' && has_label(s))
		*map_put(&process->types, id_key(model, repair_u32(s, 0))) =
			KNOWN;
	if (s->at[2] != 'T' || s->size < 4)
		return;
	if ((verb == 'c' || verb == 'C') && s->size >= 8)
		create_task(p, model);
	else if (verb == 'x' || verb == 'e' || verb == 'p' || verb == 'r')
		use_task(p, model);
}

/* Of a flight recorder: what was overwritten began the thread. */
static void
start_late(const struct step *p)
{
	struct repair_thread *th = p->th;
	uint32_t key = repair_key(p->s);

	if (th->state != STATE_UNKNOWN || key == REPAIR_KEY('O', 'H', 'x'))
		return;
	insert(p->r, th, EDIT_START, p->s->time);
	th->cpu = -1;
	change(p->r, th, STATE_RUNNING);
	if (key != REPAIR_KEY('O', 'H', 'r') &&
		key != REPAIR_KEY('O', 'H', 'w'))
		return;
	insert(p->r, th, EDIT_PAUSE, p->s->time);
	change(p->r, th, STATE_PAUSED);
}

static void
take(struct repair *r, struct repair_thread *th)
{
	const struct step p = { r, th, &th->in };
	int model;

	if (th->stream->overwritten > 0)
		start_late(&p);
	if (th->in.at[1] == 'O') {
		core(&p);
		return;
	}
	model = repair_model_of(r, &th->in);
	if (model >= 0 && r->options->model[model].tasks)
		task(&p, model);
}

static void
note_skipped(struct repair *r, const struct repair_thread *th)
{
	if (th->in.skipped > 0)
		r->any_cut = r->incomplete = true;
}

/* The time of the next event, or LOSER_END. */
static int64_t
advance(struct repair *r, struct repair_thread *th)
{
	int64_t last = th->in.time;

	if (obs_stream_next(&th->in)) {
		note_skipped(r, th);
		return th->in.time;
	}
	obs_stream_close(&th->in);
	end_stream(r, th, last);
	return LOSER_END;
}

static int64_t
begin(struct repair *r, struct repair_thread *th)
{
	if (th->node == TRACE_NONE)
		return LOSER_END;
	if (th->events > 0 && repair_open(r, th)) {
		if (obs_stream_next(&th->in)) {
			note_skipped(r, th);
			return th->in.time;
		}
		obs_stream_close(&th->in);
	}
	end_stream(r, th, r->first);
	return LOSER_END;
}

static bool
is_incomplete(const struct trace *t)
{
	bool yes = t->nlost > 0;

	for (int i = 0; i < t->streams.n; i++)
		yes |= t->streams.at[i].overwritten > 0;
	return yes;
}

void
repair_walk(struct repair *r)
{
	int n = r->trace->streams.n, i;
	int64_t *key = ARENA_ARRAY(r->arena, int64_t, n);
	struct loser tree;

	for (i = 0; i < r->trace->threads.n; i++)
		r->any_cut |= !r->trace->threads.at[i].finished;
	r->incomplete = r->any_cut || is_incomplete(r->trace);
	for (i = 0; i < n; i++)
		key[i] = begin(r, &r->threads[i]);
	loser_init(&tree, r->arena, key, n);
	while ((i = loser_top(&tree)) >= 0) {
		take(r, &r->threads[i]);
		loser_replay(&tree, advance(r, &r->threads[i]));
	}
	if (r->nedits > EDITS_MAX)
		finding_file(r->options->done, FINDING_WARNING, r->trace->path,
			"only the first %d events that are missing were added",
			EDITS_MAX);
}
