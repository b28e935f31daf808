/* SPDX-License-Identifier: MIT */
#include "emu/signature.h"

#include "test.h"

static struct signature sig;

static bool
parse(const char *text)
{
	struct err err = { 0 };
	bool ok = signature_parse(&sig, text, &err);

	if (!ok)
		printf("# %s\n", err.text);
	return ok;
}

/* A wrong signature, the column of the error, and the expected text. */
static void
refuses(const char *text, int column, const char *want)
{
	struct err err = { 0 };
	char place[128];

	snprintf(place, sizeof place, "column %d: expected %s", column, want);
	CHECK(!signature_parse(&sig, text, &err));
	CHECK_INT(err.kind, ERR_INPUT);
	if (strstr(err.text, place) == NULL)
		CHECK_STR(err.text, place);
	/* Only the room in struct err truncates a long text. */
	if (strlen(text) < 80)
		CHECK(strstr(err.text, text) != NULL);
}

static void
check_arg(int i, enum field_type type, const char *name)
{
	CHECK(i < sig.nargs);
	CHECK_INT(sig.arg[i].type, type);
	CHECK_STR(sig.arg[i].name, name);
}

TEST(a_name_alone_has_no_arguments)
{
	CHECK(parse("6W["));
	CHECK_STR(sig.name, "6W[");
	CHECK(!sig.jumbo);
	CHECK_INT(sig.nargs, 0);
}

TEST(a_plus_is_a_jumbo_and_no_part_of_the_name)
{
	CHECK(parse("6Yc+(u32 typeid, str label)"));
	CHECK_STR(sig.name, "6Yc");
	CHECK(sig.jumbo);
	CHECK_INT(sig.nargs, 2);
	check_arg(0, FIELD_U32, "typeid");
	check_arg(1, FIELD_STR, "label");
	CHECK(parse("6Yc+"));
	CHECK(sig.jumbo);
	CHECK_STR(sig.name, "6Yc");
}

TEST(every_type_is_known)
{
	CHECK(parse("X(u8 a, u16 b, u32 c, u64 d, i8 e, i16 f, i32 g, i64 h, "
		    "f64 i, str j)"));
	CHECK_INT(sig.nargs, 10);
	for (int i = 0; i < sig.nargs; i++) {
		const char name[] = { (char)('a' + i), '\0' };

		check_arg(i, (enum field_type)i, name);
	}
}

TEST(blanks_around_arguments_do_not_matter)
{
	CHECK(parse("X(  u8   a  ,u16 b_2 ,  i64 C )"));
	CHECK_INT(sig.nargs, 3);
	check_arg(0, FIELD_U8, "a");
	check_arg(1, FIELD_U16, "b_2");
	check_arg(2, FIELD_I64, "C");
}

TEST(names_from_other_formats_are_taken)
{
	CHECK(parse("nanos6:tc:taskwait_enter(u32 id)"));
	CHECK_STR(sig.name, "nanos6:tc:taskwait_enter");
	check_arg(0, FIELD_U32, "id");
}

TEST(up_to_16_arguments)
{
	CHECK(parse("X(u8 a, u8 b, u8 c, u8 d, u8 e, u8 f, u8 g, u8 h, "
		    "u8 i, u8 j, u8 k, u8 l, u8 m, u8 n, u8 o, u8 p)"));
	CHECK_INT(sig.nargs, SIGNATURE_MAX_ARGS);
	check_arg(15, FIELD_U8, "p");
	refuses("X(u8 a, u8 b, u8 c, u8 d, u8 e, u8 f, u8 g, u8 h, "
		"u8 i, u8 j, u8 k, u8 l, u8 m, u8 n, u8 o, u8 p, u8 q)",
		98, "at most 16 arguments");
}

TEST(a_name_is_needed)
{
	refuses("", 1, "the name of an event");
	refuses("(u8 a)", 1, "the name of an event");
}

TEST(a_name_has_up_to_399_bytes)
{
	char text[402];

	memset(text, 'x', sizeof text);
	text[399] = '\0';
	CHECK(parse(text));
	CHECK_STR(sig.name, text);
	text[399] = 'x';
	text[400] = '\0';
	refuses(text, 1, "the name of an event");
}

TEST(types_must_be_known)
{
	refuses("X(u3 a)", 3, "a type");
	refuses("X(u320 a)", 3, "a type");
	refuses("X(U32 a)", 3, "a type");
	refuses("X(u8 a, int b)", 9, "a type");
}

TEST(brackets_hold_at_least_one_argument)
{
	refuses("X()", 3, "a type");
	refuses("X(", 3, "a type");
	refuses("X(u8 a,)", 8, "a type");
	refuses("X(,u8 a)", 3, "a type");
}

TEST(arguments_have_names)
{
	refuses("X(u8)", 5, "the name of the argument");
	refuses("X(u8 )", 6, "the name of the argument");
	refuses("X(u8 a, u16)", 12, "the name of the argument");
	refuses("X(u8 -a)", 6, "the name of the argument");
}

