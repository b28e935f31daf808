/* SPDX-License-Identifier: MIT */
#include "export/prv/lines.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"
#include "export/compress.h"

#define BUFFER_BYTES (256u << 10)
#define DURATION_WIDTH 20
#define GROWING_ROWS_WIDTH 10

#define INT64_DIGITS 19

static_assert(INT64_DIGITS - 4 <= sizeof((struct prv_lines *)0)->lead,
	"all times fit");
static_assert(sizeof(struct prv_end) == 32, "found by a shift");

bool
prv_lines_open(struct prv_lines *f, const char *path,
	const struct sink_setup *setup, int64_t unit, struct err *err)
{
	f->lead_time = PRV_NO_LEAD;
	f->time = -1;
	f->unit = unit;
	f->exact_until = PRV_EXACT_MAX * unit;
	f->join = setup->join;
	f->rows_grow = setup->rows_grow;
	f->open_row = ROW_NONE;
	f->compress = setup->compress;
	if (!outfile_open(&f->out, f->arena, path, BUFFER_BYTES, err))
		return false;
	if (setup->pieces != NULL)
		setup->pieces->opened(setup->pieces->arg, &f->out);
	return true;
}

struct prv_row
prv_lines_add_row(
	struct prv_lines *f, uint32_t task, uint32_t node, uint32_t cpu)
{
	struct prv_row row = { .pos = f->nrows++, .task = task + 1 };

	while ((uint32_t)f->tasks.n <= task)
		VEC_PUSH(&f->tasks, f->arena, ((struct prv_task){ 0, node }));
	/* Paraver drops records of a CPU on a node other than that of their
	 * task. */
	if (f->tasks.at[task].node != node || cpu > PRV_ROWS_MAX)
		cpu = 0;
	row.thread = ++f->tasks.at[task].rows;
	row.length = (uint32_t)snprintf(row.text, sizeof row.text,
		"2:%u:1:%u:%u:", cpu, row.task, row.thread);
	return row;
}

void
prv_lines_set_cpu(struct prv_row *row, uint32_t cpu)
{
	row->length = (uint32_t)snprintf(row->text, sizeof row->text,
		"2:%u:1:%u:%u:", cpu, row->task, row->thread);
}

struct prv_row
prv_lines_nowhere(void)
{
	struct prv_row row = { .pos = ROW_NONE - 1, .task = 1 };

	row.length =
		(uint32_t)snprintf(row.text, sizeof row.text, "2:0:1:1:-1:");
	return row;
}

struct prv_key
prv_lines_add_type(struct prv_lines *f, const struct type *type)
{
	struct prv_key key = { .keeps = type->kind == TYPE_STATE };

	key.length = (uint32_t)snprintf(
		key.text, sizeof key.text, ":%" PRId64 ":", type->number);
	key.end = ARENA_ARRAY(f->arena, struct prv_end, PRV_ENDS);
	for (int i = 0; i < PRV_ENDS; i++)
		key.end[i].value = i + 1;
	return key;
}

/* Keeps the end of the value, unless it is too long. */
static void
make_end(const struct prv_key *key, int64_t value)
{
	struct prv_end *end = prv_end_of(key, value);
	char text[sizeof key->text + DIGITS_MAX], *at;

	memcpy(text, key->text, sizeof key->text);
	at = digits_i64(text + key->length, value);
	*at++ = '\n';
	if (at - text > (int)sizeof end->text)
		return;
	memcpy(end->text, text, sizeof end->text);
	end->length = (uint32_t)(at - text);
	end->value = value;
}

/* Writes "0", or "2(4,4)": the number of nodes and their CPUs. */
static int
put_nodes(const struct prv_lines *f, char *to, size_t room)
{
	int nodes = f->places == NULL ? 0 : f->places->node.n;
	int n = snprintf(to, room, "%d", nodes);

	for (int i = 0; i < nodes; i++) {
		int ncpus = f->places->node.at[i].ncpus;

		n += snprintf(to + n, room - (size_t)n, "%c%d",
			i == 0 ? '(' : ',', ncpus > 0 ? ncpus : 1);
	}
	return nodes == 0 ? n : n + snprintf(to + n, room - (size_t)n, ")");
}

/* Writes the header, with the duration padded to `width` digits; returns its
 * length. */
