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

/* A part of an event: a text, a list of bytes, or a number. */
struct item {
	const char *field;
	const char *text; /* NULL: a number */
	size_t n;         /* bytes; of a number: the least bits in the file */
	bool is_list;
};

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
	int64_t payload;        /* its offset in the file */
	VEC(struct item) items; /* of the event, in the order of the file */
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

static bool
is_printed(char c)
{
	return c >= ' ' && c != 0x7f;
}

/* Scrubs a text, and returns true if it was changed. */
static bool
scrub_run(const struct scrub *s, struct arena *a, char *text, size_t n)
{
	const char *was = arena_strndup(a, text, n);

	scrub_bytes(s, text, n);
	return memcmp(was, text, n) != 0;
}

/* Returns how many letters begin at data[i], each in `width` bytes of which the
 * others are 0: UTF-16 or UTF-32, in either order of bytes. */
static size_t
wide_length(const char *data, size_t n, size_t i, size_t width)
{
	static const char zeros[4];
	size_t length = 0;

	for (; i < n && is_printed(data[i]); i += width) {
		length++;
		if (n - i < width ||
			memcmp(data + i + 1, zeros, width - 1) != 0)
			break;
	}
	return length;
}

/* Scrubs the texts of wide letters among other bytes. */
static bool
scrub_wide_runs(const struct scrub *s, struct arena *a, char *data, size_t n,
	size_t width)
{
	bool changed = false;
	size_t next;

	for (size_t i = 0; i < n; i = next) {
		size_t length = wide_length(data, n, i, width);
		char *text;

		next = i + (length < RUN_LEAST ? 1 : length * width);
		if (length < RUN_LEAST)
			continue;
		text = ARENA_ARRAY(a, char, length);
		for (size_t k = 0; k < length; k++)
			text[k] = data[i + k * width];
		if (!scrub_run(s, a, text, length))
			continue;
		changed = true;
		for (size_t k = 0; k < length; k++)
			data[i + k * width] = text[k];
	}
	return changed;
}

/* Scrubs the texts among other bytes. Returns true if one was changed. */
static bool
scrub_runs(const struct scrub *s, struct arena *a, char *data, size_t n)
{
	bool changed = false;
	size_t end;

	for (size_t i = 0; i < n; i = end + 1) {
		for (end = i; end < n && is_printed(data[end]);)
			end++;
		if (end - i >= RUN_LEAST)
			changed |= scrub_run(s, a, data + i, end - i);
	}
	changed |= scrub_wide_runs(s, a, data, n, 2);
	return scrub_wide_runs(s, a, data, n, 4) || changed;
}

/* Returns the last place before `end` of bytes of the event, or NULL: they are
 * stored in another way. The item is the last one before `end`, so what lies
 * between is at most padding. */
static const char *
find_bytes(const char *begin, const char *end, const struct item *it)
{
	const char *at;

	if ((uintptr_t)it->text >= (uintptr_t)begin &&
		(uintptr_t)it->text < (uintptr_t)end)
		return it->text;
	if ((size_t)(end - begin) < it->n)
		return NULL;
	at = end - it->n;
	while (memcmp(at, it->text, it->n) != 0)
		if (at-- == begin)
			return NULL;
	return at;
}

/* Scrubs bytes of an item. */
static void
scrub_item(struct job *j, const struct item *it, char *to)
{
	const struct scrub *s = &j->n->scrub;
	size_t n = it->n, printed = 0;

	if (scrub_hides(it->field, strlen(it->field))) {
		memset(to, 'x', n);
		return;
	}
	while (it->is_list && n > 0 && to[n - 1] == '\0')
		n--;
	while (printed < n && is_printed(to[printed]))
		printed++;
	if (it->is_list && printed < n)
		scrub_runs(s, &j->arena, to, n);
	else
		scrub_bytes(s, to, n);
}

/* Scrubs an item that ends before *end, and moves *end before it. */
static void
take_item(struct job *j, const struct item *it, const char *begin,
	const char **end)
{
	char *to = arena_strndup(&j->arena, it->text, it->n);
	const char *at = find_bytes(begin, *end, it);

	scrub_item(j, it, to);
	if (at != NULL)
		*end = at;
	if (memcmp(to, it->text, it->n) == 0)
		return;
	if (at == NULL)
		fail(j,
			"has a name or a path in another encoding, which "
			"cannot be replaced: leave the event out with weft "
			"convert -e");
	else
		put(j, j->ev->offset + (at - begin), to, it->n);
}

