/* SPDX-License-Identifier: MIT */
/*
 * view.c - measures the viewer's index: ns to add a record, beside the time to
 * read it; bytes a record; memory of the builder and of the reader; the time of
 * screens of tiles at random zooms, beside a scan of all records of the same
 * rows.
 *
 * A pattern of 4 million records is replayed again and again, shifted in time.
 * The numbers of records of the rows follow a square law, so that some rows are
 * far busier than others; four of the 20 values occur most of the time; there
 * are bursts and gaps. All times are CPU time of this process.
 */
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "bench.h"
#include "export/index/sink.h"
#include "export/index/tile.h"
#include "export/index/walk.h"

#define PATTERN (4u << 20)
#define VALUES 20
#define SCREEN_ROWS 100
#define COMPARED 20 /* screens */
#define SCREEN_TILES \
	8                       /* tiles of 256 columns each: about 1920 \
	                         * columns; the page asks for all at once */
#define MOST_MEMORY (256 << 10) /* KiB: the default of weft view --mem */

struct plan {
	uint64_t records;
	uint32_t rows;
	int windows;
	bool each; /* print each window */
	int shown; /* the only kind of screens; -1: all kinds, and scans */
	const char *dir, *keep;
	char path[4096];
};

/* What a screen shows. */
enum shown { SHOW_ROWS, SHOW_ALL, SHOW_BANDS };

static uint64_t state = 88172645463325252;

static uint64_t
random_next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double
random_share(void)
{
	return (double)(random_next() >> 11) * 0x1p-53;
}

/* Makes the pattern; *span is its length in time. */
static struct record *
make_pattern(const struct plan *p, int64_t *span)
{
	struct record *r = malloc(PATTERN * sizeof *r);
	int64_t time = 0;

	if (r == NULL)
		bench_die(BENCH_COULD_NOT, "no memory");
	for (size_t i = 0; i < PATTERN; i++) {
		double share = random_share();
		uint64_t x = random_next();

		time += x % 100 == 0 ? (int64_t)(x >> 8) % 5000
				     : (int64_t)(x >> 8) % 40;
		r[i] = (struct record){ .time = time,
			.row = (uint32_t)(share * share * p->rows),
			.value = (int64_t)(x >> 40) %
				(x % 8 == 0 ? VALUES : 4) };
	}
	*span = time + 20;
	return r;
}

/* The floor: reads all records in the order of the replay. */
static double
read_all(const struct plan *p, const struct record *r, int64_t span)
{
	double from = bench_cpu();
	int64_t shift = 0;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < p->records; shift += span)
		for (size_t j = 0; j < PATTERN && i < p->records; j++, i++)
			sum += (uint64_t)(r[j].time + shift) ^
				(uint64_t)r[j].value ^ r[j].row;
	if (sum == 1)
		putchar(' '); /* uses the sum, so that the compiler keeps the
		                 loop */
	return bench_cpu() - from;
}

/* Returns a field of /proc/self/status, in KiB; 0 if there is none. */
static long
memory(const char *field)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	size_t n = strlen(field);
	long kib = 0;

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (strncmp(line, field, n) == 0 && line[n] == ':')
			kib = strtol(line + n + 1, NULL, 10);
	if (f != NULL)
		fclose(f);
	return kib;
}

/* Makes VmHWM begin again at the present size. */
static void
forget_peak(void)
{
	FILE *f = fopen("/proc/self/clear_refs", "w");

	if (f == NULL)
		return;
	fputs("5", f);
	fclose(f);
}

