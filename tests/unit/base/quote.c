/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/quote.h"

/* Quotes the whole text; each call of `quote` gets `room` bytes. */
static const char *
quoted(quote_fn *quote, const char *text, size_t n, size_t room)
{
	static char all[512];
	char *to = all;
	const char *at = text;

	while (at < text + n)
		to = quote(to, to + room, &at, text + n);
	*to = '\0';
	return all;
}

static const char *
json(const char *text)
{
	return quoted(quote_json, text, strlen(text), QUOTE_ROOM);
}

TEST(json_escapes_quotes_and_control_characters)
{
	CHECK_STR(json("plain"), "plain");
	CHECK_STR(json("a \"b\" \\c/"), "a \\\"b\\\" \\\\c/");
	CHECK_STR(json("\n\t\x7f"), "\\u000a\\u0009\\u007f");
	CHECK_STR(quoted(quote_json, "a\0b", 3, QUOTE_ROOM), "a\\u0000b");
}

TEST(json_is_utf8)
{
	CHECK_STR(json("\xc3\xa9t\xc3\xa9"), "\xc3\xa9t\xc3\xa9");
	CHECK_STR(json("\xff.\xc3"), "\xef\xbf\xbd.\xef\xbf\xbd");
}

TEST(csv_doubles_quotes)
{
	CHECK_STR(quoted(quote_csv, "a \"b\",\n", 7, QUOTE_ROOM),
		"a \"\"b\"\",\n");
	CHECK_STR(quoted(quote_csv, "\"", 1, QUOTE_ROOM), "\"\"");
	CHECK(quote_csv_needs("a,b", 3) && quote_csv_needs("\r", 1));
	CHECK(quote_csv_needs("\"", 1) && quote_csv_needs("a\n", 2));
	CHECK(!quote_csv_needs("a b;\0\xff", 6) && !quote_csv_needs("", 0));
}

TEST(any_room_gives_the_same)
{
	static const char text[] =
		"\"\"\x01 a long \"text\" \xe2\x82\xac\xff\\";
	char want[2][512];

	strcpy(want[0], quoted(quote_json, text, sizeof text, 500));
	strcpy(want[1], quoted(quote_csv, text, sizeof text, 500));
	for (size_t room = 6; room < 70; room++) {
		CHECK_STR(quoted(quote_json, text, sizeof text, room), want[0]);
		CHECK_STR(quoted(quote_csv, text, sizeof text, room), want[1]);
	}
}

TEST_MAIN(RUN(json_escapes_quotes_and_control_characters), RUN(json_is_utf8),
	RUN(csv_doubles_quotes), RUN(any_room_gives_the_same))
