/* SPDX-License-Identifier: MIT */
#include "cli/choices.h"

#include <stdio.h>
#include <string.h>

void
choices_consider(struct choices *c, const char *name)
{
	const char *dot = strchr(name, '.');

	if (c->near.word == NULL)
		return;
	near_try(&c->near, name);
	if (dot == NULL || dot[1] == '\0')
		return;
	near_try(&c->near, dot + 1);
	if (c->near.best == dot + 1)
		c->near.best = name;
}

static bool
is_listed(const struct choices *c, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = c->text; *at != '\0'; at++) {
		if (strncmp(at, name, n) == 0 && strchr(",", at[n]) != NULL)
			return true;
		at += strcspn(at, " ");
		if (*at == '\0')
			break;
	}
	return false;
}

void
choices_add(struct choices *c, const char *name)
{
	const char *comma = c->n > 0 ? ", " : "";
	size_t need = strlen(comma) + strlen(name);

	choices_consider(c, name);
	if (c->cut || is_listed(c, name))
		return;
	if (c->n + need + sizeof ", ..." > sizeof c->text) {
		c->cut = true;
		name = "...";
	}
	c->n += (size_t)snprintf(
		c->text + c->n, sizeof c->text - c->n, "%s%s", comma, name);
}

void
choices_add_once(struct choices *c, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = c->text; (at = strstr(at, name)) != NULL; at += n)
		if ((at == c->text || at[-1] == ' ') &&
			(at[n] == ',' || at[n] == '\0'))
			return;
	choices_add(c, name);
}

const char *
choices_said(const struct choices *c, char to[CHOICES_SAID])
{
	char hint[NEAR_HINT];

	snprintf(to, CHOICES_SAID, "there are: %s%s",
		c->n > 0 ? c->text : "none", near_said(&c->near, hint));
	return to;
}