static double
build(const struct plan *p, const struct record *r, int64_t span, bool trees)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	struct sink *s;
	int64_t shift = 0, time = 0;
	double from = bench_cpu();

	s = sink_index.open(&a, p->dir,
		&(struct sink_setup){
			.unit = "ns", .title = "bench", .file = p->path },
		&err);
	if (s == NULL)
		bench_die(BENCH_COULD_NOT, "%s", err.text);
	if (!trees)
		index_sink_trees(s, UINT64_MAX, 1);
	for (uint32_t i = 0; i < p->rows; i++)
		sink_row(s, &(struct row){ i, ROW_NONE, "thread", "T", NULL });
	sink_type(s,
		&(struct type){ .id = 0, .class = "thread", .key = "state" });
	for (uint64_t i = 0; i < p->records; shift += span)
		for (size_t j = 0; j < PATTERN && i < p->records; j++, i++) {
			struct record one = r[j];

			one.time = time = one.time + shift;
			sink_state(s, &one);
		}
	sink_advance(s, time + 1);
	if (!sink_close(s, &err))
		bench_die(BENCH_COULD_NOT, "%s", err.text);
	arena_fini(&a);
	return bench_cpu() - from;
}

static int
by_size(const void *x, const void *y)
{
	double p = *(const double *)x, q = *(const double *)y;

	return p < q ? -1 : p > q;
}

/* Makes a list of what is shown: 100 rows, all rows as one group, or up to 100
 * groups of 64 rows. Returns how many there are. */
static int
choose(const struct index_meta *m, enum shown shown, struct tile_row *to)
{
	uint32_t most = shown == SHOW_ROWS ? m->nrows : m->ngroups, first = 0;
	int n = 0;

	if (shown == SHOW_ROWS && most > SCREEN_ROWS)
		first = (uint32_t)(random_share() * (most - SCREEN_ROWS));
	for (uint32_t i = first; n < SCREEN_ROWS && i < most; i++)
		if (shown == SHOW_ROWS ||
			(shown == SHOW_ALL) ==
				(m->group[i].kind != INDEX_GROUP_BAND))
			to[n++] = (struct tile_row){ shown != SHOW_ROWS, i };
	return n;
}

/* Chooses a random zoom level and position. */
static void
zoom(const struct index_meta *m, struct tile_params *t)
{
	t->width = (int64_t)exp(random_share() *
		log((double)m->end / TILE_COLUMNS / SCREEN_TILES));
	t->width = t->width < 1 ? 1 : t->width;
	while (!tile_on_ladder(t->width))
		t->width++;
	t->number = (int64_t)(random_share() *
		((double)m->end / (double)t->width / TILE_COLUMNS));
}

/* What screens of tiles took. */
struct cost {
	uint64_t bytes;   /* of the tiles */
	uint64_t records; /* read: what was taken from the budget */
	double ms;
};

/* Encodes the tiles of a screen. */
static struct cost
screen(struct index *ix, struct tile_params t)
{
	struct arena a = { 0 };
	struct cost cost = { 0 };
	struct index_query q = { .ix = ix, .budget = INT64_MAX };
	struct tile_bytes bytes;
	double from = bench_cpu();

	t.tiles = SCREEN_TILES;
	if (!tile_encode(&q, &a, &t, &bytes))
		bench_die(BENCH_COULD_NOT, "%s", index_query_text(&q));
	cost.bytes = bytes.n;
	cost.records = (uint64_t)(INT64_MAX - q.budget);
	arena_fini(&a);
	/* Returns memory to the kernel, as the server does after a request. */
	if (memory("VmRSS") > MOST_MEMORY)
		index_forget_pages(ix);
	cost.ms = 1e3 * (bench_cpu() - from);
	return cost;
}

/* Reads all records of a screen of rows, and adds their number to *n. */
static double
scan(struct index *ix, const struct tile_params *t, uint64_t *n)
{
	struct index_query q = { .ix = ix, .budget = INT64_MAX };
	int64_t from = t->number * t->width * TILE_COLUMNS;
	int64_t to = from + t->width * TILE_COLUMNS * SCREEN_TILES;
	uint64_t time[INDEX_CLASSES] = { 0 };
	double start = bench_cpu();

	for (int i = 0; i < t->nrows; i++) {
		uint32_t series = index_series(ix, t->rows[i].id, 0, 0);
		struct walk w;
		bool some = true;

		if (series == INDEX_NONE || !walk_open(&w, &q, series) ||
			!walk_seek(&w, from))
			continue;
		for (int64_t before = from;
			walk_next(&w, &some) && some && w.t < to;
			before = w.t, ++*n)
			time[w.slot] += (uint64_t)(w.t - before);
	}
	start = bench_cpu() - start;
	if (time[0] == 1)
		putchar(' ');
	return start;
}

