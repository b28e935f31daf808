/* SPDX-License-Identifier: MIT */
#include "serve/secret.h"

#include "test.h"

static struct secrets
begun(int64_t now)
{
	struct secrets s;

	CHECK(secret_init(&s, &(struct err){ 0 }));
	secret_start(&s, now);
	return s;
}

TEST(secrets_are_22_characters_and_differ)
{
	struct secrets s = begun(0);

	for (int i = 0; i < SECRETS; i++) {
		CHECK_INT(strlen(s.text[i]), SECRET_TEXT);
		CHECK_INT(strspn(s.text[i],
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmno"
				  "pqrstuvwxyz0123456789-_"),
			SECRET_TEXT);
		for (int k = 0; k < i; k++)
			CHECK(strcmp(s.text[i], s.text[k]) != 0);
	}
	secret_fini(&s);
}

TEST(token_is_all_of_its_characters)
{
	struct secrets s = begun(0);
	char text[SECRET_TEXT + 2];

	memcpy(text, s.text[SECRET_TOKEN], SECRET_TEXT);
	CHECK(secret_is_token(&s, text, SECRET_TEXT));
	CHECK(!secret_is_token(&s, text, SECRET_TEXT - 1));
	text[SECRET_TEXT] = 'A';
	CHECK(!secret_is_token(&s, text, SECRET_TEXT + 1));
	CHECK(!secret_is_token(&s, "", 0));
	for (int i = 0; i < SECRET_TEXT; i++) {
		text[i] ^= 1;
		CHECK(!secret_is_token(&s, text, SECRET_TEXT));
		text[i] ^= 1;
	}
	secret_fini(&s);
}

static enum secret_ticket
use(struct secrets *s, int64_t now)
{
	return secret_use(s, s->text[SECRET_TICKET], SECRET_TEXT, now);
}

static bool
is_cookie(struct secrets *s)
{
	return secret_is_cookie(s, s->text[SECRET_TICKET_COOKIE], SECRET_TEXT);
}

TEST(ticket_is_good_for_half_a_minute)
{
	struct secrets s = begun(1000);

	CHECK_INT(use(&s, 1000 + SECRET_TICKET_NS), SECRET_BAD);
	CHECK(!is_cookie(&s));
	CHECK_INT(use(&s, 999 + SECRET_TICKET_NS), SECRET_GOOD);
	CHECK(is_cookie(&s));
	secret_fini(&s);
}

TEST(ticket_that_comes_twice_takes_its_cookie_back)
{
	struct secrets s = begun(0);

	CHECK(!is_cookie(&s));
	CHECK_INT(use(&s, 1), SECRET_GOOD);
	CHECK(is_cookie(&s));
	CHECK_INT(secret_use(&s, "xyz", 3, 2), SECRET_BAD);
	CHECK(is_cookie(&s));
	CHECK_INT(use(&s, 2), SECRET_TWICE);
	CHECK(!is_cookie(&s));
	CHECK(secret_is_cookie(&s, s.text[SECRET_COOKIE], SECRET_TEXT));
	secret_fini(&s);
}

TEST_MAIN(RUN(secrets_are_22_characters_and_differ),
	RUN(token_is_all_of_its_characters),
	RUN(ticket_is_good_for_half_a_minute),
	RUN(ticket_that_comes_twice_takes_its_cookie_back))
