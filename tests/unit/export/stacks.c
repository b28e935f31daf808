/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <stdlib.h>

#include "base/arena.h"
#include "export/stacks.h"

enum { DEPTHS = STACK_SHALLOW + 4 };

/* Returns a block of exactly n entries, so that sanitizers see a read behind
 * them. */
static int64_t *
make_entries(uint32_t n)
{
	int64_t *at = malloc(n > 0 ? n * sizeof *at : 1);

	if (at == NULL)
		abort();
	for (uint32_t i = 0; i < n; i++)
		at[i] = 100 + i;
	return at;
}

/* Returns a lane that shows n entries. */
static struct stack_lane *
make_lane(struct stacks *s, const int64_t *entries, uint32_t n)
{
	struct stack_lane *l = stacks_lane(s, 0, 0);

	stack_set(s, l, &(struct stack_now){ entries, n });
	return l;
}

TEST(a_change_of_any_entry_is_seen_at_any_depth)
{
	struct arena a = { 0 };
	struct stacks s = { .arena = &a };

	for (uint32_t n = 1; n < DEPTHS; n++) {
		int64_t *now = make_entries(n);
		struct stack_lane *l = make_lane(&s, now, n);

		CHECK_INT(stack_same(l, &(struct stack_now){ now, n }), n);
		for (uint32_t i = 0; i < n; i++) {
			now[i] ^= INT64_MIN;
			CHECK_INT(stack_same(l, &(struct stack_now){ now, n }),
				i);
			now[i] ^= INT64_MIN;
		}
		free(now);
	}
	arena_fini(&a);
}

TEST(a_step_is_one_entry_more_or_less_and_no_other_change)
{
	struct arena a = { 0 };
	struct stacks s = { .arena = &a };

	for (uint32_t n = 0; n < DEPTHS * DEPTHS; n++) {
		uint32_t before = n / DEPTHS, after = n % DEPTHS;
		uint32_t same = before < after ? before : after;
		int64_t *now = make_entries(after), *was = make_entries(before);
		struct stack_lane *l = make_lane(&s, was, before);
		struct stack_now to = { now, after };
		struct stack_step step = { 0 };
		bool is_step = before + 1 == after || before == after + 1;

		for (uint32_t i = 0; i < same; i++) {
			now[i]--;
			CHECK(!stack_step(l, &to, &step));
			now[i]++;
		}
		/* A lane without room for the entry is left to stack_set(). */
		if (is_step && same < l->room) {
			CHECK(stack_step(l, &to, &step));
			CHECK_INT(step.begins, after > before);
			CHECK_INT(step.value, 100 + same);
			CHECK_INT(l->depth, after);
		} else {
			CHECK(!stack_step(l, &to, &step));
		}
		free(now);
		free(was);
	}
	arena_fini(&a);
}

TEST_MAIN(RUN(a_change_of_any_entry_is_seen_at_any_depth),
	RUN(a_step_is_one_entry_more_or_less_and_no_other_change))
