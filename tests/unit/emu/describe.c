/* SPDX-License-Identifier: MIT */
#include "emu/describe.h"

#include <string.h>

#include "base/arena.h"
#include "emu/model.h"
#include "test.h"

/* clang-format off */
static const struct span_def spans[] = {
	{ "XSa", "XSA", 0, 7, MEANS_TASK, "Seven", "begins seven" },
};

static const struct set_def sets[] = {
	{ "XV1", 0, 11, MEANS_IDLE, "Eleven", "sets eleven" },
};

static const struct event_def events[] = {
	{ "Xign(i32 cpu, u64 tag)", "on %cpu with %#llx{tag}", NULL, 0 },
	{ "Xpad(u32 id)", "<%05d{id}> <%-4u{id}> <%3i{id}>", NULL, 0 },
	{ "Xhex(i32 v, u8 b)", "%x{v} %X{b} %o{b}", NULL, 0 },
	{ "Xbig(u64 v)", "is %v", NULL, 0 },
	{ "Xper(u8 v)", "%{v}0 %% of 100%%", NULL, 0 },
	{ "Xjum+(u32 id, str label)", "names %id \"%s{label}\"", NULL, 0 },
	{ "Xone(str text)", "%text", NULL, 0 },
	{ "Xflo(f64 v)", "is %v", NULL, 0 },
	{ "Xnot(u32 id)", "says nothing of it", NULL, 0 },
	{ "Xbad(u32 id)", "a sentence with %nothing", NULL, 0 },
	{ "XB?", "a burst", NULL, 0 },
};
/* clang-format on */

static const struct chan_def chans[] = { { .key = "a", .number = 900 } };

static const struct model model_x = {
	.id = 'X',
	.name = "x",
	MODEL_ROWS(chans),
	MODEL_ROWS(spans),
	MODEL_ROWS(sets),
	MODEL_ROWS(events),
};

static const struct event_def y_events[] = {
	{ "Yev", "of the second model", NULL, 0 },
};

static const struct plain_def y_plains[] = { { "Yev", "in plain words" } };

static const struct model model_y = {
	.id = 'Y',
	.name = "y",
	.events = y_events,
	.nevents = 1,
	.plains = y_plains,
	.nplains = 1,
};

static struct arena arena;
static char line[256];

static const struct description *
describe(const struct event_class *class)
{
	static const struct model *const both[] = { &model_x, &model_y, NULL };

	return describe_class(&arena, class, both);
}

static const struct description *
raw(const char *name)
{
	return describe(&(struct event_class){ .name = name });
}

/* Returns the sentence of an event with this payload, or NULL if it has none.
 */
static const char *
say(const char *name, const void *data, uint32_t size)
{
	struct event ev = { .data = data, .size = size };
	const struct description *d = describe(&(struct event_class){
		.name = name, .jumbo = strcmp(name, "Xjum") == 0 });
	int64_t n = describe_event(d, &ev, line, sizeof line);

	if (n < 0)
		return NULL;
	CHECK_INT(n, (int64_t)strlen(line));
	return line;
}

TEST(spans_and_sets_say_what_their_rows_say)
{
	CHECK_STR(say("XSa", NULL, 0), "begins seven");
	CHECK_STR(say("XSA", NULL, 0), "ceases seven");
	CHECK_STR(say("XV1", NULL, 0), "sets eleven");
	CHECK_STR(say("XBz", "more", 4), "a burst");
	CHECK_STR(say("Yev", NULL, 0), "of the second model");
}

static const char *
say_plainly(const char *name)
{
	static const struct model *const both[] = { &model_x, &model_y, NULL };
	const struct event_class class = { .name = name };

	describe_says(
		describe_plainly(&arena, &class, both), line, sizeof line);
	return line;
}

TEST(plain_words_replace_those_that_the_original_fixes)
{
	CHECK_STR(say_plainly("XSA"), "ends seven");
	CHECK_STR(say_plainly("XSa"), "begins seven");
	CHECK_STR(say_plainly("XBz"), "a burst");
	CHECK_STR(say_plainly("Yev"), "in plain words");
	CHECK_STR(say("Yev", NULL, 0), "of the second model");
	CHECK_STR(say_plainly("Zno"), "");
}

