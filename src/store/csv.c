/* SPDX-License-Identifier: MIT */
/* A CSV store is a directory. Each table is a file TABLE.csv whose first record
 * has the names of the columns. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"
#include "store/builtin.h"
#include "store/catalog.h"
#include "store/csvline.h"
#include "store/driver.h"
#include "store/textfile.h"

struct csv_file {
	const char *table;
	struct textfile out;
};

struct csv_back {
	struct store_back back;
	const struct store_setup *setup;
	VEC(struct csv_file) files;      /* open for writing */
	const struct store_table *table; /* table being read */
	struct textfile in;
};

static const char *
path_of(const struct csv_back *c, const char *table)
{
	return arena_printf(
		c->setup->arena, "%s/%s.csv", c->setup->address->path, table);
}

static struct store_back *
open_csv(const struct store_setup *s, struct err *err)
{
	struct csv_back *c = ARENA_NEW(s->arena, struct csv_back);
	const char *path = s->address->path;

	*c = (struct csv_back){
		.back = { &store_csv }, .setup = s, .in = { .fd = -1 }
	};
	if (s->mode == STORE_READ && !file_is_dir(path)) {
		err_set(err, ERR_INPUT,
			"not a directory: a CSV store is a directory of .csv "
			"files");
		return NULL;
	}
	if (s->mode == STORE_WRITE && !file_mkdir(path, err))
		return NULL;
	return &c->back;
}

static bool
clear(struct store_back *b, const struct store_table *const *table, uint32_t n,
	struct err *err)
{
	struct csv_back *c = (struct csv_back *)b;

	for (uint32_t i = 0; i < n; i++) {
		const char *path = path_of(c, table[i]->name);

		if (unlink(path) != 0 && errno != ENOENT)
			return err_set(
				err, ERR_SYSTEM, "cannot remove %s", path);
	}
	return true;
}

/* Finds the next complete record at in.buf + in.begin. */
static bool
next_record(struct textfile *f, size_t *size, struct err *err)
{
	for (;;) {
		*size = csvline_length(f->buf + f->begin, f->end - f->begin);
		if (*size > 0)
			return true;
		if (!textfile_more(f, err))
			return false;
	}
}

/* Returns true if the file begins with the names of the columns. */
static bool
has_head(struct textfile *f, const struct store_table *t, struct err *err)
{
	struct textfile head = { .fd = -1 };
	size_t size;
	bool same;

	if (!next_record(f, &size, err))
		return false;
	csvline_head(&head, t);
	same = size == head.end && memcmp(f->buf, head.buf, size) == 0;
	textfile_close(&head);
	f->begin += size;
	return same;
}

/* Opens a table's file for reading after its first record. */
static bool
open_table(struct csv_back *c, const struct store_table *t, struct err *err)
{
	const char *path = path_of(c, t->name);
	struct err why = { 0 };

	if (!textfile_open_read(&c->in, path, err))
		return false;
	if (has_head(&c->in, t, &why))
		return true;
	textfile_close(&c->in);
	if (why.kind == ERR_NONE)
		return err_set(err, ERR_INPUT,
			"%s does not begin with the columns of %s", path,
			t->name);
	*err = why;
	return false;
}

/* Returns true if the store existed. An empty file does not count: its writer
 * was killed before it wrote anything. */
static bool
is_there(struct store_back *b, struct err *err)
{
	struct csv_back *c = (struct csv_back *)b;
	struct stat st;
	bool is;

	if (stat(path_of(c, store_schema.name), &st) != 0 ||
		(S_ISREG(st.st_mode) && st.st_size == 0))
		return false;
	is = open_table(c, &store_schema, err);
	textfile_close(&c->in);
	return is;
}

