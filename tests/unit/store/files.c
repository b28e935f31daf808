/* SPDX-License-Identifier: MIT */
/* Stores in files: every row that is written is read back unchanged. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "store/copy.h"
#include "store/driver.h"
#include "unit/export/dir.h"
#include "unit/store/content.h"

#define ROWS 20000 /* more than two batches */

static const char *const kinds[] = { "csv", "json", "sqlite" };
#define KINDS (sizeof kinds / sizeof kinds[0])

static bool
has_kind(const char *kind)
{
	for (const char *const *k = store_kinds; *k != NULL; k++)
		if (strcmp(*k, kind) == 0)
			return true;
	return false;
}

struct row_identity {
	struct arena arena;
	const char *dir, *text, *path;
};

static void
place_make(struct row_identity *p, const char *kind)
{
	*p = (struct row_identity){ 0 };
	p->dir = dir_make(&p->arena);
	p->path = arena_printf(&p->arena, "%s/store", p->dir);
	p->text = arena_printf(&p->arena, "%s:%s", kind, p->path);
}

static void
place_end(struct row_identity *p)
{
	dir_remove(&p->arena, p->dir);
	arena_fini(&p->arena);
}

/* Calls a case for every kind of this build. */
static void
each(void (*run)(struct row_identity *p))
{
	for (size_t i = 0; i < KINDS; i++) {
		struct row_identity p;
		int failed = test_failed;

		if (!has_kind(kinds[i]))
			continue;
		test_failed = 0;
		place_make(&p, kinds[i]);
		run(&p);
		place_end(&p);
		if (test_failed)
			printf("# with %s\n", kinds[i]);
		test_failed |= failed;
	}
}

static void
round_trip(struct row_identity *p)
{
	struct store_report report;

	CHECK(content_write(p->text, NULL, ROWS, &report));
	CHECK_INT(report.stored, ROWS + (ROWS + 2) / 3);
	CHECK_INT(report.spooled + report.lost + report.retries, 0);
	CHECK_STR(report.spool, "");
	content_check(p->text, ROWS);
}
TEST(what_is_put_is_read_back)
{
	each(round_trip);
}

static void
replaced(struct row_identity *p)
{
	CHECK(content_write(p->text, NULL, 200, NULL));
	CHECK(content_write(p->text, NULL, 100, NULL));
	content_check(p->text, 100);
}
TEST(a_store_that_is_there_is_replaced)
{
	each(replaced);
}

static void
appended(struct row_identity *p)
{
	struct err err = { 0 };
	struct store_options options = { .append = true };
	struct store *s;

	CHECK(content_write(p->text, &options, 100, NULL));
	s = store_open(p->text, &options, &err);
	CHECK(s != NULL);
	content_put(s, 100, 250);
	CHECK(store_close(s, NULL, &err));
	CHECK_STR(err.text, "");
	content_check(p->text, 250);
}
TEST(or_is_appended_to)
{
	each(appended);
}

static void
other_columns(struct row_identity *p)
{
	static const struct store_column column[] = { { .name = "id" } };
	static const struct store_table table = { "task", column, 1 };
	struct err err = { 0 };
	struct store_report report;
	struct store *s;

	CHECK(content_write(p->text, NULL, 100, NULL));
	s = store_open(
		p->text, &(struct store_options){ .append = true }, &err);
	CHECK(s != NULL);
	store_put(s, store_table(s, &table),
		(struct store_value[]){ store_int(1) });
	CHECK(!store_close(s, &report, &err));
	CHECK_INT(report.lost, 1);
	CHECK(strstr(err.text, "task exists with other columns") != NULL);
	CHECK(strstr(err.text, "1 row is lost") != NULL);
	content_check(p->text, 100);
}
TEST(but_not_with_other_columns)
{
	each(other_columns);
}

static void
foreign(struct row_identity *p)
{
	struct err err = { 0 }, why = { 0 };
	const char *path = p->path;
	int fd;

	if (strncmp(p->text, "csv", 3) == 0) {
		mkdir(path, 0777);
		path = arena_printf(&p->arena, "%s/weft_schema.csv", path);
	}
	fd = open(path, O_CREAT | O_WRONLY, 0666);
	CHECK(write(fd, "my diary\nof 1999", 16) == 16);
	close(fd);
	CHECK(store_read(p->text, &why) == NULL);
	CHECK(strncmp(why.text, p->text, strlen(p->text)) == 0);
	CHECK(store_open(p->text, NULL, &err) == NULL);
	CHECK(strncmp(err.text, p->text, strlen(p->text)) == 0);
	CHECK_INT(strlen(dir_text(&p->arena, "/", path + 1)), 16);
}
TEST(what_is_no_store_is_not_touched)
{
	each(foreign);
}

