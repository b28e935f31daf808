/* SPDX-License-Identifier: MIT */
/*
 * place.h - where a store is: "sqlite:run.db", "mariadb://me@host:3306/runs".
 *
 * A password never stands in a place, because places end in scripts, process
 * lists and messages.
 */
#ifndef WEFT_STORE_PLACE_H
#define WEFT_STORE_PLACE_H

#include <stdbool.h>

#include "base/err.h"

struct arena;

struct store_place {
	const char *kind; /* "sqlite": the name of its driver */
	const char *path; /* of a file or folder; NULL: a server */
	const char *user; /* may be NULL */
	const char *host;
	int port; /* 0: the usual one */
	const char *database;
	const char *text; /* as it was given, for messages */
};

#define STORE_PLACE_SECRET \
	"a password does not belong into a place, and may not be printed"

/*
 * True if the text looks like a place, of whatever kind, with a password in it:
 * "KIND://USER:PASSWORD@...", options, a port that is none. Then it must not
 * go into any message.
 */
bool store_place_has_secret(const char *text);

/* Takes a text apart. False with err: it is no place. */
bool store_place_parse(struct store_place *p, struct arena *a, const char *text,
	struct err *err);

/*
 * The password that the environment gives: WEFT_STORE_PASSWORD, or the first
 * line of the file that WEFT_STORE_PASSWORD_FILE names. *password is NULL if
 * there is none; false with err if that file cannot be read.
 */
bool store_password(struct arena *a, const char **password, struct err *err);

/* Takes that password out of a message: client libraries write theirs. */
void store_password_hide(struct err *err);

#endif
