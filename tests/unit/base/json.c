/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include "base/arena.h"
#include "scratch.h"
#include "test.h"

static struct arena arena;

static struct json_object *
parse(const char *text)
{
	struct err err = { 0 };
	struct json_object *doc = json_parse(text, strlen(text), &err);

	CHECK_STR(err.text, "");
	CHECK(doc != NULL);
	return doc;
}

static const char *
why_not(const char *text)
{
	struct err err = { 0 };
	struct json_object *doc = json_parse(text, strlen(text), &err);

	CHECK(doc == NULL);
	json_close(doc);
	return arena_strdup(&arena, err.text);
}

TEST(follows_paths)
{
	struct json_object *doc =
		parse("{\"ovni\": {\"lib\": {\"version\": \"1.11.0\"},"
		      " \"n\": null, \"t\": true, \"l\": [1, \"x\", null]}}");

	CHECK_STR(json_str(json_get(doc, "ovni.lib.version")), "1.11.0");
	CHECK_INT(json_type(doc, ""), JSON_OBJECT);
	CHECK_INT(json_type(doc, "ovni.lib"), JSON_OBJECT);
	CHECK_INT(json_type(doc, "ovni.lib.version"), JSON_STRING);
	CHECK_INT(json_type(doc, "ovni.lib.version.x"), JSON_MISSING);
	CHECK_INT(json_type(doc, "ovni.x"), JSON_MISSING);
	CHECK_INT(json_type(doc, "x.lib"), JSON_MISSING);
	CHECK_INT(json_type(doc, "ovni.n"), JSON_NULL);
	CHECK_INT(json_type(doc, "ovni.n.x"), JSON_MISSING);
	CHECK_INT(json_type(doc, "ovni.t"), JSON_BOOL);
	CHECK_INT(json_type(doc, "ovni.l"), JSON_ARRAY);
	CHECK(json_get(doc, "ovni.n") == NULL);
	CHECK(json_get(doc, "ovni.x") == NULL);
	CHECK(json_get(NULL, "x") == NULL);
	json_close(doc);
	json_close(NULL);
}

TEST(reads_arrays)
{
	struct json_object *doc = parse("[1, \"x\", null, [], {}]");
	int64_t one = 0;

	CHECK_INT(json_length(doc), 5);
	CHECK(json_int(json_at(doc, 0), &one));
	CHECK_INT(one, 1);
	CHECK_STR(json_str(json_at(doc, 1)), "x");
	CHECK_INT(json_type(json_at(doc, 0), ""), JSON_NUMBER);
	CHECK_INT(json_type(json_at(doc, 2), ""), JSON_NULL);
	CHECK_INT(json_length(json_at(doc, 3)), 0);
	CHECK_INT(json_length(json_at(doc, 4)), 0);
	CHECK(json_at(doc, 5) == NULL);
	CHECK(json_at(NULL, 0) == NULL);
	CHECK(json_str(doc) == NULL);
	json_close(doc);
}

static void
add_key(void *arg, const char *key, struct json_object *value)
{
	char *to = (char *)arg + strlen(arg);

	snprintf(to, 16, "%s%d", key, value != NULL);
}

TEST(walks_members_in_file_order)
{
	struct json_object *doc =
		parse("{\"z\": 1, \"a\": null, \"m\": {\"x\": 1}}");
	char keys[64] = "";

	json_each(doc, add_key, keys);
	CHECK_STR(keys, "z1a0m1");
	json_each(json_get(doc, "z"), add_key, keys);
	json_each(NULL, add_key, keys);
	CHECK_STR(keys, "z1a0m1");
	json_close(doc);
}

/* Returns the integer that a text holds, or `none`. */
static int64_t
integer(const char *text, int64_t none)
{
	struct json_object *doc = parse(text);
	int64_t v = none;

	CHECK(json_int(doc, &v) == (v != none));
	json_close(doc);
	return v;
}

TEST(integers_are_exact_or_refused)
{
	CHECK_INT(integer("3", -1), 3);
	CHECK_INT(integer("-3", -1), -3);
	CHECK_INT(integer("3.0", -1), 3);
	CHECK_INT(integer("1e3", -1), 1000);
	CHECK_INT(integer("-0", -1), 0);
	CHECK_INT(integer("3.5", -1), -1);
	CHECK_INT(integer("9223372036854775807", -1), INT64_MAX);
	CHECK_INT(integer("9223372036854775808", -1), -1);
	CHECK_INT(integer("18446744073709551615", -1), -1);
	CHECK_INT(integer("18446744073709551616", -1), -1);
	CHECK_INT(integer("-9223372036854775808", -1), INT64_MIN);
	CHECK_INT(integer("-9223372036854775809", -1), -1);
	CHECK_INT(integer("-99999999999999999999999", -1), -1);
	CHECK_INT(integer("9223372036854775808.0", -1), -1);
	CHECK_INT(integer("-9223372036854775808.0", -1), INT64_MIN);
	CHECK_INT(integer("1e400", -1), -1);
	CHECK_INT(integer("NaN", -1), -1);
	CHECK_INT(integer("\"3\"", -1), -1);
	CHECK_INT(integer("true", -1), -1);
}

