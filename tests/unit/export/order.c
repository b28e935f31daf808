/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>

#include "dir.h"
#include "export/order.h"
#include "export/sinks.h"

#define ROWS 5
#define TYPES 3
#define DEEP 8

static const struct sink_setup plain = { .unit = "ns", .no_cfg = true };

/* in the order in which sinks must get calls of one time */
struct call {
	enum { GAP, STATE, LINK } kind; /* order at equal times */
	int seq;   /* position in time order within its group */
	int place; /* position that it is moved to */
	struct record record;
	struct link link;
	struct gap gap;
	int64_t stack[DEEP];
};

static uint64_t seed;

static uint64_t
any(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static int64_t
time_of(const struct call *c)
{
	if (c->kind == GAP)
		return c->gap.from;
	return c->kind == LINK ? c->link.from_time : c->record.time;
}

static void
make_call(struct call *c, int seq, uint64_t times)
{
	int64_t time = (int64_t)any(times);

	*c = (struct call){ .seq = seq,
		.kind = any(8) == 0    ? LINK
			: any(12) == 0 ? GAP
				       : STATE };
	if (c->kind == GAP) {
		c->gap = (struct gap){ time, time + (int64_t)any(3),
			(uint32_t)any(ROWS), any(3), "why" };
		return;
	}
	if (c->kind == LINK) {
		c->link = (struct link){ time, time + (int64_t)any(3),
			(uint32_t)any(ROWS), (uint32_t)any(ROWS),
			(int64_t)any(2), (int64_t)any(3), (int64_t)any(2) };
		return;
	}
	c->record = (struct record){ time, (uint32_t)any(ROWS),
		(uint32_t)any(TYPES), 0, (int64_t)any(1000), NULL };
	if (any(2) == 0)
		return;
	c->record.depth = (uint32_t)any(DEEP + 1);
	for (uint32_t i = 0; i < c->record.depth; i++)
		c->stack[i] = (int64_t)seed + i;
	c->record.stack = c->stack;
}

static bool
one_group(const struct call *a, const struct call *b)
{
	return a->kind == STATE && b->kind == STATE &&
		a->record.time == b->record.time &&
		a->record.row == b->record.row &&
		a->record.type == b->record.type;
}

#define COMPARE(x, y) \
	do { \
		if ((x) != (y)) \
			return (x) < (y) ? -1 : 1; \
	} while (0)

/* The order of the contract, written a second time. */
static int
by_contract(const void *left, const void *right)
{
	const struct call *a = left, *b = right;

	COMPARE(time_of(a), time_of(b));
	COMPARE(a->kind, b->kind);
	COMPARE(a->gap.row, b->gap.row);
	COMPARE(a->gap.to, b->gap.to);
	COMPARE(a->gap.events, b->gap.events);
	COMPARE(a->link.from_row, b->link.from_row);
	COMPARE(a->link.kind, b->link.kind);
	COMPARE(a->link.id, b->link.id);
	COMPARE(a->link.to_time, b->link.to_time);
	COMPARE(a->link.bytes, b->link.bytes);
	COMPARE(a->link.to_row, b->link.to_row);
	COMPARE(a->record.row, b->record.row);
	COMPARE(a->record.type, b->record.type);
	COMPARE(a->seq, b->seq);
	return 0;
}

static int
by_place(const void *left, const void *right)
{
	const struct call *a = left, *b = right;

	COMPARE(a->place, b->place);
	COMPARE(a->seq, b->seq);
	return 0;
}

/* Moves calls by up to `reach` places, but not past others of their group. */
static void
shuffle(struct call *c, int n, int reach)
{
	for (int i = 0; i < n; i++)
		c[i].place = i + (int)any((uint64_t)reach);
	qsort(c, (size_t)n, sizeof *c, by_place);
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n && j - i < 2 * reach; j++)
			if (one_group(&c[i], &c[j]) && c[j].seq < c[i].seq) {
				struct call t = c[i];

				c[i] = c[j];
				c[j] = t;
			}
}

static void
send(struct sink *s, const struct call *c)
{
	struct record r = c->record;

	if (c->kind == GAP) {
		sink_gap(s, &c->gap);
		return;
	}
	if (c->kind == LINK) {
		sink_link(s, &c->link);
		return;
	}
	if (r.stack != NULL)
		r.stack = c->stack;
	sink_state(s, &r);
}

