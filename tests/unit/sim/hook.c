/* SPDX-License-Identifier: MIT */
#include "kit.h"

static const struct weft_sim_hook_pos walked = WEFT_SIM_HOOK_POS("Walk");
static const struct weft_sim_hook_pos sat = WEFT_SIM_HOOK_POS("Sit");

static struct weft_sim_engine *e;
static struct weft_sim_domain top, mid, low, other;
static struct weft_sim_hook a = { say_letter, (void *)"a" },
			    b = { say_letter, (void *)"b" },
			    c = { say_letter, (void *)"c" };

static void
make(void)
{
	e = weft_sim_engine_open(NULL);
	weft_sim_domain_init(&top, e, NULL, "GPU");
	weft_sim_domain_init(&mid, e, &top, "L%d[%d]", 1, 0);
	weft_sim_domain_init(&low, e, &mid, "Bank[2][3]");
	weft_sim_domain_init(&other, e, &top, "DRAM");
}

TEST(hooks_are_called_in_the_order_attached)
{
	make();
	CHECK_INT(weft_sim_hook_attach(&mid, &a, WEFT_SIM_ON_ALL), 0);
	CHECK_INT(weft_sim_hook_attach(&mid, &b, WEFT_SIM_ON_ALL), 0);
	weft_sim_hook_call(&mid, &walked, NULL, NULL);
	weft_sim_hook_call(&mid, &walked, NULL, NULL);
	CHECK_STR(heard(), "aW bW aW bW ");
	CHECK_INT(weft_sim_hook_attach(&mid, &a, WEFT_SIM_ON_ALL),
		WEFT_SIM_TWICE);
	CHECK_STR(weft_sim_fault_text(e, 0),
		"GPU.L1[0]: this hook is attached already");
	weft_sim_engine_close(e);
}

TEST(a_mask_keeps_other_positions_away)
{
	make();
	weft_sim_hook_attach(&mid, &a, sat.mask);
	CHECK_INT((mid.mask & walked.mask) != 0, 0);
	weft_sim_hook_call(&mid, &walked, NULL, NULL);
	weft_sim_hook_call(&mid, &sat, NULL, NULL);
	weft_sim_hook_call(&low, &sat, NULL, NULL);
	CHECK_STR(heard(), "aS ");
	weft_sim_engine_close(e);
}

TEST(hooks_below_hear_children_and_are_called_once)
{
	static struct weft_sim_domain late;

	make();
	weft_sim_hook_attach_below(&top, &a, WEFT_SIM_ON_ALL);
	weft_sim_hook_attach(&mid, &b, WEFT_SIM_ON_ALL);
	weft_sim_hook_attach(&low, &a, walked.mask);
	weft_sim_hook_attach(&low, &c, walked.mask);
	weft_sim_hook_call(&low, &walked, NULL, NULL);
	CHECK_STR(heard(), "aW cW ");
	weft_sim_hook_call(&low, &sat, NULL, NULL);
	CHECK_STR(heard(), "aS ");
	weft_sim_hook_call(&mid, &walked, NULL, NULL);
	CHECK_STR(heard(), "bW aW ");
	weft_sim_domain_init(&late, e, &low, "Row");
	weft_sim_hook_call(&late, &sat, NULL, NULL);
	CHECK_STR(heard(), "aS ");
	CHECK_INT(weft_sim_hook_detach(&top, &a), 0);
	CHECK_INT(late.mask & ~WEFT_SIM_TASKS_SEEN, 0);
	CHECK_INT(weft_sim_hook_detach(&top, &a), WEFT_SIM_MISSING);
	weft_sim_engine_close(e);
}

TEST(hooks_attach_by_pattern)
{
	make();
	CHECK_INT(weft_sim_hook_attach_all(e, "GPU.L1[?]*", &a, ~0ull), 2);
	CHECK_INT(weft_sim_hook_attach_all(e, "GPU.*", &a, ~0ull), 1);
	CHECK_INT(weft_sim_hook_attach_all(e, "CPU*", &a, ~0ull), 0);
	weft_sim_hook_call(&other, &sat, NULL, NULL);
	CHECK_STR(heard(), "aS ");
	CHECK(weft_sim_domain_find(e, "GPU.L1[0].Bank[2][3]") == &low);
	CHECK(weft_sim_domain_find(e, "GPU.L1[1]") == NULL);
	weft_sim_engine_close(e);
}

/* Attaches c and detaches b when called. */
static void
change(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	(void)hook;
	say("x ");
	weft_sim_hook_attach(ctx->domain, &c, WEFT_SIM_ON_ALL);
	weft_sim_hook_detach(ctx->domain, &b);
}

TEST(hooks_change_from_inside_a_hook)
{
	struct weft_sim_hook x = { change, NULL };

	make();
	weft_sim_hook_attach(&mid, &x, WEFT_SIM_ON_ALL);
	weft_sim_hook_attach(&mid, &b, WEFT_SIM_ON_ALL);
	weft_sim_hook_attach(&mid, &a, WEFT_SIM_ON_ALL);
	weft_sim_hook_call(&mid, &walked, NULL, NULL);
	CHECK_STR(heard(), "x aW ");
	weft_sim_hook_detach(&mid, &x);
	weft_sim_hook_call(&mid, &walked, NULL, NULL);
	CHECK_STR(heard(), "aW cW ");
	weft_sim_engine_close(e);
}

