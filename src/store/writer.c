/* SPDX-License-Identifier: MIT */
#include "store/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/catalog.h"

#define BATCH_ROWS 8192
#define TEXT_ROOM ((size_t)256 << 10)
#define RETRY_MS 5000
#define TIMEOUT_MS 10000
#define TEXT_MAX (1u << 30)

/* In the order of creation: a store that has a schema also has names. */
static const struct store_table *const meta[] = { &store_names, &store_schema };

/* Reads the tables of an existing store, then keeps or removes them. */
static bool
take_over(struct store *s, bool there, struct err *err)
{
	const struct store_driver *d = s->back->driver;
	struct store_tables all = { 0 };

	if (!there)
		return true;
	if (!store_load_schema(s->back, &s->arena, &s->there, err))
		return false;
	if (s->options.append)
		return d->texts || store_load_names(s->back, &s->names, err);
	for (int i = 0; i < s->there.table.n; i++)
		VEC_PUSH(&all.table, &s->arena, s->there.table.at[i]);
	VEC_PUSH(&all.table, &s->arena, meta[0]);
	VEC_PUSH(&all.table, &s->arena, meta[1]);
	s->there.table.n = 0;
	return d->clear(s->back, all.table.at, (uint32_t)all.table.n, err);
}

static bool
prepare(struct store *s, struct err *err)
{
	struct err why = { 0 };
	bool there = s->back->driver->is_there(s->back, &why);
	uint64_t rows = 0;

	if (why.kind != ERR_NONE) {
		*err = why;
		return false;
	}
	if (!take_over(s, there, err))
		return false;
	there = there && s->options.append;
	for (size_t i = 0; i < 2; i++) {
		if (meta[i] == &store_names && s->back->driver->texts)
			continue;
		if (!s->back->driver->table(
			    s->back, meta[i], there, &rows, err))
			return false;
		if (meta[i] == &store_schema)
			s->schema_rows = rows;
	}
	s->names_written = s->names.n;
	return true;
}

static bool
open_back(struct store *s, const char *address, struct err *err)
{
	const struct store_driver *driver;

	if (!store_address_parse(&s->address, &s->arena,
		    arena_strdup(&s->arena, address), err))
		return false;
	driver = store_driver_find(s->address.kind, err);
	if (driver == NULL)
		return err_in(err, "%s", address);
	s->setup = (struct store_setup){ .arena = &s->arena,
		.address = &s->address,
		.mode = STORE_WRITE,
		.timeout_ms = s->options.timeout_ms };
	if (s->address.path == NULL ||
		owner_take(&s->owner, &s->arena, s->address.path, err))
		s->back = driver->open(&s->setup, err);
	if (s->back != NULL && prepare(s, err))
		return true;
	if (s->address.path == NULL)
		store_password_hide(err);
	return err_in(err, "%s", address);
}

static void
fini(struct store *s)
{
	struct arena arena = s->arena;

	if (s->back != NULL)
		s->back->driver->close(s->back);
	if (s->spool != NULL)
		s->spool->driver->close(s->spool);
	for (int i = 0; i < s->tables.n; i++) {
		mem_free(s->tables.at[i].row);
		mem_free(s->tables.at[i].text);
	}
	owner_leave(&s->owner);
	names_fini(&s->names);
	arena_fini(&arena); /* s itself was in the arena */
}

struct store *
store_open(const char *address, const struct store_options *options,
	struct err *err)
{
	struct arena arena = { 0 };
	struct store *s = ARENA_NEW(&arena, struct store);

	s->arena = arena;
	s->owner.fd = -1;
	names_init(&s->names, &s->arena);
	if (options != NULL)
		s->options = *options;
	if (s->options.spool != NULL)
		s->options.spool = arena_strdup(&s->arena, s->options.spool);
	if (s->options.retry_ms == 0)
		s->options.retry_ms = RETRY_MS;
	if (s->options.timeout_ms == 0)
		s->options.timeout_ms = TIMEOUT_MS;
	if (open_back(s, address, err))
		return s;
	fini(s);
	return NULL;
}

bool
store_was_there(const struct store *s)
{
	return s->there.table.n > 0;
}

static bool
has_text(const struct store_table *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->column[i].type == STORE_TEXT)
			return true;
	return false;
}

/* Continues a table that the store had before. */
static bool
join(struct store *s, struct open_table *t, const struct store_table *old,
	struct err *err)
{
	if (!store_table_equal(old, t->def))
		return err_set(err, ERR_INPUT,
			"%s: table %s exists with other columns",
			s->address.text, old->name);
	return s->back == NULL ||
		s->back->driver->table(s->back, t->def, true, &t->rows, err);
}

static int
find_open(const struct store *s, const char *name)
{
	for (int i = 0; i < s->tables.n; i++)
		if (strcmp(s->tables.at[i].def->name, name) == 0)
			return i;
	return -1;
}

int
store_table(struct store *s, const struct store_table *def)
{
	const struct store_table *old = store_tables_find(&s->there, def->name);
	int i = find_open(s, def->name);
	struct err err = { 0 };
	struct open_table *t;

	if (i >= 0 && store_table_equal(s->tables.at[i].def, def))
		return i;
	t = VEC_ADD(&s->tables, &s->arena);
	t->def = def;
	t->room = BATCH_ROWS;
	t->row = mem_resize(NULL, t->room, def->n * sizeof *t->row);
	if (has_text(def)) {
		t->text_room = TEXT_ROOM;
		t->text = mem_resize(NULL, t->text_room, 1);
	}
	if (i >= 0)
		t->refused = !err_set(&err, ERR_INPUT,
			"table %s is declared twice, with other columns",
			def->name);
	else
		t->refused = !store_table_check(def, &err) ||
			(old != NULL && !join(s, t, old, &err));
	if (t->refused)
		store_trouble(s, &err);
	else if (old == NULL)
		store_deliver_table(s, t);
	return s->tables.n - 1;
}

