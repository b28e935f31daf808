/* SPDX-License-Identifier: MIT */
/*
 * Takes texts out of the streams of a copy: those in arguments and fields of
 * events, and those in bytes that belong to no event, such as the padding of a
 * packet, which may hold older events.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "cli/trace/anonymous.h"
#include "cli/trace/pipeline.h"
#include "emu/describe.h"
#include "trace/ctf/ctf.h"
#include "trace/obs/wire.h"

#define RUN_LEAST 6 /* letters in a row that are a text among numbers */
#define PIECE (16 << 20)

struct job {
	struct anonymous *n;
	struct source *source;
	struct arena arena; /* of an event */
	int64_t stream;     /* whose bytes are looked at */
	int fd;             /* copy of the file of the stream `opened` */
	int64_t opened;
	const struct model *const *known;
	const struct description **class; /* by class; NULL: not asked yet */
	uint32_t nclasses;
	const struct event *ev;
	int64_t payload; /* its offset in the file */
	struct err *err;
	bool ok;
};

static const char *
file_of(const struct job *j)
{
	return j->source->trace.streams.at[j->stream].file;
}

static bool
fail(struct job *j, const char *why)
{
	const char *name = j->source->trace.classes.at[j->ev->class].name;

	if (j->ok)
		err_set(j->err, ERR_INPUT, "%s: byte %" PRId64 ": event %s %s",
			file_of(j), j->ev->offset, name, why);
	return j->ok = false;
}

/* Opens the copy of the stream's file, unless it is open. */
static bool
open_copy(struct job *j)
{
	const char *to;

	if (!j->ok || j->opened == j->stream)
		return j->ok;
	if (j->fd >= 0)
		close(j->fd);
	j->opened = j->stream;
	to = anonymous_name(j->n, file_of(j), j->err);
	j->fd = to == NULL ? -1 : open(to, O_RDWR | O_CLOEXEC);
	if (j->fd < 0)
		j->ok = to != NULL &&
			err_set(j->err, ERR_SYSTEM, "cannot open %s", to);
	return j->ok;
}

/* Writes n bytes into the copy. */
static void
put(struct job *j, int64_t offset, const char *text, size_t n)
{
	if (open_copy(j) && pwrite(j->fd, text, n, offset) != (ssize_t)n)
		j->ok = err_set(j->err, ERR_SYSTEM, "cannot write %s/%s",
			j->n->dir, file_name(file_of(j)));
}

/* Returns the offset in the file of bytes of the event, or -1: they are stored
 * in another way. */
static int64_t
find_bytes(const struct job *j, const char *text, size_t n)
{
	size_t before = (size_t)(j->payload - j->ev->offset);
	const char *begin = (const char *)j->ev->data - before;
	size_t size = before + j->ev->size;
	const char *at = text;

	if ((uintptr_t)text < (uintptr_t)begin ||
		(uintptr_t)text >= (uintptr_t)begin + size)
		at = memmem(begin, size, text, n);
	return at == NULL ? -1 : j->ev->offset + (at - begin);
}

/* Scrubs a text of the event, which belongs to a field of that name. */
static void
take_text(struct job *j, const char *field, const char *text, size_t n)
{
	char *to = arena_strndup(&j->arena, text, n);
	int64_t at;

	if (scrub_hides(field, strlen(field)))
		memset(to, 'x', n);
	else
		scrub_bytes(&j->n->scrub, to, n);
	if (memcmp(to, text, n) == 0)
		return;
	at = find_bytes(j, text, n);
	if (at < 0)
		fail(j,
			"has a name or a path in another encoding, which "
			"cannot be replaced: leave the event out with weft "
			"convert -e");
	else
		put(j, at, to, n);
}

static void
take_fields(struct job *j, const char *above, const struct field *f, int n,
	const union value *v)
{
	for (int i = 0; i < n; i++) {
		const char *name = f[i].name == NULL ? above : f[i].name;
		const struct value_list *list = v[i].list;
		const struct field_list *inner = f[i].inner;

		if (f[i].type == FIELD_STR && v[i].s != NULL)
			take_text(j, name, v[i].s, strlen(v[i].s));
		else if (f[i].type == FIELD_VARIANT)
			take_fields(j, name, inner[list->n].field,
				inner[list->n].n, list->at);
		else if (f[i].type == FIELD_LIST && f[i].form != FORM_BLOB)
			for (uint32_t k = 0; k < list->n; k++)
				take_fields(j, name, inner->field, inner->n,
					list->at + k * (uint32_t)inner->n);
	}
}

static bool
is_printed(char c)
{
	return c >= ' ' && c != 0x7f;
}