static void
print_times(const struct plan *p, const char *what, double *ms)
{
	qsort(ms, (size_t)p->windows, sizeof *ms, by_size);
	printf("%s: p50 %.1f ms, p99 %.1f ms, max %.1f ms\n", what,
		ms[p->windows / 2], ms[p->windows * 99 / 100],
		ms[p->windows - 1]);
}

/* Measures screens at random zooms; the first round also loads the data that is
 * loaded only once. */
static void
look(const struct plan *p, struct index *ix, enum shown shown)
{
	static const char *const name[] = { "rows", "group of all rows",
		"groups of 64 rows" };
	const struct index_meta *m = index_meta(ix);
	struct tile_row rows[SCREEN_ROWS];
	struct tile_params t = { .q = 15, .rows = rows };
	double *ms = malloc((size_t)p->windows * sizeof *ms);
	struct cost sum = { 0 };
	char what[64];

	if (ms == NULL)
		bench_die(BENCH_COULD_NOT, "no memory");
	t.nrows = choose(m, shown, rows);
	for (int i = 0; t.nrows > 0 && i < 2 * p->windows; i++) {
		struct cost one;

		choose(m, shown, rows);
		zoom(m, &t);
		one = screen(ix, t);
		ms[i % p->windows] = one.ms;
		sum.bytes += one.bytes;
		sum.records += one.records;
		if (p->each && i >= p->windows)
			printf("\twidth %lld, first row %u: %.1f ms, %llu "
			       "records\n",
				(long long)t.width, rows[0].id, one.ms,
				(unsigned long long)one.records);
	}
	snprintf(what, sizeof what, "screen of %d %s", t.nrows, name[shown]);
	if (t.nrows > 0) {
		print_times(p, what, ms);
		printf("  %.0f kB on average, of %.0f records read\n",
			(double)sum.bytes / 2e3 / p->windows,
			(double)sum.records / 2 / p->windows);
	}
	free(ms);
}

/* Prints the medians of two lists of n times. */
static void
print_ratio(const char *what, double *ms, double *scans, int n, double records)
{
	qsort(ms, (size_t)n, sizeof *ms, by_size);
	qsort(scans, (size_t)n, sizeof *scans, by_size);
	printf("%s: screen %.1f ms, scan %.1f ms of %.0f records, ratio %.1f\n",
		what, ms[n / 2], scans[n / 2], records / n,
		scans[n / 2] / ms[n / 2]);
}

/* Compares screens with a scan of all records of the same rows. `zoomed`:
 * screens at random zooms, as without an index the whole rows must be read to
 * know their running sums; else screens of the whole trace. `busiest`: the rows
 * with most records; else random ones. */
static void
compare(const struct plan *p, struct index *ix, bool zoomed, bool busiest)
{
	const struct index_meta *m = index_meta(ix);
	struct tile_row rows[SCREEN_ROWS];
	struct tile_params t = { .q = 15, .rows = rows };
	int n = p->windows < COMPARED ? p->windows : COMPARED;
	double ms[COMPARED], scans[COMPARED];
	uint64_t records = 0;
	char what[64];

	for (int i = 0; i < n; i++) {
		struct tile_params all;

		t.number = 0;
		t.width = 1;
		while (t.width * TILE_COLUMNS * SCREEN_TILES < m->end ||
			!tile_on_ladder(t.width))
			t.width += t.width < 8 ? 1 : (t.width & -t.width);
		t.nrows = choose(m, SHOW_ROWS, rows);
		for (int j = 0; busiest && j < t.nrows; j++)
			rows[j].id = (uint32_t)j;
		all = t;
		if (zoomed)
			zoom(m, &t);
		ms[i] = screen(ix, t).ms;
		scans[i] = 1e3 * scan(ix, &all, &records);
	}
	snprintf(what, sizeof what, "%s, %s %d rows",
		zoomed ? "random zooms" : "whole trace",
		busiest ? "busiest" : "random", t.nrows);
	print_ratio(what, ms, scans, n, (double)records);
}