static int
header(const struct prv_lines *f, int64_t duration, int width, char *to,
	size_t room)
{
	int digits = f->rows_grow ? GROWING_ROWS_WIDTH : 1;
	int n = snprintf(to, room,
		"#Paraver (19/01/38 at 03:14):%0*" PRId64 "_ns:", width,
		duration);

	n += put_nodes(f, to + n, room - (size_t)n);
	n += snprintf(to + n, room - (size_t)n, ":1:%d(", f->tasks.n);
	for (int i = 0; i < f->tasks.n; i++)
		n += snprintf(to + n, room - (size_t)n, "%s%0*u:%u",
			i > 0 ? "," : "", digits, f->tasks.at[i].rows,
			f->tasks.at[i].node > 0 ? f->tasks.at[i].node : 1);
	return n + snprintf(to + n, room - (size_t)n, ")\n");
}

static size_t
header_room(const struct prv_lines *f)
{
	size_t nodes = f->places == NULL ? 0 : (size_t)f->places->node.n;

	return PRV_LINE_MAX + nodes * INT64_DIGITS +
		(size_t)f->tasks.n * (2 * INT64_DIGITS + 3);
}

static enum compress_kind
packing(const struct prv_lines *f)
{
	return f->compress != NULL ? f->compress->kind : COMPRESS_NONE;
}

/* Returns the n bytes of a header as they lie in the file, and their number:
 * pieces that are not compressed, so that the header can be replaced. */
static char *
stored(const struct prv_lines *f, const char *text, size_t n, size_t *size)
{
	size_t pieces = n / COMPRESS_STORED_MAX + 1;
	char *to = arena_alloc(f->arena, n + pieces * COMPRESS_STORED);

	*size = 0;
	while (n > 0) {
		size_t part = n < COMPRESS_STORED_MAX ? n : COMPRESS_STORED_MAX;

		*size += compress_stored(packing(f), to + *size, text, part);
		text += part;
		n -= part;
	}
	return to;
}

static void
begin_lines(struct prv_lines *f)
{
	size_t room = header_room(f), size;
	char *text = arena_alloc(f->arena, room);
	int n = header(f, 0, DURATION_WIDTH, text, room);
	const char *bytes = stored(f, text, (size_t)n, &size);

	outfile_write(&f->out, bytes, size);
	f->header_text = n;
	f->header_length = (int)size;
	f->begun = true;
	if (packing(f) != COMPRESS_NONE)
		compress_begin(&f->out, f->arena, f->compress);
}

/*
 * Writes the final header. Rows that appear after the first line, although the
 * producer announced none, can make the header longer. Then the leading zeros
 * of the duration are dropped; if that is not enough, all lines are moved, as
 * for rows of new tasks.
 */
static void
finish_header(struct prv_lines *f, int64_t duration)
{
	size_t room = header_room(f), size;
	char *text = arena_alloc(f->arena, room);
	const char *bytes;
	int n = header(f, duration, DURATION_WIDTH, text, room);
	int more = n - f->header_text;

	if (more > 0 && more < DURATION_WIDTH)
		n = header(f, duration, DURATION_WIDTH - more, text, room);
	if (n > f->header_text)
		n = header(f, duration, DURATION_WIDTH, text, room);
	bytes = stored(f, text, (size_t)n, &size);
	outfile_unpack(&f->out);
	if (size > (size_t)f->header_length)
		outfile_insert(&f->out, f->header_length,
			size - (size_t)f->header_length);
	outfile_patch(&f->out, 0, bytes, size);
}

static void
end_line(struct prv_lines *f)
{
	if (f->open_row == ROW_NONE)
		return;
	*outfile_room(&f->out, 1) = '\n';
	f->out.at++;
	f->open_row = ROW_NONE;
}

static int64_t
to_ns(struct prv_lines *f, int64_t time)
{
	int64_t ns = time / f->unit;

	f->rounded += ns * f->unit != time;
	return ns;
}

/* Returns true if a double, which Paraver uses for every number, can hold the
 * number exactly. */
static bool
is_exact(int64_t number)
{
	return number >= -PRV_EXACT_MAX && number <= PRV_EXACT_MAX;
}

static void
put_any(struct prv_lines *f, const struct prv_row *row,
	const struct prv_key *key, int64_t time, int64_t value)
{
	char *at;

	f->inexact += !is_exact(value) || time > f->exact_until;
	if (row->pos != f->open_row || time != f->time)
		end_line(f);
	at = outfile_room(&f->out, PRV_LINE_MAX);
	if (f->open_row == ROW_NONE) {
		memcpy(at, row->text, sizeof row->text);
		at = digits_i64(at + row->length, to_ns(f, time));
	}
	memcpy(at, key->text, sizeof key->text);
	f->out.at = digits_i64(at + key->length, value);
	f->open_row = row->pos;
	f->tail = digits_four((uint32_t)(time % PRV_TAIL));
	f->time = time;
	if (!f->join)
		end_line(f);
}

