/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"
#include "store/builtin.h"
#include "store/catalog.h"
#include "store/writer.h"

#define FIRST_PAUSE_MS 20
#define LONGEST_PAUSE_MS 500
#define NAMES_AT_ONCE 256

void
store_trouble(struct store *s, const struct err *err)
{
	if (s->report.why.kind != ERR_NONE)
		return;
	s->report.why = *err;
	if (s->address.path == NULL)
		store_password_hide(&s->report.why);
}

/* How long an unreachable database is retried. */
struct patience {
	int64_t end; /* time of the first failure; 0: it has not failed yet */
	int pause_ms;
};

/* Sleeps and reconnects until that succeeds or the time is over. The time
 * counts from the first failure, because a single request may take longer than
 * the limit. */
static bool
reconnect(struct store *s, struct patience *p)
{
	bool first = p->end == 0;

	if (first)
		p->end = now_ms() + s->options.retry_ms;
	while ((first && s->options.retry_ms > 0) ||
		now_ms() + p->pause_ms <= p->end) {
		struct err err = { 0 };
		int pause_ms = p->pause_ms;

		first = false;
		nanosleep(&(struct timespec){ .tv_nsec = pause_ms * 1000000L },
			NULL);
		if (pause_ms < LONGEST_PAUSE_MS)
			p->pause_ms *= 2;
		s->report.retries++;
		if (s->back->driver->reconnect(s->back, &err))
			return true;
	}
	return false;
}

/* Writes a batch to the database, with retries while it cannot be reached. */
static bool
write_back(struct store *s, struct store_batch *batch)
{
	struct patience patience = { .pause_ms = FIRST_PAUSE_MS };
	struct err err = { 0 }; /* the first cause */

	for (;;) {
		enum store_result result =
			s->back->driver->write(s->back, batch, &err);

		if (result == STORE_DONE)
			return true;
		if (result == STORE_REFUSED || !reconnect(s, &patience))
			break;
		batch->again = true;
	}
	store_trouble(s, &err);
	return false;
}

/* Returns the first free name for a spool file. */
static const char *
spool_path(struct store *s)
{
	const struct store_address *p = &s->address;
	const char *base = s->options.spool;
	char *path;

	if (base == NULL)
		base = p->path != NULL
			? p->path
			: arena_printf(&s->arena, "weft-%s", p->database);
	path = arena_printf(&s->arena, "%s.spool.json", base);
	for (int i = 2; access(path, F_OK) == 0; i++)
		path = arena_printf(&s->arena, "%s-%d.spool.json", base, i);
	return path;
}

static bool
spool_write(struct store *s, const struct store_table *t,
	const struct store_value *row, uint32_t n)
{
	struct err err = { 0 };
	struct store_batch batch = { .table = t, .row = row, .n = n };

	if (s->spool == NULL)
		return false;
	if (s->spool->driver->write(s->spool, &batch, &err) == STORE_DONE)
		return true;
	store_trouble(s, &err);
	return false;
}

static void
spool_table(struct store *s, const struct open_table *t)
{
	struct store_value row[STORE_COLUMNS_MAX * 5];

	store_table_describe(t->def, row);
	spool_write(s, &store_schema, row, t->def->n);
	row[0] = store_text(t->def->name, (uint32_t)strlen(t->def->name));
	row[1] = store_uint(t->rows + 1);
	spool_write(s, &store_spool, row, 1);
}

/* Gives the database up: later rows go into a file. */
static void
begin_spool(struct store *s)
{
	struct store_address *address =
		ARENA_NEW(&s->arena, struct store_address);
	struct store_setup *setup = ARENA_NEW(&s->arena, struct store_setup);
	struct err err = { 0 };

	s->back->driver->close(s->back);
	s->back = NULL;
	if (s->options.no_spool)
		return;
	*address =
		(struct store_address){ .kind = "json", .path = spool_path(s) };
	address->text = address->path;
	*setup = (struct store_setup){
		.arena = &s->arena, .address = address, .mode = STORE_WRITE
	};
	s->spool = store_json.open(setup, &err);
	if (s->spool == NULL) {
		store_trouble(s, &err);
		return;
	}
	snprintf(s->report.spool, sizeof s->report.spool, "%s", address->path);
	for (int i = 0; i < s->tables.n; i++)
		if (!s->tables.at[i].refused)
			spool_table(s, &s->tables.at[i]);
}

/* Writes rows of the describing tables, which a spool file writes by itself. */
static void
write_meta(struct store *s, const struct store_table *t,
	const struct store_value *row, uint32_t n, uint64_t first)
{
	struct store_batch batch = {
		.table = t, .row = row, .n = n, .first = first
	};

	if (s->back != NULL && !write_back(s, &batch))
		begin_spool(s);
}

/* Writes names before the rows that use them. Drivers that store texts need no
 * names. */
static void
write_names(struct store *s)
{
	struct store_value row[NAMES_AT_ONCE][2];

	while (s->back != NULL && !s->back->driver->texts &&
		s->names_written < s->names.n) {
		uint32_t first = s->names_written, n = 0;

		for (; n < NAMES_AT_ONCE && first + n < s->names.n; n++) {
			const struct name *name = &s->names.at[first + n];

			row[n][0] = store_uint(first + n + 1);
			row[n][1] = store_text(name->text, name->size);
		}
		write_meta(s, &store_names, row[0], n, first + 1);
		s->names_written += n;
	}
}

/* Replaces the numbers of names by their texts. */
static void
make_texts(const struct store *s, struct open_table *t)
{
	uint32_t columns = t->def->n;

	if (t->texts)
		return;
	t->texts = true;
	for (uint32_t c = 0; c < columns; c++) {
		struct store_value *v = t->row + c;

		if (t->def->column[c].type != STORE_NAME)
			continue;
		for (uint32_t i = 0; i < t->n; i++, v += columns)
			if (!v->null) {
				const struct name *n =
					&s->names.at[v->name - 1];

				*v = store_text(n->text, n->size);
			}
	}
}

static void
deliver(struct store *s, struct open_table *t)
{
	write_names(s);
	if (s->back != NULL) {
		struct store_batch batch = { .table = t->def,
			.row = t->row,
			.n = t->n,
			.first = t->rows + 1 };

		if (s->back->driver->texts)
			make_texts(s, t);
		if (write_back(s, &batch)) {
			s->report.stored += t->n;
			return;
		}
		begin_spool(s);
	}
	make_texts(s, t);
	if (spool_write(s, t->def, t->row, t->n))
		s->report.spooled += t->n;
	else
		s->report.lost += t->n;
}

void
store_deliver(struct store *s, struct open_table *t)
{
	if (t->n == 0)
		return;
	if (t->refused)
		s->report.lost += t->n;
	else
		deliver(s, t);
	t->rows += t->n;
	t->n = 0;
	t->used = 0;
	t->texts = false;
}

void
store_deliver_table(struct store *s, const struct open_table *t)
{
	struct store_value row[STORE_COLUMNS_MAX * 5];
	struct err err = { 0 };
	uint64_t rows;

	if (s->back == NULL) {
		spool_table(s, t);
		return;
	}
	if (!s->back->driver->table(s->back, t->def, false, &rows, &err)) {
		store_trouble(s, &err);
		begin_spool(s);
		return;
	}
	store_table_describe(t->def, row);
	write_meta(s, &store_schema, row, t->def->n, s->schema_rows + 1);
	s->schema_rows += t->def->n;
}