/* Returns true if the model has an event of that name with another sentence. */
static bool
says_otherwise(const struct model *m, const struct plain_def *plain)
{
	for (int i = 0; i < m->nspans; i++)
		if (strcmp(m->spans[i].in, plain->event) == 0 ||
			strcmp(m->spans[i].out, plain->event) == 0)
			return strcmp(m->spans[i].says, plain->says) != 0;
	for (int i = 0; i < m->nevents; i++)
		if (strcmp(m->events[i].signature, plain->event) == 0)
			return strcmp(m->events[i].says, plain->says) != 0;
	return false;
}

TEST(plain_sentences_are_of_events_of_the_model)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		for (int i = 0; i < (*m)->nplains; i++)
			CHECK(says_otherwise(*m, &(*m)->plains[i]));
}

TEST(arguments_of_events_without_function_are_filled_in)
{
	CHECK_STR(say("Xign", "\xff\xff\xff\xff\xb0\x15\0\0\0\0\0\0", 12),
		"on -1 with 0x15b0");
	CHECK_STR(say("Xign", "\1\0\0\0\0\0\0\0\0\0\0\0", 12), "on 1 with 0");
}

TEST(conversions_have_flags_and_widths)
{
	CHECK_STR(say("Xpad", "\x2a\0\0\0", 4), "<00042> <42  > < 42>");
	CHECK_STR(say("Xhex", "\xff\xff\xff\xff\xff", 5), "ffffffff FF 377");
}

TEST(numbers_are_as_large_as_their_type)
{
	CHECK_STR(say("Xbig", "\xff\xff\xff\xff\xff\xff\xff\xff", 8),
		"is 18446744073709551615");
}

TEST(a_per_cent_sign_is_written_twice)
{
	CHECK_STR(say("Xper", "\7", 1), "70 % of 100%");
}

TEST(strings_and_floating_point)
{
	double v = 2.5;

	CHECK_STR(say("Xjum", "\1\0\0\0name", 9), "names 1 \"name\"");
	CHECK_STR(say("Xone", "text", 5), "text");
	CHECK_STR(say("Xflo", &v, sizeof v), "is 2.5");
}

TEST(what_the_payload_lacks_cannot_be_said)
{
	CHECK(say("Xign", NULL, 0) == NULL);
	CHECK(say("Xign", "\1\0\0\0\0\0\0\0\0\0\0", 11) == NULL);
	CHECK(say("Xjum", "\1\0\0\0name", 8) == NULL);
	CHECK(say("Xflo", "1234567", 7) == NULL);
	CHECK_STR(say("Xnot", NULL, 0), "says nothing of it");
	CHECK(strstr(describe_why(raw("Xign")), "missing payload") != NULL);
}

TEST(a_jumbo_is_needed_where_the_row_says_so)
{
	struct event ev = { .data = (const uint8_t *)"\1\0\0\0a", .size = 6 };

	CHECK(describe_event(raw("Xjum"), &ev, line, sizeof line) == -1);
	CHECK_STR(describe_why(raw("Xjum")), "expecting a jumbo event");
}

TEST(an_unknown_event_is_not_described)
{
	CHECK(say("ZZz", NULL, 0) == NULL);
	CHECK_INT(raw("ZZz")->binding->action, ACTION_UNKNOWN);
	CHECK_STR(describe_why(raw("ZZz")), DESCRIBE_UNKNOWN);
	CHECK_INT(describe_says(raw("ZZz"), line, sizeof line), 0);
	CHECK_STR(line, "");
}

TEST(a_sentence_that_is_wrong_is_plain_text)
{
	CHECK_STR(say("Xbad", "\1\0\0\0", 4), "a sentence with %nothing");
}

TEST(too_little_room_cuts_and_tells_the_length)
{
	struct event ev = { .data = (const uint8_t *)"abcdef", .size = 7 };
	char small[4] = "???";

	CHECK_INT(describe_event(raw("Xone"), &ev, small, sizeof small), 6);
	CHECK_STR(small, "abc");
	CHECK_INT(describe_event(raw("Xone"), &ev, small, 1), 6);
	CHECK_STR(small, "");
}

