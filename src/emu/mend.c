/* SPDX-License-Identifier: MIT */
#include "emu/mend.h"

#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/text.h"
#include "emu/signature.h"
#include "emu/state.h"
#include "trace/finding.h"

#define MENDS_MAX (1 << 19) /* all edits together take 20 MiB */
#define ANY_CPU UINT32_MAX
#define ARGS 2
#define MCV 3 /* letters of an event in a file of ovni */

struct mend {
	int64_t offset, time; /* as in struct repair_edit */
	const char *event;    /* its signature; NULL: drops the event at the
	                       * offset */
	uint32_t arg[ARGS];   /* the first arguments; the others are
	                       * 0 */
	uint8_t what;         /* enum infer */
};

struct mends_stream {
	VEC(struct mend) list;
	uint64_t moved, tasks, left_out;
};

struct mends {
	struct arena *arena;   /* borrowed */
	struct findings *done; /* borrowed */
	struct mends_stream *stream;
	int n;
};

struct mends *
mends_new(struct arena *a, struct findings *done)
{
	struct mends *m = ARENA_NEW(a, struct mends);

	m->arena = a;
	m->done = done;
	return m;
}

void
mends_open(struct emu *emu)
{
	if (emu->mends != NULL)
		emu->mends->stream = ARENA_ARRAY(emu->mends->arena,
			struct mends_stream, emu->trace->streams.n);
}

/* Returns the signature of the model's event that makes this change, or NULL.
 */
static const char *
event_of(const struct model *m, enum infer what)
{
	const char *name = NULL;

	for (int i = 0; i < m->ninfers; i++)
		if (m->infers[i].what == what)
			name = m->infers[i].event;
	for (int i = 0; name != NULL && i < m->nevents; i++)
		if (strncmp(m->events[i].signature, name, strlen(name)) == 0)
			return m->events[i].signature;
	for (int i = 0; name != NULL && i < m->nspans; i++)
		if (strcmp(m->spans[i].out, name) == 0)
			return name;
	return NULL;
}

/* Returns the signature of the current model's event, else of any. */
static const char *
event_that_says(const struct emu *emu, enum infer what)
{
	const struct binding *b = emu->binding;
	const char *e =
		b == NULL || b->model == NULL ? NULL : event_of(b->model, what);

	for (int i = 0; i < emu->enabled.model.n && e == NULL; i++)
		e = event_of(emu->enabled.model.at[i], what);
	BUG_ON(e == NULL);
	return e;
}

/* Returns the list of edits of the thread's stream, or NULL if none are
 * collected. */
static struct mends_stream *
stream_of(const struct emu *emu, const struct thread *th)
{
	return emu->mends == NULL || th->stream == TRACE_NONE
		? NULL
		: &emu->mends->stream[th->stream];
}

/* Adds an edit: after the last event of the thread if its stream has ended,
 * else before its current event. At the end of a gap there is no current event:
 * then after the last event of the trace so far. */
static void
add(struct emu *emu, const struct thread *by, struct mend m)
{
	const struct stream *streams = emu->trace->streams.at;
	const struct event *ev = emu->event;
	uint32_t at = (uint32_t)by->stream;

	if (!streams[at].ended && at != ev->stream)
		at = ev->stream;
	m.time = emu->start + emu->now;
	m.offset = streams[at].ended ? REPAIR_TAIL
				     : ev->offset + (m.time > ev->time);
	if (emu->mends->n < MENDS_MAX)
		VEC_PUSH(&emu->mends->stream[at].list, emu->mends->arena, m);
	emu->mends->n++;
}

static void
infer(struct emu *emu, const struct thread *by, enum infer what, uint32_t first,
	uint32_t second)
{
	add(emu, by,
		(struct mend){ .event = event_that_says(emu, what),
			.what = (uint8_t)what,
			.arg = { first, second } });
}

void
mend_state(struct emu *emu, const struct thread *th, enum infer what)
{
	if (stream_of(emu, th) != NULL)
		infer(emu, th, what, ANY_CPU, (uint32_t)th->tid);
}

/* Returns true if the row is an event of the sender that ends the value. */
static bool
leaves(const struct model_row *d, int chan, int64_t value)
{
	if (d->chan != chan || d->owner != OWNER_THREAD ||
		d->since != SINCE_NOW || strcspn(d->signature, "+(") != MCV)
		return false;
	if (d->action == ROW_POP)
		return d->arg < 0 ? d->value == value
				  : d->arg < ARGS && (uint32_t)value == value;
	return d->action == ROW_SET && d->arg < 0 && d->value == VALUE_NONE;
}

void
mend_leave(struct emu *emu, const struct thread *th, int chan, int64_t value)
{
	const struct model *m = emu->binding->model;
	struct mend mend = { .event = event_of(m, INFER_LEAVE),
		.what = INFER_LEAVE };

	if (stream_of(emu, th) == NULL)
		return;
	for (int i = 0; i < m->nrows && mend.event == NULL; i++) {
		const struct model_row *d = &m->rows[i];

		if (!leaves(d, chan, value))
			continue;
		mend.event = d->signature;
		if (d->arg >= 0)
			mend.arg[d->arg] = (uint32_t)value;
	}
	if (mend.event != NULL)
		add(emu, th, mend);
}

