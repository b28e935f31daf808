/* SPDX-License-Identifier: MIT */
/*
 * One file for each store; a batch is a transaction. Nothing is synced: a
 * killed program leaves an intact file, a power failure may damage it.
 */
#include <errno.h>
#include <limits.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/vec.h"
#include "store/driver.h"
#include "store/sql.h"

#define APPLICATION_ID 0x77656674 /* "weft", in the header of the file */

static const struct sql_words words = {
	.quote = '"',
	.type = { "INTEGER", "INTEGER", "REAL", "TEXT", "INTEGER", "INTEGER" },
	.row = "",
	.order_by = "rowid",
	.index = "CREATE INDEX IF NOT EXISTS",
	.index_text = "",
	.skips_null = true, /* sorting is twice as fast without nulls */
	.end = "",
};

struct insert {
	const struct store_table *table;
	sqlite3_stmt *stmt;
};

struct sqlite_back {
	struct store_back back;
	const struct store_setup *setup;
	sqlite3 *db;
	VEC(struct insert) inserts;
	const struct store_table *table; /* table being read */
	sqlite3_stmt *select;
	struct arena scratch; /* memory of the statement that reads */
	const struct store_batch *batch; /* the batch that rows() returns */
};

static bool
fail(const struct sqlite_back *q, struct err *err)
{
	return err_set(err, ERR_INPUT, "%s", sqlite3_errmsg(q->db));
}

