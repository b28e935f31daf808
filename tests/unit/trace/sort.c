/* SPDX-License-Identifier: MIT */
#include "trace/obs/sort.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "obs_files.h"
#include "test.h"
#include "unit/base/scratch.h"

#define IN "in.obs"
#define OUT "out.obs"

/* The state of a test. */
struct bench {
	char dir[64];
	struct arena arena;
	struct findings findings;
	struct bytes_out in;
	struct obs_sort_options options;
	struct obs_sort_result result;
	struct err err;
	char text[BYTES_ROOM];
};

static void
bench_init(struct bench *b)
{
	memset(b, 0, sizeof *b);
	findings_init(&b->findings, &b->arena, 100);
	b->options =
		(struct obs_sort_options){ OBS_SORT_LOOK_BACK, &b->findings };
	scratch_enter(b->dir);
}

static void
bench_fini(struct bench *b)
{
	arena_fini(&b->arena);
	scratch_leave(b->dir);
}

/* Appends "a10 [20 b30 ]40": [ and ] are the markers of a region. */
static void
put_text(struct bytes_out *b, const char *text)
{
	while (*text != '\0') {
		char mcv[4] = "Ex?", *end;
		unsigned long long clock;

		mcv[2] = *text++;
		if (mcv[2] == '[' || mcv[2] == ']')
			memcpy(mcv, "OU", 2);
		clock = strtoull(text, &end, 10);
		put_event(b, mcv, clock, NULL, 0);
		text = end + strspn(end, " ");
	}
}

static bool
sort_text(struct bench *b, const char *text)
{
	b->in.n = 0;
	put_text(&b->in, text);
	save(&b->in, IN);
	return obs_sort_stream(IN, OUT, &b->options, &b->result, &b->err);
}

static void
check_sort(const char *text, const char *want)
{
	struct bench b;
	char path[] = "want.obs", wanted[BYTES_ROOM];

	bench_init(&b);
	CHECK(sort_text(&b, text));
	b.in.n = 0;
	put_text(&b.in, want);
	save(&b.in, path);
	CHECK_STR(load(OUT, b.text), load(path, wanted));
	bench_fini(&b);
}

TEST(a_region_goes_where_it_belongs)
{
	check_sort(
		"a10 b30 [50 c20 d40 ]60 e70", "a10 c20 b30 d40 [50 ]60 e70");
}

TEST(equal_clocks_keep_their_order)
{
	check_sort("a10 b20 [20 c20 d10 ]30", "a10 d10 b20 [20 c20 ]30");
}

TEST(a_region_before_all_begins_the_stream)
{
	check_sort("a10 [11 b5 ]12", "b5 a10 [11 ]12");
}

TEST(later_regions_take_earlier_ones_along)
{
	check_sort("a10 [50 b20 ]51 [52 c15 d45 ]53",
		"a10 c15 b20 d45 [50 ]51 [52 ]53");
}

TEST(what_is_earlier_stops_the_way_back)
{
	/* a90 lies behind b10, which is not later than c20. */
	check_sort("a90 b10 [95 c20 ]96", "a90 b10 c20 [95 ]96");
}

TEST(markers_of_other_letters_are_plain_events)
{
	struct bench b;

	bench_init(&b);
	put_event(&b.in, "OU[", 10, NULL, 0);
	put_event(&b.in, "OUx", 5, NULL, 0);
	put_event(&b.in, "OU]", 20, NULL, 0);
	save(&b.in, IN);
	CHECK(obs_sort_stream(IN, OUT, &b.options, &b.result, &b.err));
	CHECK_STR(load(OUT, b.text), "OUx5 OU[10 OU]20 ");
	bench_fini(&b);
}

TEST(odd_regions_are_told)
{
	struct bench b;

	bench_init(&b);
	CHECK(sort_text(&b, "a1 ]2 [3 ]4 [5 [6 b2 ]7 [8 c9"));
	CHECK_INT(b.findings.count[FINDING_WARNING], 3);
	CHECK_STR(b.findings.list.at[0].text,
		"an unsorted region ends, but none has begun");
	CHECK_STR(b.findings.list.at[1].text, "the unsorted region is empty");
	CHECK_INT(b.findings.list.at[1].offset, 8 + 3 * 12);
	CHECK_STR(b.findings.list.at[2].text,
		"an unsorted region begins inside another one");
	CHECK_INT(b.result.empty_regions, 1);
	CHECK_INT(b.result.regions, 2);
	CHECK_INT(b.result.events, 10);
	bench_fini(&b);
}

