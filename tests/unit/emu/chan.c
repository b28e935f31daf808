/* SPDX-License-Identifier: MIT */
#include "emu/chan.h"

#include "base/arena.h"
#include "export/sink.h"
#include "test.h"

#define DEEP 100000

static const struct chan_def strict = { 0 };
static const struct chan_def dup = { .dup = true };
static const struct chan_def body = { .repeat = 1 };

static struct arena arena;

static struct chan
empty(void)
{
	return (struct chan){ .value = VALUE_NONE };
}

/* Makes a channel and pushes these values in turn; 0 ends them. */
static struct chan
pushed(const int *values)
{
	struct chan ch = empty();

	for (; *values != 0; values++)
		CHECK_INT(chan_push(&ch, &dup, &arena, *values), CHAN_OK);
	return ch;
}

#define PUSHED(...) pushed((const int[]){ __VA_ARGS__, 0 })

/* Checks value, depth and stack; 0 ends the values. */
static void
check_stack(const struct chan *ch, const int *values)
{
	uint32_t n = 0;

	for (; values[n] != 0 && n < ch->depth; n++)
		CHECK_INT(ch->stack[n], values[n]);
	CHECK_INT(ch->depth, n);
	CHECK_INT(values[n], 0);
	CHECK_INT(ch->value, n == 0 ? VALUE_NONE : values[n - 1]);
}

#define CHECK_STACK(ch, ...) check_stack(ch, (const int[]){ __VA_ARGS__, 0 })

TEST(set_replaces_the_value)
{
	struct chan ch = empty();

	CHECK_INT(chan_set(&ch, &strict, 5), CHAN_OK);
	CHECK_INT(ch.value, 5);
	CHECK_INT(chan_set(&ch, &strict, -7), CHAN_OK);
	CHECK_INT(ch.value, -7);
	CHECK_INT(ch.depth, 0);
}

TEST(set_to_nothing_and_back)
{
	struct chan ch = empty();

	CHECK_INT(chan_set(&ch, &strict, 5), CHAN_OK);
	CHECK_INT(chan_set(&ch, &strict, VALUE_NONE), CHAN_OK);
	CHECK_INT(ch.value, VALUE_NONE);
	CHECK_INT(chan_set(&ch, &strict, 5), CHAN_OK);
}

TEST(set_of_the_same_value_is_a_fault)
{
	struct chan ch = empty();

	CHECK_INT(chan_set(&ch, &strict, VALUE_NONE), CHAN_SAME);
	CHECK_INT(chan_set(&ch, &strict, 5), CHAN_OK);
	CHECK_INT(chan_set(&ch, &strict, 5), CHAN_SAME);
	CHECK_INT(ch.value, 5);
}

TEST(dup_allows_the_same_value_to_be_set)
{
	struct chan ch = empty();

	CHECK_INT(chan_set(&ch, &dup, VALUE_NONE), CHAN_OK);
	CHECK_INT(chan_set(&ch, &dup, 5), CHAN_OK);
	CHECK_INT(chan_set(&ch, &dup, 5), CHAN_OK);
}

TEST(a_stack_shows_what_was_pushed_last)
{
	struct chan ch = empty();

	CHECK_INT(chan_push(&ch, &strict, &arena, 2), CHAN_OK);
	CHECK_STACK(&ch, 2);
	CHECK_INT(chan_push(&ch, &strict, &arena, 1), CHAN_OK);
	CHECK_STACK(&ch, 2, 1);
	CHECK_INT(chan_pop(&ch, 1), CHAN_OK);
	CHECK_STACK(&ch, 2);
	CHECK_INT(chan_pop(&ch, 2), CHAN_OK);
	CHECK_STACK(&ch, 0);
}

TEST(push_of_the_top_is_a_fault_and_changes_nothing)
{
	struct chan ch = PUSHED(3, 4);

	CHECK_INT(chan_push(&ch, &strict, &arena, 4), CHAN_SAME);
	CHECK_STACK(&ch, 3, 4);
}

TEST(push_of_a_value_below_the_top_is_fine)
{
	struct chan ch = PUSHED(3, 4);

	CHECK_INT(chan_push(&ch, &strict, &arena, 3), CHAN_OK);
	CHECK_STACK(&ch, 3, 4, 3);
}

TEST(pop_of_an_empty_stack_is_a_fault)
{
	struct chan ch = empty();

	CHECK_INT(chan_pop(&ch, 1), CHAN_EMPTY);
	CHECK_INT(chan_pop(&ch, VALUE_NONE), CHAN_EMPTY);
	CHECK_STACK(&ch, 0);
}

TEST(pop_of_another_value_is_a_fault_and_changes_nothing)
{
	struct chan ch = PUSHED(3, 4);

	CHECK_INT(chan_pop(&ch, 3), CHAN_OTHER);
	CHECK_INT(chan_pop(&ch, VALUE_NONE), CHAN_OTHER);
	CHECK_STACK(&ch, 3, 4);
}

TEST(a_stack_that_emptied_takes_its_first_value_again)
{
	struct chan ch = PUSHED(3);

	CHECK_INT(chan_pop(&ch, 3), CHAN_OK);
	CHECK_INT(chan_pop(&ch, 3), CHAN_EMPTY);
	CHECK_INT(chan_push(&ch, &strict, &arena, 3), CHAN_OK);
	CHECK_STACK(&ch, 3);
}

TEST(repeat_names_the_one_value_that_may_lie_on_itself)
{
	struct chan ch = PUSHED(1);

	CHECK_INT(chan_push(&ch, &body, &arena, 1), CHAN_OK);
	CHECK_INT(chan_push(&ch, &body, &arena, 2), CHAN_OK);
	CHECK_INT(chan_push(&ch, &body, &arena, 2), CHAN_SAME);
	CHECK_STACK(&ch, 1, 1, 2);
}

