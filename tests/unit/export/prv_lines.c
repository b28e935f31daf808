/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "dir.h"
#include "export/prv/lines.h"

#define UNTIL 10000000 /* ns */
#define TYPES 2

/* Returns a number of the sequence. */
static uint64_t
next(uint64_t *x)
{
	*x = *x * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *x >> 33;
}

/* Returns a value of any length and sign; most are small. */
static int64_t
value_of(uint64_t *x)
{
	uint64_t kind = next(x) % 8, bits = next(x) << 20 ^ next(x);

	if (kind < 5)
		return (int64_t)(bits % 200);
	if (kind == 5)
		return -(int64_t)(bits % 200);
	return (int64_t)(bits >> next(x) % 45);
}

/* Returns the step to the next time: often 0, seldom long. */
static int64_t
step_of(uint64_t *x)
{
	uint64_t kind = next(x) % 8;

	return kind < 4 ? 0 : (int64_t)(next(x) % (kind < 7 ? 50 : 30000));
}

/* Texts that are kept for later lines never appear in other lines. */
TEST(each_line_has_its_time_and_value)
{
	static const struct type types[TYPES] = { { .number = 10 },
		{ .number = 6400010, .kind = TYPE_ID } };
	struct prv_lines f = { 0 };
	struct prv_key key[TYPES];
	struct prv_row row[3];
	struct err err = { 0 };
	uint64_t x = 1;
	char *want, *at;

	f.arena = &(struct arena){ 0 };
	const char *dir = dir_make(f.arena), *text;

	for (int i = 0; i < 3; i++)
		row[i] = prv_lines_add_row(&f, 0, 0, 0);
	for (int i = 0; i < TYPES; i++)
		key[i] = prv_lines_add_type(&f, &types[i]);
	CHECK(prv_lines_open(&f, arena_printf(f.arena, "%s/a.prv", dir),
		&(struct sink_setup){ .unit = "ns" }, 1, &err));
	at = want = arena_alloc(f.arena, UNTIL);
	for (int64_t time = 0; time < UNTIL; time += step_of(&x)) {
		size_t r = next(&x) % 3, t = next(&x) % TYPES;
		int64_t value = value_of(&x);

		prv_lines_state(&f, &row[r], &key[t], time, value);
		at += sprintf(at, "2:0:1:1:%zu:%lld:%lld:%lld\n", r + 1,
			(long long)time, (long long)types[t].number,
			(long long)value);
	}
	CHECK(prv_lines_close(&f, UNTIL, &err));
	text = dir_text(f.arena, dir, "a.prv");
	CHECK(strcmp(strchr(text, '\n') + 1, want) == 0);
	CHECK_INT(f.inexact, 0);
	dir_remove(f.arena, dir);
	arena_fini(f.arena);
}

TEST_MAIN(RUN(each_line_has_its_time_and_value))
