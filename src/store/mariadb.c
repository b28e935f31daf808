/* SPDX-License-Identifier: MIT */
/*
 * A database of a MariaDB or MySQL server. A batch is a transaction of INSERTs
 * with many rows each. The number of a row is its key, so a transaction whose
 * answer was lost cannot store its rows twice.
 */
#include <errno.h>
#include <mysql.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "store/driver.h"
#include "store/sql.h"
#include "store/textfile.h"

#define INSERT_ROWS 1000
#define INSERT_BYTES ((size_t)512 << 10)
#define PATIENCE_MS 600000 /* limit of reading and of building indexes */

/* Error numbers of the server and of the client library. */
enum {
	TOO_MANY_CONNECTIONS = 1040,
	TABLE_EXISTS = 1050,
	SHUTDOWN = 1053,
	INDEX_EXISTS = 1061,
	DUPLICATE = 1062,
	LOCK_TIMEOUT = 1205,
	DEADLOCK = 1213,
	KILLED = 1927,
	CLIENT_FIRST = 2000, /* errors of the connection, except those below */
	CLIENT_MEMORY = 2008,
	CLIENT_PACKET = 2020,
	CLIENT_LAST = 2999,
};

static const struct sql_words words = {
	.quote = '`',
	.type = { "BIGINT", "BIGINT UNSIGNED", "DOUBLE", "LONGTEXT",
		"INT UNSIGNED", "BOOLEAN" },
	.row = "`weft_row` BIGINT UNSIGNED PRIMARY KEY,",
	.order_by = "`weft_row`",
	.index = "CREATE INDEX",
	.index_text = "(100)",
	.end = " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
};

struct mariadb_back {
	struct store_back back;
	const struct store_setup *setup;
	const char *password;
	MYSQL *db;                       /* NULL: not connected */
	struct textfile sql;             /* the statement being built */
	const struct store_table *table; /* table being read */
	MYSQL_RES *result;
	struct arena scratch;     /* memory of the statement that reads */
	unsigned long connection; /* id of the connection at the server */
};

/* The expression for the name of the lock. */
#define LOCK "CONCAT('weft.',MD5(DATABASE()))"

static bool
fail(const struct mariadb_back *m, struct err *err)
{
	return err_set(err, ERR_INPUT, "%s (error %u)", mysql_error(m->db),
		mysql_errno(m->db));
}

static void
start_client(void)
{
	mysql_library_init(0, NULL, NULL);
}

static void
disconnect(struct mariadb_back *m)
{
	if (m->db != NULL)
		mysql_close(m->db);
	m->db = NULL;
}

static bool
run(const struct mariadb_back *m, const char *sql, struct err *err)
{
	return mysql_query(m->db, sql) == 0 || fail(m, err);
}

static void
set_options(const struct mariadb_back *m, int64_t timeout_ms)
{
	static const unsigned no = 0;
	unsigned protocol = MYSQL_PROTOCOL_TCP;
	unsigned s = (unsigned)((timeout_ms + 999) / 1000);
	int64_t connect_ms = m->setup->timeout_ms;
	unsigned connect_s = (unsigned)((connect_ms + 999) / 1000);

	mysql_options(m->db, MYSQL_OPT_CONNECT_TIMEOUT, &connect_s);
	mysql_options(m->db, MYSQL_OPT_READ_TIMEOUT, &s);
	mysql_options(m->db, MYSQL_OPT_WRITE_TIMEOUT, &s);
	mysql_options(m->db, MYSQL_SET_CHARSET_NAME, "utf8mb4");
	mysql_options(m->db, MYSQL_OPT_LOCAL_INFILE, &no);
	if (m->setup->address->port != 0)
		mysql_options(m->db, MYSQL_OPT_PROTOCOL, &protocol);
}

/* Returns the single number that a statement yields; 0 for NULL. */
static bool
number(const struct mariadb_back *m, const char *sql, uint64_t *value,
	struct err *err)
{
	MYSQL_RES *result = NULL;
	MYSQL_ROW row = NULL;