static void
unreachable(struct row_identity *p)
{
	struct err err = { 0 };
	const char *text = arena_printf(&p->arena, "%.*s:/dev/null/x",
		(int)strcspn(p->text, ":"), p->text);

	CHECK(store_open(text, NULL, &err) == NULL);
	CHECK(err.kind != ERR_NONE);
	err.kind = ERR_NONE;
	CHECK(store_read(text, &err) == NULL);
	CHECK(err.kind != ERR_NONE);
}
TEST(a_place_that_cannot_be_opened_is_an_error)
{
	each(unreachable);
}

/* When a writer is killed, flushed rows survive and half a row does not. */
static void
killed(struct row_identity *p)
{
	struct err err = { 0 };
	struct store *s = store_open(p->text, NULL, &err);
	bool csv = strncmp(p->text, "csv", 3) == 0;
	int fd;

	content_put(s, 0, 60);
	store_flush(s);
	content_check(p->text, 60);
	fd = open(
		csv ? arena_printf(&p->arena, "%s/task.csv", p->path) : p->path,
		O_WRONLY | O_APPEND);
	if (strncmp(p->text, "sqlite", 6) != 0)
		CHECK(write(fd, csv ? "5,\"ha\nlf" : "{\"table\":\"task\",",
			      8) == 8);
	close(fd);
	content_check(p->text, 60);
	CHECK(store_close(s, NULL, &err));
	s = store_open(
		p->text, &(struct store_options){ .append = true }, &err);
	CHECK_STR(err.text, "");
	content_put(s, 60, 90);
	CHECK(store_close(s, NULL, &err));
	content_check(p->text, 90);
}
TEST(half_a_row_at_the_end_is_none)
{
	each(killed);
}

/* The disk is full (simulated by a limit on file size): rows are counted as
 * lost, and the written rows are right. */
static void
full(struct row_identity *p)
{
	struct rlimit limit = { 0 }, old;
	struct err err = { 0 };
	struct store_report report;
	struct store *s = store_open(p->text, NULL, &err);

	content_put(s, 0, 60);
	store_flush(s);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 128 << 10;
	setrlimit(RLIMIT_FSIZE, &limit);
	content_put(s, 60, 30000);
	CHECK(!store_close(s, &report, &err));
	setrlimit(RLIMIT_FSIZE, &old);
	CHECK(report.lost > 0);
	CHECK_INT(report.stored + report.spooled + report.lost, 40000);
	CHECK(strstr(err.text, " rows are lost") != NULL);
	content_check(p->text, 60);
}
TEST(a_full_disk_loses_rows_by_number)
{
	signal(SIGXFSZ, SIG_IGN);
	each(full);
}

static void
owned(struct row_identity *p)
{
	struct err err = { 0 }, none = { 0 };
	struct store *s = store_open(p->text, NULL, &err);
	char lock[128], pid[32];

	content_put(s, 0, 60);
	store_flush(s);
	CHECK(store_open(p->text, NULL, &err) == NULL);
	snprintf(pid, sizeof pid, "(process %d holds ", (int)getpid());
	CHECK(strstr(err.text, "another program is writing to it") != NULL);
	CHECK(strstr(err.text, pid) != NULL);
	content_check(p->text, 60);
	content_put(s, 60, 90);
	CHECK(store_close(s, NULL, &none));
	CHECK_STR(none.text, "");
	content_check(p->text, 90);
	snprintf(lock, sizeof lock, "%s.lock", p->path);
	CHECK(access(lock, F_OK) != 0);
}
TEST(a_second_writer_is_refused)
{
	each(owned);
}

static void
put_named(struct store *s, int table, uint64_t id, const char *text)
{
	store_put(s, table,
		(struct store_value[]){ store_uint(id),
			store_name(store_intern(s, text, strlen(text))) });
	store_flush(s);
}

/* Reads a store while it is written; names that the writer adds after the
 * reader opened the store are read, too. */
static void
written(struct row_identity *p)
{
	static const char *const texts[] = { "first", "second", "third" };
	struct err err = { 0 };
	struct store *s = store_open(p->text, NULL, &err);
	int table = store_table(s, &small_table);
	struct store_reader *r;
	struct store_value row[2];

	put_named(s, table, 0, texts[0]);
	r = store_read(p->text, &err);
	CHECK(r != NULL);
	put_named(s, table, 1, texts[1]);
	store_read_start(r, store_read_find(r, small_table.name), NULL);
	for (uint64_t i = 0; i < 2; i++) {
		CHECK(store_read_next(r, row));
		CHECK_INT(row[0].u, i);
		CHECK_STR(store_read_name(r, row[1].u, NULL), texts[i]);
	}
	CHECK(!store_read_next(r, row));
	put_named(s, table, 2, texts[2]);
	store_read_start(r, store_read_find(r, small_table.name), NULL);
	for (int i = 0; i < 3; i++)
		CHECK(store_read_next(r, row));
	CHECK_STR(store_read_name(r, row[1].u, NULL), texts[2]);
	CHECK(!store_read_failed(r, &err));
	store_read_close(r);
	CHECK(store_close(s, NULL, &err));
}
TEST(names_stored_after_the_opening_are_read)
{
	each(written);
}

