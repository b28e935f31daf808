/* SPDX-License-Identifier: MIT */
/*
 * store-rows ADDRESS ROWS [RUNS] - measures how fast tasks are stored, compared
 * with a bare loop that stores the same columns through the client library:
 * prepared inserts in transactions of the same number of rows (SQLite), or
 * INSERTs of 1000 rows (MariaDB).
 *
 * The two take turns. Prints one line: the rows per second of both, the ratio,
 * the seconds that building the indexes takes, and the bytes of a row before
 * the indexes are built (0: not known).
 */
#include <inttypes.h>
#include <mysql.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "bench.h"
#include "store/store.h"
#include "task/schema.h"

#define TRANSACTION 8192
#define RUNS_MAX 31
#define KINDS 4
#define PLACES 64

/* A task of a simulator: requests of some 100 ns that overlap. */
struct row {
	uint64_t id, parent;
	uint32_t kind, what, location;
	int64_t start, end;
};

static struct row
row_of(uint64_t i)
{
	return (struct row){ i + 1, i / 2, (uint32_t)(i % KINDS) + 1,
		(uint32_t)(i / 7 % KINDS) + 1, (uint32_t)(i % PLACES) + 1,
		(int64_t)(i * 2500), (int64_t)(i * 2500 + 90000 + i % 977) };
}

static void
check(bool ok, const char *what)
{
	if (!ok)
		bench_die(BENCH_COULD_NOT, "%s", what);
}

static uint32_t
intern(struct store *s, const char *what, uint32_t i)
{
	char text[32];
	int n = snprintf(text, sizeof text, "%s[%u]", what, i);

	return store_intern(s, text, (size_t)n);
}

struct result {
	double rows_s, index_s, bytes;
};

static double
file_bytes(const char *place)
{
	const char *path = strchr(place, ':') + 1;
	struct stat st;

	return stat(path, &st) == 0 ? (double)st.st_size : 0;
}

static struct result
ours(const char *place, uint64_t n)
{
	struct err err = { 0 };
	double begin = bench_wall(), end;
	struct store *s = store_open(place, NULL, &err);
	uint32_t name[PLACES + 1];
	struct result r;
	int table;

	check(s != NULL, err.text);
	table = store_table(s, &schema_tasks);
	for (uint32_t i = 1; i <= PLACES; i++)
		name[i] = intern(s, "Component", i);
	for (uint64_t i = 0; i < n; i++) {
		struct row t = row_of(i);

		store_put(s, table,
			(struct store_value[]){ store_uint(t.id),
				i == 0 ? store_null() : store_uint(t.parent),
				store_name(name[t.kind]),
				store_name(name[t.what]),
				store_name(name[t.location]),
				store_int(t.start), store_int(t.end),
				store_flag(false) });
	}
	store_flush(s);
	end = bench_wall();
	r.rows_s = (double)n / (end - begin);
	r.bytes = file_bytes(place) / (double)n;
	check(store_close(s, NULL, &err), err.text);
	r.index_s = bench_wall() - end;
	return r;
}

static const char create[] =
	"(id INTEGER NOT NULL, parent INTEGER, kind INTEGER NOT NULL, what "
	"INTEGER NOT NULL, location INTEGER NOT NULL, start BIGINT NOT NULL, "
	"end BIGINT NOT NULL, open INTEGER NOT NULL)";

static void
sql(sqlite3 *db, const char *text)
{
	check(sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK,
		sqlite3_errmsg(db));
}