/* Prepares the texts of later lines: the leading digits of the time and the end
 * of the line. Times too large for Paraver are counted instead. */
static void
prepare(struct prv_lines *f, const struct prv_key *key, int64_t time,
	int64_t value)
{
	char lead[DIGITS_MAX] = { 0 };

	if (time < PRV_EXACT_MAX - PRV_TAIL &&
		(uint64_t)time - (uint64_t)f->lead_time >= PRV_TAIL) {
		f->lead_time = time - time % PRV_TAIL;
		f->lead_length =
			(uint32_t)(digits_i64(lead, time / PRV_TAIL) - lead);
		memcpy(f->lead, lead, sizeof f->lead);
	}
	if ((uint64_t)value < PRV_ENDS || (key->keeps && is_exact(value)))
		make_end(key, value);
}

/* Writes a value that is no state: a number, or the id of a thing, which seldom
 * appears again. */
static void
put_number(struct prv_lines *f, const struct prv_row *row,
	const struct prv_key *key, int64_t time, int64_t value)
{
	char *at = prv_lines_begin(f, row, time,
		(uint64_t)time - (uint64_t)f->lead_time, f->out.at);

	memcpy(at, key->text, sizeof key->text);
	at = digits_u64(at + key->length, (uint64_t)value);
	*at = '\n';
	f->out.at = at + 1;
}

void
prv_lines_other(struct prv_lines *f, const struct prv_row *row,
	const struct prv_key *key, int64_t time, int64_t value)
{
	if (!key->keeps && value >= PRV_ENDS && value <= PRV_EXACT_MAX &&
		(uint64_t)time - (uint64_t)f->lead_time < PRV_TAIL &&
		f->out.end - f->out.at >= PRV_LINE_MAX) {
		put_number(f, row, key, time, value);
		return;
	}
	if (!f->begun)
		begin_lines(f);
	if (!f->join && f->unit == 1 && time >= PRV_TAIL)
		prepare(f, key, time, value);
	put_any(f, row, key, time, value);
}

void
prv_lines_span(struct prv_lines *f, const char *row, int64_t begin, int64_t end,
	int64_t state)
{
	int64_t from = to_ns(f, begin), to = to_ns(f, end);

	if (!f->begun)
		begin_lines(f);
	end_line(f);
	if (to > f->last)
		f->last = to;
	f->inexact += !is_exact(from) || !is_exact(to) || !is_exact(state);
	f->out.at += snprintf(outfile_room(&f->out, PRV_LINE_MAX), PRV_LINE_MAX,
		"1:%s%" PRId64 ":%" PRId64 ":%" PRId64 "\n", row + 2, from, to,
		state);
}

void
prv_lines_link(struct prv_lines *f, const struct prv_row *from_row,
	const struct prv_row *to_row, const struct link *l)
{
	int64_t from = to_ns(f, l->from_time), to = to_ns(f, l->to_time);
	int64_t size = l->bytes > 0 ? l->bytes : l->id;
	int n;

	if (!f->begun)
		begin_lines(f);
	end_line(f);
	if (to > f->last)
		f->last = to;
	f->inexact += !is_exact(from) || !is_exact(to) || !is_exact(size) ||
		!is_exact(l->kind);
	n = snprintf(outfile_room(&f->out, PRV_LINE_MAX), PRV_LINE_MAX,
		"3:0:1:%u:%u:%" PRId64 ":%" PRId64 ":0:1:%u:%u:%" PRId64
		":%" PRId64 ":%" PRId64 ":%" PRId64 "\n",
		from_row->task, from_row->thread, from, from, to_row->task,
		to_row->thread, to, to, size, l->kind);
	f->out.at += n;
}

int64_t
prv_lines_last(const struct prv_lines *f)
{
	int64_t state = f->time < 0 ? -1 : f->time / f->unit;

	return state > f->last ? state : f->last;
}

bool
prv_lines_close(struct prv_lines *f, int64_t duration, struct err *err)
{
	if (!f->begun)
		begin_lines(f);
	end_line(f);
	finish_header(f, duration);
	return outfile_close(&f->out, err);
}
