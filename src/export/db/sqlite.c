/* SPDX-License-Identifier: MIT */
/*
 * The module for SQLite. The file is written under a temporary name and nobody
 * else opens it, so there is neither a journal nor a sync.
 */
#include <sqlite3.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "export/db/driver.h"

struct db_file {
	struct arena *arena; /* borrowed */
	sqlite3 *db;
	VEC(sqlite3_stmt *) inserts;
	uint64_t mended;
	struct err err; /* the first failure */
};

static void
fail(struct db_file *f)
{
	err_set(&f->err, ERR_INPUT, "SQLite: %s", sqlite3_errmsg(f->db));
}

static void
run(struct db_file *f, const char *sql)
{
	if (f->err.kind == ERR_NONE &&
		sqlite3_exec(f->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(f);
}

static bool
close_file(struct db_file *f, struct err *err)
{
	run(f, "COMMIT; ANALYZE");
	for (int i = 0; i < f->inserts.n; i++)
		sqlite3_finalize(f->inserts.at[i]);
	if (sqlite3_close(f->db) != SQLITE_OK)
		fail(f);
	if (f->err.kind != ERR_NONE)
		*err = f->err;
	return f->err.kind == ERR_NONE;
}

static struct db_file *
open_file(struct arena *a, const char *path, struct err *err)
{
	struct db_file *f = ARENA_NEW(a, struct db_file);
	int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE |
		SQLITE_OPEN_CREATE;

	f->arena = a;
	if (sqlite3_open_v2(path, &f->db, flags, NULL) != SQLITE_OK) {
		err_set(err, ERR_INPUT, "cannot create %s: %s", path,
			sqlite3_errmsg(f->db));
		sqlite3_close(f->db);
		return NULL;
	}
	run(f,
		"PRAGMA page_size=8192; PRAGMA journal_mode=OFF;"
		"PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; BEGIN");
	if (f->err.kind == ERR_NONE)
		return f;
	close_file(f, err);
	return NULL;
}

static int
prepare(struct db_file *f, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	if (f->err.kind == ERR_NONE &&
		sqlite3_prepare_v2(f->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail(f);
	VEC_PUSH(&f->inserts, f->arena, stmt);
	return f->inserts.n - 1;
}

static void
bind_text(struct db_file *f, sqlite3_stmt *stmt, int i, const char *text)
{
	size_t n = strlen(text);
	char *to;

	if (utf8_is_valid(text, n)) {
		sqlite3_bind_text(stmt, i, text, (int)n, SQLITE_STATIC);
		return;
	}
	f->mended++;
	to = mem_resize(NULL, n, 3);
	n = utf8_mend(to, text, n);
	sqlite3_bind_text(stmt, i, to, (int)n, SQLITE_TRANSIENT);
	mem_free(to);
}

static void
step(struct db_file *f, sqlite3_stmt *stmt)
{
	if (sqlite3_step(stmt) != SQLITE_DONE)
		fail(f);
	sqlite3_reset(stmt);
}

static void
put(struct db_file *f, int insert, const struct db_value *row, int n)
{
	sqlite3_stmt *stmt = f->inserts.at[insert];

	if (f->err.kind != ERR_NONE)
		return;
	for (int i = 0; i < n; i++)
		if (row[i].kind == DB_INT)
			sqlite3_bind_int64(stmt, i + 1, row[i].i);
		else if (row[i].kind == DB_TEXT)
			bind_text(f, stmt, i + 1, row[i].text);
		else
			sqlite3_bind_null(stmt, i + 1);
	step(f, stmt);
}

static void
put_many(struct db_file *f, int insert, const int64_t *at, int rows, int n)
{
	sqlite3_stmt *stmt = f->inserts.at[insert];

	for (; rows > 0 && f->err.kind == ERR_NONE; rows--) {
		for (int i = 0; i < n; i++, at++)
			if (*at == DB_NULL_AS)
				sqlite3_bind_null(stmt, i + 1);
			else
				sqlite3_bind_int64(stmt, i + 1, *at);
		step(f, stmt);
	}
}

static uint64_t
mended(const struct db_file *f)
{
	return f->mended;
}

const struct db_driver weft_db_driver = {
	.layout = DB_DRIVER_LAYOUT,
	.open = open_file,
	.run = run,
	.prepare = prepare,
	.put = put,
	.put_many = put_many,
	.close = close_file,
	.mended = mended,
};