/* Declares everything that the records need. */
static void
declare(struct sink *s)
{
	for (uint32_t i = 0; i < ROWS; i++)
		sink_row(s, &(struct row){ i, ROW_NONE, "cpu", "row", NULL });
	for (uint32_t i = 0; i < TYPES; i++)
		sink_type(s,
			&(struct type){ .id = i,
				.class = "cpu",
				.key = "key",
				.title = "title",
				.number = i + 1 });
}

/* Sends all calls, with promises that hold if `next_min` is given. */
static void
send_all(struct sink *s, const struct call *c, int n, const int64_t *next_min)
{
	declare(s);
	for (int i = 0; i < n; i++) {
		if (next_min != NULL && any(10) == 0)
			sink_advance(s, next_min[i] - (int64_t)any(3));
		send(s, &c[i]);
	}
	if (any(2) == 0)
		sink_advance(s, 1);
}

/* Earliest time of calls i, i+1, ... */
static int64_t *
minima(struct arena *a, const struct call *c, int n)
{
	int64_t *min = ARENA_ARRAY(a, int64_t, n);

	for (int i = n - 1; i >= 0; i--) {
		min[i] = time_of(&c[i]);
		if (i + 1 < n && min[i + 1] < min[i])
			min[i] = min[i + 1];
	}
	return min;
}

/* A sink that keeps the stacks, and finds time that goes back. */
struct keeper {
	struct sink base;
	int64_t last, advanced;
	uint64_t hash, records, backward;
	bool fail;
};

static void
keep(struct keeper *k, int64_t time)
{
	k->backward += time < k->last || time < k->advanced;
	k->last = time;
	k->records++;
}

static void
keep_state(struct sink *s, const struct record *r)
{
	struct keeper *k = (struct keeper *)s;

	keep(k, r->time);
	k->hash = k->hash * 31 + (uint64_t)r->value + r->depth;
	k->hash += r->stack != NULL;
	for (uint32_t i = 0; r->stack != NULL && i < r->depth; i++)
		k->hash = k->hash * 31 + (uint64_t)r->stack[i];
}

static void
keep_link(struct sink *s, const struct link *l)
{
	keep((struct keeper *)s, l->from_time);
}

static void
keep_gap(struct sink *s, const struct gap *g)
{
	struct keeper *k = (struct keeper *)s;

	keep(k, g->from);
	k->hash = k->hash * 31 + (uint64_t)g->to + 3 * g->row + 7 * g->events;
	k->hash += strcmp(g->why, "why") == 0;
}

static void
keep_advance(struct sink *s, int64_t time)
{
	((struct keeper *)s)->advanced = time;
}

static bool
keep_close(struct sink *s, struct err *err)
{
	if (((struct keeper *)s)->fail)
		return err_set(err, ERR_INPUT, "the next one failed");
	return true;
}

static const struct sink_ops keeper_ops = {
	.state = keep_state,
	.link = keep_link,
	.gap = keep_gap,
	.advance = keep_advance,
	.close = keep_close,
};

struct output {
	const char *prv, *states, *links;
	uint64_t hash;
};

/* The sink writes a file of gaps only if there is one. */
static bool
has_gap(const struct call *c, int n)
{
	for (int i = 0; i < n; i++)
		if (c[i].kind == GAP)
			return true;
	return false;
}

/* Returns the files and stacks that the calls make; window 0: no ordering sink.
 */
static struct output
run(struct arena *a, const struct call *c, int n, size_t window,
	const int64_t *next_min)
{
	struct keeper k = { .base = { &keeper_ops, true },
		.advanced = INT64_MIN };
	struct err err = { 0 };
	const char *dir = dir_make(a);
	struct sink *s = sinks_open(a, "prv,csv", dir, &plain, &err);
	struct sink *stacks = &k.base;
	struct output out;
	uint64_t as_before = seed;

	if (window > 0) {
		s = order_open(a, s, window, dir, &err);
		stacks = order_open(a, stacks, window, dir, &err);
	}
	send_all(s, c, n, next_min);
	seed = as_before;
	send_all(stacks, c, n, next_min);
	CHECK(sink_close(s, &err));
	CHECK(window == 0 || sink_close(stacks, &err));
	CHECK_INT(k.records, n);
	CHECK_INT(k.backward, 0);
	out.prv = dir_text(a, dir, "cpu.prv");
	out.states = dir_text(a, dir, "states.csv");
	out.links = dir_text(a, dir, "links.csv");
	out.hash = k.hash;
	CHECK_INT(dir_remove(a, dir), 5 + has_gap(c, n));
	return out;
}

