/* SPDX-License-Identifier: MIT */
#include "emu/bind.h"

#include "base/arena.h"
#include "test.h"

static void
handler(struct emu *emu, const struct event *ev)
{
	(void)emu;
	(void)ev;
}

/* clang-format off */
static const struct chan_def chans[] = {
	{ .key = "a", .number = 900, .kind = CHAN_STACK },
	{ .key = "b", .number = 901 },
};

static const struct span_def spans[] = {
	{ "XSa", "XSA", 0, 7, MEANS_TASK, "Seven", "begins seven" },
	{ "XSb", "XSB", 0, 8, MEANS_TASK, "Eight", "enters eight" },
};

static const struct set_def sets[] = {
	{ "XV1", 1, 11, MEANS_IDLE, "Eleven", "sets eleven" },
};

static const struct event_def events[] = {
	{ "Xu1(u8 v)",  "u8",  handler, 0 },
	{ "Xu2(u16 v)", "u16", handler, 0 },
	{ "Xu4(u32 v)", "u32", handler, 0 },
	{ "Xu8(u64 v)", "u64", handler, 0 },
	{ "Xi1(i8 v)",  "i8",  handler, 0 },
	{ "Xi2(i16 v)", "i16", handler, 0 },
	{ "Xi4(i32 v)", "i32", handler, 0 },
	{ "Xi8(i64 v)", "i64", handler, 0 },
	{ "Xall(u8 a, i16 b, u32 c, i64 d, str e)", "all", handler, 0 },
	{ "Xopt(i32 cpu, i32 tid, u64 tag)", "opt", handler, PAYLOAD_FIRST },
	{ "Xexa(i64 value, i32 type)", "exact", handler, PAYLOAD_EXACT },
	{ "Xjum+(u32 id, str label)", "jumbo", handler, 0 },
	{ "Xno", "nothing to read", handler, 0 },
	{ "Xign(u32 a)", "ignored", NULL, PAYLOAD_EXACT },
	{ "XB?", "a burst", handler, 0 },
};
/* clang-format on */

static const struct model model_x = {
	.id = 'X',
	.name = "x",
	.need = NEED_ACTIVE,
	MODEL_ROWS(chans),
	MODEL_ROWS(spans),
	MODEL_ROWS(sets),
	MODEL_ROWS(events),
};

static const struct event_def y_events[] = {
	{ "Yev", "of the second model", handler, 0 },
	{ "Xno", "hidden by the first model", NULL, 0 },
};

static const struct model model_y = {
	.id = 'Y',
	.name = "y",
	.need = NEED_RUNNING,
	.events = y_events,
	.nevents = 2,
};

static struct arena arena;

/* The channels of x begin at 5, the channels of y at 9. */
static const struct binding *
bind(const struct event_class *class)
{
	static const struct model *const on[] = { &model_x, &model_y };
	static const int first[] = { 5, 9 };

	return bind_class(&arena, class, on, first, 2, true);
}

static const struct binding *
bind_raw(const char *name)
{
	return bind(&(struct event_class){ .name = name });
}

static struct event
raw(const void *data, uint32_t size)
{
	return (struct event){ .data = data, .size = size };
}

TEST(a_span_pushes_and_pops_its_value)
{
	const struct binding *in = bind_raw("XSb"), *out = bind_raw("XSB");

	CHECK_INT(in->action, ACTION_PUSH);
	CHECK_INT(out->action, ACTION_POP);
	CHECK_INT(in->value, 8);
	CHECK_INT(out->value, 8);
	CHECK_STR(in->says, "enters eight");
	CHECK_STR(out->says, "leaves eight");
	CHECK_STR(bind_raw("XSA")->says, "ceases seven");
}

TEST(a_set_has_its_value)
{
	const struct binding *b = bind_raw("XV1");

	CHECK_INT(b->action, ACTION_SET);
	CHECK_INT(b->value, 11);
	CHECK_STR(b->says, "sets eleven");
}

TEST(channels_are_counted_from_the_first_of_the_model)
{
	CHECK_INT(bind_raw("XSa")->chan, 5);
	CHECK_INT(bind_raw("XV1")->chan, 6);
	CHECK_INT(bind_raw("XV1")->first_chan, 5);
	CHECK_INT(bind_raw("Yev")->first_chan, 9);
}

TEST(a_binding_knows_its_model_and_what_it_needs)
{
	CHECK(bind_raw("XSa")->model == &model_x);
	CHECK_INT(bind_raw("XSa")->need, NEED_ACTIVE);
	CHECK(bind_raw("Yev")->model == &model_y);
	CHECK_INT(bind_raw("Yev")->need, NEED_RUNNING);
	CHECK(bind_raw("Yev")->call == handler);
}