static bool
run(const struct sqlite_back *q, const char *sql, struct err *err)
{
	return sqlite3_exec(q->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
		fail(q, err);
}

static sqlite3_stmt *
prepare(const struct sqlite_back *q, const char *sql, struct err *err)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(q->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail(q, err);
	return stmt;
}

/* Returns the single number that a statement yields, or -1. */
static int64_t
number(const struct sqlite_back *q, const char *sql, struct err *err)
{
	sqlite3_stmt *stmt = prepare(q, sql, err);
	int64_t value = -1;

	if (stmt != NULL && sqlite3_step(stmt) == SQLITE_ROW)
		value = sqlite3_column_int64(stmt, 0);
	else if (stmt != NULL)
		fail(q, err);
	sqlite3_finalize(stmt);
	return value;
}

/* Checks that an existing file is a database, and one of weft. */
static bool
claim(const struct sqlite_back *q, bool fresh, struct err *err)
{
	struct err why = { 0 };

	if (fresh)
		return run(q, "PRAGMA application_id=0x77656674", err);
	if (number(q, "PRAGMA application_id", &why) == APPLICATION_ID)
		return true;
	if (sqlite3_errcode(q->db) == SQLITE_NOTADB)
		return err_set(err, ERR_INPUT,
			"not a SQLite file: give the store that the simulator "
			"wrote");
	if (why.kind != ERR_NONE) {
		*err = why;
		return false;
	}
	return err_set(err, ERR_INPUT, "exists and is not a weft store");
}

/* Sets err to the cause of a failed open: SQLite itself does not report it. */
static bool
fail_open(const struct sqlite_back *q, struct err *err)
{
	const char *path = q->setup->address->path, *slash = strrchr(path, '/');
	struct arena a = { 0 };
	const char *folder = arena_printf(
		&a, "%.*s.", slash != NULL ? (int)(slash + 1 - path) : 0, path);
	int code = sqlite3_system_errno(q->db);

	/* this is the error of SQLite's second attempt: to open for reading */
	if (code == ENOENT && q->setup->mode != STORE_READ &&
		access(folder, W_OK) != 0)
		code = errno;
	arena_fini(&a);
	errno = code;
	return errno == 0 ? fail(q, err)
			  : err_set(err, ERR_SYSTEM,
				    "cannot be opened: check its directory and "
				    "permissions");
}

static bool
open_file(struct sqlite_back *q, int flags, bool fresh, struct err *err)
{
	int64_t wait = q->setup->timeout_ms;

	if (sqlite3_open_v2(q->setup->address->path, &q->db,
		    SQLITE_OPEN_NOMUTEX | flags, NULL) != SQLITE_OK)
		return fail_open(q, err);
	sqlite3_busy_timeout(q->db, (int)(wait < INT_MAX ? wait : INT_MAX));
	return claim(q, fresh, err);
}

/* Opens the file to read. If a program was killed in the middle of a batch,
 * opens the file for writing first, so that SQLite rolls the batch back. */
static bool
open_to_read(struct sqlite_back *q, struct err *err)
{
	struct err why = { 0 };

	if (open_file(q, SQLITE_OPEN_READONLY, false, &why))
		return true;
	if ((sqlite3_errcode(q->db) & 0xff) == SQLITE_READONLY) {
		sqlite3_close(q->db);
		return open_file(q, SQLITE_OPEN_READWRITE, false, err);
	}
	*err = why;
	return false;
}

/*
 * A batch as a virtual table "weft_rows(c0,c1...)", so that one statement
 * inserts it: a statement for each row takes twice the time.
 */
struct rows {
	sqlite3_vtab base; /* first */
	const struct sqlite_back *q;
};

struct rows_cursor {
	sqlite3_vtab_cursor base; /* first */
	const struct store_column *column;
	const struct store_value *row;
	uint32_t i, n, columns;
};

static int
rows_connect(sqlite3 *db, void *arg, int argc, const char *const *argv,
	sqlite3_vtab **made, char **why)
{
	struct sqlite_back *q = arg;
	struct rows *t = sqlite3_malloc(sizeof *t);
	const char *sql = "CREATE TABLE t(c0";

	(void)argc;
	(void)argv;
	(void)why;
	if (t == NULL)
		return SQLITE_NOMEM;
	*t = (struct rows){ .q = q };
	*made = &t->base;
	arena_reset(&q->scratch);
	for (int i = 1; i < STORE_COLUMNS_MAX; i++)
		sql = arena_printf(&q->scratch, "%s,c%d", sql, i);
	return sqlite3_declare_vtab(db, arena_printf(&q->scratch, "%s)", sql));
}

static int
rows_disconnect(sqlite3_vtab *t)
{
	sqlite3_free(t);
	return SQLITE_OK;
}

static int
rows_plan(sqlite3_vtab *t, sqlite3_index_info *info)
{
	(void)t;
	(void)info;
	return SQLITE_OK;
}

static int
rows_open(sqlite3_vtab *t, sqlite3_vtab_cursor **made)
{
	struct rows_cursor *c = sqlite3_malloc(sizeof *c);

	(void)t;
	if (c == NULL)
		return SQLITE_NOMEM;
	*c = (struct rows_cursor){ 0 };
	*made = &c->base;
	return SQLITE_OK;
}

static int
rows_close(sqlite3_vtab_cursor *c)
{
	sqlite3_free(c);
	return SQLITE_OK;
}

static int
rows_filter(sqlite3_vtab_cursor *cursor, int plan, const char *name, int argc,
	sqlite3_value **argv)
{
	struct rows_cursor *c = (struct rows_cursor *)cursor;
	const struct store_batch *b = ((struct rows *)cursor->pVtab)->q->batch;

	(void)plan;
	(void)name;
	(void)argc;
	(void)argv;
	c->column = b->table->column;
	c->columns = b->table->n;
	c->row = b->row;
	c->n = b->n;
	c->i = 0;
	return SQLITE_OK;
}

static int
rows_next(sqlite3_vtab_cursor *cursor)
{
	struct rows_cursor *c = (struct rows_cursor *)cursor;

	c->i++;
	c->row += c->columns;
	return SQLITE_OK;
}

static int
rows_eof(sqlite3_vtab_cursor *cursor)
{
	struct rows_cursor *c = (struct rows_cursor *)cursor;

	return c->i == c->n;
}

static int
rows_column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int i)
{
	struct rows_cursor *c = (struct rows_cursor *)cursor;
	const struct store_value *v = &c->row[i];

	if (v->null)
		sqlite3_result_null(to);
	else if (c->column[i].type == STORE_REAL)
		sqlite3_result_double(to, v->real);
	else if (c->column[i].type == STORE_TEXT)
		sqlite3_result_text(to, v->text, (int)v->size, SQLITE_STATIC);
	else
		sqlite3_result_int64(to, v->i);
	return SQLITE_OK;
}

static int
rows_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = ((struct rows_cursor *)cursor)->i;
	return SQLITE_OK;
}

static const sqlite3_module rows_module = {
	.xConnect = rows_connect,
	.xBestIndex = rows_plan,
	.xDisconnect = rows_disconnect,
	.xOpen = rows_open,
	.xClose = rows_close,
	.xFilter = rows_filter,
	.xNext = rows_next,
	.xEof = rows_eof,
	.xColumn = rows_column,
	.xRowid = rows_id,
};