static void
check_same(const struct output *got, const struct output *want)
{
	CHECK(strcmp(got->prv, want->prv) == 0);
	CHECK(strcmp(got->states, want->states) == 0);
	CHECK(strcmp(got->links, want->links) == 0);
	CHECK(got->hash == want->hash);
}

static void
check_shuffles(int n, uint64_t times, int reach)
{
	static const size_t windows[] = { 4 << 10, 64 << 10, 64 << 20 };
	struct arena a = { 0 };
	struct call *sorted = ARENA_ARRAY(&a, struct call, n);
	struct call *c = ARENA_ARRAY(&a, struct call, n);
	struct output want, got;

	for (int i = 0; i < n; i++)
		make_call(&sorted[i], i, times);
	qsort(sorted, (size_t)n, sizeof *sorted, by_contract);
	for (int i = 0; i < n; i++)
		sorted[i].seq = i;
	want = run(&a, sorted, n, 0, NULL);
	for (int i = 0; i < 3; i++) {
		memcpy(c, sorted, (size_t)n * sizeof *c);
		shuffle(c, n, reach);
		got = run(&a, c, n, windows[i], NULL);
		check_same(&got, &want);
		got = run(&a, c, n, windows[i], minima(&a, c, n));
		check_same(&got, &want);
	}
	arena_fini(&a);
}

TEST(any_shuffle_gives_the_same_bytes)
{
	int open = dir_descriptors();

	seed = 88172645463325252;
	check_shuffles(1500, 1500, 1500);
	check_shuffles(1500, 40, 1500);
	check_shuffles(1500, 1, 1500);
	CHECK_INT(dir_descriptors(), open);
}

TEST(a_few_late_records_find_their_place)
{
	seed = 4711;
	check_shuffles(4000, 4000, 30);
	check_shuffles(4000, 400, 100);
}

TEST(small_sizes_work_too)
{
	seed = 42;
	for (int n = 1; n < 40; n++) {
		struct arena a = { 0 };
		struct call c[40], sorted[40];
		struct output got, want;

		for (int i = 0; i < n; i++)
			make_call(&c[i], i, 3);
		make_call(&c[0], 0, 3);
		while (c[0].kind != LINK)
			make_call(&c[0], 0, 3);
		memcpy(sorted, c, sizeof sorted);
		qsort(sorted, (size_t)n, sizeof *sorted, by_contract);
		want = run(&a, sorted, n, 0, NULL);
		got = run(&a, c, n, 4096, NULL);
		check_same(&got, &want);
		arena_fini(&a);
	}
}

static void
count_loss(void *arg, const struct loss *loss)
{
	uint64_t *count = arg;

	CHECK_STR(loss->what, "exact times of late records");
	*count += loss->count;
}

TEST(a_broken_promise_is_counted_and_time_never_goes_back)
{
	struct arena a = { 0 };
	struct keeper k = { .base = { &keeper_ops, true } };
	struct err err = { 0 };
	struct sink *s = order_open(&a, &k.base, 4096, "/tmp", &err);
	uint64_t lost = 0;

	declare(s);
	for (int64_t t = 0; t < 1000; t++) {
		sink_state(s, &(struct record){ .time = 10 * t });
		sink_advance(s, 10 * t);
	}
	sink_advance(s, 5000);
	sink_state(s, &(struct record){ .time = 7 });
	sink_link(s, &(struct link){ .from_time = 7, .to_time = 8 });
	sink_loss(s, count_loss, &lost);
	CHECK_INT(lost, 2);
	CHECK(sink_close(s, &err));
	CHECK_INT(k.backward, 0);
	CHECK_INT(k.records, 1002);
	CHECK_INT(k.last, 9990);
	arena_fini(&a);
}

TEST(promises_let_records_go_on_the_way)
{
	struct arena a = { 0 };
	struct keeper k = { .base = { &keeper_ops, true } };
	struct err err = { 0 };
	struct sink *s = order_open(&a, &k.base, 4096, "/nowhere", &err);

	for (int64_t t = 0; t < 10000; t++) {
		sink_state(s, &(struct record){ .time = t + 10 - t % 10 });
		sink_advance(s, t);
	}
	CHECK(k.records > 9900);
	CHECK(k.advanced > 9900);
	CHECK(sink_close(s, &err)); /* no spill file was needed */
	CHECK_INT(k.records, 10000);
	arena_fini(&a);
}

