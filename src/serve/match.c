/* SPDX-License-Identifier: MIT */
#include "serve/match.h"

#include <string.h>

/* Returns true if the expression has a repeat count or a back-reference. */
static bool
is_dear(const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '{')
			return true;
		if (*text != '\\')
			continue;
		if (text[1] >= '0' && text[1] <= '9')
			return true;
		text += text[1] != '\0';
	}
	return false;
}

bool
match_regex(
	struct match *m, const char *text, const char *name, struct err *err)
{
	char why[128];
	int code;

	m->part = NULL;
	if (is_dear(text))
		return err_set(err, ERR_INPUT,
			"%s: {n} and \\1 are not allowed in regular "
			"expressions here",
			name);
	code = regcomp(&m->regex, text, REG_EXTENDED | REG_NOSUB);
	if (code == 0)
		return true;
	regerror(code, &m->regex, why, sizeof why);
	return err_set(
		err, ERR_INPUT, "%s: not a regular expression: %s", name, why);
}

bool
match_init(struct match *m, const char *text, const char *name, struct err *err)
{
	size_t n = strlen(text);
	char inside[MATCH_TEXT + 1];

	m->part = text;
	if (n < 2 || n > MATCH_TEXT || text[0] != '/' || text[n - 1] != '/')
		return true;
	memcpy(inside, text + 1, n - 2);
	inside[n - 2] = '\0';
	return match_regex(m, inside, name, err);
}

bool
match_fits(const struct match *m, const char *text)
{
	if (m->part != NULL)
		return strcasestr(text, m->part) != NULL;
	return regexec(&m->regex, text, 0, NULL, 0) == 0;
}

void
match_fini(struct match *m)
{
	if (m->part == NULL)
		regfree(&m->regex);
}