static bool
open_db(struct sqlite_back *q, struct err *err)
{
	struct stat st;
	bool fresh = stat(q->setup->address->path, &st) != 0 || st.st_size == 0;

	if (!fresh && !S_ISREG(st.st_mode))
		return err_set(err, ERR_INPUT, "not a regular file");
	if (q->setup->mode == STORE_READ)
		return fresh ? err_set(err, ERR_INPUT,
				       "an empty file: give the store that the "
				       "simulator wrote")
			     : open_to_read(q, err);
	return open_file(q, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, fresh,
		       err) &&
		(sqlite3_create_module(q->db, "weft_rows", &rows_module, q) ==
				SQLITE_OK ||
			fail(q, err)) &&
		run(q, "PRAGMA journal_mode=TRUNCATE", err) &&
		run(q, "PRAGMA synchronous=OFF", err);
}

static void
close_db(struct sqlite_back *q)
{
	for (int i = 0; i < q->inserts.n; i++)
		sqlite3_finalize(q->inserts.at[i].stmt);
	q->inserts.n = 0;
	sqlite3_finalize(q->select);
	q->select = NULL;
	/* Removes the empty journal; a failure does no harm. */
	if (q->db != NULL && q->setup->mode != STORE_READ)
		sqlite3_exec(
			q->db, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
	sqlite3_close(q->db);
	q->db = NULL;
}

static void
close_sqlite(struct store_back *b)
{
	close_db((struct sqlite_back *)b);
	arena_fini(&((struct sqlite_back *)b)->scratch);
}

static struct store_back *
open_sqlite(const struct store_setup *s, struct err *err)
{
	struct sqlite_back *q = ARENA_NEW(s->arena, struct sqlite_back);

	*q = (struct sqlite_back){ .back = { &weft_store_driver }, .setup = s };
	if (open_db(q, err))
		return &q->back;
	close_sqlite(&q->back);
	return NULL;
}

static bool
is_there(struct store_back *b, struct err *err)
{
	return number((struct sqlite_back *)b,
		       "SELECT count(*) FROM sqlite_master WHERE "
		       "name='weft_schema'",
		       err) > 0;
}

/* Removes the file: dropping the tables would be slower. */
static bool
clear(struct store_back *b, const struct store_table *const *table, uint32_t n,
	struct err *err)
{
	struct sqlite_back *q = (struct sqlite_back *)b;
	const char *path = q->setup->address->path;

	(void)table;
	(void)n;
	close_db(q);
	if (unlink(path) != 0)
		return err_set(err, ERR_SYSTEM, "cannot remove %s", path);
	return open_db(q, err);
}

/* Prepares "INSERT INTO t SELECT c0,c1 FROM weft_rows". */
static bool
add_insert(struct sqlite_back *q, const struct store_table *t, struct err *err)
{
	struct arena *a = q->setup->arena;
	const char *sql =
		arena_printf(a, "INSERT INTO \"%s\" SELECT c0", t->name);
	struct insert insert = { .table = t };

	for (uint32_t i = 1; i < t->n; i++)
		sql = arena_printf(a, "%s,c%u", sql, i);
	insert.stmt =
		prepare(q, arena_printf(a, "%s FROM weft_rows", sql), err);
	VEC_PUSH(&q->inserts, a, insert);
	return insert.stmt != NULL;
}

/* Creates a table. Replaces an empty one that a killed program created before
 * the table was in the schema. */
static bool
create(const struct sqlite_back *q, const struct store_table *t,
	struct err *err)
{
	struct arena *a = q->setup->arena;
	const char *count =
		arena_printf(a, "SELECT count(*) FROM \"%s\"", t->name);
	struct err ignored = { 0 };

	if (run(q, sql_create(a, &words, t), err))
		return true;
	if (number(q, count, &ignored) != 0 ||
		!run(q, sql_drop_view(a, &words, t), &ignored) ||
		!run(q, sql_drop(a, &words, t), &ignored))
		return false;
	*err = (struct err){ 0 };
	return run(q, sql_create(a, &words, t), err);
}

static bool
table(struct store_back *b, const struct store_table *t, bool there,
	uint64_t *rows, struct err *err)
{
	struct sqlite_back *q = (struct sqlite_back *)b;
	struct arena *a = q->setup->arena;
	const char *view = sql_view(a, &words, t);
	int64_t n = 0;

	if (there)
		n = number(q,
			arena_printf(a, "SELECT count(*) FROM \"%s\"", t->name),
			err);
	else if (!create(q, t, err) || (view != NULL && !run(q, view, err)))
		return false;
	*rows = n > 0 ? (uint64_t)n : 0;
	return n >= 0 && add_insert(q, t, err);
}

static sqlite3_stmt *
insert_of(const struct sqlite_back *q, const struct store_table *t)
{
	for (int i = 0; i < q->inserts.n; i++)
		if (q->inserts.at[i].table == t)
			return q->inserts.at[i].stmt;
	BUG_ON(true);
	return NULL;
}

static inline void
bind(sqlite3_stmt *stmt, int i, enum store_type type,
	const struct store_value *v)
{
	if (v->null)
		sqlite3_bind_null(stmt, i);
	else if (type == STORE_REAL)
		sqlite3_bind_double(stmt, i, v->real);
	else if (type == STORE_TEXT)
		sqlite3_bind_text(
			stmt, i, v->text, (int)v->size, SQLITE_STATIC);
	else
		sqlite3_bind_int64(stmt, i, v->i);
}

static bool
insert_rows(struct sqlite_back *q, sqlite3_stmt *stmt,
	const struct store_batch *batch)
{
	bool ok;

	q->batch = batch;
	ok = sqlite3_step(stmt) == SQLITE_DONE &&
		sqlite3_reset(stmt) == SQLITE_OK;
	q->batch = NULL;
	return ok;
}

static enum store_result
give_up(struct sqlite_back *q, sqlite3_stmt *stmt, struct err *err)
{
	int code = sqlite3_errcode(q->db) & 0xff;

	fail(q, err);
	sqlite3_reset(stmt);
	sqlite3_exec(q->db, "ROLLBACK", NULL, NULL, NULL);
	return code == SQLITE_BUSY || code == SQLITE_LOCKED ? STORE_AWAY
							    : STORE_REFUSED;
}

static enum store_result
write_rows(
	struct store_back *b, const struct store_batch *batch, struct err *err)
{
	struct sqlite_back *q = (struct sqlite_back *)b;
	sqlite3_stmt *stmt = insert_of(q, batch->table);

	if (run(q, "BEGIN IMMEDIATE", err) && insert_rows(q, stmt, batch) &&
		run(q, "COMMIT", err))
		return STORE_DONE;
	return give_up(q, stmt, err);
}

static bool
reconnect(struct store_back *b, struct err *err)
{
	(void)b; /* nothing to do: another program had it locked */
	(void)err;
	return true;
}

static bool
build_indexes(
	struct store_back *b, const struct store_table *t, struct err *err)
{
	struct sqlite_back *q = (struct sqlite_back *)b;

	for (uint32_t i = 0; i < t->n; i++)
		if (t->column[i].index &&
			!run(q, sql_index(q->setup->arena, &words, t, i), err))
			return false;
	return true;
}

static bool
start(struct store_back *b, const struct store_table *t,
	const struct store_where *where, struct err *err)
{
	struct sqlite_back *q = (struct sqlite_back *)b;
	enum store_type type = STORE_INT;

	q->table = t;
	arena_reset(&q->scratch);
	q->select =
		prepare(q, sql_select(&q->scratch, &words, t, where, "?"), err);
	if (q->select == NULL || where == NULL)
		return q->select != NULL;
	for (uint32_t i = 0; i < t->n; i++)
		if (strcmp(t->column[i].name, where->column) == 0)
			type = t->column[i].type;
	bind(q->select, 1, type, &where->value);
	return true;
}

static void
get(sqlite3_stmt *stmt, int i, enum store_type type, struct store_value *v)
{
	if (sqlite3_column_type(stmt, i) == SQLITE_NULL)
		*v = store_null();
	else if (type == STORE_REAL)
		*v = store_real(sqlite3_column_double(stmt, i));
	else if (type != STORE_TEXT)
		*v = store_int(sqlite3_column_int64(stmt, i));
	else
		*v = store_text((const char *)sqlite3_column_text(stmt, i),
			(uint32_t)sqlite3_column_bytes(stmt, i));
}

static bool
next(struct store_back *b, struct store_value *row, struct err *err)
{
	struct sqlite_back *q = (struct sqlite_back *)b;
	int code = sqlite3_step(q->select);

	if (code == SQLITE_DONE)
		return false;
	if (code != SQLITE_ROW)
		return fail(q, err);
	for (uint32_t i = 0; i < q->table->n; i++)
		get(q->select, (int)i, q->table->column[i].type, &row[i]);
	return true;
}

static void
stop(struct store_back *b)
{
	struct sqlite_back *q = (struct sqlite_back *)b;

	sqlite3_finalize(q->select);
	q->select = NULL;
}

const struct store_driver weft_store_driver = {
	.layout = STORE_DRIVER_LAYOUT,
	.name = "sqlite",
	.what = "SQLite " SQLITE_VERSION,
	.open = open_sqlite,
	.is_there = is_there,
	.clear = clear,
	.table = table,
	.write = write_rows,
	.reconnect = reconnect,
	.index = build_indexes,
	.start = start,
	.next = next,
	.stop = stop,
	.close = close_sqlite,
};