/* Counts the rows. Truncates an incomplete record that a killed writer left. */
static bool
count_rows(struct textfile *out, uint64_t *rows, struct err *err)
{
	struct textfile in;
	struct err why = { 0 };
	int64_t end = 0;
	uint64_t n = 0;
	size_t size;

	if (!textfile_open_read(&in, out->path, err))
		return false;
	while (next_record(&in, &size, &why)) {
		in.begin += size;
		end = textfile_tell(&in);
		n++;
	}
	textfile_close(&in);
	*rows = n > 0 ? n - 1 : 0; /* without the names of the columns */
	if (why.kind != ERR_NONE) {
		*err = why;
		return false;
	}
	return end == out->size || textfile_cut(out, end, err);
}

/* Returns true if the file has the names of the columns and nothing else: its
 * writer was killed before the table was in the schema. */
static bool
is_bare(const char *path, const struct store_table *t)
{
	struct textfile in;
	struct err ignored = { 0 };
	size_t size;
	bool bare;

	if (!textfile_open_read(&in, path, &ignored))
		return false;
	bare = has_head(&in, t, &ignored) &&
		!next_record(&in, &size, &ignored) && in.begin == in.end;
	textfile_close(&in);
	return bare;
}

static bool
table(struct store_back *b, const struct store_table *t, bool there,
	uint64_t *rows, struct err *err)
{
	struct csv_back *c = (struct csv_back *)b;
	struct csv_file *f = VEC_ADD(&c->files, c->setup->arena);
	const char *path = path_of(c, t->name);

	*rows = 0;
	f->table = t->name;
	f->out.fd = -1;
	if (!textfile_open_write(&f->out, path, err))
		return false;
	if (!there && f->out.size > 0 && !is_bare(path, t))
		return err_set(err, ERR_INPUT,
			"%s exists and is not part of a weft store", path);
	if (there && !count_rows(&f->out, rows, err))
		return false;
	if (f->out.size > 0)
		return true;
	csvline_head(&f->out, t);
	return textfile_commit(&f->out, err);
}

static struct textfile *
file_of(struct csv_back *c, const struct store_table *t)
{
	for (int i = 0; i < c->files.n; i++)
		if (strcmp(c->files.at[i].table, t->name) == 0)
			return &c->files.at[i].out;
	return NULL;
}

static enum store_result
write_rows(
	struct store_back *b, const struct store_batch *batch, struct err *err)
{
	struct textfile *f = file_of((struct csv_back *)b, batch->table);
	const struct store_value *row = batch->row;

	for (uint32_t i = 0; i < batch->n; i++, row += batch->table->n)
		csvline_write(f, batch->table, row);
	return textfile_commit(f, err) ? STORE_DONE : STORE_REFUSED;
}

static bool
start(struct store_back *b, const struct store_table *t,
	const struct store_where *where, struct err *err)
{
	struct csv_back *c = (struct csv_back *)b;

	(void)where; /* the caller checks the condition */
	c->table = t;
	return open_table(c, t, err);
}

static bool
next(struct store_back *b, struct store_value *row, struct err *err)
{
	struct csv_back *c = (struct csv_back *)b;
	struct textfile *f = &c->in;
	int64_t at;
	char *record;
	size_t size;

	if (!next_record(f, &size, err))
		return false;
	record = f->buf + f->begin;
	at = textfile_tell(f);
	f->begin += size;
	return csvline_read(record, size, c->table, row, err) ||
		err_in(err, "byte %" PRId64, at);
}

static void
stop(struct store_back *b)
{
	textfile_close(&((struct csv_back *)b)->in);
}

static void
close_csv(struct store_back *b)
{
	struct csv_back *c = (struct csv_back *)b;

	textfile_close(&c->in);
	for (int i = 0; i < c->files.n; i++)
		textfile_close(&c->files.at[i].out);
}

const struct store_driver store_csv = {
	.layout = STORE_DRIVER_LAYOUT,
	.name = "csv",
	.texts = true,
	.open = open_csv,
	.is_there = is_there,
	.clear = clear,
	.table = table,
	.write = write_rows,
	.start = start,
	.next = next,
	.stop = stop,
	.close = close_csv,
};
