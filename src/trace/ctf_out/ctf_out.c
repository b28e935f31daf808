/* SPDX-License-Identifier: MIT */
#include "trace/ctf_out/ctf_out.h"

#include <string.h>

#include "base/arena.h"
#include "trace/ctf_out/out.h"

#define EVENT_HEADER 12 /* bytes, at most */

static void
add_class(struct writer *w, uint32_t class, const struct writer_class *is)
{
	struct ctf_out *c = (struct ctf_out *)w;
	struct out_known *k;
	struct field *arg = ARENA_ARRAY(c->arena, struct field, is->nargs);

	while ((uint32_t)c->known.n <= class)
		(void)VEC_ADD(&c->known, c->arena);
	for (int i = 0; i < is->nargs; i++) {
		arg[i] = is->arg[i];
		if (arg[i].name != NULL)
			arg[i].name = arena_strdup(c->arena, arg[i].name);
	}
	k = &c->known.at[class];
	*k = (struct out_known){ arena_strdup(c->arena, is->name),
		is->says == NULL ? NULL : arena_strdup(c->arena, is->says),
		is->nargs, arg };
}

/* Returns true if the payload has exactly the arguments of the class. */
static bool
fits(const struct out_event_class *e, const struct event *ev)
{
	const uint8_t *text = ev->data + e->fixed;

	if (!e->has_text)
		return ev->size == e->fixed;
	return ev->size > e->fixed &&
		memchr(text, '\0', ev->size - e->fixed) ==
		ev->data + ev->size - 1;
}

static struct out_event_class *
find_class(struct ctf_out *c, struct out_stream_class *of, uint32_t class,
	bool bytes)
{
	uint32_t at = class * 2 + bytes;

	if (__builtin_expect(at < (uint32_t)of->by_class.n, 1) &&
		__builtin_expect(of->by_class.at[at] != NULL, 1))
		return of->by_class.at[at];
	return ctf_out_add_class(c, of, class, bytes);
}

/* Returns the class of an event, whose payload may not be what its arguments
 * need. */
static struct out_event_class *
class_of(struct ctf_out *c, struct out_stream *s, const struct event *ev)
{
	struct out_event_class *e = find_class(c, s->class, ev->class, false);

	if (e->is_payload && __builtin_expect(!fits(e, ev), 0))
		return find_class(c, s->class, ev->class, true);
	return e;
}

static void
put_header(struct ctf_out *c, struct out_stream *s, uint32_t id, uint64_t clock)
{
	uint8_t *at = shape_room(&s->out, EVENT_HEADER);
	size_t n = c->wide ? sizeof id : sizeof(uint16_t);

	memcpy(at, &id, sizeof id);
	s->out.at += n;
	s->out.unused = 0;
	if (s->class->clock == NULL)
		return;
	memcpy(at + n, &clock, sizeof clock);
	s->out.at += sizeof clock;
}

/* Copies the payload behind the context that names the thread. */
static void
put_payload(struct ctf_out *c, struct out_stream *s,
	const struct out_event_class *e, const struct event *ev)
{
	const struct trace *t = c->trace;
	int thread = t->streams.at[ev->stream].thread;
	uint8_t *at =
		shape_room(&s->out, CTF_OUT_THREAD + CTF_OUT_SIZE + ev->size);
	int32_t id[2] = { -1, -1 };

	if (thread != TRACE_NONE) {
		const struct trace_thread *th = &t->threads.at[thread];

		id[0] = (int32_t)t->processes.at[th->process].pid;
		id[1] = (int32_t)th->tid;
	}
	memcpy(at, id, sizeof id);
	at += sizeof id;
	if (e->is_bytes) {
		memcpy(at, &ev->size, sizeof ev->size);
		at += sizeof ev->size;
	}
	if (ev->size > 0)
		memcpy(at, ev->data, ev->size);
	s->out.at = (size_t)(at - s->out.buf) + ev->size;
}

static void
put_values(struct out_stream *s, const struct out_event_class *e,
	const union value *v)
{
	if (e->common != NULL)
		shape_put(&s->out, e->common, v);
	if (e->specific != NULL)
		shape_put(&s->out, e->specific, v);
	if (e->payload != NULL)
		shape_put(&s->out, e->payload, v);
}

/* Writes the losses that wait for the first event. */
static void __attribute__((noinline, cold))
put_waiting(struct ctf_out *c, struct out_stream *s, const union value *values)
{
	for (int i = 0; i < s->waiting.n; i++)
		ctf_out_gap(c, s, &s->waiting.at[i], values);
	s->waiting.n = 0;
}