/* Scrubs the texts among other bytes. Returns true if one was changed. */
static bool
scrub_runs(const struct scrub *s, struct arena *a, char *data, size_t n)
{
	bool changed = false;
	size_t end;

	for (size_t i = 0; i < n; i = end + 1) {
		const char *was;

		for (end = i; end < n && is_printed(data[end]);)
			end++;
		if (end - i < RUN_LEAST)
			continue;
		was = arena_strndup(a, data + i, end - i);
		scrub_bytes(s, data + i, end - i);
		changed |= memcmp(was, data + i, end - i) != 0;
	}
	return changed;
}

/* Looks at bytes of a payload that no model describes. */
static void
take_unknown(struct job *j, uint32_t from)
{
	uint32_t n = j->ev->size > from ? j->ev->size - from : 0;
	char *copy = arena_strndup(
		&j->arena, (const char *)j->ev->data + j->ev->size - n, n);

	if (scrub_runs(&j->n->scrub, &j->arena, copy, n))
		fail(j,
			"has a text with a name or a path, and no model tells "
			"which bytes it has: describe it in a model file "
			"(--model)");
}

static void
take_arguments(struct job *j, const struct description *d)
{
	const struct binding *b = d->binding;
	uint32_t end = 0;

	for (int i = 0; i < b->nargs && b->trouble == NULL; i++) {
		const struct arg *arg = &b->arg[i];
		uint32_t room =
			j->ev->size > arg->at ? j->ev->size - arg->at : 0;
		const char *text = (const char *)j->ev->data + arg->at;
		size_t n = arg->type == FIELD_STR
			? strnlen(text, room)
			: signature_type_size((enum field_type)arg->type);

		if (arg->type == FIELD_STR && n > 0)
			take_text(j, arg->name, text, n);
		end = arg->at + (uint32_t)n > end ? arg->at + (uint32_t)n : end;
	}
	take_unknown(j, end);
}

static const struct description *
description_of(struct job *j)
{
	struct arena *a = &j->n->run->arena;
	uint32_t class = j->ev->class, n = j->nclasses;

	if (class >= n) {
		j->nclasses = class * 2 + 16;
		j->class = mem_resize(
			j->class, j->nclasses, sizeof(struct description *));
		memset(j->class + n, 0,
			(j->nclasses - n) * sizeof(struct description *));
	}
	if (j->class[class] == NULL)
		j->class[class] = describe_class(
			a, &j->source->trace.classes.at[class], j->known);
	return j->class[class];
}

/* Scrubs the bytes between two events, or behind the last one. */
static void
take_gap(struct job *j, int64_t from, int64_t to)
{
	char *data;
	int64_t n;

	if (from >= to || !open_copy(j))
		return;
	data = mem_resize(NULL, PIECE, 1);
	for (; from < to && j->ok; from += n) {
		n = to - from < PIECE ? to - from : PIECE;
		n = file_pread(j->fd, data, (size_t)n, from);
		if (n <= 0)
			break;
		if (scrub_runs(&j->n->scrub, &j->arena, data, (size_t)n))
			put(j, from, data, (size_t)n);
		arena_reset(&j->arena);
	}
	mem_free(data);
}

static void
take_event(struct job *j, const struct event *ev)
{
	bool is_ctf = j->source->ops == &source_ctf;
	const struct trace *t = &j->source->trace;
	const struct event_class *c = &t->classes.at[ev->class];
	int64_t *covered = &j->n->covered.at[ev->stream];

	j->ev = ev;
	j->stream = ev->stream;
	j->payload = is_ctf
		? ctf_payload_offset(j->source)
		: ev->offset + (int64_t)sizeof(struct obs_event_header) +
			(c->jumbo ? 4 : 0);
	take_gap(j, *covered, ev->offset);
	*covered = j->payload + ev->size;
	if (c->described)
		take_fields(j, "", c->field, c->nfields, ev->value);
	else
		take_arguments(j, description_of(j));
	arena_reset(&j->arena);
}

bool
anonymous_events(struct anonymous *n, struct err *err)
{
	struct pipeline *r = n->run;
	const struct source_options options = { .unmerged = true,
		.as_stored = true };
	struct findings unsaid;
	struct job j = { .n = n,
		.known = pipeline_models(r),
		.fd = -1,
		.opened = -1,
		.err = err,
		.ok = true };
	struct event ev;

	findings_init(&unsaid, &r->arena, 0);
	j.source = sources_open(
		&r->arena, r->source->trace.path, &options, &unsaid, err);
	if (j.source == NULL)
		return false;
	for (int i = 0; i < j.source->trace.streams.n; i++)
		VEC_PUSH(&n->covered, &r->arena, 0);
	while (j.ok && source_next(j.source, &ev) == SOURCE_EVENT)
		take_event(&j, &ev);
	for (int i = 0; i < j.source->trace.streams.n && j.ok; i++) {
		if (!file_is_regular(j.source->trace.streams.at[i].file))
			continue;
		j.stream = i;
		take_gap(&j, n->covered.at[i], INT64_MAX);
	}
	if (j.fd >= 0)
		close(j.fd);
	mem_free(j.class);
	arena_fini(&j.arena);
	source_close(j.source);
	return j.ok;
}
