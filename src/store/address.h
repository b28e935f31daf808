/* SPDX-License-Identifier: MIT */
/*
 * address.h - the address of a store: "sqlite:run.db",
 * "mariadb://me@host:3306/runs".
 *
 * An address never has a password, because addresses appear in scripts, process
 * lists and messages.
 */
#ifndef WEFT_STORE_ADDRESS_H
#define WEFT_STORE_ADDRESS_H

#include <stdbool.h>

#include "base/err.h"

struct arena;

struct store_address {
	const char *kind; /* "sqlite": the name of the driver */
	const char *path; /* path of the file or directory; NULL: a server */
	const char *user; /* may be NULL */
	const char *host;
	int port; /* 0: the default port */
	const char *database;
	const char *text; /* as given by the user, for messages */
};

#define STORE_ADDRESS_SECRET \
	"do not put a password in the store's address (not printed here)"

/*
 * Returns true if the text looks like the address of a store of any kind with a
 * password in it: "KIND://USER:PASSWORD@...", options, an invalid port. Such a
 * text must not appear in any message.
 */
bool store_address_has_secret(const char *text);

/* Parses an address. Returns false and sets err if it is malformed. */
bool store_address_parse(struct store_address *p, struct arena *a,
	const char *text, struct err *err);

/*
 * Reads the password from WEFT_STORE_PASSWORD, or from the first line of the
 * file that WEFT_STORE_PASSWORD_FILE names. *password is NULL if neither is
 * set. Returns false and sets err if the file cannot be read.
 */
bool store_password(struct arena *a, const char **password, struct err *err);

/* Removes the password of store_password() from a message: client libraries
 * print passwords. */
void store_password_hide(struct err *err);

#endif
