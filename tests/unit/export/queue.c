/* SPDX-License-Identifier: MIT */
#include "export/queue.h"

#include "test.h"

#include "dir.h"
#include "export/sinks.h"

#define MANY 100000
#define DEEP 20000 /* a stack that is larger than a batch */

static const struct sink_setup plain = { .unit = "ns", .no_cfg = true };

/* A sink that hashes all calls; the hash depends on their order. */
struct fold {
	struct sink base;
	uint64_t sum;
	uint64_t states;
	bool fails;
};

static void
add(struct sink *s, uint64_t value)
{
	struct fold *f = (struct fold *)s;

	f->sum = (f->sum ^ value) * UINT64_C(1099511628211);
}

static void
fold_row(struct sink *s, const struct row *row)
{
	add(s, 1000 + row->id + (uint8_t)row->name[0]);
}

static void
fold_type(struct sink *s, const struct type *type)
{
	add(s, 2000 + type->id + (uint8_t)type->key[0]);
}

static void
fold_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	add(s, 10 * meaning + 3000 + type + (uint64_t)value + (uint8_t)text[0]);
}

static void
fold_panel(struct sink *s, const struct panel *panel)
{
	add(s, 4000 + (uint8_t)panel->key[0]);
}

static void
fold_state(struct sink *s, const struct record *r)
{
	((struct fold *)s)->states++;
	add(s, (uint64_t)r->time);
	add(s, r->row + 3 * r->type + (uint64_t)r->value);
	add(s, r->stack == NULL);
	for (uint32_t i = 0; r->stack != NULL && i < r->depth; i++)
		add(s, (uint64_t)r->stack[i]);
}

static void
fold_link(struct sink *s, const struct link *l)
{
	add(s, (uint64_t)(l->from_time + 3 * l->to_time + l->kind + l->id));
	add(s, l->from_row + 3 * l->to_row + 5 * (uint64_t)l->bytes);
}

static void
fold_gap(struct sink *s, const struct gap *g)
{
	add(s, (uint64_t)(g->from + 3 * g->to) + g->row + g->events);
	add(s, 6000 + (uint8_t)g->why[0]);
}

static void
fold_rename(struct sink *s, uint32_t row, const char *name)
{
	add(s, 7000 + row + (uint8_t)name[0]);
}

static void
fold_link_kind(struct sink *s, const struct link_kind *kind)
{
	add(s, 8000 + (uint64_t)kind->kind + (uint8_t)kind->name[0]);
}

static void
fold_finding(struct sink *s, const struct sink_finding *f)
{
	add(s, 9000 + (uint64_t)f->time + f->row + (uint8_t)f->text[0]);
}

static void
fold_advance(struct sink *s, int64_t time)
{
	add(s, 5000 + (uint64_t)time);
}

static void
fold_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	fn(arg,
		&(struct loss){ .what = "states",
			.count = ((struct fold *)s)->states });
}

static bool
fold_close(struct sink *s, struct err *err)
{
	if (((struct fold *)s)->fails)
		return err_set(err, ERR_INPUT, "it fails");
	return true;
}

static const struct sink_ops fold_ops = { .name = "fold",
	.help = "folds all calls",
	.row = fold_row,
	.type = fold_type,
	.label = fold_label,
	.state = fold_state,
	.link = fold_link,
	.advance = fold_advance,
	.loss = fold_loss,
	.close = fold_close,
	.panel = fold_panel,
	.rename = fold_rename,
	.link_kind = fold_link_kind,
	.gap = fold_gap,
	.finding = fold_finding };

/* Makes calls of all kinds; one in `rare` states is followed by a rare call. */
static void
produce(struct sink *s, int n, int rare)
{
	int64_t stack[9];
	char name[2] = "a";

	for (int i = 0; i < 9; i++)
		stack[i] = 7 * i;
	for (int i = 0; i < n; i++) {
		struct record r = { .time = i, .row = 1, .value = i % 5 };

		r.depth = (uint32_t)i % 10;
		r.stack = i % 10 > 0 ? stack : NULL;
		stack[i % 9] =
			i; /* the sink has borrowed it only during the call */
		sink_state(s, &r);
		if (i % 100 == 0)
			sink_link(s, &(struct link){ i, i + 1, 1, 2, 3, 4, i });
		if (i % 70 == 0)
			sink_gap(s,
				&(struct gap){
					i, i + 2, 1, (uint64_t)i, "no room" });
		if (i % rare != 0)
			continue;
		name[0] = (char)('a' + i % 26);
		sink_row(s, &(struct row){ 1, ROW_NONE, "c", name, NULL });
		sink_type(s, &(struct type){ .id = 2, .key = name });
		sink_label(s, 2, i, name, (enum meaning)(i % MEANINGS));
		sink_rename(s, 1, name);
		sink_link_kind(s, &(struct link_kind){ i, name, LINK_MESSAGE });
		sink_finding(
			s, &(struct sink_finding){ SEVERITY_NOTE, i, 1, name });
		sink_panel(s, &(struct panel){ .key = name });
		sink_advance(s, i);
	}
}