TEST(the_first_model_with_the_name_has_it)
{
	CHECK(bind_raw("Xno")->model == &model_x);
	CHECK_INT(bind_raw("Xno")->action, ACTION_CALL);
}

TEST(an_event_without_function_is_ignored_whatever_it_holds)
{
	const struct binding *b = bind_raw("Xign");

	CHECK_INT(b->action, ACTION_IGNORE);
	CHECK_STR(b->says, "ignored");
	CHECK(b->trouble == NULL);
}

TEST(an_unknown_name_is_bound_to_nothing)
{
	static const char *const name[] = { "", "X", "XS", "XSaa", "xSa", "ZSa",
		"XB", "XB12" };

	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		const struct binding *b = bind_raw(name[i]);

		CHECK_INT(b->action, ACTION_UNKNOWN);
		CHECK_INT(b->need, NEED_NOTHING);
		CHECK(b->model == NULL && b->says == NULL && b->call == NULL);
	}
}

TEST(without_models_everything_is_unknown)
{
	const struct binding *b = bind_class(&arena,
		&(struct event_class){ .name = "XSa" }, NULL, NULL, 0, true);

	CHECK_INT(b->action, ACTION_UNKNOWN);
}

TEST(a_question_mark_takes_any_letter)
{
	CHECK_STR(bind_raw("XB[")->says, "a burst");
	CHECK_STR(bind_raw("XBz")->says, "a burst");
}

TEST(numbers_in_bytes_are_extended_by_their_type)
{
	/* clang-format off */
	static const struct {
		const char *event, *bytes;
		uint32_t size;
		int64_t want;
	} row[] = {
		{ "Xu1", "\xff", 1, 255 },
		{ "Xu2", "\xff\xff", 2, 65535 },
		{ "Xu4", "\xff\xff\xff\xff", 4, UINT32_MAX },
		{ "Xu8", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, -1 },
		{ "Xi1", "\xff", 1, -1 },
		{ "Xi1", "\x80", 1, INT8_MIN },
		{ "Xi1", "\x7f", 1, INT8_MAX },
		{ "Xi2", "\xfe\xff", 2, -2 },
		{ "Xi2", "\x00\x80", 2, INT16_MIN },
		{ "Xi2", "\x34\x12", 2, 0x1234 },
		{ "Xi4", "\xff\xff\xff\xff", 4, -1 },
		{ "Xi4", "\x00\x00\x00\x80", 4, INT32_MIN },
		{ "Xu4", "\x00\x00\x00\x80", 4, INT64_C(0x80000000) },
		{ "Xi4", "\x78\x56\x34\x12", 4, 0x12345678 },
		{ "Xi8", "\x00\x00\x00\x00\x00\x00\x00\x80", 8, INT64_MIN },
		{ "Xi8", "\x08\x07\x06\x05\x04\x03\x02\x01", 8,
		  INT64_C(0x0102030405060708) },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		const struct binding *b = bind_raw(row[i].event);
		struct event ev = raw(row[i].bytes, row[i].size);

		CHECK_INT(b->size, row[i].size);
		CHECK_INT(bind_i64(b, &ev, 0), row[i].want);
	}
}

TEST(arguments_follow_each_other_without_padding)
{
	static const char data[] = "\x09\xfe\xff\x04\x03\x02\x01"
				   "\xfd\xff\xff\xff\xff\xff\xff\xff"
				   "text";
	const struct binding *b = bind_raw("Xall");
	struct event ev = raw(data, sizeof data);

	CHECK_INT(b->nargs, 5);
	CHECK_INT(b->size, 16);
	CHECK_INT(bind_i64(b, &ev, 0), 9);
	CHECK_INT(bind_i64(b, &ev, 1), -2);
	CHECK_INT(bind_i64(b, &ev, 2), 0x01020304);
	CHECK_INT(bind_i64(b, &ev, 3), -3);
	CHECK_STR(bind_str(b, &ev, 4), "text");
	CHECK_STR(b->arg[3].name, "d");
}

TEST(a_string_without_its_nul_is_none)
{
	static const char data[] = "\1\0\0\0label";
	const struct binding *b =
		bind(&(struct event_class){ .name = "Xjum", .jumbo = true });

	for (uint32_t size = 4; size < sizeof data; size++) {
		struct event ev = raw(data, size);

		CHECK(bind_str(b, &ev, 1) == NULL);
	}
	CHECK_STR(bind_str(b,
			  &(struct event){ .data = (const void *)data,
				  .size = sizeof data },
			  1),
		"label");
}