void
mend_move(struct emu *emu, const struct thread *th)
{
	struct mends_stream *of = stream_of(emu, th);

	if (of == NULL)
		return;
	infer(emu, emu->thread, INFER_MOVE, ANY_CPU, (uint32_t)th->tid);
	of->moved++;
}

void
mend_leave_out(struct emu *emu)
{
	struct mends_stream *of = stream_of(emu, emu->thread);

	if (of == NULL || emu->nevents == 0 ||
		emu->trace->streams.at[emu->event->stream].lost.n > 0)
		return;
	add(emu, emu->thread, (struct mend){ .event = NULL });
	of->left_out++;
}

/* Does the same as stream_of(), but returns NULL in traces with lost events:
 * there the emulator infers tasks in the repaired trace, too, and an added
 * event would end the thread's gap. */
static struct mends_stream *
stream_of_tasks(const struct emu *emu)
{
	return emu->trace->nlost > 0 ? NULL : stream_of(emu, emu->thread);
}

void
mend_type(struct emu *emu, uint32_t id)
{
	if (stream_of_tasks(emu) != NULL)
		infer(emu, emu->thread, INFER_TYPE, id, 0);
}

void
mend_task(struct emu *emu, uint32_t id, bool parallel)
{
	struct mends_stream *of = stream_of_tasks(emu);

	if (of == NULL)
		return;
	infer(emu, emu->thread, parallel ? INFER_BODIES : INFER_TASK, id,
		MEND_TYPE);
	of->tasks++;
}

void
mend_untyped(struct emu *emu, uint32_t id, bool parallel)
{
	if (stream_of_tasks(emu) == NULL)
		return;
	mend_leave_out(emu);
	mend_task(emu, id, parallel);
}

static struct finding
about(const struct emu *emu, int stream)
{
	return (struct finding){ .severity = FINDING_NOTE,
		.file = emu->trace->streams.at[stream].file,
		.offset = FINDING_NOWHERE,
		.time = FINDING_NEVER };
}

void
mend_end(struct emu *emu, const struct thread *th)
{
	if (stream_of(emu, th) != NULL)
		finding_add(emu->mends->done, about(emu, th->stream),
			"inferred: thread %lld ends after its last event; it "
			"was %s",
			(long long)th->tid,
			th->state == THREAD_UNKNOWN
				? "not started"
				: thread_state_name(
					  (enum thread_state)th->state));
}

/* Gives the unknown type an id that no other type has. */
static void
number_type(struct mend *m, uint32_t id)
{
	if (m->what == INFER_TYPE && m->arg[0] == MEND_TYPE)
		m->arg[0] = id;
	if ((m->what == INFER_TASK || m->what == INFER_BODIES) &&
		m->arg[1] == MEND_TYPE)
		m->arg[1] = id;
}

static void
note(const struct emu *emu, int stream, uint64_t n, const char *fmt)
{
	if (n > 0)
		finding_add(emu->mends->done, about(emu, stream), fmt,
			(unsigned long long)n, text_plural(n));
}

static void
finish_stream(struct emu *emu, int i)
{
	struct mends_stream *s = &emu->mends->stream[i];
	const struct thread *th = emu->system.of_stream[i];

	for (int j = 0; j < s->list.n; j++)
		number_type(&s->list.at[j], th->process->top_type + 1);
	note(emu, i, s->moved,
		"inferred: %llu move%s to the virtual CPU, because another "
		"thread runs on the thread's CPU");
	note(emu, i, s->tasks,
		"inferred: %llu task%s of an unknown type, because the events "
		"that create tasks are lost");
	note(emu, i, s->left_out,
		"left out: %llu event%s, which would contradict earlier "
		"events");
}

void
mends_finish(struct emu *emu)
{
	const struct trace *t = emu->trace;

	for (int i = 0; i < t->streams.n && emu->mends != NULL; i++)
		finish_stream(emu, i);
	if (emu->mends != NULL && emu->mends->n > MENDS_MAX)
		finding_file(emu->mends->done, FINDING_WARNING, t->path,
			"only the first %d events that are missing were added",
			MENDS_MAX);
}

/* Writes the arguments as stored in the file. */
static void
put_args(struct repair_edit *to, const struct mend *m,
	const struct signature *sig)
{
	static const char label[] = MEND_TYPE_LABEL;

	for (int i = 0; i < sig->nargs; i++) {
		bool is_text = sig->arg[i].type == FIELD_STR;
		uint64_t value = i < ARGS ? m->arg[i] : 0;
		const void *from = is_text ? (const void *)label : &value;
		uint32_t n = is_text ? sizeof label
				     : signature_type_size(sig->arg[i].type);

		BUG_ON(to->size + n > sizeof to->data);
		memcpy(to->data + to->size, from, n);
		to->size += n;
	}
}

bool
mends_edit(const void *arg, int stream, int i, struct repair_edit *to)
{
	const struct mends_stream *s =
		&((const struct mends *)arg)->stream[stream];
	const struct mend *m;
	struct signature sig;
	struct err err = { 0 };

	if (i >= s->list.n)
		return false;
	m = &s->list.at[i];
	*to = (struct repair_edit){ .offset = m->offset, .time = m->time };
	if (m->event == NULL) {
		to->drop = true;
		return true;
	}
	BUG_ON(!signature_parse(&sig, m->event, &err));
	to->cut = m->what == INFER_END;
	to->jumbo = sig.jumbo;
	memcpy(to->name, sig.name, sizeof to->name);
	put_args(to, m, &sig);
	return true;
}
