/* SPDX-License-Identifier: MIT */
#include "serve/request.h"

#include <stdlib.h>

#include "test.h"

static struct request
asked(const char *target)
{
	struct request q = { .method = "GET" };

	request_target(&q, target);
	return q;
}

TEST(target_is_split_at_the_question_mark)
{
	struct request q = asked("/v1/0/aa/tile?type=3&w=4?");

	CHECK_STR(q.path, "/v1/0/aa/tile");
	CHECK_STR(q.query, "type=3&w=4?");
	q = asked("/");
	CHECK_STR(q.path, "/");
	CHECK_STR(q.query, "");
}

TEST(path_has_few_characters)
{
	static const char *const bad[] = { "", "v1", "*", "http://x/", "/a%2e",
		"/a b", "/a\\b", "/a;b", "/\xc3\xa4", "/a?b=%00", "/~",
		"/a#b" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct request q = asked(bad[i]);

		CHECK_STR(q.path, "");
		CHECK_STR(q.query, "");
	}
	CHECK_STR(asked("/..//A-z_0.js").path, "/..//A-z_0.js");
}

TEST(path_has_at_most_1024_bytes)
{
	char target[REQUEST_PATH + 2];

	memset(target, 'a', sizeof target);
	target[0] = '/';
	target[sizeof target - 1] = '\0';
	CHECK_STR(asked(target).path, "");
	target[REQUEST_PATH] = '\0';
	CHECK_STR(asked(target).path, target);
}

static struct request
with(const char *name, const char *value)
{
	struct request q = { .method = "GET" };

	request_header(&q, name, strlen(name), value, strlen(value));
	return q;
}

TEST(names_of_headers_have_no_case)
{
	CHECK_INT(with("hOST", "x").times[REQUEST_HOST], 1);
	CHECK_INT(with("Hos", "x").times[REQUEST_HOST], 0);
	CHECK_INT(with("Hostx", "x").times[REQUEST_HOST], 0);
}

TEST(headers_are_counted)
{
	struct request q = with("Host", "a");

	request_header(&q, "host", 4, "b", 1);
	CHECK_INT(q.times[REQUEST_HOST], 2);
}

TEST(value_with_a_nul_is_none)
{
	struct request q = { .method = "GET" };

	request_header(&q, "Host", 4, "localhost\0.evil", 15);
	CHECK_STR(q.field[REQUEST_HOST], "");
	CHECK_INT(q.times[REQUEST_HOST], 1);
}

TEST(cookie_is_found_among_others)
{
	struct request q = with("Cookie", "a=1; weft-80=xyz;weft-8=uv; b");
	size_t n = 0;

	CHECK(request_cookie(&q, "weft-8", &n) != NULL && n == 2);
	CHECK(request_cookie(&q, "weft-80", &n) != NULL && n == 3);
	CHECK(request_cookie(&q, "eft-80", &n) == NULL);
	CHECK(request_cookie(&q, "b", &n) == NULL);
}

TEST(encodings_are_words)
{
	CHECK(request_takes(&(struct request){ 0 }, "gzip") == false);
	CHECK(request_takes(
		&(struct request){ .field[REQUEST_ENCODING] = "br, GZIP" },
		"gzip"));
	CHECK(!request_takes(
		&(struct request){ .field[REQUEST_ENCODING] = "xgzip, gzipx" },
		"gzip"));
	CHECK(!request_takes(
		&(struct request){ .field[REQUEST_ENCODING] = "gzip; q=0.00" },
		"gzip"));
	CHECK(request_takes(
		&(struct request){ .field[REQUEST_ENCODING] = "gzip;q=0.01" },
		"gzip"));
}

TEST_MAIN(RUN(target_is_split_at_the_question_mark),
	RUN(path_has_few_characters), RUN(path_has_at_most_1024_bytes),
	RUN(names_of_headers_have_no_case), RUN(headers_are_counted),
	RUN(value_with_a_nul_is_none), RUN(cookie_is_found_among_others),
	RUN(encodings_are_words))