TEST(the_look_back_has_an_end)
{
	static const char text[] = "a10 b20 c30 d40 [50 e15 ]60";
	struct bench b;

	bench_init(&b);
	b.options.look_back = 5;
	CHECK(!sort_text(&b, text));
	CHECK(strstr(b.err.text, "cannot find a event previous to clock 15") !=
		NULL);
	CHECK(strstr(b.err.text, "in.obs: byte 80: ") != NULL);
	CHECK(access(OUT, F_OK) != 0);
	b.options.look_back = 6;
	b.err = (struct err){ 0 };
	CHECK(sort_text(&b, text));
	CHECK_INT(b.result.moved, 5);
	bench_fini(&b);
}

TEST(a_check_says_where_it_goes_back)
{
	struct bench b;

	bench_init(&b);
	put_text(&b.in, "a10 b30 c20 d25 e5");
	save(&b.in, IN);
	CHECK(obs_sort_check(IN, &b.findings, &b.result, &b.err));
	CHECK_INT(b.result.backwards, 2);
	CHECK_INT(b.result.back_at, 8 + 2 * 12);
	CHECK_INT(b.result.from, 30);
	CHECK_INT(b.result.to, 20);
	CHECK_INT(b.result.events, 5);
	bench_fini(&b);
}

TEST(what_stays_unsorted_is_counted)
{
	struct bench b;

	bench_init(&b);
	CHECK(sort_text(&b, "a10 b9 [30 c20 ]40 d39"));
	CHECK_INT(b.result.backwards, 2);
	bench_fini(&b);
}

TEST(damage_ends_the_copy)
{
	struct bench b;

	bench_init(&b);
	put_text(&b.in, "a10 b20");
	put_bytes(&b.in,
		"\x1f"
		"AAA",
		4);
	save(&b.in, IN);
	CHECK(obs_sort_stream(IN, OUT, &b.options, &b.result, &b.err));
	CHECK_STR(load(OUT, b.text), "Exa10 Exb20 ");
	CHECK_INT(b.result.damage_at, 8 + 2 * 12);
	CHECK_INT(b.findings.count[FINDING_ERROR], 1);
	CHECK(!obs_sort_in_place(IN, &b.options, &b.result, &b.err));
	CHECK(strstr(b.err.text, "byte 32: damaged") != NULL);
	bench_fini(&b);
}

TEST(in_place_keeps_mode_and_link)
{
	struct bench b;
	struct stat st;

	bench_init(&b);
	put_text(&b.in, "a10 [20 b5 ]30");
	save(&b.in, IN);
	CHECK_INT(chmod(IN, 0640), 0);
	CHECK_INT(symlink(IN, "link.obs"), 0);
	CHECK(obs_sort_in_place("link.obs", &b.options, &b.result, &b.err));
	CHECK_INT(lstat("link.obs", &st), 0);
	CHECK(S_ISLNK(st.st_mode));
	CHECK_INT(stat(IN, &st), 0);
	CHECK_INT(st.st_mode & 07777, 0640);
	CHECK_STR(load(IN, b.text), "Exb5 Exa10 OU[20 OU]30 ");
	bench_fini(&b);
}

TEST(in_place_leaves_what_is_in_order)
{
	struct bench b;
	struct stat before, after;

	bench_init(&b);
	put_text(&b.in, "a10 [20 b25 ]30");
	save(&b.in, IN);
	CHECK_INT(stat(IN, &before), 0);
	CHECK(obs_sort_in_place(IN, &b.options, &b.result, &b.err));
	CHECK_INT(stat(IN, &after), 0);
	CHECK_INT(before.st_ino, after.st_ino);
	bench_fini(&b);
}

TEST(what_is_no_stream_is_refused)
{
	struct bench b;
	FILE *f;

	bench_init(&b);
	f = fopen(IN, "wb");
	fputs("nonsense, but long enough", f);
	fclose(f);
	CHECK(!obs_sort_stream(IN, OUT, &b.options, &b.result, &b.err));
	CHECK(b.result.not_a_stream);
	CHECK(strstr(b.err.text, "in.obs: not an ovni stream") != NULL);
	CHECK(!obs_sort_check("none", &b.findings, &b.result, &b.err));
	bench_fini(&b);
}

struct item {
	char letter;
	int clock;
};

