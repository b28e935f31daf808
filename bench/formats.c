/* SPDX-License-Identifier: MIT */
/*
 * formats.c - writes the same synthetic records in every format, and prints how
 * fast each one is beside Paraver's in the same run.
 *
 *	formats DIR [RECORDS [ROUNDS [NAME]]]
 *
 * 64 rows push and pop states of up to 8 levels, 0 to 200 ns apart, from a
 * fixed sequence of random numbers. A line is
 *
 *	FORMAT records/s ratio-to-prv ratio-in-user-mode bytes/record
 *
 * of the best of ROUNDS rounds, in which the formats take turns. With NAME only
 * Paraver's and those whose names begin so are written. "copy" copies
 * the records only, and "sqlite loop" inserts as many rows into one table
 * without an index.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "bench.h"
#include "export/sinks.h"

#ifdef HAVE_SQLITE
#include <sqlite3.h>
#endif

enum { ROWS = 64, DEPTH = 8, VALUES = 20, STEP_NS = 200, FEW = 3 };
#define RECORDS 5000000

/* A record before it is made: the row pushes a value, or (0) pops. */
struct step {
	uint32_t after; /* ns since the step before */
	uint8_t row, value;
};

static struct step *steps;
static uint64_t count = RECORDS;
static int64_t end; /* time of the last step */

/* What the rows show now. */
struct rows {
	int64_t shown[VALUES + 1]; /* by value of the step */
	int64_t stack[ROWS][DEPTH];
	uint32_t depth[ROWS];
};

static void
make_steps(void)
{
	uint32_t depth[ROWS] = { 0 };
	uint64_t seed = 88172645463325252u;

	steps = calloc(count, sizeof *steps);
	if (steps == NULL)
		bench_die(BENCH_COULD_NOT, "no memory");
	for (uint64_t i = 0; i < count; i++) {
		struct step *s = &steps[i];

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		s->row = seed % ROWS;
		s->after = (uint32_t)((seed >> 20) % (STEP_NS + 1));
		s->value = (uint8_t)(1 + (seed >> 44) % VALUES);
		if (depth[s->row] == DEPTH ||
			(depth[s->row] > 0 && (seed >> 40) % 2 == 0))
			s->value = 0;
		if (s->value > 0)
			depth[s->row]++;
		else
			depth[s->row]--;
		end += s->after;
	}
}

/* No row shows a state yet. `few`: formats whose work is proportional to the
 * distinct stacks get as many of these as a program has. */
static void
begin_rows(struct rows *rows, bool few)
{
	*rows = (struct rows){ 0 };
	for (int v = 1; v <= VALUES; v++)
		rows->shown[v] = few ? 1 + v % FEW : v;
}

/* Makes the next record. */
static inline struct record
next_record(struct rows *rows, const struct step *s, int64_t *time)
{
	int64_t *stack = rows->stack[s->row];
	uint32_t *depth = &rows->depth[s->row];

	if (s->value > 0)
		stack[(*depth)++] = rows->shown[s->value];
	else
		--*depth;
	*time += s->after;
	return (struct record){ .time = *time,
		.row = s->row,
		.depth = *depth,
		.value = *depth > 0 ? stack[*depth - 1] : VALUE_NONE,
		.stack = stack };
}

/* CPU time of this process in seconds: other processes matter less. */
struct took {
	double all, user; /* user: without the time in the kernel, which copies
	                   * the file's bytes */
};

static struct took
took_now(void)
{
	struct timespec t;
	struct rusage u;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	getrusage(RUSAGE_SELF, &u);
	return (struct took){ (double)t.tv_sec + (double)t.tv_nsec / 1e9,
		(double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec / 1e6 };
}

static void
declare(struct sink *s, bool stacked)
{
	char name[64];

	for (uint32_t i = 0; i < ROWS; i++) {
		snprintf(name, sizeof name, "TH 1.%u", 1000 + i);
		sink_row(s, &(struct row){ i, ROW_NONE, "thread", name, NULL });
	}
	sink_type(s,
		&(struct type){ .class = "thread",
			.key = "bench.state",
			.title = "State of the thread",
			.number = 37,
			.stack = stacked });
	for (int64_t v = 1; v <= VALUES; v++) {
		snprintf(name, sizeof name, "Runtime: state %" PRId64, v);
		sink_label(s, 0, v, name, MEANS_UNSAID);
	}
}

/* Removes the files of a directory. Returns how many bytes they had. */
static int64_t
sweep(const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;
	int64_t bytes = 0;
	char path[4096];
	struct stat st;

	while (d != NULL && (e = readdir(d)) != NULL) {
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		bytes += st.st_size;
		unlink(path);
	}
	if (d != NULL)
		closedir(d);
	return bytes;
}

/* A way to write the records. */
struct way {
	const char *name, *format, *option;
	bool stacked, few; /* few: only FEW of the values */
	struct took best;  /* of the round with the least in all */
	int64_t bytes;
};

static void
keep_best(struct way *w, struct took start)
{
	struct took now = took_now();

	now.all -= start.all;
	now.user -= start.user;
	if (w->best.all == 0 || now.all < w->best.all)
		w->best = now;
}

static void
write_format(struct way *w, const char *dir)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	const char *options[] = { w->option, NULL };
	struct sink_setup setup = { .unit = "ns",
		.no_cfg = true,
		.start_realtime = CLOCK_UNKNOWN,
		.start_monotonic = CLOCK_UNKNOWN,
		.options = w->option != NULL ? options : NULL };
	struct took start = took_now();
	struct rows rows;
	int64_t time = 0;
	struct sink *s = sinks_open(&a, w->format, dir, &setup, &err);

	if (s == NULL)
		bench_die(BENCH_COULD_NOT, "%s", err.text);
	declare(s, w->stacked);
	begin_rows(&rows, w->few);
	for (uint64_t i = 0; i < count; i++) {
		struct record r = next_record(&rows, &steps[i], &time);

		if (!w->stacked)
			r.stack = NULL;
		sink_state(s, &r);
	}
	sink_advance(s, end + 1);
	if (!sink_close(s, &err))
		bench_die(BENCH_COULD_NOT, "%s", err.text);
	keep_best(w, start);
	arena_fini(&a);
	w->bytes = sweep(dir);
}