TEST(an_empty_string_and_bytes_behind_one_are_fine)
{
	static const char data[] = "\1\0\0\0\0rest";
	const struct binding *b =
		bind(&(struct event_class){ .name = "Xjum", .jumbo = true });
	struct event ev = raw(data, sizeof data);

	CHECK_STR(bind_str(b, &ev, 1), "");
	ev.size = 5;
	CHECK_STR(bind_str(b, &ev, 1), "");
}

TEST(a_number_is_no_string)
{
	struct event ev = raw("\0\0\0\0", 4);

	CHECK(bind_str(bind_raw("Xu4"), &ev, 0) == NULL);
	CHECK(bind_str(bind_raw("Xu4"), &ev, 1) == NULL);
}

/* Checks that a payload of `size` bytes has the first n arguments, whose values
 * are 1, 2, 3. */
static void
check_optional(const struct binding *b, uint32_t size, int n)
{
	static const char data[16] = "\1\0\0\0\2\0\0\0\3";
	struct event ev = raw(data, size);

	for (int i = 0; i < 4; i++) {
		CHECK_INT(bind_has(b, &ev, i), i < n);
		CHECK_INT(bind_i64(b, &ev, i), i < n ? i + 1 : 0);
	}
}

TEST(only_the_first_argument_is_demanded_when_others_are_optional)
{
	const struct binding *b = bind_raw("Xopt");

	CHECK_INT(b->size, 4);
	CHECK(!b->exact);
	for (uint32_t size = 0; size <= 16; size++)
		check_optional(b, size,
			size < 8            ? (int)size / 4
				: size < 16 ? 2
					    : 3);
}

TEST(an_exact_payload_has_one_size)
{
	CHECK(bind_raw("Xexa")->exact);
	CHECK_INT(bind_raw("Xexa")->size, 12);
	CHECK(!bind_raw("Xu4")->exact);
}

TEST(an_event_without_arguments_demands_nothing)
{
	const struct binding *b = bind_raw("Xno");
	struct event ev = raw(NULL, 0);

	CHECK_INT(b->size, 0);
	CHECK_INT(b->nargs, 0);
	CHECK(!bind_has(b, &ev, 0));
}

TEST(a_jumbo_may_be_required)
{
	CHECK_STR(bind_raw("Xjum")->trouble, "expecting a jumbo event");
	CHECK(bind(&(struct event_class){ .name = "Xjum", .jumbo = true })
			->trouble == NULL);
	CHECK(bind(&(struct event_class){ .name = "Xu4", .jumbo = true })
			->trouble == NULL);
}

#define DESCRIBED(event_name, ...) \
	(&(struct event_class){ .name = (event_name), \
		.described = true, \
		.jumbo = true, \
		.nfields = (int)(sizeof((struct field[]){ __VA_ARGS__ }) / \
			sizeof(struct field)), \
		.field = (const struct field[]){ __VA_ARGS__ } })

TEST(described_arguments_are_found_by_name_in_any_order)
{
	const struct binding *b =
		bind(DESCRIBED("Xopt", { .name = "other", .type = FIELD_STR },
			{ .name = "tag", .type = FIELD_U64 },
			{ .name = "cpu", .type = FIELD_I64 },
			{ .name = "tid", .type = FIELD_I32 }));
	union value v[] = { { .s = "?" }, { .u = 3 }, { .i = -1 }, { .i = 2 } };
	struct event ev = { .value = v };

	CHECK(b->trouble == NULL);
	CHECK_INT(b->nargs, 3);
	CHECK_INT(bind_i64(b, &ev, 0), -1);
	CHECK_INT(bind_i64(b, &ev, 1), 2);
	CHECK_INT(bind_i64(b, &ev, 2), 3);
}

TEST(fields_without_names_are_taken_by_position)
{
	const struct binding *b =
		bind(DESCRIBED("Xjum", { .name = NULL, .type = FIELD_I64 },
			{ .name = NULL, .type = FIELD_STR }));
	union value v[] = { { .i = 77 }, { .s = "text" } };
	struct event ev = { .value = v };

	CHECK(b->trouble == NULL);
	CHECK_INT(bind_i64(b, &ev, 0), 77);
	CHECK_STR(bind_str(b, &ev, 1), "text");
	CHECK(bind_str(b, &ev, 0) == NULL);
}

