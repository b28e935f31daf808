/* SPDX-License-Identifier: MIT */
/*
 * view.c - measures the viewer's index: ns to add a record, beside the time to
 * read it; bytes a record; the time of a screen of tiles.
 *
 * A pattern of 4 million records is replayed again and again, shifted in time.
 * Rows follow a square law, so that some are far busier than others; four of 20
 * values occur most of the time; there are bursts and gaps. Times are CPU time
 * of this process.
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

#define PATTERN (4u << 20)
#define VALUES 20
#define SCREEN_ROWS 100
#define SCREEN_TILES 8 /* of 256 columns: about 1920 */

struct plan {
	uint64_t records;
	uint32_t rows;
	int windows;
	bool group;
	const char *dir;
};

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

static double
build(const struct plan *p, const struct record *r, int64_t span,
	const char *path, bool trees)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	struct sink *s;
	int64_t shift = 0, time = 0;
	double from = bench_cpu();

	s = sink_index.open(&a, p->dir,
		&(struct sink_setup){
			.unit = "ns", .title = "bench", .file = path },
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

/* Encodes the tiles of a screen at a random zoom. */
static double
screen(const struct plan *p, struct index *ix)
{
	const struct index_meta *m = index_meta(ix);
	struct tile_row rows[SCREEN_ROWS];
	struct tile_params t = { .q = 15, .nrows = SCREEN_ROWS, .rows = rows };
	struct arena a = { 0 };
	uint32_t first;
	double from;

	if (p->rows < SCREEN_ROWS)
		t.nrows = (int)p->rows;
	first = (uint32_t)(random_share() * (p->rows - (uint32_t)t.nrows));
	for (int i = 0; i < t.nrows; i++)
		rows[i] = (struct tile_row){ false, first + (uint32_t)i };
	if (p->group) {
		rows[0] = (struct tile_row){ true, 0 };
		t.nrows = 1;
	}
	t.width = (int64_t)exp(random_share() *
		log((double)m->end / TILE_COLUMNS / SCREEN_TILES));
	t.width = t.width < 1 ? 1 : t.width;
	while (!tile_on_ladder(t.width))
		t.width++;
	t.number = (int64_t)(random_share() *
		((double)m->end / (double)t.width / TILE_COLUMNS));
	from = bench_cpu();
	for (int i = 0; i < SCREEN_TILES; i++, t.number++) {
		struct index_query q = { .ix = ix, .budget = INT64_MAX };
		struct tile_bytes bytes;

		if (!tile_encode(&q, &a, &t, &bytes))
			bench_die(BENCH_COULD_NOT, "%s", index_query_text(&q));
	}
	from = bench_cpu() - from;
	arena_fini(&a);
	return from;
}

static void
look(const struct plan *p, const char *path)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	struct index *ix = index_open(&a, path, &err);
	double *ms = malloc((size_t)p->windows * sizeof *ms);

	if (ix == NULL || ms == NULL)
		bench_die(BENCH_COULD_NOT, "%s", err.text);
	for (int i = 0; i < p->windows; i++)
		screen(p, ix); /* verifies the checksums of chunks beforehand */
	for (int i = 0; i < p->windows; i++)
		ms[i] = 1e3 * screen(p, ix);
	qsort(ms, (size_t)p->windows, sizeof *ms, by_size);
	printf("screen p50 %.1f ms, p99 %.1f ms, max %.1f ms\n",
		ms[p->windows / 2], ms[p->windows * 99 / 100],
		ms[p->windows - 1]);
	index_close(ix);
	arena_fini(&a);
	free(ms);
}

int
main(int argc, char *argv[])
{
	struct plan p = { 10000000, 1000, 200, false, "/tmp" };
	struct record *r;
	int64_t span;
	double floor, time;
	struct stat st;
	char path[4096];
	int c;

	while ((c = getopt(argc, argv, "n:r:w:d:g")) != -1)
		if (c == 'n')
			p.records = bench_number("-n", optarg, 1, 1ull << 40);
		else if (c == 'r')
			p.rows = (uint32_t)bench_number(
				"-r", optarg, 1, 1 << 24);
		else if (c == 'w')
			p.windows = (int)bench_number("-w", optarg, 1, 1 << 20);
		else if (c == 'd')
			p.dir = optarg;
		else if (c == 'g')
			p.group = true;
		else
			bench_die(BENCH_USAGE,
				"usage: view [-n RECORDS] [-r ROWS] "
				"[-w WINDOWS] [-d DIR] [-g]");
	snprintf(path, sizeof path, "%s/bench-view-%ld.widx", p.dir,
		(long)getpid());
	r = make_pattern(&p, &span);
	printf("records %llu\nrows %u\n", (unsigned long long)p.records,
		p.rows);
	floor = read_all(&p, r, span);
	printf("floor %.2f ns a record\n", 1e9 * floor / (double)p.records);
	for (int trees = 0; trees <= 1; trees++) {
		time = build(&p, r, span, path, trees != 0);
		if (stat(path, &st) != 0)
			bench_die(BENCH_COULD_NOT, "%s: no file", path);
		printf("%s %.1f ns a record, %.1f x floor, %.2f bytes\n",
			trees != 0 ? "with groups" : "rows only",
			1e9 * time / (double)p.records, time / floor,
			(double)st.st_size / (double)p.records);
	}
	look(&p, path);
	unlink(path);
	free(r);
	return 0;
}