static void
put_event(struct writer *w, const struct event *ev)
{
	struct ctf_out *c = (struct ctf_out *)w;
	struct out_stream *s = c->stream_of[ev->stream];
	struct out_event_class *e = class_of(c, s, ev);
	uint64_t clock = ctf_out_clock(s, ev->time);

	if (__builtin_expect(s->waiting.n > 0, 0))
		put_waiting(c, s, ev->value);
	if (s->out.at >= c->room || (s->in_gap && clock > s->gap_end))
		ctf_out_close_packet(c, s);
	ctf_out_open_packet(c, s, clock, ev->value);
	put_header(c, s, e->id, clock);
	if (e->is_payload)
		put_payload(c, s, e, ev);
	else
		put_values(s, e, ev->value);
	s->end = clock;
}

/* Keeps the loss until an event of the stream tells what packets are like. */
static void
put_gap(struct writer *w, uint32_t stream, const struct trace_lost *lost)
{
	struct ctf_out *c = (struct ctf_out *)w;
	struct out_stream *s = c->stream_of[stream];

	if (s != NULL)
		VEC_PUSH(&s->waiting, c->arena, *lost);
}

/* clang-format off */
#define LOSSES \
	"lists and variants as they were: a field for its length or tag is added " \
		"in front of each", \
	"corrections of clocks, which are applied", \
	"states from before the part that is written", \
	NULL
static const char *const losses_2[] = { LOSSES };
#define LOSSES_2 3
static const char *const losses_1[] = {
	"truth values, flags, blobs and optional fields, which become numbers, "
		"lists and variants",
	"names of the environment and of clocks, which become identifiers",
	"ids of clocks that are not UUIDs",
	LOSSES };
/* clang-format on */

static void
tell_losses(struct writer *w, writer_loss_fn *tell, void *arg)
{
	const struct ctf_out *c = (const struct ctf_out *)w;
	const uint64_t count[] = { c->changes.odd, c->nnames, c->nuuids,
		c->changes.added, c->ncorrected, c->is_part };
	int n = (int)(sizeof count / sizeof count[0]);

	for (int i = c->is_ctf2 ? n - LOSSES_2 : 0; i < n; i++)
		if (count[i] > 0)
			tell(arg, losses_1[i], count[i]);
}

static struct writer *
open_any(struct arena *a, const struct writer_setup *setup, bool is_ctf2,
	struct err *err)
{
	struct ctf_out *c = ARENA_NEW(a, struct ctf_out);

	c->base.ops = is_ctf2 ? &writer_ctf2 : &writer_ctf;
	c->arena = a;
	c->trace = setup->trace;
	c->version = setup->version;
	c->is_part = setup->is_part;
	c->path = arena_strdup(a, setup->path);
	c->is_ctf2 = is_ctf2;
	return ctf_out_begin(c, err) ? &c->base : NULL;
}

static struct writer *
open_1(struct arena *a, const struct writer_setup *setup, struct err *err)
{
	return open_any(a, setup, false, err);
}

static struct writer *
open_2(struct arena *a, const struct writer_setup *setup, struct err *err)
{
	return open_any(a, setup, true, err);
}

/* Writes the rest of a stream. One without events gets a packet that says of
 * which CPU it is. */
static void
end_stream(struct ctf_out *c, struct out_stream *s)
{
	int64_t start = c->trace->start;

	put_waiting(c, s, NULL);
	if (!s->any && s->class->part->part != NULL && start != TRACE_UNKNOWN)
		ctf_out_open_packet(c, s, ctf_out_clock(s, start), NULL);
	ctf_out_close_packet(c, s);
}

static bool
close_out(struct writer *w, struct err *err)
{
	struct ctf_out *c = (struct ctf_out *)w;

	for (int i = 0; i < c->streams.n; i++)
		end_stream(c, c->streams.at[i]);
	return ctf_out_end(c, true, err);
}

const struct writer_ops writer_ctf = {
	.name = "ctf",
	.help = "CTF 1.8: Trace Compass, babeltrace2, LTTng's tools",
	.extensions = ".ctf",
	.is_directory = true,
	.losses = losses_1,
	.open = open_1,
	.class = add_class,
	.event = put_event,
	.gap = put_gap,
	.loss = tell_losses,
	.close = close_out,
};

const struct writer_ops writer_ctf2 = {
	.name = "ctf2",
	.help = "CTF 2: babeltrace2 2.1 and later, LTTng 2.15's tools",
	.extensions = ".ctf2",
	.is_directory = true,
	.losses = losses_2,
	.open = open_2,
	.class = add_class,
	.event = put_event,
	.gap = put_gap,
	.loss = tell_losses,
	.close = close_out,
};