	if (mysql_query(m->db, sql) == 0)
		result = mysql_store_result(m->db);
	if (result == NULL)
		return fail(m, err);
	row = mysql_fetch_row(result);
	*value = row != NULL && row[0] != NULL ? strtoull(row[0], NULL, 10) : 0;
	mysql_free_result(result);
	return true;
}

/*
 * Takes the lock by which one program at a time writes. The lock belongs to the
 * connection, so the server releases it when the connection ends. A lost
 * connection of ours may still have it.
 */
static bool
take_lock(struct mariadb_back *m, struct err *err)
{
	unsigned long before = m->connection;
	uint64_t got = 0, holder = 0;

	m->connection = mysql_thread_id(m->db);
	if (m->setup->mode == STORE_READ)
		return true;
	if (!number(m, "SELECT GET_LOCK(" LOCK ",0)", &got, err))
		return false;
	if (got == 1)
		return true;
	if (!number(m, "SELECT IS_USED_LOCK(" LOCK ")", &holder, err))
		return false;
	/* The server may hold a connection for some time after the client
	 * closed it or was killed in the middle of a statement. */
	if (holder == before && before != 0)
		run(m, arena_printf(&m->scratch, "KILL %lu", before),
			&(struct err){ 0 });
	if (!number(m, "SELECT GET_LOCK(" LOCK ",3)", &got, err) || got == 1)
		return got == 1;
	return err_set(err, ERR_INPUT,
		"another program is writing to it (connection %llu of the "
		"server): wait until it ends, or use another database",
		(unsigned long long)holder);
}

static bool
connect_for(struct mariadb_back *m, int64_t timeout_ms, struct err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const struct store_address *p = m->setup->address;

	pthread_once(&once, start_client);
	disconnect(m);
	m->db = mysql_init(NULL);
	if (m->db == NULL)
		return err_set(err, ERR_LIMIT, "no memory for a connection");
	set_options(m, timeout_ms);
	if (mysql_real_connect(m->db, p->host, p->user, m->password,
		    p->database, (unsigned)p->port, NULL, 0) == NULL) {
		fail(m, err);
		disconnect(m);
		return false;
	}
	/* The mode determines the meaning of quotes and backslashes. */
	if (run(m, "SET SESSION sql_mode='STRICT_ALL_TABLES'", err) &&
		take_lock(m, err))
		return true;
	disconnect(m);
	return false;
}

static void
close_mariadb(struct store_back *b)
{
	struct mariadb_back *m = (struct mariadb_back *)b;

	disconnect(m);
	textfile_close(&m->sql);
	arena_fini(&m->scratch);
}

static struct store_back *
open_mariadb(const struct store_setup *s, struct err *err)
{
	struct mariadb_back *m = ARENA_NEW(s->arena, struct mariadb_back);
	bool read = s->mode == STORE_READ;

	*m = (struct mariadb_back){
		.back = { &weft_store_driver }, .setup = s, .sql = { .fd = -1 }
	};
	if (store_password(s->arena, &m->password, err) &&
		connect_for(m, read ? PATIENCE_MS : s->timeout_ms, err))
		return &m->back;
	close_mariadb(&m->back);
	return NULL;
}

static bool
is_there(struct store_back *b, struct err *err)
{
	uint64_t n = 0;

	return number((struct mariadb_back *)b,
		       "SELECT COUNT(*) FROM information_schema.tables WHERE "
		       "table_schema=DATABASE() AND table_name='weft_schema'",
		       &n, err) &&
		n > 0;
}

static bool
clear(struct store_back *b, const struct store_table *const *table, uint32_t n,
	struct err *err)
{
	struct mariadb_back *m = (struct mariadb_back *)b;
	struct arena *a = &m->scratch;

	for (uint32_t i = 0; i < n; i++)
		if (!run(m, sql_drop_view(a, &words, table[i]), err) ||
			!run(m, sql_drop(a, &words, table[i]), err))
			return false;
	return true;
}

/* Removes a table that a killed program created before the table was in the
 * schema, and that is therefore empty. Tables of other programs do not have our
 * column. */
static bool
remove_left(
	struct mariadb_back *m, const struct store_table *t, struct err *err)
{
	struct arena *a = &m->scratch;
	uint64_t ours = 0, rows = 1;

