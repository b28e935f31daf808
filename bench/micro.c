/* SPDX-License-Identifier: MIT */
/*
 * micro.c - measures the ns per call of the building blocks of the library's
 * hot paths, each together with a floor.
 *
 * A case does the same work with the library and with its floor, in turns; the
 * smallest of five rounds counts.
 */
#include <getopt.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/loser.h"
#include "base/map.h"
#include "bench.h"
#include "merge.h"

#define ROUNDS 5
#define CALLS 1000000
#define ODD \
	UINT64_C(2654435761) /* spreads keys; odd, so that no two keys \
	                      * become equal */

struct work {
	struct arena arena;
	uint64_t *number; /* CALLS of mixed lengths, or keys of the map */
	uint32_t *gap;    /* CALLS random steps of time */
	uint64_t *slot;   /* two words per key, as in a map */
	struct map map;
	size_t nkeys; /* a power of two */
	int nstreams;
	volatile uint64_t sum; /* sum of the results, equal for both */
};

typedef void work_fn(struct work *w);

static uint64_t
random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void
make_numbers(struct work *w)
{
	uint64_t state = 88172645463325252;

	for (int i = 0; i < CALLS; i++) {
		uint64_t digits = random_next(&state) % 13;

		w->number[i] = random_next(&state);
		for (uint64_t top = 10; digits-- > 0; top *= 10)
			if (digits == 0)
				w->number[i] %= top;
		w->gap[i] = (uint32_t)random_next(&state) % 200;
	}
}

static void
digits_base(struct work *w)
{
	char text[32];
	uint64_t sum = 0;

	for (int i = 0; i < CALLS; i++)
		sum += (uint64_t)(digits_u64(text, w->number[i]) - text) +
			(uint8_t)text[0];
	w->sum = sum;
}

static void
digits_snprintf(struct work *w)
{
	char text[32];
	uint64_t sum = 0;

	for (int i = 0; i < CALLS; i++)
		sum += (uint64_t)snprintf(text, sizeof text, "%llu",
			       (unsigned long long)w->number[i]) +
			(uint8_t)text[0];
	w->sum = sum;
}

static void
loser_base(struct work *w)
{
	int64_t key[512];
	struct loser t;
	uint64_t sum = 0;

	for (int i = 0; i < w->nstreams; i++)
		key[i] = w->gap[i];
	loser_init(&t, &w->arena, key, w->nstreams);
	for (int i = 0; i < CALLS; i++) {
		sum += (uint64_t)loser_top(&t);
		loser_replay(&t, loser_key(&t) + w->gap[i]);
	}
	w->sum = sum;
}

static void
loser_floor(struct work *w)
{
	uint64_t key[512];
	struct keys k;
	uint64_t sum = 0;

	for (int i = 0; i < w->nstreams; i++)
		key[i] = (uint64_t)w->gap[i] << 9 | (unsigned)i;
	keys_init(&k, &w->arena, key, (uint32_t)w->nstreams);
	for (int i = 0; i < CALLS; i++) {
		sum += k.top & k.mask;
		keys_replay(&k, k.top + ((uint64_t)w->gap[i] << 9));
	}
	w->sum = sum;
}

static void
map_put_base(struct work *w)
{
	map_fini(&w->map);
	w->map = (struct map){ 0 };
	for (size_t i = 0; i < w->nkeys; i++)
		*map_put(&w->map, i * ODD + 1) = i;
	w->sum = w->nkeys;
}

static void
map_put_floor(struct work *w)
{
	for (size_t i = 0; i < w->nkeys; i++) {
		size_t at = i * ODD & (w->nkeys - 1);

		w->slot[2 * at] = i + 1;
		w->slot[2 * at + 1] = i;
	}
	w->sum = w->nkeys;
}

static void
map_get_base(struct work *w)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < CALLS; i++) {
		uint64_t key = w->number[i] & (w->nkeys - 1);

		sum += *map_get(&w->map, key * ODD + 1);
	}
	w->sum = sum;
}

static void
map_get_floor(struct work *w)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < CALLS; i++)
		sum += w->slot[2 * (w->number[i] * ODD & (w->nkeys - 1)) + 1];
	w->sum = sum;
}

static double
time_of(struct work *w, work_fn *fn)
{
	double t0 = bench_wall();

	fn(w);
	t0 = bench_wall() - t0;
	arena_reset(&w->arena);
	return t0;
}

static void
compare(struct work *w, const char *what, work_fn *base, const char *floor_is,
	work_fn *floor_fn, double calls)
{
	double best[2] = { 1e9, 1e9 };

	for (int i = 0; i < ROUNDS; i++) {
		double t = time_of(w, base), t_floor;
		uint64_t sum = w->sum;

		t_floor = time_of(w, floor_fn);
		if (w->sum != sum)
			bench_die(1, "%s: floor and library differ", what);
		best[0] = t < best[0] ? t : best[0];
		best[1] = t_floor < best[1] ? t_floor : best[1];
	}
	printf("  %-24s %8.2f %8.1f  %-34s %8.2f %7.2fx\n", what,
		1e9 * best[0] / calls, 1e-6 * calls / best[0], floor_is,
		1e9 * best[1] / calls, best[0] / best[1]);
}

static void
compare_losers(struct work *w)
{
	static const int sizes[] = { 8, 64, 512 };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char what[32];

		w->nstreams = sizes[i];
		snprintf(what, sizeof what, "loser_replay, %d", sizes[i]);
		compare(w, what, loser_base, "key and stream in one word",
			loser_floor, CALLS);
	}
}

static void
compare_maps(struct work *w, struct arena *a)
{
	static const size_t sizes[] = { 1 << 10, 1 << 18 };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char what[32];

		w->nkeys = sizes[i];
		w->slot = ARENA_ARRAY(a, uint64_t, 2 * w->nkeys);
		snprintf(what, sizeof what, "map_put, 0 to %zu keys", w->nkeys);
		compare(w, what, map_put_base, "store into a ready array",
			map_put_floor, (double)w->nkeys);
		snprintf(what, sizeof what, "map_get, %zu keys", w->nkeys);
		compare(w, what, map_get_base, "load from an array",
			map_get_floor, CALLS);
	}
	map_fini(&w->map);
}

int
main(int argc, char **argv)
{
	struct arena a = { 0 };
	struct work w = { .nstreams = 0 };

	if (argc > 1) {
		bool help = strcmp(argv[1], "--help") == 0 ||
			strcmp(argv[1], "-h") == 0;

		fprintf(help ? stdout : stderr,
			"usage: micro\n"
			"Prints ns per call of library functions beside a "
			"floor; ratio: times the floor.\n");
		return help ? 0 : BENCH_USAGE;
	}
	w.number = ARENA_ARRAY(&a, uint64_t, CALLS);
	w.gap = ARENA_ARRAY(&a, uint32_t, CALLS);
	make_numbers(&w);
	printf("  %-24s %8s %8s  %-34s %8s %8s\n", "function", "ns", "M/s",
		"floor", "ns", "ratio");
	compare(&w, "digits_u64", digits_base, "snprintf (a peer, no floor)",
		digits_snprintf, CALLS);
	compare_losers(&w);
	compare_maps(&w, &a);
	arena_fini(&w.arena);
	arena_fini(&a);
	return 0;
}
