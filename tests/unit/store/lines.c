/* SPDX-License-Identifier: MIT */
/* Database rows as lines of JSON and of CSV, store addresses, names. */
#include <stdlib.h>

#include "store/address.h"
#include "store/csvline.h"
#include "store/jsonline.h"
#include "store/texts.h"
#include "unit/store/content.h"

static bool
read_json(const char *text, struct store_value *row, struct err *err)
{
	static char line[1024];

	*err = (struct err){ 0 };
	memcpy(line, text, strlen(text));
	return jsonline_read(line, strlen(text), &content_table, row, err);
}

TEST(json_of_others_is_understood)
{
	struct store_value row[6];
	struct err err;

	CHECK(read_json(
		"{ \"open\" : true, \"id\":7 ,\"other\":\"x\",\"n\":1e5,"
		"\"text\":\"\\u00e9\\ud83d\\ude00\\n\\/\" }",
		row, &err));
	CHECK_INT(row[0].u, 7);
	CHECK(row[1].null && row[2].null && row[3].null);
	CHECK_INT(row[4].size, 8);
	CHECK(memcmp(row[4].text, "\xc3\xa9\xf0\x9f\x98\x80\n/", 8) == 0);
	CHECK(row[5].flag);
}

TEST(json_that_is_damaged_is_refused)
{
	static const char *const bad[] = { "", "{", "[]", "{\"id\"}",
		"{\"id\":}", "{\"id\":1", "{\"id\":1,}", "{\"id\":1}}",
		"{\"id\":\"1\",\"open\":true}", "{\"id\":-1,\"open\":true}",
		"{\"id\":1.5,\"open\":true}", "{\"id\":1,\"open\":1}",
		"{\"id\":18446744073709551616,\"open\":true}",
		"{\"id\":1,\"open\":true,\"text\":\"\\ud800\"}",
		"{\"id\":1,\"open\":true,\"text\":\"\\u12\"}",
		"{\"id\":1,\"open\":true,\"text\":\"\\x\"}",
		"{\"id\":1,\"open\":true,\"text\":\"" };
	struct store_value row[6];
	struct err err;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		if (!read_json(bad[i], row, &err))
			continue;
		printf("# taken: %s\n", bad[i]);
		CHECK(false);
	}
}

static bool
read_csv(const char *text, struct store_value *row, struct err *err)
{
	static char line[1024];
	size_t n = strlen(text);

	*err = (struct err){ 0 };
	memcpy(line, text, n);
	return csvline_length(line, n) == n &&
		csvline_read(line, n, &content_table, row, err);
}

TEST(csv_of_others_is_understood)
{
	struct store_value row[6];
	struct err err;

	CHECK(read_csv("1,\"a\"\"b\",-5,1e3,\"\",false\r\n", row, &err));
	CHECK_INT(row[1].size, 3);
	CHECK_INT(row[2].i, -5);
	CHECK(row[3].real == 1000);
	CHECK(!row[4].null && row[4].size == 0);
	CHECK(read_csv("1,,,,,true\n", row, &err));
	CHECK(row[1].null && row[2].null && row[3].null && row[4].null);
}

TEST(csv_that_is_damaged_is_refused)
{
	static const char *const bad[] = { "\n", "1\n", "1,,,,,true,\n",
		"x,,,,,true\n", "-1,,,,,true\n", "1,,1.5,,,true\n",
		"true,,,,,true\n", "1,,,,,1\n", "1,\"a\"b,,,,true\n",
		"1,,,,,true", "\"1,,,,,true\n" };
	struct store_value row[6];
	struct err err;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		if (!read_csv(bad[i], row, &err))
			continue;
		printf("# taken: %s\n", bad[i]);
		CHECK(false);
	}
}

/* If any byte is changed, removed or doubled, the parser returns a result and
 * does not read beyond the text. */