/* Scrubs the items of the event, from its end: so the place of each is known,
 * although its bytes may also be those of another one. */
static void
take_items(struct job *j)
{
	size_t before = (size_t)(j->payload - j->ev->offset), bits = 0;
	const char *begin = (const char *)j->ev->data - before;
	const char *end = (const char *)j->ev->data + j->ev->size;

	for (int i = j->items.n - 1; i >= 0; i--) {
		const struct item *it = &j->items.at[i];

		if (it->text == NULL) {
			bits += it->n;
			continue;
		}
		if (bits / 8 <= (size_t)(end - begin))
			end -= bits / 8;
		bits = 0;
		take_item(j, it, begin, &end);
	}
}

/* Returns the least bits of a number in the file. One of 64 bits may have a
 * variable length, with 7 bits in a byte. */
static size_t
least_bits(const struct field *f, const union value *v)
{
	uint64_t u = v->i < 0 ? ~v->u : v->u;
	size_t bits = f->bits > 0 ? f->bits : 8 * field_size(f->type), n = 8;

	if (bits < 64 || f->type == FIELD_F64)
		return bits;
	for (; u > 0x7f && n < 64; u >>= 7)
		n += 8;
	return n;
}

static void
add_item(struct job *j, const char *field, const char *text, size_t n,
	bool is_list)
{
	VEC_PUSH(&j->items, &j->arena,
		((struct item){ field, text, n, is_list }));
}

static bool
may_be_letter(enum field_type type)
{
	return type == FIELD_U8 || type == FIELD_I8 || type == FIELD_U16 ||
		type == FIELD_I16 || type == FIELD_U32 || type == FIELD_I32;
}

/* Returns the bytes of each letter in a list that may be a text; or 0. */
static size_t
letter_width(const struct field *f)
{
	const struct field *of = f->inner->field;
	size_t size = may_be_letter(of->type) ? field_size(of->type) : 0;

	if (f->form == FORM_BLOB)
		return 1;
	return f->inner->n == 1 && (of->bits == 0 || of->bits == 8 * size)
		? size
		: 0;
}

/* Adds a list of letters, with the bytes that it has in a file whose integers
 * are little endian: in another file the letters cannot be replaced. */
static void
add_letters(struct job *j, const char *name, const struct value_list *list,
	size_t width)
{
	char *bytes = ARENA_ARRAY(&j->arena, char, list->n *width + 1);

	for (uint32_t k = 0; k < list->n; k++)
		for (size_t b = 0; b < width; b++)
			bytes[k * width + b] =
				(char)(list->at[k].u >> (8 * b) & 0xff);
	add_item(j, name, bytes, list->n * width, true);
}

static void
add_fields(struct job *j, const char *above, const struct field *f, int n,
	const union value *v)
{
	for (int i = 0; i < n; i++) {
		const char *name = f[i].name == NULL ? above : f[i].name;
		const struct value_list *list = v[i].list;
		const struct field_list *inner = f[i].inner;

		if (field_size(f[i].type) > 0)
			add_item(
				j, name, NULL, least_bits(&f[i], &v[i]), false);
		else if (f[i].type == FIELD_STR && v[i].s != NULL)
			add_item(j, name, v[i].s, strlen(v[i].s), false);
		else if (f[i].type == FIELD_VARIANT)
			add_fields(j, name, inner[list->n].field,
				inner[list->n].n, list->at);
		else if (f[i].type == FIELD_LIST && letter_width(&f[i]) > 0)
			add_letters(j, name, list, letter_width(&f[i]));
		else if (f[i].type == FIELD_LIST)
			for (uint32_t k = 0; k < list->n; k++)
				add_fields(j, name, inner->field, inner->n,
					list->at + k * (uint32_t)inner->n);
	}
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
			add_item(j, arg->name, text, n, false);
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
		add_fields(j, "", c->field, c->nfields, ev->value);
	else
		take_arguments(j, description_of(j));
	take_items(j);
	memset(&j->items, 0, sizeof j->items);
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
