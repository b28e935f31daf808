/* SPDX-License-Identifier: MIT */
/*
 * A JSON store is one file; a line is a row:
 * {"table":"task","id":1,"kind":"req_in"}. Rows of all tables are in the order
 * of writing; nulls are left out.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "store/builtin.h"
#include "store/catalog.h"
#include "store/driver.h"
#include "store/jsonline.h"
#include "store/textfile.h"

struct json_back {
	struct store_back back;
	const struct store_setup *setup;
	struct textfile out; /* fd -1: not open */
	struct textfile in;
	const struct store_table *table; /* table being read */
	char begin[80];                  /* the beginning of a line of this
	                                  * table */
	size_t begin_size;
};

static const char schema_begin[] = "{\"table\":\"weft_schema\",";

static void
set_begin(struct json_back *j, const struct store_table *t)
{
	struct textfile text = { .fd = -1 };

	textfile_puts(&text, "{\"table\":\"");
	textfile_puts(&text, t->name);
	textfile_puts(&text, "\"");
	j->begin_size = text.end < sizeof j->begin ? text.end : sizeof j->begin;
	memcpy(j->begin, text.buf, j->begin_size);
	textfile_close(&text);
}

/* Finds the next line at in.buf + in.begin; size excludes the newline. A last
 * line without newline does not count. */
static bool
next_line(struct textfile *f, size_t *size, struct err *err)
{
	size_t seen = 0;

	for (;;) {
		const char *at = f->buf + f->begin;
		const char *end = NULL;

		if (f->end - f->begin > seen)
			end = memchr(at + seen, '\n', f->end - f->begin - seen);
		if (end != NULL) {
			*size = (size_t)(end - at);
			return true;
		}
		seen = f->end - f->begin;
		if (!textfile_more(f, err))
			return false;
	}
}

static bool
is_store(struct textfile *f, struct err *err)
{
	size_t size;

	textfile_seek(f, 0);
	return next_line(f, &size, err) && size >= sizeof schema_begin - 1 &&
		memcmp(f->buf, schema_begin, sizeof schema_begin - 1) == 0;
}

static bool
is_there(struct store_back *b, struct err *err)
{
	struct json_back *j = (struct json_back *)b;
	struct textfile *f = &j->in;

	return f->size > 0 && is_store(f, err);
}

/* Truncates half a line that a killed writer left at the end of the file. */
static bool
cut_half_line(struct json_back *j, struct err *err)
{
	struct err why = { 0 };
	size_t size;
	int64_t end = 0;

	textfile_seek(&j->in, 0);
	while (next_line(&j->in, &size, &why)) {
		j->in.begin += size + 1;
		end = textfile_tell(&j->in);
	}
	if (why.kind != ERR_NONE) {
		*err = why;
		return false;
	}
	return end == j->out.size || textfile_cut(&j->out, end, err);
}

static bool
open_both(struct json_back *j, struct err *err)
{
	const struct store_setup *s = j->setup;
	const char *path = s->address->path;
	struct err why = { 0 };

	if (s->mode == STORE_READ)
		return textfile_open_read(&j->in, path, err);
	if (!textfile_open_write(&j->out, path, err) ||
		!textfile_open_read(&j->in, path, err))
		return false;
	if (j->in.size == 0)
		return true;
	if (is_store(&j->in, &why))
		return cut_half_line(j, err);
	if (why.kind == ERR_NONE)
		return err_set(err, ERR_INPUT,
			"%s exists and is not a weft store", path);
	*err = why;
	return false;
}

static void
close_json(struct store_back *b)
{
	struct json_back *j = (struct json_back *)b;

	textfile_close(&j->in);
	textfile_close(&j->out);
}

static struct store_back *
open_json(const struct store_setup *s, struct err *err)
{
	struct json_back *j = ARENA_NEW(s->arena, struct json_back);

	*j = (struct json_back){ .back = { &store_json },
		.setup = s,
		.out = { .fd = -1 },
		.in = { .fd = -1 } };
	if (open_both(j, err))
		return &j->back;
	close_json(&j->back);
	return NULL;
}

static bool
clear(struct store_back *b, const struct store_table *const *table, uint32_t n,
	struct err *err)
{
	struct json_back *j = (struct json_back *)b;

	(void)table;
	(void)n;
	j->in.size = 0;
	return textfile_cut(&j->out, 0, err);
}

static bool start(struct store_back *b, const struct store_table *t,
	const struct store_where *where, struct err *err);

static bool
table(struct store_back *b, const struct store_table *t, bool there,
	uint64_t *rows, struct err *err)
{
	struct json_back *j = (struct json_back *)b;
	struct err why = { 0 };
	size_t size;

	*rows = 0;
	if (!there)
		return true;
	start(b, t, NULL, &why);
	while (next_line(&j->in, &size, &why)) {
		*rows += size > j->begin_size &&
			memcmp(j->in.buf + j->in.begin, j->begin,
				j->begin_size) == 0;
		j->in.begin += size + 1;
	}
	if (why.kind != ERR_NONE)
		*err = why;
	return why.kind == ERR_NONE;
}

static enum store_result
write_rows(
	struct store_back *b, const struct store_batch *batch, struct err *err)
{
	struct json_back *j = (struct json_back *)b;
	const struct store_value *row = batch->row;

	for (uint32_t i = 0; i < batch->n; i++, row += batch->table->n)
		jsonline_write(&j->out, batch->table, row);
	return textfile_commit(&j->out, err) ? STORE_DONE : STORE_REFUSED;
}

static bool
start(struct store_back *b, const struct store_table *t,
	const struct store_where *where, struct err *err)
{
	struct json_back *j = (struct json_back *)b;

	(void)where;
	(void)err;
	j->table = t;
	set_begin(j, t);
	textfile_seek(&j->in, 0);
	return true;
}

static bool
next(struct store_back *b, struct store_value *row, struct err *err)
{
	struct json_back *j = (struct json_back *)b;
	size_t size;

	while (next_line(&j->in, &size, err)) {
		char *line = j->in.buf + j->in.begin;
		int64_t at = textfile_tell(&j->in);

		j->in.begin += size + 1;
		if (size < j->begin_size ||
			memcmp(line, j->begin, j->begin_size) != 0)
			continue;
		return jsonline_read(line, size, j->table, row, err) ||
			err_in(err, "byte %" PRId64, at);
	}
	return false;
}

static void
stop(struct store_back *b)
{
	(void)b;
}

const struct store_driver store_json = {
	.layout = STORE_DRIVER_LAYOUT,
	.name = "json",
	.texts = true,
	.open = open_json,
	.is_there = is_there,
	.clear = clear,
	.table = table,
	.write = write_rows,
	.start = start,
	.next = next,
	.stop = stop,
	.close = close_json,
};