TEST(comments_are_blanks)
{
	struct json_object *doc =
		parse("\xef\xbb\xbf// one \" [\n"
		      "/***/ {/* { \" */\"a\"//:\n"
		      ": /**/ 1, /* */ \"b\": \"/* x */ // y\""
		      " } // end\n/* end **/");
	int64_t one = 0;

	CHECK(json_int(json_get(doc, "a"), &one));
	CHECK_INT(one, 1);
	CHECK_STR(json_str(json_get(doc, "b")), "/* x */ // y");
	json_close(doc);
}

TEST(strings_keep_brackets_and_escapes)
{
	struct json_object *doc = parse("[\"\\\"[{,\\\\\", \"\\u00e9\"]");

	CHECK_STR(json_str(json_at(doc, 0)), "\"[{,\\");
	CHECK_STR(json_str(json_at(doc, 1)), "\xc3\xa9");
	json_close(doc);
}

TEST(an_error_has_its_place)
{
	CHECK_STR(why_not("{\n \"a\": 1\n \"b\": 2\n}"),
		"line 3, column 2: object value separator ',' expected");
	CHECK_STR(why_not("{} x"),
		"line 1, column 4: something follows the document");
	CHECK_STR(why_not("{}\n{}"),
		"line 2, column 1: something follows the document");
	CHECK_STR(why_not("1 2"),
		"line 1, column 3: something follows the document");
	CHECK_STR(why_not("{\n\"a\": [1,"),
		"line 2, column 9: the document has no end");
	CHECK_STR(why_not(""), "line 1, column 1: the document has no end");
	CHECK_STR(why_not("null"), "line 1, column 1: the document is null");
	CHECK_STR(why_not("{\"a\": 'x'}"), "line 1, column 7: stray \"'\"");
	CHECK_STR(why_not("[1 / 2]"), "line 1, column 4: stray '/'");
	CHECK_STR(why_not("[\n/* 1]"), "line 2, column 1: comment has no end");
	CHECK_STR(why_not("[\"abc]"), "line 1, column 2: string has no end");
	CHECK_STR(why_not("[\"abc\\"), "line 1, column 2: string has no end");
	CHECK_STR(why_not("\xef\xbb\xbf"),
		"line 1, column 4: the document has no end");
}

TEST(a_zero_byte_is_an_error)
{
	struct err err = { 0 };

	CHECK(json_parse("[1]\0[", 5, &err) == NULL);
	CHECK_STR(err.text, "line 1, column 4: zero byte");
}

static char *
repeat(const char *unit, size_t n)
{
	size_t size = strlen(unit);
	char *text = arena_alloc(&arena, n * size + 1);

	for (size_t i = 0; i < n * size; i++)
		text[i] = unit[i % size];
	return text;
}

TEST(the_tree_is_bounded_before_it_is_built)
{
	const char *too_much = "more than 48 MiB once parsed";

	CHECK_STR(why_not(repeat("{},", 200000)), too_much);
	CHECK_STR(why_not(repeat("/***/[],/*\"*/", 200000)), too_much);
	CHECK_STR(why_not(repeat("1,", 1000000)), too_much);
	CHECK_STR(why_not(repeat("[", 1000000)), too_much);
	CHECK_STR(
		why_not(repeat(" ", JSON_MAX_BYTES + 1)), "larger than 16 MiB");
}

TEST(text_in_strings_costs_no_tree)
{
	char *text = repeat("[{,:", 500000);

	text[0] = text[1999998] = '"';
	text[1999999] = '\0';
	json_close(parse(text));
}

TEST(depth_is_bounded)
{
	CHECK_STR(why_not(repeat("[", JSON_MAX_DEPTH + 10)),
		"line 1, column 161: nesting too deep");
}

TEST(a_file_error_begins_with_its_path)
{
	char dir[64];
	struct err err = { 0 };
	struct json_object *doc;
	FILE *f;

	scratch_enter(dir);
	f = fopen("m.json", "w");
	fputs("{\"a\":\n1", f);
	fclose(f);
	CHECK(json_read(&arena, "m.json", &err) == NULL);
	CHECK_STR(err.text, "line 2, column 2: the document has no end");
	err = (struct err){ 0 };
	CHECK(json_read(&arena, "none", &err) == NULL);
	CHECK_STR(err.text,
		"cannot be found, check the path: No such file or directory");
	f = fopen("m.json", "a");
	fputs("}\n", f);
	fclose(f);
	err = (struct err){ 0 };
	doc = json_read(&arena, "m.json", &err);
	CHECK_INT(json_type(doc, "a"), JSON_NUMBER);
	json_close(doc);
	scratch_leave(dir);
}

TEST(types_have_words)
{
	CHECK_STR(json_type_name(JSON_MISSING), "nothing");
	CHECK_STR(json_type_name(JSON_NUMBER), "a number");
	CHECK_STR(json_type_name(JSON_OBJECT), "an object");
}

static const struct test tests[] = { RUN(follows_paths), RUN(reads_arrays),
	RUN(walks_members_in_file_order), RUN(integers_are_exact_or_refused),
	RUN(comments_are_blanks), RUN(strings_keep_brackets_and_escapes),
	RUN(an_error_has_its_place), RUN(a_zero_byte_is_an_error),
	RUN(the_tree_is_bounded_before_it_is_built),
	RUN(text_in_strings_costs_no_tree), RUN(depth_is_bounded),
	RUN(a_file_error_begins_with_its_path), RUN(types_have_words) };

int
main(void)
{
	int code = test_run_all(tests, sizeof tests / sizeof tests[0]);

	arena_fini(&arena);
	return code;
}