	return number(m,
		       arena_printf(a,
			       "SELECT COUNT(*) FROM "
			       "information_schema.columns "
			       "WHERE table_schema=DATABASE() AND "
			       "table_name='%s' AND column_name='weft_row'",
			       t->name),
		       &ours, err) &&
		ours > 0 &&
		number(m, arena_printf(a, "SELECT COUNT(*) FROM `%s`", t->name),
			&rows, err) &&
		rows == 0 && run(m, sql_drop_view(a, &words, t), err) &&
		run(m, sql_drop(a, &words, t), err);
}

static bool
table(struct store_back *b, const struct store_table *t, bool there,
	uint64_t *rows, struct err *err)
{
	struct mariadb_back *m = (struct mariadb_back *)b;
	struct arena *a = &m->scratch;
	const char *view = sql_view(a, &words, t);

	*rows = 0;
	if (there)
		return number(m,
			arena_printf(
				a, "SELECT MAX(`weft_row`) FROM `%s`", t->name),
			rows, err);
	if (!run(m, sql_create(a, &words, t), err)) {
		struct err ignored = { 0 };

		if (mysql_errno(m->db) != TABLE_EXISTS ||
			!remove_left(m, t, &ignored))
			return false;
		*err = (struct err){ 0 };
		if (!run(m, sql_create(a, &words, t), err))
			return false;
	}
	if (view != NULL)
		mysql_query(m->db, view); /* creating a view needs a
		                           * privilege of its own */
	return true;
}

static void
put_text(struct mariadb_back *m, const struct store_value *v)
{
	char *to = textfile_room(&m->sql, 2 * (size_t)v->size + 3);
	size_t n;

	*to = '\'';
	n = mysql_real_escape_string(m->db, to + 1, v->text, v->size);
	to[n + 1] = '\'';
	m->sql.end += n + 2;
}

static void
put_value(struct mariadb_back *m, enum store_type type,
	const struct store_value *v)
{
	if (v->null)
		textfile_put(&m->sql, "NULL", 4);
	else if (type == STORE_TEXT)
		put_text(m, v);
	else if (type == STORE_REAL)
		textfile_real(&m->sql, v->real);
	else if (type == STORE_INT)
		textfile_i64(&m->sql, v->i);
	else
		textfile_u64(&m->sql, v->u);
}

static void
put_row(struct mariadb_back *m, const struct store_batch *batch, uint32_t i)
{
	const struct store_table *t = batch->table;
	const struct store_value *row = batch->row + (size_t)i * t->n;

	textfile_put(&m->sql, "(", 1);
	textfile_u64(&m->sql, batch->first + i);
	for (uint32_t c = 0; c < t->n; c++) {
		textfile_put(&m->sql, ",", 1);
		put_value(m, t->column[c].type, &row[c]);
	}
	textfile_put(&m->sql, "),", 2);
}

/* Inserts as many rows from *i on as one statement takes. */
static bool
insert_some(struct mariadb_back *m, const struct store_batch *batch,
	const char *head, uint32_t *i)
{
	uint32_t end =
		batch->n - *i < INSERT_ROWS ? batch->n : *i + INSERT_ROWS;

	m->sql.end = 0;
	textfile_puts(&m->sql, head);
	while (*i < end && m->sql.end < INSERT_BYTES)
		put_row(m, batch, (*i)++);
	m->sql.end--; /* removes the last comma */
	return mysql_real_query(m->db, m->sql.buf, m->sql.end) == 0;
}

static bool
is_away(unsigned code)
{
	switch (code) {
	case TOO_MANY_CONNECTIONS:
	case SHUTDOWN:
	case LOCK_TIMEOUT:
	case DEADLOCK:
	case KILLED:
		return true;
	default:
		return code >= CLIENT_FIRST && code <= CLIENT_LAST &&
			code != CLIENT_MEMORY && code != CLIENT_PACKET;
	}
}

static bool
transact(struct mariadb_back *m, const struct store_batch *batch)
{
	const char *head;
	bool ok;

	arena_reset(&m->scratch);
	head = sql_insert(&m->scratch, &words, batch->table, "`weft_row`,");
	ok = mysql_query(m->db, "START TRANSACTION") == 0;
	for (uint32_t i = 0; ok && i < batch->n;)
		ok = insert_some(m, batch, head, &i);
	return ok && mysql_commit(m->db) == 0;
}