static struct weft_sim_hook self = { NULL, (void *)"s" };

static void
leave(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	static int left;

	say_letter(hook, ctx);
	if (left++ == 0)
		weft_sim_hook_detach(ctx->domain, hook);
}

TEST(a_hook_that_detaches_itself_is_called_once)
{
	make();
	self.call = leave;
	weft_sim_hook_attach(&low, &self, walked.mask);
	weft_sim_hook_attach(&low, &b, walked.mask);
	weft_sim_hook_attach_below(&mid, &self, walked.mask);
	weft_sim_hook_attach_below(&top, &c, walked.mask);
	weft_sim_hook_attach_below(&top, &b, walked.mask);
	weft_sim_hook_call(&low, &walked, NULL, NULL);
	CHECK_STR(heard(), "sW bW cW ");
	weft_sim_hook_call(&low, &walked, NULL, NULL);
	CHECK_STR(heard(), "bW sW cW ");
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_OK), 0);
	weft_sim_engine_close(e);
}

static void
detach_and_attach(
	struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	say_letter(hook, ctx);
	weft_sim_hook_detach(&low, hook);
	weft_sim_hook_attach(&low, hook, walked.mask);
}

TEST(a_hook_that_attaches_itself_again_is_called_once)
{
	make();
	self.call = detach_and_attach;
	weft_sim_hook_attach(&low, &self, walked.mask);
	weft_sim_hook_attach_below(&top, &self, walked.mask);
	for (int i = 0; i < 3; i++)
		weft_sim_hook_call(&low, &walked, NULL, NULL);
	CHECK_STR(heard(), "sW sW sW ");
	weft_sim_engine_close(e);
}

static void
attach_above(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	say_letter(hook, ctx);
	weft_sim_hook_attach_below(&top, &a, walked.mask);
	weft_sim_hook_attach_below(&mid, &c, walked.mask);
	weft_sim_hook_detach(&low, hook);
}

TEST(what_is_attached_above_waits_for_the_next_firing)
{
	make();
	self.call = attach_above;
	weft_sim_hook_attach(&low, &self, walked.mask);
	weft_sim_hook_attach_below(&top, &b, walked.mask);
	weft_sim_hook_call(&low, &walked, NULL, NULL);
	CHECK_STR(heard(), "sW bW ");
	weft_sim_hook_call(&low, &walked, NULL, NULL);
	CHECK_STR(heard(), "cW bW aW ");
	weft_sim_engine_close(e);
}

TEST(many_hooks_are_called_once_each)
{
	static struct weft_sim_hook many[50];

	make();
	for (int i = 0; i < 50; i++) {
		many[i] = (struct weft_sim_hook){ say_letter, (void *)"m" };
		weft_sim_hook_attach(&low, &many[i], walked.mask);
		weft_sim_hook_attach_below(&mid, &many[i], walked.mask);
		weft_sim_hook_attach_below(&top, &many[i], walked.mask);
	}
	weft_sim_hook_call(&low, &walked, NULL, NULL);
	CHECK_INT(strlen(heard()), 50 * 3);
	weft_sim_engine_close(e);
}

TEST(names_keep_rules)
{
	static const char *const good[] = { "A", "GPU", "L1", "GPU.L1[0]",
		"Core[3].Port", "Bank[0][12]", "CamelCase2" };
	static const char *const bad[] = { "", "a", "A.", ".A", "A..B", "A_B",
		"A-B", "A[", "A[]", "A[x]", "A]0[", "A[0]B", "A'", "A\"", "A.b",
		"A b" };
	struct weft_sim_domain d;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		CHECK(weft_sim_name_ok(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!weft_sim_name_ok(bad[i]));
	make();
	CHECK_INT(weft_sim_domain_init(&d, e, NULL, "gpu"), WEFT_SIM_NAME);
	CHECK_INT(weft_sim_domain_init(&d, e, &top, "DRAM"), WEFT_SIM_NAME);
	CHECK_STR(weft_sim_fault_text(e, 1), "GPU.DRAM: this name is in use");
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_NAME), 2);
	/* A name that is too long is cut, and reported. */
	CHECK_INT(weft_sim_domain_init(&d, e, NULL, "A%0254d", 0), 0);
	CHECK_INT(
		weft_sim_domain_init(&d, e, NULL, "B%0255d", 0), WEFT_SIM_NAME);
	weft_sim_engine_close(e);
}

TEST_MAIN(RUN(hooks_are_called_in_the_order_attached),
	RUN(a_mask_keeps_other_positions_away),
	RUN(hooks_below_hear_children_and_are_called_once),
	RUN(hooks_attach_by_pattern), RUN(hooks_change_from_inside_a_hook),
	RUN(a_hook_that_detaches_itself_is_called_once),
	RUN(a_hook_that_attaches_itself_again_is_called_once),
	RUN(what_is_attached_above_waits_for_the_next_firing),
	RUN(many_hooks_are_called_once_each), RUN(names_keep_rules))