TEST(arguments_are_separated_by_commas)
{
	refuses("X(u8 a u8 b)", 8, "',' or ')'");
	refuses("X(u8 a; u8 b)", 7, "',' or ')'");
}

TEST(a_bracket_is_closed)
{
	refuses("X(u8 a", 7, "',' or ')'");
	refuses("X(u8 a, u8 b ", 14, "',' or ')'");
}

TEST(nothing_follows_the_bracket)
{
	refuses("X(u8 a) ", 8, "the end");
	refuses("X(u8 a)+", 8, "the end");
	refuses("X(u8 a)(u8 b)", 8, "the end");
}

TEST(a_string_is_the_last_argument)
{
	refuses("X(str a, u8 b)", 9, "no argument after a string");
	refuses("X(u8 a, str b, str c)", 15, "no argument after a string");
}

TEST(names_of_arguments_have_a_limit_together)
{
	char text[300] = "X(u8 ";
	size_t n = strlen(text);

	memset(text + n, 'a', 255);
	memcpy(text + n + 255, ")", 2);
	CHECK(parse(text));
	CHECK_INT(strlen(sig.arg[0].name), 255);
	memset(text + n, 'a', 256);
	memcpy(text + n + 256, ")", 2);
	refuses(text, 6, "the name of the argument");
}

TEST(the_first_error_of_a_caller_stays)
{
	struct err err = { 0 };

	CHECK(!signature_parse(&sig, "X(", &err));
	CHECK(!signature_parse(&sig, "", &err));
	CHECK(strstr(err.text, "column 3") != NULL);
}

TEST(sizes_add_up_without_padding)
{
	CHECK(parse("X(u8 a, i64 b, u16 c, f64 d, i32 e, str f)"));
	CHECK_INT(signature_size(&sig, 0), 0);
	CHECK_INT(signature_size(&sig, 1), 1);
	CHECK_INT(signature_size(&sig, 2), 9);
	CHECK_INT(signature_size(&sig, 3), 11);
	CHECK_INT(signature_size(&sig, 4), 19);
	CHECK_INT(signature_size(&sig, 5), 23);
	CHECK_INT(signature_size(&sig, 6), 24);
}

TEST(types_have_a_name_and_a_size)
{
	static const struct {
		const char *name;
		uint32_t size;
	} want[] = { { "u8", 1 }, { "u16", 2 }, { "u32", 4 }, { "u64", 8 },
		{ "i8", 1 }, { "i16", 2 }, { "i32", 4 }, { "i64", 8 },
		{ "f64", 8 }, { "str", 1 } };

	for (int i = FIELD_U8; i <= FIELD_STR; i++) {
		CHECK_STR(
			signature_type_name((enum field_type)i), want[i].name);
		CHECK_INT(
			signature_type_size((enum field_type)i), want[i].size);
	}
}

TEST(a_name_matches_itself_only)
{
	CHECK(signature_match("6W[", "6W["));
	CHECK(!signature_match("6W[", "6W]"));
	CHECK(!signature_match("6W[", "6W"));
	CHECK(!signature_match("6W", "6W["));
	CHECK(!signature_match("6W[", ""));
	CHECK(!signature_match("", "6W["));
	CHECK(signature_match("", ""));
}

TEST(a_question_mark_is_any_one_letter)
{
	CHECK(signature_match("OB?", "OBa"));
	CHECK(signature_match("OB?", "OB?"));
	CHECK(signature_match("OB?", "OB\xff"));
	CHECK(signature_match("O??", "OXY"));
	CHECK(!signature_match("OB?", "OB"));
	CHECK(!signature_match("OB?", "OBab"));
	CHECK(!signature_match("OB?", "OCa"));
	CHECK(!signature_match("OBa", "OB?"));
}

TEST_MAIN(RUN(a_name_alone_has_no_arguments),
	RUN(a_plus_is_a_jumbo_and_no_part_of_the_name),
	RUN(every_type_is_known), RUN(blanks_around_arguments_do_not_matter),
	RUN(names_from_other_formats_are_taken), RUN(up_to_16_arguments),
	RUN(a_name_is_needed), RUN(a_name_has_up_to_399_bytes),
	RUN(types_must_be_known), RUN(brackets_hold_at_least_one_argument),
	RUN(arguments_have_names), RUN(arguments_are_separated_by_commas),
	RUN(a_bracket_is_closed), RUN(nothing_follows_the_bracket),
	RUN(a_string_is_the_last_argument),
	RUN(names_of_arguments_have_a_limit_together),
	RUN(the_first_error_of_a_caller_stays),
	RUN(sizes_add_up_without_padding), RUN(types_have_a_name_and_a_size),
	RUN(a_name_matches_itself_only), RUN(a_question_mark_is_any_one_letter))