static enum store_result
write_rows(
	struct store_back *b, const struct store_batch *batch, struct err *err)
{
	struct mariadb_back *m = (struct mariadb_back *)b;
	unsigned code;

	if (m->db == NULL) {
		err_set(err, ERR_INPUT, "not connected");
		return STORE_AWAY;
	}
	if (transact(m, batch))
		return STORE_DONE;
	code = mysql_errno(m->db);
	if (code == DUPLICATE && batch->again) {
		mysql_rollback(m->db);
		return STORE_DONE;
	}
	fail(m, err);
	mysql_rollback(m->db);
	return is_away(code) ? STORE_AWAY : STORE_REFUSED;
}

static bool
reconnect(struct store_back *b, struct err *err)
{
	struct mariadb_back *m = (struct mariadb_back *)b;

	return connect_for(m, m->setup->timeout_ms, err);
}

static bool
build_indexes(
	struct store_back *b, const struct store_table *t, struct err *err)
{
	struct mariadb_back *m = (struct mariadb_back *)b;

	if (!connect_for(m, PATIENCE_MS, err))
		return false;
	for (uint32_t i = 0; i < t->n; i++) {
		if (!t->column[i].index)
			continue;
		if (mysql_query(m->db, sql_index(&m->scratch, &words, t, i)) !=
				0 &&
			mysql_errno(m->db) != INDEX_EXISTS)
			return fail(m, err);
	}
	return true;
}

static bool
start(struct store_back *b, const struct store_table *t,
	const struct store_where *where, struct err *err)
{
	struct mariadb_back *m = (struct mariadb_back *)b;
	const char *value = "";

	m->table = t;
	m->sql.end = 0;
	arena_reset(&m->scratch);
	for (uint32_t i = 0; where != NULL && i < t->n; i++)
		if (strcmp(t->column[i].name, where->column) == 0) {
			/* compares bytes; a collation may treat different texts
			 * as equal */
			if (t->column[i].type == STORE_TEXT)
				textfile_puts(&m->sql, "BINARY ");
			put_value(m, t->column[i].type, &where->value);
		}
	if (where != NULL)
		value = arena_strndup(&m->scratch, m->sql.buf, m->sql.end);
	m->result = NULL;
	if (run(m, sql_select(&m->scratch, &words, t, where, value), err))
		m->result = mysql_use_result(m->db);
	return m->result != NULL || fail(m, err);
}

static struct store_value
get(enum store_type type, const char *text, unsigned long size)
{
	if (text == NULL)
		return store_null();
	switch (type) {
	case STORE_INT:
		return store_int(strtoll(text, NULL, 10));
	case STORE_REAL:
		return store_real(strtod(text, NULL));
	case STORE_TEXT:
		return store_text(text, (uint32_t)size);
	default:
		return store_uint(strtoull(text, NULL, 10));
	}
}

static bool
next(struct store_back *b, struct store_value *row, struct err *err)
{
	struct mariadb_back *m = (struct mariadb_back *)b;
	MYSQL_ROW text = mysql_fetch_row(m->result);
	unsigned long *size;

	if (text == NULL)
		return mysql_errno(m->db) != 0 && fail(m, err);
	size = mysql_fetch_lengths(m->result);
	for (uint32_t i = 0; i < m->table->n; i++)
		row[i] = get(m->table->column[i].type, text[i], size[i]);
	return true;
}

static void
stop(struct store_back *b)
{
	struct mariadb_back *m = (struct mariadb_back *)b;

	mysql_free_result(m->result);
	m->result = NULL;
}

const struct store_driver weft_store_driver = {
	.layout = STORE_DRIVER_LAYOUT,
	.name = "mariadb",
	.what = "MariaDB Connector/C " MARIADB_PACKAGE_VERSION,
	.open = open_mariadb,
	.is_there = is_there,
	.clear = clear,
	.table = table,
	.write = write_rows,
	.reconnect = reconnect,
	.index = build_indexes,
	.start = start,
	.next = next,
	.stop = stop,
	.close = close_mariadb,
};