/* A stable insertion sort by clock, to compare results with. */
static void
sort_items(struct item *v, int n)
{
	for (int i = 1; i < n; i++)
		for (int j = i; j > 0 && v[j - 1].clock > v[j].clock; j--) {
			struct item t = v[j];

			v[j] = v[j - 1];
			v[j - 1] = t;
		}
}

static void
sort_plainly(struct item *v, int n)
{
	int begin = -1, first, least;

	for (int i = 0; i < n; i++) {
		if (v[i].letter == '[')
			begin = i;
		if (v[i].letter != ']')
			continue;
		least = 1000;
		for (int j = begin + 1; j < i; j++)
			if (v[j].clock < least)
				least = v[j].clock;
		for (first = begin + 1; first > 0; first--)
			if (v[first - 1].clock <= least)
				break;
		if (begin + 1 < i)
			sort_items(v + first, i - first);
	}
}

/* Regions of random length with random clocks; now and then clocks outside of
 * regions go back, too. */
static int
random_items(struct item v[64], uint64_t *seed)
{
	int n = 0, clock = 100;

	while (n < 56) {
		int inside = (int)(scratch_random(seed) % 6);

		clock += (int)(scratch_random(seed) % 5);
		if (inside == 5) {
			v[n++] = (struct item){ 'x', clock - 20 };
			continue;
		}
		v[n++] = (struct item){ 'y', clock };
		if (scratch_random(seed) % 3 != 0)
			continue;
		v[n++] = (struct item){ '[', clock };
		for (int i = 0; i < inside; i++)
			v[n++] = (struct item){ (char)('a' + i),
				clock - (int)(scratch_random(seed) % 30) };
		v[n++] = (struct item){ ']', clock };
	}
	return n;
}

static void
put_items(struct bytes_out *b, const struct item *v, int n)
{
	b->n = 0;
	for (int i = 0; i < n; i++) {
		char text[32];

		snprintf(text, sizeof text, "%c%d", v[i].letter, v[i].clock);
		put_text(b, text);
	}
}

TEST(random_streams_are_as_the_rule_says)
{
	struct bench b;
	char want[BYTES_ROOM];
	uint64_t seed = 7;

	bench_init(&b);
	for (int round = 0; round < 200; round++) {
		struct item v[64];
		int n = random_items(v, &seed);

		put_items(&b.in, v, n);
		save(&b.in, IN);
		CHECK(obs_sort_stream(IN, OUT, &b.options, &b.result, &b.err));
		sort_plainly(v, n);
		put_items(&b.in, v, n);
		save(&b.in, "want.obs");
		CHECK_STR(load(OUT, b.text), load("want.obs", want));
	}
	bench_fini(&b);
}

TEST(mutated_streams_are_survived)
{
	struct bench b;
	struct item v[64];
	uint64_t seed = 11;

	bench_init(&b);
	for (int round = 0; round < 500; round++) {
		int n = random_items(v, &seed);

		put_items(&b.in, v, n);
		for (int i = (int)(scratch_random(&seed) % 6); i > 0; i--)
			b.in.at[scratch_random(&seed) % b.in.n] =
				(uint8_t)scratch_random(&seed);
		b.in.n -= scratch_random(&seed) % 16;
		save(&b.in, IN);
		b.err = (struct err){ 0 };
		b.options.look_back = 1 + (int64_t)(scratch_random(&seed) % 80);
		if (!obs_sort_stream(IN, OUT, &b.options, &b.result, &b.err))
			CHECK(strstr(b.err.text, "previous to clock") != NULL);
	}
	bench_fini(&b);
}

TEST_MAIN(RUN(a_region_goes_where_it_belongs),
	RUN(equal_clocks_keep_their_order),
	RUN(a_region_before_all_begins_the_stream),
	RUN(later_regions_take_earlier_ones_along),
	RUN(what_is_earlier_stops_the_way_back),
	RUN(markers_of_other_letters_are_plain_events),
	RUN(odd_regions_are_told), RUN(the_look_back_has_an_end),
	RUN(a_check_says_where_it_goes_back),
	RUN(what_stays_unsorted_is_counted), RUN(damage_ends_the_copy),
	RUN(in_place_keeps_mode_and_link),
	RUN(in_place_leaves_what_is_in_order),
	RUN(what_is_no_stream_is_refused),
	RUN(random_streams_are_as_the_rule_says),
	RUN(mutated_streams_are_survived))
