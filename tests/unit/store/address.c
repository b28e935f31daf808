/* SPDX-License-Identifier: MIT */
/* Store addresses. No message may contain a password from an address. */
#include <stdlib.h>

#include "base/arena.h"
#include "store/driver.h"
#include "store/store.h"
#include "test.h"

#define SECRET "TOPSEC"

/* Each address holds SECRET where a user might put a password. */
static const char *const leaky[] = {
	"mariadb://me:TOPSEC@host/runs",
	"mariadb://me:TOPSEC@host:3306/runs",
	"mariadb://me:top/TOPSEC@host/runs",
	"mariadb://me:TOPSEC/x@host/runs",
	"mariadb://me:a@TOPSEC@host/runs",
	"mariadb://me:a:TOPSEC@host/runs",
	"mariadb://me:a?TOPSEC@host/runs",
	"mariadb://me:a#TOPSEC@host/runs",
	"mariadb://me:a TOPSEC@host/runs",
	"mariadb://:TOPSEC@host/runs",
	"mariadb://me:TOPSEC@host",
	"mariadb://me:TOPSEC@/runs",
	"mariadb://me:TOPSEC@[::1]:3306/runs",
	"mariadb://me:TOPSEC/runs",
	"mariadb://me:TOPSEC",
	"mariadb://me%3aTOPSEC@host/runs",
	"mariadb://me%3ATOPSEC@host/runs",
	"mariadb://me:TOPSEC%40host/runs",
	"MariaDB://me:TOPSEC@host/runs",
	"MARIADB://me:TOPSEC@host/runs",
	"mysql://me:TOPSEC@host/runs",
	"MySQL://me:TOPSEC@host/runs",
	"mongodb://me:TOPSEC@host/runs",
	"mongodb+srv://me:TOPSEC@host/runs",
	"MongoDB://me:x/TOPSEC@host/runs",
	"postgres://me:TOPSEC@host/runs",
	"postgresql://me:TOPSEC@host/runs",
	"redis://:TOPSEC@host/0",
	"jdbc:mysql://host/runs?user=me&password=TOPSEC",
	"mariadb://me@host/runs?password=TOPSEC",
	"mariadb://me@host/runs?PASSWORD=TOPSEC",
	"mariadb://me@host/runs?user=me&pwd=TOPSEC",
	"mariadb://me@host/runs;passwd=TOPSEC",
	"mariadb://me@host/runs#token=TOPSEC",
	"mongodb://host/runs?authSecret=TOPSEC",
	"mariadb:me:TOPSEC@host/runs",
	"mariadb:/me:TOPSEC@host/runs",
	"mariadb:////me:TOPSEC@host/runs",
	"//me:TOPSEC@host/runs",
	"me:TOPSEC@host/runs",
	"sqlite://me:TOPSEC@host/runs",
	"nonsense://me:TOPSEC@host/runs",
	" mariadb://me:TOPSEC@host/runs",
	"host=h user=me password=TOPSEC",
	"mariadb://me@host/runs?auth=TOPSEC",
	"mariadb://me@host/runs?ssl=1&auth=TOPSEC",
	"mongodb://host/runs?authMechanismProperties=SESSION:TOPSEC",
	"mariadb://me@host/runs?TOPSEC",
	"mariadb://me@host/runs#TOPSEC",
	"mariadb://host/#me:TOPSEC",
	"mongodb://me:TOPSEC@one:27017,two:27018/runs",
	"mongodb://one,me:TOPSEC@two/runs",
	"mongodb://one:27017,two:TOPSEC/runs",
	"mariadb://me%3aTOPSEC/runs",
	"mariadb://me%253aTOPSEC@host/runs",
	"mariadb%3A%2F%2Fme%3ATOPSEC%40host/runs",
	"mariadb://me:a@b@TOPSEC@host/runs",
	"mariadb://:TOPSEC@[fe80::1%25eth0]/runs",
	"mariadb://[::1]:TOPSEC/runs",
	"WEFT_STORE_PASSWORD=TOPSEC",
	"mysql:host=h;dbname=runs;auth=TOPSEC",
	"Server=h;Uid=me;Auth=TOPSEC",
	"mariadb:\\\\me:TOPSEC@host/runs",
	"mongodb://me@host/runs&key=TOPSEC",
	"mariadb://me/TOPSEC@host/runs",
	"mariadb://[me:TOPSEC]/runs",
};

/* A password of digits is not taken for a port. */
#define DIGITS "19840512"
static const char *const leaky_digits[] = {
	"mariadb://me:19840512/runs",
	"mongodb://me:19840512",
	"mariadb://me:19840512@host:3306/runs",
	"mariadb://[::1]:19840512/runs",
};

TEST(no_message_holds_a_password)
{
	for (size_t i = 0; i < sizeof leaky / sizeof leaky[0]; i++) {
		struct err read = { 0 }, write = { 0 };

		CHECK(store_read(leaky[i], &read) == NULL);
		CHECK(store_open(leaky[i], NULL, &write) == NULL);
		CHECK(read.kind != ERR_NONE && write.kind != ERR_NONE);
		CHECK(strstr(read.text, SECRET) == NULL);
		CHECK(strstr(write.text, SECRET) == NULL);
	}
}

TEST(a_number_that_is_no_port_is_not_printed)
{
	for (size_t i = 0; i < sizeof leaky_digits / sizeof leaky_digits[0];
		i++) {
		struct err read = { 0 }, write = { 0 };

		CHECK(store_read(leaky_digits[i], &read) == NULL);
		CHECK(store_open(leaky_digits[i], NULL, &write) == NULL);
		CHECK(strstr(read.text, DIGITS) == NULL);
		CHECK(strstr(write.text, DIGITS) == NULL);
		CHECK(store_address_has_secret(leaky_digits[i]));
	}
}

TEST(a_place_without_a_password_is_taken)
{
	static const char *const fine[] = { "mariadb://me@host:3306/runs",
		"mysql://host/runs", "mongodb://me@[::1]:27017/runs",
		"MariaDB://[::1]/runs", "sqlite:/tmp/a:b@c/run.db",
		"csv:a:b@c/d", "run@1:30.db", "C::run", "//tmp/a=b.db",
		"//tmp/a@b.db", "sqlite:///tmp/a@b/run.db", "a/b@c/run.db",
		"mariadb://me@[fe80::1%eth0]:3306/runs" };

	for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
		struct arena a = { 0 };
		struct store_address p;
		struct err err = { 0 };

		CHECK(store_address_parse(&p, &a, fine[i], &err));
		CHECK_STR(err.text, "");
		arena_fini(&a);
	}
}

TEST(what_a_client_library_says_is_told_without_the_password)
{
	struct err err = { 0 };

	setenv("WEFT_STORE_PASSWORD", SECRET, 1);
	err_set(&err, ERR_INPUT, "no '" SECRET "' and no " SECRET);
	store_password_hide(&err);
	CHECK_STR(err.text, "no '?' and no ?");
	unsetenv("WEFT_STORE_PASSWORD");
}

TEST_MAIN(RUN(what_a_client_library_says_is_told_without_the_password),
	RUN(no_message_holds_a_password),
	RUN(a_number_that_is_no_port_is_not_printed),
	RUN(a_place_without_a_password_is_taken))