static void
compare(int n, int rare)
{
	struct arena a = { 0 };
	struct fold one = { .base = { &fold_ops, true } };
	struct fold two = { .base = { &fold_ops, true } };
	struct sink *s = queue_open(&a, &two.base);
	struct err err = { 0 };

	produce(&one.base, n, rare);
	produce(s, n, rare);
	CHECK(sink_close(s, &err));
	CHECK_INT(one.states, n);
	CHECK_INT(two.states, n);
	CHECK(one.sum == two.sum);
	arena_fini(&a);
}

TEST(all_calls_arrive_in_their_order)
{
	compare(0, 1);
	compare(10, 1);
	compare(MANY, 1000);
	compare(MANY, MANY + 1);
	compare(3000, 1);
}

TEST(a_stack_may_be_larger_than_a_batch)
{
	static int64_t stack[DEEP];
	struct arena a = { 0 };
	struct fold one = { .base = { &fold_ops, true } };
	struct fold two = { .base = { &fold_ops, true } };
	struct sink *s = queue_open(&a, &two.base);
	struct record r = { .stack = stack };
	struct err err = { 0 };

	for (int i = 0; i < 50; i++) {
		r.depth = i % 3 == 0 ? DEEP : 1;
		stack[0] = stack[DEEP - 1] = i;
		sink_state(&one.base, &r);
		sink_state(s, &r);
	}
	CHECK(sink_close(s, &err));
	CHECK(one.sum == two.sum);
	arena_fini(&a);
}

static void
take_loss(void *arg, const struct loss *loss)
{
	*(uint64_t *)arg = loss->count;
}

TEST(losses_are_told_before_close_and_after)
{
	struct arena a = { 0 };
	struct fold f = { .base = { &fold_ops, true } };
	struct sink *s = queue_open(&a, &f.base);
	struct err err = { 0 };
	uint64_t count = 0;

	produce(s, MANY, MANY);
	sink_loss(s, take_loss, &count);
	CHECK_INT(count, MANY);
	count = 0;
	CHECK(sink_close(s, &err));
	sink_loss(s, take_loss, &count);
	CHECK_INT(count, MANY);
	arena_fini(&a);
}

TEST(close_says_what_failed_behind)
{
	for (int n = 10; n <= MANY; n *= 100) {
		struct arena a = { 0 };
		struct fold f = { .base = { &fold_ops, true }, .fails = true };
		struct sink *s = queue_open(&a, &f.base);
		struct err err = { 0 };

		produce(s, n, 1000);
		CHECK(!sink_close(s, &err));
		CHECK_STR(err.text, "it fails");
		arena_fini(&a);
	}
}

TEST(a_full_disk_is_said_at_close)
{
	struct arena a = { 0 }, behind = { 0 };
	struct err err = { 0 };
	const char *dir = dir_make(&a);
	struct sink *s;

	if (access("/dev/full", F_OK) != 0 ||
		symlink("/dev/full", arena_printf(&a, "%s/c.prv", dir)) != 0)
		TEST_SKIP("no /dev/full");
	s = queue_open(&a, sinks_open(&behind, "prv", dir, &plain, &err));
	for (uint32_t i = 0; i < 3; i++)
		sink_row(s, &(struct row){ i, ROW_NONE, "c", "row", NULL });
	sink_type(s, &(struct type){ .class = "c", .key = "k", .number = 7 });
	for (int i = 0; i < MANY; i++)
		sink_state(s, &(struct record){ .time = i, .value = i });
	CHECK(!sink_close(s, &err));
	CHECK(strstr(err.text, "No space left on device") != NULL);
	dir_remove(&a, dir);
	arena_fini(&behind);
	arena_fini(&a);
}

TEST_MAIN(RUN(all_calls_arrive_in_their_order),
	RUN(a_stack_may_be_larger_than_a_batch),
	RUN(losses_are_told_before_close_and_after),
	RUN(close_says_what_failed_behind), RUN(a_full_disk_is_said_at_close))