static double
bare_sqlite(const char *place, uint64_t n)
{
	double begin = bench_wall();
	char path[4096], text[512];
	sqlite3 *db;
	sqlite3_stmt *stmt;

	snprintf(path, sizeof path, "%s.bare", strchr(place, ':') + 1);
	unlink(path);
	check(sqlite3_open(path, &db) == SQLITE_OK, "sqlite3_open");
	sql(db, "PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=OFF");
	snprintf(text, sizeof text, "CREATE TABLE tasks%s", create);
	sql(db, text);
	check(sqlite3_prepare_v2(db,
		      "INSERT INTO tasks VALUES(?,?,?,?,?,?,?,?)", -1, &stmt,
		      NULL) == SQLITE_OK,
		sqlite3_errmsg(db));
	for (uint64_t i = 0; i < n; i++) {
		struct row t = row_of(i);

		if (i % TRANSACTION == 0)
			sql(db, i == 0 ? "BEGIN" : "COMMIT; BEGIN");
		sqlite3_bind_int64(stmt, 1, (int64_t)t.id);
		if (i == 0)
			sqlite3_bind_null(stmt, 2);
		else
			sqlite3_bind_int64(stmt, 2, (int64_t)t.parent);
		sqlite3_bind_int64(stmt, 3, t.kind);
		sqlite3_bind_int64(stmt, 4, t.what);
		sqlite3_bind_int64(stmt, 5, t.location);
		sqlite3_bind_int64(stmt, 6, t.start);
		sqlite3_bind_int64(stmt, 7, t.end);
		sqlite3_bind_int64(stmt, 8, 0);
		check(sqlite3_step(stmt) == SQLITE_DONE, sqlite3_errmsg(db));
		sqlite3_reset(stmt);
	}
	sql(db, "COMMIT");
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	unlink(path);
	return (double)n / (bench_wall() - begin);
}

/* "mariadb://user@host:port/database" */
static MYSQL *
connect_to(const char *place)
{
	char user[64], host[64], database[64];
	MYSQL *db = mysql_init(NULL);
	unsigned port;

	check(sscanf(place, "mariadb://%63[^@]@%63[^:]:%u/%63s", user, host,
		      &port, database) == 4,
		"place: mariadb://USER@HOST:PORT/DATABASE");
	check(mysql_real_connect(db, host, user, getenv("WEFT_STORE_PASSWORD"),
		      database, port, NULL, 0) != NULL,
		mysql_error(db));
	return db;
}

static void
ask(MYSQL *db, const char *text, size_t n)
{
	check(mysql_real_query(db, text, n) == 0, mysql_error(db));
}

static double
bare_mariadb(const char *place, uint64_t n)
{
	static char text[1000 * 200];
	double begin = bench_wall();
	MYSQL *db = connect_to(place);
	char *at = text;

	at += sprintf(text, "DROP TABLE IF EXISTS bare");
	ask(db, text, (size_t)(at - text));
	at = text + snprintf(text, sizeof text, "CREATE TABLE bare%s", create);
	ask(db, text, (size_t)(at - text));
	mysql_autocommit(db, 0);
	for (uint64_t i = 0; i < n; i++) {
		struct row t = row_of(i);

		if (i % 1000 == 0)
			at = text + sprintf(text, "INSERT INTO bare VALUES");
		at += sprintf(at,
			"%s(%" PRIu64 ",%" PRIu64 ",%u,%u,%u,%" PRId64
			",%" PRId64 ",0)",
			i % 1000 == 0 ? "" : ",", t.id, t.parent, t.kind,
			t.what, t.location, t.start, t.end);
		if (i % 1000 == 999 || i + 1 == n)
			ask(db, text, (size_t)(at - text));
		if (i % TRANSACTION == TRANSACTION - 1)
			mysql_commit(db);
	}
	mysql_commit(db);
	begin = bench_wall() - begin;
	ask(db, "DROP TABLE bare", 15);
	mysql_close(db);
	return (double)n / begin;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double
median(double *at, size_t n)
{
	qsort(at, n, sizeof *at, by_size);
	return at[n / 2];
}

int
main(int argc, char *argv[])
{
	double rate[RUNS_MAX], floor[RUNS_MAX], ratio[RUNS_MAX];
	double index[RUNS_MAX];
	struct result r = { 0 };
	bool lite;
	size_t runs;
	uint64_t n;

	if (argc < 3)
		bench_die(BENCH_USAGE, "usage: store-rows ADDRESS ROWS [RUNS]");
	n = bench_number("ROWS", argv[2], 1, 1000000000);
	runs = argc > 3 ? bench_number("RUNS", argv[3], 1, RUNS_MAX) : 5;
	lite = strncmp(argv[1], "sqlite:", 7) == 0;
	for (size_t i = 0; i < runs; i++) {
		floor[i] = lite ? bare_sqlite(argv[1], n)
				: bare_mariadb(argv[1], n);
		r = ours(argv[1], n);
		rate[i] = r.rows_s;
		index[i] = r.index_s;
		ratio[i] = rate[i] / floor[i];
	}
	printf("%.0f %.0f %.3f %.3f %.1f\n", median(rate, runs),
		median(floor, runs), median(ratio, runs), median(index, runs),
		lite ? r.bytes : 0);
	return 0;
}