uint32_t
store_intern(struct store *s, const char *text, size_t n)
{
	char small[3 * 256], *mended = small;
	uint32_t name;

	n = n < UINT32_MAX / 4 ? n : UINT32_MAX / 4;
	if (utf8_is_valid(text, n))
		return names_add(&s->names, text, n);
	if (n > sizeof small / 3)
		mended = mem_resize(NULL, 3, n);
	name = names_add(&s->names, mended, utf8_mend(mended, text, n));
	if (mended != small)
		mem_free(mended);
	return name;
}

static uint32_t
text_size(const struct store_value *v)
{
	return v->size < TEXT_MAX ? v->size : TEXT_MAX;
}

/* Returns how many bytes the texts of a row may need. */
static size_t
text_need(const struct store_table *def, const struct store_value *row)
{
	size_t need = 0;

	for (uint32_t i = 0; i < def->n; i++)
		if (def->column[i].type == STORE_TEXT && !row[i].null)
			need += 3 * (size_t)text_size(&row[i]);
	return need;
}

/* Makes room for the texts of a row. Texts of collected rows never move. */
static void
make_room(struct store *s, struct open_table *t, const struct store_value *row)
{
	size_t need = text_need(t->def, row);

	if (t->n < t->room && need <= t->text_room - t->used)
		return;
	store_deliver(s, t);
	if (need > t->text_room) {
		t->text_room = need;
		t->text = mem_resize(t->text, need, 1);
	}
}

static void
copy_text(struct open_table *t, struct store_value *v)
{
	char *to = t->text + t->used;

	v->size = text_size(v);
	if (utf8_is_valid(v->text, v->size))
		memcpy(to, v->text, v->size);
	else
		v->size = (uint32_t)utf8_mend(to, v->text, v->size);
	v->text = to;
	t->used += v->size;
}

static void
put_value(struct store *s, struct open_table *t, enum store_type type,
	struct store_value *v)
{
	switch (type) {
	case STORE_TEXT:
		copy_text(t, v);
		break;
	case STORE_NAME:
		BUG_ON(v->name - 1 >= s->names.n);
		break;
	case STORE_REAL:
		/* adding 0.0 turns -0 into 0, because SQLite has no -0 */
		*v = isfinite(v->real) ? store_real(v->real + 0.0)
				       : store_null();
		break;
	default:
		break;
	}
}

void
store_put(struct store *s, int table, const struct store_value *row)
{
	struct open_table *t = &s->tables.at[table];
	const struct store_column *c = t->def->column;
	uint32_t n = t->def->n;
	struct store_value *to;

	if (t->text != NULL || t->n == t->room)
		make_room(s, t, row);
	to = t->row + (size_t)t->n++ * n;
	for (uint32_t i = 0; i < n; i++) {
		to[i] = row[i];
		if (!row[i].null)
			put_value(s, t, c[i].type, &to[i]);
		else
			BUG_ON(!c[i].nullable && c[i].type != STORE_REAL);
	}
}

void
store_flush(struct store *s)
{
	for (int i = 0; i < s->tables.n; i++)
		store_deliver(s, &s->tables.at[i]);
}

static void
build_indexes(struct store *s)
{
	const struct store_driver *d = s->back->driver;

	if (d->index == NULL)
		return;
	for (int i = 0; i < s->tables.n; i++) {
		struct err err = { 0 };

		if (s->tables.at[i].refused ||
			d->index(s->back, s->tables.at[i].def, &err))
			continue;
		err_in(&err, "no index");
		store_trouble(s, &err);
	}
}

/* Describes the failure: "ADDRESS: cause; 5 rows are in FILE ('weft tasks load'
 * imports them)". */
static void
explain(const struct store *s, struct err *err)
{
	const struct store_report *r = &s->report;
	char text[sizeof err->text];
	int n = 0;

	if (r->spooled > 0)
		n = snprintf(text, sizeof text,
			"; %" PRIu64 " row%s in %s ('weft tasks load' imports "
			"them)",
			r->spooled, r->spooled == 1 ? " is" : "s are",
			r->spool);
	if (r->lost > 0 && !s->options.no_spool)
		snprintf(text + n, sizeof text - (size_t)n,
			"; %" PRIu64 " row%s lost", r->lost,
			r->lost == 1 ? " is" : "s are");
	else if (n == 0)
		text[0] = '\0';
	err->kind = r->why.kind;
	snprintf(err->text, sizeof err->text, "%.120s: %.220s%.160s",
		s->address.text, r->why.text, text);
}

bool
store_close(struct store *s, struct store_report *report, struct err *err)
{
	bool ok;

	store_flush(s);
	if (s->back != NULL)
		build_indexes(s);
	if (s->report.spool[0] != '\0' && s->report.spooled == 0) {
		unlink(s->report.spool); /* the file had no room for a single
		                          * row */
		s->report.spool[0] = '\0';
	}
	ok = s->report.why.kind == ERR_NONE;
	if (!ok && err->kind == ERR_NONE)
		explain(s, err);
	if (report != NULL)
		*report = s->report;
	fini(s);
	return ok;
}