TEST(a_stack_larger_than_the_window_passes)
{
	struct arena a = { 0 };
	struct keeper k = { .base = { &keeper_ops, true } }, flat = k;
	struct err err = { 0 };
	struct sink *s = order_open(&a, &k.base, 4096, "/tmp", &err);
	int64_t *stack = ARENA_ARRAY(&a, int64_t, 3000);

	for (int64_t i = 0; i < 50; i++) {
		struct record r = {
			.time = i, .depth = 3000, .value = i, .stack = stack
		};

		for (int j = 0; j < 3000; j++)
			stack[j] = i + j;
		sink_state(&flat.base, &r);
		sink_state(s, &r);
	}
	CHECK(sink_close(s, &err));
	CHECK_INT(k.records, 50);
	CHECK(k.hash == flat.hash);
	arena_fini(&a);
}

static size_t
heap_bytes(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

TEST(memory_stays_within_the_window)
{
	struct arena a = { 0 };
	struct keeper k = { .base = { &keeper_ops, true } };
	struct err err = { 0 };
	size_t window = 1 << 20, before = heap_bytes(), most = 0;
	struct sink *s = order_open(&a, &k.base, window, "/tmp", &err);

	seed = 99;
	for (int i = 0; i < 400000; i++) {
		sink_state(s, &(struct record){ .time = (int64_t)any(1000) });
		if (i % 1000 == 0 && heap_bytes() - before > most)
			most = heap_bytes() - before;
	}
	CHECK(sink_close(s, &err));
	CHECK_INT(k.records, 400000);
	CHECK_INT(k.backward, 0);
	CHECK(most < window + window / 8);
	if (most == 0)
		printf("# this allocator does not say what it uses\n");
	arena_fini(&a);
}

TEST(thousands_of_runs_are_merged)
{
	struct arena a = { 0 };
	struct keeper k = { .base = { &keeper_ops, true } };
	struct err err = { 0 };
	struct sink *s = order_open(&a, &k.base, 4096, "/tmp", &err);
	int n = 48 * 4100;

	for (int i = n; i > 0; i--)
		sink_state(s, &(struct record){ .time = i });
	CHECK(sink_close(s, &err));
	CHECK_INT(k.records, n);
	CHECK_INT(k.backward, 0);
	CHECK_INT(k.last, n);
	arena_fini(&a);
}

TEST(a_full_disk_is_reported)
{
	struct arena a = { 0 };
	struct keeper k = { .base = { &keeper_ops, true } };
	struct err err = { 0 };
	struct rlimit old, small;
	int open = dir_descriptors();
	struct sink *s = order_open(&a, &k.base, 4096, "/tmp", &err);

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small = (struct rlimit){ 5000, old.rlim_max };
	setrlimit(RLIMIT_FSIZE, &small);
	for (int i = 1000; i > 0; i--)
		sink_state(s, &(struct record){ .time = i });
	setrlimit(RLIMIT_FSIZE, &old);
	CHECK(!sink_close(s, &err));
	CHECK(strstr(err.text, "/tmp") != NULL);
	CHECK(strstr(err.text, strerror(EFBIG)) != NULL);
	CHECK_INT(dir_descriptors(), open);
	arena_fini(&a);
}

TEST(a_missing_spill_folder_is_reported)
{
	struct arena a = { 0 };
	struct keeper k = { .base = { &keeper_ops, true } };
	struct err err = { 0 };
	struct sink *s = order_open(&a, &k.base, 4096, "/nowhere", &err);

	for (int i = 1000; i > 0; i--)
		sink_state(s, &(struct record){ .time = i });
	CHECK(!sink_close(s, &err));
	CHECK(strstr(err.text, "/nowhere") != NULL);
	arena_fini(&a);
}

TEST(failure_of_the_next_sink_is_reported)
{
	struct arena a = { 0 };
	struct keeper k = { .base = { &keeper_ops, true }, .fail = true };
	struct err err = { 0 };
	struct sink *s = order_open(&a, &k.base, 4096, "/tmp", &err);

	sink_state(s, &(struct record){ .time = 1 });
	CHECK(!sink_close(s, &err));
	CHECK_STR(err.text, "the next one failed");
	arena_fini(&a);
}

TEST_MAIN(RUN(any_shuffle_gives_the_same_bytes),
	RUN(a_few_late_records_find_their_place), RUN(small_sizes_work_too),
	RUN(a_broken_promise_is_counted_and_time_never_goes_back),
	RUN(promises_let_records_go_on_the_way),
	RUN(a_stack_larger_than_the_window_passes),
	RUN(memory_stays_within_the_window), RUN(thousands_of_runs_are_merged),
	RUN(a_full_disk_is_reported), RUN(a_missing_spill_folder_is_reported),
	RUN(failure_of_the_next_sink_is_reported))