TEST(a_field_of_another_name_is_not_taken_by_position)
{
	const struct binding *b =
		bind(DESCRIBED("Xexa", { .name = "value", .type = FIELD_I64 },
			{ .name = "kind", .type = FIELD_I32 }));

	CHECK_STR(b->trouble, "missing payload: no argument \"type\"");
}

TEST(described_arguments_that_are_optional_may_miss)
{
	const struct binding *b =
		bind(DESCRIBED("Xopt", { .name = "cpu", .type = FIELD_I32 }));
	union value v[] = { { .i = 5 } };
	struct event ev = { .value = v };

	CHECK(b->trouble == NULL);
	CHECK_INT(bind_i64(b, &ev, 0), 5);
	CHECK(bind_has(b, &ev, 0));
	CHECK(!bind_has(b, &ev, 1));
	CHECK_INT(bind_i64(b, &ev, 1), 0);
}

TEST(arguments_by_position_may_not_miss)
{
	CHECK_STR(bind(DESCRIBED("Xopt", { .name = NULL, .type = FIELD_I64 }))
			  ->trouble,
		"missing payload: no argument \"tid\"");
}

TEST(described_arguments_that_are_needed_may_not_miss)
{
	CHECK_STR(bind(DESCRIBED("Xopt", { .name = "tid", .type = FIELD_I32 }))
			  ->trouble,
		"missing payload: no argument \"cpu\"");
	CHECK_STR(
		bind(&(struct event_class){ .name = "Xu4", .described = true })
			->trouble,
		"missing payload: no argument \"v\"");
}

TEST(a_described_text_is_no_number_and_the_reverse)
{
	CHECK_STR(bind(DESCRIBED("Xu4", { .name = "v", .type = FIELD_STR }))
			  ->trouble,
		"argument \"v\" is not a u32");
	CHECK_STR(bind(DESCRIBED("Xjum", { .name = "id", .type = FIELD_U32 },
			       { .name = "label", .type = FIELD_U32 }))
			  ->trouble,
		"argument \"label\" is not a str");
}

TEST(a_described_class_has_no_size_to_be_exact_about)
{
	const struct binding *b =
		bind(DESCRIBED("Xexa", { .name = "type", .type = FIELD_I32 },
			{ .name = "value", .type = FIELD_I64 },
			{ .name = "more", .type = FIELD_I64 }));

	CHECK(b->trouble == NULL);
	CHECK(!b->exact);
	CHECK_INT(b->size, 0);
}

TEST(described_spans_and_sets_need_no_fields)
{
	CHECK_INT(bind(DESCRIBED("XSa", { .name = "cpu", .type = FIELD_U32 }))
			  ->action,
		ACTION_PUSH);
	CHECK_INT(bind(DESCRIBED("XV1", { .name = "cpu", .type = FIELD_U32 }))
			  ->action,
		ACTION_SET);
}

TEST_MAIN(RUN(a_span_pushes_and_pops_its_value), RUN(a_set_has_its_value),
	RUN(channels_are_counted_from_the_first_of_the_model),
	RUN(a_binding_knows_its_model_and_what_it_needs),
	RUN(the_first_model_with_the_name_has_it),
	RUN(an_event_without_function_is_ignored_whatever_it_holds),
	RUN(an_unknown_name_is_bound_to_nothing),
	RUN(without_models_everything_is_unknown),
	RUN(a_question_mark_takes_any_letter),
	RUN(numbers_in_bytes_are_extended_by_their_type),
	RUN(arguments_follow_each_other_without_padding),
	RUN(a_string_without_its_nul_is_none),
	RUN(an_empty_string_and_bytes_behind_one_are_fine),
	RUN(a_number_is_no_string),
	RUN(only_the_first_argument_is_demanded_when_others_are_optional),
	RUN(an_exact_payload_has_one_size),
	RUN(an_event_without_arguments_demands_nothing),
	RUN(a_jumbo_may_be_required),
	RUN(described_arguments_are_found_by_name_in_any_order),
	RUN(fields_without_names_are_taken_by_position),
	RUN(a_field_of_another_name_is_not_taken_by_position),
	RUN(described_arguments_that_are_optional_may_miss),
	RUN(arguments_by_position_may_not_miss),
	RUN(described_arguments_that_are_needed_may_not_miss),
	RUN(a_described_text_is_no_number_and_the_reverse),
	RUN(a_described_class_has_no_size_to_be_exact_about),
	RUN(described_spans_and_sets_need_no_fields))