TEST(damage_is_no_danger)
{
	static const char json[] =
		"{\"id\":1,\"open\":true,\"text\":\"a\\u00e9\\n\",\"value\":2}";
	static const char csv[] = "1,\"a\"\"b\",-5,1e3,\"x\ny\",false\n";
	struct store_value row[6];
	unsigned seed = 1;

	for (int i = 0; i < 20000; i++) {
		const char *from = i % 2 == 0 ? json : csv;
		size_t n = strlen(from);
		char *line = malloc(n);
		struct err err = { 0 };

		memcpy(line, from, n);
		for (int k = 0; k < 3; k++) {
			seed = seed * 1103515245 + 12345;
			line[(seed >> 8) % n] = (char)(seed >> 24);
		}
		n -= (seed >> 4) % 4;
		if (i % 2 == 0)
			jsonline_read(line, n, &content_table, row, &err);
		else if ((n = csvline_length(line, n)) > 0)
			csvline_read(line, n, &content_table, row, &err);
		free(line);
	}
}

static const char *
place_error(const char *text)
{
	static struct err err;
	struct arena a = { 0 };
	struct store_address p;

	err = (struct err){ 0 };
	store_address_parse(&p, &a, text, &err);
	arena_fini(&a);
	return err.text;
}

TEST(addresses)
{
	struct arena a = { 0 };
	struct store_address p;
	struct err err = { 0 };

	CHECK(store_address_parse(&p, &a, "mysql://me@db.host:33/runs", &err));
	CHECK_STR(p.kind, "mariadb");
	CHECK_STR(p.user, "me");
	CHECK_STR(p.host, "db.host");
	CHECK_INT(p.port, 33);
	CHECK_STR(p.database, "runs");
	CHECK(store_address_parse(&p, &a, "mongodb://[::1]:9/x", &err));
	CHECK_STR(p.host, "::1");
	CHECK(p.user == NULL);
	CHECK(store_address_parse(&p, &a, "mongodb:///x", &err));
	CHECK_STR(p.host, "localhost");
	CHECK(store_address_parse(&p, &a, "a:b.db", &err));
	CHECK_STR(p.kind, "sqlite");
	CHECK_STR(p.path, "a:b.db");
	CHECK(store_address_parse(&p, &a, "x.json", &err));
	CHECK_STR(p.kind, "json");
	CHECK(strstr(place_error("mariadb://h"), "/DATABASE") != NULL);
	CHECK(strstr(place_error("mariadb://h/a/b"), "/DATABASE") != NULL);
	CHECK(strstr(place_error("mariadb://h:0/a"), "port must be a number") !=
		NULL);
	CHECK(strstr(place_error("ftp://h/a"), "not a kind") != NULL);
	CHECK(strstr(place_error("csv:"), "no file name") != NULL);
	CHECK(strstr(place_error("mongodb://u:p@h/a"), "u:p") == NULL);
	arena_fini(&a);
}

TEST(names_hold_any_byte)
{
	struct arena a = { 0 };
	struct names n;
	char text[8];

	names_init(&n, &a);
	CHECK_INT(names_add(&n, "a\0b", 3), 1);
	CHECK_INT(names_add(&n, "a", 1), 2);
	CHECK_INT(names_add(&n, "", 0), 3);
	CHECK_INT(names_add(&n, "a\0b", 3), 1);
	for (uint32_t i = 0; i < 5000; i++) {
		memcpy(text, &i, 4);
		names_add(&n, text, 4);
	}
	memcpy(text, &(uint32_t){ 4999 }, 4);
	CHECK_INT(names_add(&n, text, 4), 5003);
	CHECK_INT(names_add(&n, "a", 1), 2);
	names_fini(&n);
	arena_fini(&a);
}

TEST_MAIN(RUN(json_of_others_is_understood),
	RUN(json_that_is_damaged_is_refused), RUN(csv_of_others_is_understood),
	RUN(csv_that_is_damaged_is_refused), RUN(damage_is_no_danger),
	RUN(addresses), RUN(names_hold_any_byte))