static void
copy_records(struct way *w)
{
	struct record *to = calloc(1 << 16, sizeof *to);
	struct rows rows;
	int64_t time = 0;
	struct took start = took_now();

	begin_rows(&rows, false);
	for (uint64_t i = 0; to != NULL && i < count; i++) {
		to[i % (1 << 16)] = next_record(&rows, &steps[i], &time);
		__asm__ volatile("" ::"r"(to) : "memory");
	}
	keep_best(w, start);
	w->bytes = (int64_t)(count * sizeof *to);
	free(to);
}

#ifdef HAVE_SQLITE
static void
insert_loop(struct way *w, const char *dir)
{
	char path[4096];
	sqlite3 *db = NULL;
	sqlite3_stmt *insert = NULL;
	struct rows rows;
	int64_t time = 0;
	struct took start = took_now();

	begin_rows(&rows, false);
	snprintf(path, sizeof path, "%s/loop.db", dir);
	if (sqlite3_open(path, &db) != SQLITE_OK ||
		sqlite3_exec(db,
			"PRAGMA page_size=8192; PRAGMA journal_mode=OFF; "
			"PRAGMA synchronous=OFF; BEGIN; CREATE TABLE s(id "
			"INTEGER PRIMARY KEY, start, dur, value, depth)",
			NULL, NULL, NULL) != SQLITE_OK ||
		sqlite3_prepare_v2(db, "INSERT INTO s VALUES(?,?,?,?,?)", -1,
			&insert, NULL) != SQLITE_OK)
		bench_die(BENCH_COULD_NOT, "SQLite: %s", sqlite3_errmsg(db));
	for (uint64_t i = 0; i < count; i++) {
		struct record r = next_record(&rows, &steps[i], &time);

		sqlite3_bind_int64(insert, 1, (int64_t)i + 1);
		sqlite3_bind_int64(insert, 2, r.time);
		sqlite3_bind_int64(insert, 3, (int64_t)i % 10000);
		sqlite3_bind_int64(insert, 4, r.value);
		sqlite3_bind_int64(insert, 5, r.depth);
		sqlite3_step(insert);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	sqlite3_close(db);
	keep_best(w, start);
	w->bytes = sweep(dir);
}
#endif

static void
write_way(struct way *w, const char *dir)
{
	if (w->format != NULL)
		write_format(w, dir);
	else if (strcmp(w->name, "copy") == 0)
		copy_records(w);
#ifdef HAVE_SQLITE
	else
		insert_loop(w, dir);
#endif
}

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void
print(const struct way *w, const struct way *prv)
{
	printf("%-20s %8.2f M records/s %6.2f x prv %6.2f in user mode %7.1f "
	       "bytes/record\n",
		w->name, (double)count / w->best.all / 1e6,
		prv->best.all / w->best.all, prv->best.user / w->best.user,
		(double)w->bytes / (double)count);
}

int
main(int argc, char *argv[])
{
	struct way ways[] = {
		{ .name = "prv", .format = "prv" },
		{ .name = "copy" },
		{ .name = "perfetto stack",
			.format = "perfetto",
			.stacked = true },
		{ .name = "perfetto flat", .format = "perfetto" },
		{ .name = "perfetto states",
			.format = "perfetto",
			.option = "states=1" },
		{ .name = "chrome stack", .format = "chrome", .stacked = true },
		{ .name = "chrome flat", .format = "chrome" },
		{ .name = "folded",
			.format = "folded",
			.stacked = true,
			.few = true },
		{ .name = "csv", .format = "csv" },
#ifdef HAVE_SQLITE
		{ .name = "sqlite", .format = "sqlite" },
		{ .name = "sqlite loop" },
#endif
	};
	int rounds = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 3;

	if (argc < 2)
		bench_die(BENCH_USAGE,
			"usage: formats DIR [RECORDS [ROUNDS [NAME]]]");
	if (argc > 2)
		count = strtoull(argv[2], NULL, 10);
	if (count == 0)
		bench_die(BENCH_USAGE, "RECORDS is at least 1");
	make_steps();
	for (int round = 0; round < rounds; round++)
		for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
			if (i == 0 || argc < 5 || begins(ways[i].name, argv[4]))
				write_way(&ways[i], argv[1]);
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		if (ways[i].best.all > 0)
			print(&ways[i], &ways[0]);
	free(steps);
	return 0;
}
