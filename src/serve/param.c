/* SPDX-License-Identifier: MIT */
#include "serve/param.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/text.h"

#define MOST 32 /* parameters of a table */

#define SHOWN 40 /* bytes of the input that an error message quotes */

bool
param_digits(const char **text, int64_t max, int64_t *to)
{
	const char *at = *text;
	int64_t n = 0;

	if (*at < '0' || *at > '9')
		return false;
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(n, 10, &n) ||
			__builtin_add_overflow(n, *at - '0', &n) || n > max)
			return false;
	*text = at;
	*to = n;
	return true;
}

/* Reads the digits after a minus sign, as a number that may be INT64_MIN. */
static bool
read_number(const char *text, int64_t *to)
{
	bool minus = *text == '-';
	int64_t n = 0;

	text += minus;
	if (*text == '\0')
		return false;
	for (; *text >= '0' && *text <= '9'; text++)
		if (__builtin_mul_overflow(n, 10, &n) ||
			__builtin_sub_overflow(n, *text - '0', &n))
			return false;
	if (*text != '\0' || (!minus && n == INT64_MIN))
		return false;
	*to = minus ? n : -n;
	return true;
}

/* Returns the input, shortened for an error message. */
static const char *
shown(struct arena *a, const char *value)
{
	bool cut = strlen(value) > SHOWN;

	return text_disarm(
		arena_printf(a, "\"%.*s%s\"", SHOWN, value, cut ? "..." : ""));
}

static bool
take_number(struct arena *a, const struct param *p, const char *value,
	struct err *err)
{
	int64_t n;

	if (p->may_be_none && strcmp(value, PARAM_NONE) == 0)
		n = INT64_MIN;
	else if (!read_number(value, &n))
		return err_set(err, ERR_INPUT, "%s takes a number, not %s",
			p->name, shown(a, value));
	else if (n < p->min || n > p->max)
		return err_set(err, ERR_INPUT,
			"%s is from %" PRId64 " to %" PRId64 ", not %" PRId64,
			p->name, p->min, p->max, n);
	*p->number = n;
	return true;
}

static bool
take_choice(struct arena *a, const struct param *p, const char *value,
	struct err *err)
{
	const char *at = p->choices;
	size_t n = strlen(value);

	for (int i = 0; *at != '\0'; i++) {
		size_t length = strcspn(at, ",");

		if (length == n && strncmp(at, value, n) == 0) {
			*p->choice = i;
			return true;
		}
		at += length + (at[length] == ',');
	}
	return err_set(err, ERR_INPUT, "%s is one of %s, not %s", p->name,
		p->choices, shown(a, value));
}

static bool
take(struct arena *a, const struct param *p, const char *value, struct err *err)
{
	if (p->given != NULL)
		*p->given = true;
	if (p->number != NULL)
		return take_number(a, p, value, err);
	if (p->choice != NULL)
		return take_choice(a, p, value, err);
	if (strlen(value) > p->most)
		return err_set(err, ERR_INPUT, "%s has at most %zu bytes",
			p->name, p->most);
	*p->text = value;
	return true;
}

/* Unescapes n bytes. Returns NULL with err if an escape is malformed or a NUL.
 */
static char *
unescape(struct arena *a, const char *from, size_t n, struct err *err)
{
	char *text = arena_strndup(a, from, n), *to = text;

	for (const char *at = text; *at != '\0'; at++) {
		int high, low;

		if (*at != '%') {
			*to++ = *at == '+' ? ' ' : *at;
			continue;
		}
		high = digits_hex(at[1]);
		low = high < 0 ? -1 : digits_hex(at[2]);
		if (low < 0 || high + low == 0) {
			err_set(err, ERR_INPUT,
				"%% must be followed by two hexadecimal digits "
				"other than 00");
			return NULL;
		}
		*to++ = (char)(high << 4 | low);
		at += 2;
	}
	*to = '\0';
	return text;
}

static int
find(const struct param *table, const char *name, size_t n)
{
	for (int i = 0; table[i].name != NULL; i++)
		if (strlen(table[i].name) == n &&
			strncmp(table[i].name, name, n) == 0)
			return i;
	return -1;
}

/* Reads one "name=value" of n bytes. */
static bool
read_one(struct arena *a, const char *at, size_t n, const struct param *table,
	bool *there, struct err *err)
{
	size_t name = strcspn(at, "=&");
	char *value;
	int i;

	if (name >= n)
		return err_set(err, ERR_INPUT,
			"parameters are name=value with & between them");
	i = find(table, at, name);
	if (i < 0)
		return err_set(err, ERR_INPUT, "there is no parameter %s here",
			shown(a, arena_strndup(a, at, name)));
	if (there[i])
		return err_set(
			err, ERR_INPUT, "%s is given twice", table[i].name);
	there[i] = true;
	value = unescape(a, at + name + 1, n - name - 1, err);
	return value != NULL && take(a, &table[i], value, err);
}

bool
param_read(struct arena *a, const char *query, const struct param *table,
	struct err *err)
{
	bool there[MOST] = { false };

	while (*query != '\0') {
		size_t n = strcspn(query, "&");

		if (!read_one(a, query, n, table, there, err))
			return false;
		query += n + (query[n] == '&');
	}
	for (int i = 0; table[i].name != NULL; i++)
		if (table[i].needed && !there[i])
			return err_set(
				err, ERR_INPUT, "%s is missing", table[i].name);
	return true;
}

int
param_list(const char *text, const char *name, int64_t *to, int most,
	int64_t max, struct err *err)
{
	int n = 0;

	for (;;) {
		if (n == most) {
			err_set(err, ERR_INPUT, "%s has at most %d numbers",
				name, most);
			return -1;
		}
		if (!param_digits(&text, max, &to[n])) {
			err_set(err, ERR_INPUT,
				"%s takes numbers from 0 to %" PRId64
				" with commas between them",
				name, max);
			return -1;
		}
		n++;
		if (*text == '\0')
			return n;
		if (*text++ != ',')
			text = "x"; /* not a number */
	}
}