static void
compare_all(const struct plan *p, struct index *ix)
{
	for (int zoomed = 0; zoomed <= 1; zoomed++)
		for (int busiest = 0; busiest <= 1; busiest++)
			compare(p, ix, zoomed != 0, busiest != 0);
}

static void
look_all(const struct plan *p)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	struct index *ix;

	forget_peak();
	ix = index_open(&a, p->path, &err);
	if (ix == NULL)
		bench_die(BENCH_COULD_NOT, "%s", err.text);
	printf("records %llu\nrows %u\n",
		(unsigned long long)index_meta(ix)->nrecords,
		index_meta(ix)->nrows);
	for (enum shown s = SHOW_ROWS; s <= SHOW_BANDS; s++)
		if (p->shown < 0 || p->shown == (int)s)
			look(p, ix, s);
	if (p->shown < 0)
		compare_all(p, ix);
	printf("who asks: at most %.0f MiB\n", (double)memory("VmHWM") / 1024);
	index_close(ix);
	arena_fini(&a);
}

/* Builds the index without the trees of groups, then with them. */
static void
build_all(const struct plan *p, const struct record *r, int64_t span)
{
	double floor = read_all(p, r, span);
	struct stat st;

	printf("floor %.2f ns a record\n", 1e9 * floor / (double)p->records);
	for (int trees = 0; trees <= 1; trees++) {
		long before = memory("VmRSS");
		double time;

		forget_peak();
		time = build(p, r, span, trees != 0);
		if (stat(p->path, &st) != 0)
			bench_die(BENCH_COULD_NOT, "%s: no file", p->path);
		printf("%s %.1f ns a record, %.1f x floor, %.2f bytes, "
		       "%.0f MiB of memory\n",
			trees != 0 ? "with groups" : "rows only",
			1e9 * time / (double)p->records, time / floor,
			(double)st.st_size / (double)p->records,
			(double)(memory("VmHWM") - before) / 1024);
	}
}

int
main(int argc, char *argv[])
{
	struct record *pattern;
	int64_t span;
	struct plan p = { 10000000, 1000, 200, false, -1, "/tmp", NULL, "" };
	int c;

	while ((c = getopt(argc, argv, "n:r:w:d:k:s:v")) != -1)
		if (c == 'n')
			p.records = bench_number("-n", optarg, 1, 1ull << 40);
		else if (c == 'r')
			p.rows = (uint32_t)bench_number(
				"-r", optarg, 1, 1 << 24);
		else if (c == 'w')
			p.windows = (int)bench_number("-w", optarg, 1, 1 << 20);
		else if (c == 'd')
			p.dir = optarg;
		else if (c == 'k')
			p.keep = optarg;
		else if (c == 's')
			p.shown = (int)bench_number("-s", optarg, 0, 2);
		else if (c == 'v')
			p.each = true;
		else
			bench_die(BENCH_USAGE,
				"usage: view [-n RECORDS] [-r ROWS] "
				"[-w WINDOWS] [-d DIR] [-k FILE] "
				"[-s 0|1|2] [-v]");
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (p.keep != NULL)
		snprintf(p.path, sizeof p.path, "%s", p.keep);
	else
		snprintf(p.path, sizeof p.path, "%s/bench-view-%ld.widx", p.dir,
			(long)getpid());
	/* Made also if it is not used, so that the screens are the same. */
	pattern = make_pattern(&p, &span);
	if (access(p.path, F_OK) != 0)
		build_all(&p, pattern, span);
	free(pattern);
	look_all(&p);
	if (p.keep == NULL)
		unlink(p.path);
	return 0;
}