TEST(the_sentence_of_a_class_has_the_names)
{
	describe_says(raw("Xign"), line, sizeof line);
	CHECK_STR(line, "on <cpu> with <tag>");
	describe_says(raw("XSA"), line, sizeof line);
	CHECK_STR(line, "ceases seven");
}

TEST(arguments_can_be_asked_for)
{
	struct event ev = { .data = (const uint8_t *)"\1\0\0\0ab", .size = 7 };
	const struct description *d = describe(
		&(struct event_class){ .name = "Xjum", .jumbo = true });
	struct describe_arg arg;

	CHECK(describe_get(d, &ev, 0, &arg));
	CHECK_STR(arg.name, "id");
	CHECK_INT(arg.value.i, 1);
	CHECK(describe_get(d, &ev, 1, &arg));
	CHECK_STR(arg.name, "label");
	CHECK_STR(arg.value.s, "ab");
	CHECK(!describe_get(d, &ev, 2, &arg));
	ev.size = 6;
	CHECK(describe_get(d, &ev, 1, &arg) && arg.value.s == NULL);
	ev.size = 3;
	CHECK(!describe_get(d, &ev, 0, &arg));
}

TEST(described_classes_have_their_own_fields)
{
	static const struct field field[] = { { .name = "tag",
						      .type = FIELD_I64 },
		{ .name = "cpu", .type = FIELD_I32 } };
	const union value v[] = { { .i = 16 }, { .i = 3 } };
	struct event ev = { .value = v };
	struct event_class class = {
		.name = "Xign", .described = true, .nfields = 2, .field = field
	};
	struct describe_arg arg;

	describe_event(describe(&class), &ev, line, sizeof line);
	CHECK_STR(line, "on 3 with 0x10");
	class.name = "ZZz";
	CHECK(describe_get(describe(&class), &ev, 0, &arg));
	CHECK_STR(arg.name, "tag");
	CHECK_INT(arg.value.i, 16);
	CHECK(!describe_get(describe(&class), &ev, 2, &arg));
	class.name = "Xign";
	class.nfields = 1;
	CHECK(describe_event(describe(&class), &ev, line, sizeof line) == -1);
}

TEST(rows_are_held_against_their_signature)
{
	static const char sig[] = "Xev(u32 id, f64 v, str label)";
	static const char *const right[] = { "", "plain", "%id", "%{id}s %%",
		"%#llx{id}", "%-08hhd{id}", "%s{label} %label", "%v" };
	static const char *const wrong[] = { "%", "100% of", "%x", "%{id",
		"%{}", "%n{id}", "%*d{id}", "%s{id}", "%d{label}", "%d{v}",
		"%100d{id}", "%.5s{label}", "%5s{label}", "%dx{id}", "%idx",
		"%ll{id}", "%#0+- d{id}" };
	struct err err;

	for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
		err = (struct err){ 0 };
		CHECK(describe_check(right[i], sig, &err));
		CHECK_STR(err.text, "");
	}
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		err = (struct err){ 0 };
		if (describe_check(wrong[i], sig, &err))
			CHECK_STR(wrong[i], "is refused");
		CHECK(strstr(err.text, "column") != NULL);
	}
}

TEST_MAIN(RUN(spans_and_sets_say_what_their_rows_say),
	RUN(plain_words_replace_those_that_the_original_fixes),
	RUN(plain_sentences_are_of_events_of_the_model),
	RUN(arguments_of_events_without_function_are_filled_in),
	RUN(conversions_have_flags_and_widths),
	RUN(numbers_are_as_large_as_their_type),
	RUN(a_per_cent_sign_is_written_twice), RUN(strings_and_floating_point),
	RUN(what_the_payload_lacks_cannot_be_said),
	RUN(a_jumbo_is_needed_where_the_row_says_so),
	RUN(an_unknown_event_is_not_described),
	RUN(a_sentence_that_is_wrong_is_plain_text),
	RUN(too_little_room_cuts_and_tells_the_length),
	RUN(the_sentence_of_a_class_has_the_names),
	RUN(arguments_can_be_asked_for),
	RUN(described_classes_have_their_own_fields),
	RUN(rows_are_held_against_their_signature))
