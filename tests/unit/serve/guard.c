/* SPDX-License-Identifier: MIT */
#include "serve/guard.h"

#include "test.h"

#define PORT 4000

static struct secrets secrets;

/* The parts of a request; fields that are NULL are not sent. */
struct sent {
	const char *method, *target, *host, *site, *origin, *cookie, *bearer;
};

static void
put(struct request *q, const char *name, const char *value)
{
	if (value != NULL)
		request_header(q, name, strlen(name), value, strlen(value));
}

static struct guard
check(const struct sent *s, int hosts)
{
	struct request q = { .method = s->method == NULL ? "GET" : s->method };

	request_target(&q, s->target == NULL ? "/" : s->target);
	for (int i = 0; i < hosts; i++)
		put(&q, "Host", s->host == NULL ? "127.0.0.1:4000" : s->host);
	put(&q, "Sec-Fetch-Site", s->site);
	put(&q, "Origin", s->origin);
	put(&q, "Cookie", s->cookie);
	put(&q, "Authorization", s->bearer);
	return guard_check(&q, &secrets, PORT, 0);
}

static void
begin(void)
{
	secret_init(&secrets, &(struct err){ 0 });
	secret_start(&secrets, 0);
}

/* Returns a Cookie header such as "weft-4000=SECRET". */
static const char *
text_of(const char *before, enum secret_kind kind)
{
	static char text[64];

	snprintf(text, sizeof text, "%s%s", before, secrets.text[kind]);
	return text;
}

TEST(cookie_lets_in)
{
	struct sent s = { 0 };

	begin();
	CHECK_INT(check(&s, 1).status, 401);
	s.cookie = text_of("weft-4000=", SECRET_COOKIE);
	CHECK_INT(check(&s, 1).status, 200);
	s.method = "HEAD";
	CHECK_INT(check(&s, 1).status, 200);
	s.cookie = text_of("weft-4001=", SECRET_COOKIE);
	CHECK_INT(check(&s, 1).status, 401);
	s.cookie = text_of("weft-4000=", SECRET_TOKEN);
	CHECK_INT(check(&s, 1).status, 401);
	secret_fini(&secrets);
}

TEST(bearer_is_the_token)
{
	struct sent s = { 0 };

	begin();
	s.bearer = text_of("Bearer ", SECRET_TOKEN);
	CHECK_INT(check(&s, 1).status, 200);
	s.bearer = text_of("Basic ", SECRET_TOKEN);
	CHECK_INT(check(&s, 1).status, 401);
	s.bearer = text_of("Bearer ", SECRET_COOKIE);
	CHECK_INT(check(&s, 1).status, 401);
	secret_fini(&secrets);
}

TEST(only_get_and_head)
{
	static const char *const bad[] = { "POST", "PUT", "OPTIONS", "TRACE",
		"CONNECT", "get", "" };
	struct sent s = { .host = "evil" };

	begin();
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		s.method = bad[i];
		CHECK_INT(check(&s, 1).status,
			405); /* the method is checked before the host */
	}
	secret_fini(&secrets);
}

TEST(host_is_this_machine_once)
{
	static const char *const good[] = { "127.0.0.1", "localhost", "[::1]",
		"127.0.0.1:1", "localhost:65535", "[::1]:4000" };
	static const char *const bad[] = { "", "127.0.0.1.evil.example",
		"127.0.0.1:", "127.0.0.1:x", "127.0.0.1:1x", "localhost.",
		"localhost:123456", "::1", "[::1", "[::1]x", "127.0.0.2",
		"evil.example", "localhost,127.0.0.1", "u@localhost" };
	struct sent s = { .site = "cross-site" };

	begin();
	s.cookie = text_of("weft-4000=", SECRET_COOKIE);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		s.host = bad[i];
		CHECK_INT(check(&s, 1).status,
			421); /* the host is checked before the site */
	}
	s.site = NULL;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		s.host = good[i];
		CHECK_INT(check(&s, 1).status, 200);
		CHECK_INT(check(&s, 0).status, 421);
		CHECK_INT(check(&s, 2).status, 421);
	}
	secret_fini(&secrets);
}

TEST(other_sites_are_refused)
{
	struct sent s = { .target = "/a%" };

	begin();
	s.cookie = text_of("weft-4000=", SECRET_COOKIE);
	s.site = "cross-site";
	CHECK_INT(check(&s, 1).status,
		403); /* the site is checked before the path */
	s.site = "same-site";
	CHECK_INT(check(&s, 1).status, 403);
	s.site = NULL;
	s.origin = "null";
	CHECK_INT(check(&s, 1).status, 403);
	s.origin = "http://localhost:4000";
	CHECK_INT(check(&s, 1).status, 403);
	s.origin = "https://127.0.0.1:4000";
	CHECK_INT(check(&s, 1).status, 403);
	s.target = "/";
	s.origin = "http://127.0.0.1:4000";
	CHECK_INT(check(&s, 1).status, 200);
	s.site = "same-origin";
	CHECK_INT(check(&s, 1).status, 200);
	s.site = "none";
	CHECK_INT(check(&s, 1).status, 200);
	secret_fini(&secrets);
}

TEST(path_is_checked_before_the_cookie)
{
	struct sent s = { .target = "/%2e%2e" };

	begin();
	CHECK_INT(check(&s, 1).status, 400);
	s.target = "/../etc";
	CHECK_INT(check(&s, 1).status, 401);
	secret_fini(&secrets);
}

TEST(token_is_given_back_for_a_cookie)
{
	struct sent s = { 0 };
	struct guard g;

	begin();
	s.target = text_of("/?t=", SECRET_TOKEN);
	for (int i = 0; i < 2; i++) {
		g = check(&s, 1);
		CHECK_INT(g.status, 303);
		CHECK_STR(g.cookie, secrets.text[SECRET_COOKIE]);
	}
	s.target = text_of("/?t=", SECRET_TICKET);
	CHECK_INT(check(&s, 1).status, 401);
	s.target = text_of("/x?t=", SECRET_TOKEN);
	CHECK_INT(check(&s, 1).status, 401);
	s.target = text_of("/?x=1&t=", SECRET_TOKEN);
	CHECK_INT(check(&s, 1).status, 401);
	secret_fini(&secrets);
}

TEST(ticket_is_good_once)
{
	struct sent s = { 0 }, page = { 0 };
	char cookie[64];
	struct guard g;

	begin();
	snprintf(cookie, sizeof cookie, "weft-4000=%s",
		secrets.text[SECRET_TICKET_COOKIE]);
	page.cookie = cookie;
	s.target = text_of("/?k=", SECRET_TICKET);
	g = check(&s, 1);
	CHECK_INT(g.status, 303);
	CHECK_STR(g.cookie, secrets.text[SECRET_TICKET_COOKIE]);
	CHECK_INT(check(&page, 1).status, 200);
	g = check(&s, 1);
	CHECK_INT(g.status, 401);
	CHECK(g.twice);
	CHECK_INT(check(&page, 1).status, 401);
	secret_fini(&secrets);
}

TEST_MAIN(RUN(cookie_lets_in), RUN(bearer_is_the_token), RUN(only_get_and_head),
	RUN(host_is_this_machine_once), RUN(other_sites_are_refused),
	RUN(path_is_checked_before_the_cookie),
	RUN(token_is_given_back_for_a_cookie), RUN(ticket_is_good_once))