TEST(repeat_does_not_help_a_set)
{
	struct chan ch = empty();

	CHECK_INT(chan_set(&ch, &body, 1), CHAN_OK);
	CHECK_INT(chan_set(&ch, &body, 1), CHAN_SAME);
}

TEST(dup_allows_any_value_on_itself)
{
	struct chan ch = PUSHED(7);

	CHECK_INT(chan_push(&ch, &dup, &arena, 7), CHAN_OK);
	CHECK_STACK(&ch, 7, 7);
	CHECK_INT(chan_pop(&ch, 7), CHAN_OK);
	CHECK_INT(chan_pop(&ch, 7), CHAN_OK);
	CHECK_STACK(&ch, 0);
}

TEST(a_channel_begins_with_nothing_and_enabled)
{
	struct chan ch;

	chan_init(&ch, &strict);
	CHECK_INT(ch.value, VALUE_NONE);
	CHECK(!ch.disabled);
	CHECK_STACK(&ch, 0);
}

TEST(a_channel_may_begin_with_a_value)
{
	struct chan ch;

	chan_init(&ch, &(struct chan_def){ .start = 100 });
	CHECK_INT(ch.value, 100);
	CHECK_INT(chan_set(&ch, &strict, 100), CHAN_SAME);
}

TEST(a_channel_may_be_defined_while_disabled)
{
	struct chan ch;

	chan_init(&ch, &(struct chan_def){ .off = true });
	CHECK(ch.disabled);
	CHECK_INT(ch.value, VALUE_NONE);
	CHECK(chan_enable(&ch));
	CHECK(!ch.disabled);
}

TEST(enable_and_disable_say_whether_they_change_it)
{
	struct chan ch = empty();

	CHECK(!chan_enable(&ch));
	CHECK(chan_disable(&ch));
	CHECK(!chan_disable(&ch));
	CHECK(ch.disabled);
	CHECK(chan_enable(&ch));
	CHECK(!chan_enable(&ch));
}

TEST(what_is_set_while_disabled_is_kept)
{
	struct chan ch = empty();

	CHECK_INT(chan_set(&ch, &strict, 5), CHAN_OK);
	CHECK(chan_disable(&ch));
	CHECK_INT(ch.value, 5);
	CHECK_INT(chan_set(&ch, &strict, 7), CHAN_OK);
	CHECK(chan_enable(&ch));
	CHECK_INT(ch.value, 7);
}

TEST(the_stack_moves_while_disabled_by_the_same_rules)
{
	struct chan ch = PUSHED(3, 4);

	CHECK(chan_disable(&ch));
	CHECK_STACK(&ch, 3, 4);
	CHECK_INT(chan_push(&ch, &strict, &arena, 4), CHAN_SAME);
	CHECK_INT(chan_pop(&ch, 3), CHAN_OTHER);
	CHECK_INT(chan_pop(&ch, 4), CHAN_OK);
	CHECK_INT(chan_push(&ch, &strict, &arena, 5), CHAN_OK);
	CHECK(chan_enable(&ch));
	CHECK_STACK(&ch, 3, 5);
}

TEST(values_of_64_bits_are_kept)
{
	struct chan ch = empty();

	CHECK_INT(chan_push(&ch, &strict, &arena, INT64_MAX), CHAN_OK);
	CHECK_INT(chan_push(&ch, &strict, &arena, -1), CHAN_OK);
	CHECK_INT(chan_pop(&ch, UINT32_MAX), CHAN_OTHER);
	CHECK_INT(chan_pop(&ch, -1), CHAN_OK);
	CHECK(ch.value == INT64_MAX);
}

TEST(stacks_are_as_deep_as_they_need)
{
	struct chan ch = empty();
	int wrong = 0;

	for (int i = 1; i <= DEEP; i++)
		wrong += chan_push(&ch, &strict, &arena, i) != CHAN_OK;
	CHECK_INT(ch.depth, DEEP);
	for (int i = 0; i < DEEP; i++)
		wrong += ch.stack[i] != i + 1;
	for (int i = DEEP; i > 0; i--)
		wrong += ch.value != i || chan_pop(&ch, i) != CHAN_OK;
	CHECK_INT(wrong, 0);
	CHECK_STACK(&ch, 0);
}

TEST_MAIN(RUN(set_replaces_the_value), RUN(set_to_nothing_and_back),
	RUN(set_of_the_same_value_is_a_fault),
	RUN(dup_allows_the_same_value_to_be_set),
	RUN(a_stack_shows_what_was_pushed_last),
	RUN(push_of_the_top_is_a_fault_and_changes_nothing),
	RUN(push_of_a_value_below_the_top_is_fine),
	RUN(pop_of_an_empty_stack_is_a_fault),
	RUN(pop_of_another_value_is_a_fault_and_changes_nothing),
	RUN(a_stack_that_emptied_takes_its_first_value_again),
	RUN(repeat_names_the_one_value_that_may_lie_on_itself),
	RUN(repeat_does_not_help_a_set), RUN(dup_allows_any_value_on_itself),
	RUN(a_channel_begins_with_nothing_and_enabled),
	RUN(a_channel_may_begin_with_a_value),
	RUN(a_channel_may_be_defined_while_disabled),
	RUN(enable_and_disable_say_whether_they_change_it),
	RUN(what_is_set_while_disabled_is_kept),
	RUN(the_stack_moves_while_disabled_by_the_same_rules),
	RUN(values_of_64_bits_are_kept), RUN(stacks_are_as_deep_as_they_need))