/* A dead program leaves its lock file, but no process holds the lock. */
static void
orphaned(struct row_identity *p)
{
	struct err err = { 0 };
	pid_t pid = fork();

	if (pid == 0) {
		struct store *s = store_open(p->text, NULL, &err);

		store_flush(s);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	CHECK(content_write(p->text, NULL, 30, NULL));
	content_check(p->text, 30);
}
TEST(a_dead_writer_locks_nobody_out)
{
	each(orphaned);
}

/* Truncates a file after its first line. */
static void
cut(struct row_identity *p, const char *name)
{
	const char *text = dir_text(&p->arena, p->path, name);
	const char *path = arena_printf(&p->arena, "%s/%s", p->path, name);

	CHECK(truncate(path, strchr(text, '\n') + 1 - text) == 0);
}

/* A program that makes a store may be killed after each step. */
static void
half_made(struct row_identity *p)
{
	bool csv = strncmp(p->text, "csv", 3) == 0;
	const char *path = p->path;

	if (csv) {
		mkdir(path, 0777);
		path = arena_printf(&p->arena, "%s/weft_schema.csv", path);
	}
	close(open(path, O_CREAT | O_WRONLY, 0666));
	CHECK(content_write(p->text, NULL, 30, NULL));
	content_check(p->text, 30);
	if (!csv)
		return;
	cut(p, "weft_schema.csv");
	cut(p, "task.csv");
	cut(p, "milestone.csv");
	CHECK(content_write(p->text, NULL, 60, NULL));
	content_check(p->text, 60);
}
TEST(a_writer_killed_while_it_made_the_store_locks_nobody_out)
{
	each(half_made);
}

/* A child that keeps SQLite's locks until it is killed. */
static pid_t
lock(const char *path)
{
	struct flock all = {
		.l_type = F_WRLCK, .l_start = 0x40000000, .l_len = 512
	};
	int ready[2];
	pid_t pid;
	char c;

	if (pipe(ready) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		int fd = open(path, O_RDWR);

		if (fd < 0 || fcntl(fd, F_SETLKW, &all) != 0 ||
			write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	CHECK_INT(read(ready[0], &c, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static bool
import(const char *file, const char *address, struct store_copied *n)
{
	struct err err = { 0 };
	struct store_options options = { .append = true };
	struct store_reader *from = store_read(file, &err);
	struct store_reader *there = store_read(address, &err);
	struct store *to = store_open(address, &options, &err);
	bool ok = store_copy(from, there, to, NULL, n, &err);

	ok &= store_close(to, NULL, &err);
	store_read_close(there);
	store_read_close(from);
	CHECK_STR(err.text, "");
	return ok;
}

TEST(a_database_that_stays_locked_leaves_a_spool_file)
{
	struct store_options options = { .retry_ms = 60, .timeout_ms = 10 };
	struct store_report report;
	struct store_copied n;
	struct err err = { 0 };
	struct store *s;
	struct row_identity p;
	pid_t pid;

	if (!has_kind("sqlite"))
		TEST_SKIP("no SQLite in this build");
	place_make(&p, "sqlite");
	s = store_open(p.text, &options, &err);
	content_put(s, 0, 60);
	store_flush(s);
	pid = lock(p.path);
	content_put(s, 60, 120);
	CHECK(!store_close(s, &report, &err));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	CHECK_INT(report.stored, 80);
	CHECK_INT(report.spooled, 80);
	CHECK_INT(report.lost, 0);
	CHECK(report.retries > 0);
	CHECK(strstr(err.text, "locked; 80 rows are in ") != NULL);
	content_check(p.text, 60);
	CHECK(import(report.spool, p.text, &n));
	CHECK_INT(n.rows, 80);
	content_check(p.text, 120);
	CHECK(import(report.spool, p.text, &n));
	CHECK_INT(n.skipped, 80);
	content_check(p.text, 120);
	place_end(&p);
}

TEST_MAIN(RUN(a_database_that_stays_locked_leaves_a_spool_file),
	RUN(what_is_put_is_read_back), RUN(a_store_that_is_there_is_replaced),
	RUN(or_is_appended_to), RUN(but_not_with_other_columns),
	RUN(what_is_no_store_is_not_touched),
	RUN(a_place_that_cannot_be_opened_is_an_error),
	RUN(a_second_writer_is_refused), RUN(a_dead_writer_locks_nobody_out),
	RUN(a_writer_killed_while_it_made_the_store_locks_nobody_out),
	RUN(names_stored_after_the_opening_are_read),
	RUN(half_a_row_at_the_end_is_none),
	RUN(a_full_disk_loses_rows_by_number))
