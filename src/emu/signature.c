/* SPDX-License-Identifier: MIT */
#include "emu/signature.h"

#include <ctype.h>
#include <string.h>

static const struct {
	const char *name;
	uint32_t size;
} types[] = {
	[FIELD_U8] = { "u8", 1 },
	[FIELD_U16] = { "u16", 2 },
	[FIELD_U32] = { "u32", 4 },
	[FIELD_U64] = { "u64", 8 },
	[FIELD_I8] = { "i8", 1 },
	[FIELD_I16] = { "i16", 2 },
	[FIELD_I32] = { "i32", 4 },
	[FIELD_I64] = { "i64", 8 },
	[FIELD_F64] = { "f64", 8 },
	[FIELD_STR] = { "str", 1 },
};

#define NTYPES ((int)(sizeof types / sizeof types[0]))

const char *
signature_type_name(enum field_type type)
{
	return types[type].name;
}

uint32_t
signature_type_size(enum field_type type)
{
	return types[type].size;
}

/* Returns true if the name matches the first alternative of the pattern. */
static bool
matches_first(const char *pattern, const char *name)
{
	for (; strchr("|", *pattern) == NULL && *name != '\0';
		pattern++, name++)
		if (strncmp(pattern, "...", 3) == 0)
			return true;
		else if (*pattern != *name && *pattern != '?')
			return false;
	return strchr("|", *pattern) != NULL && *name == '\0';
}

bool
signature_match(const char *pattern, const char *name)
{
	while (pattern != NULL && !matches_first(pattern, name)) {
		pattern = strchr(pattern, '|');
		pattern = pattern == NULL ? NULL : pattern + 1;
	}
	return pattern != NULL;
}

/* The remaining text, and its start, for messages. */
struct cursor {
	const char *at, *start;
	struct err *err;
};

static bool
fail(struct cursor *c, const char *want)
{
	return err_set(c->err, ERR_INPUT, "\"%s\": column %td: expected %s",
		c->start, c->at - c->start + 1, want);
}

static void
skip_blanks(struct cursor *c)
{
	while (*c->at == ' ')
		c->at++;
}

/* Returns the length of the word at the cursor. */
static size_t
word(const struct cursor *c)
{
	size_t n = 0;

	while (isalnum((unsigned char)c->at[n]) || c->at[n] == '_')
		n++;
	return n;
}

static bool
take_type(struct cursor *c, enum field_type *type)
{
	size_t n = word(c);

	for (int i = 0; i < NTYPES; i++)
		if (strlen(types[i].name) == n &&
			memcmp(types[i].name, c->at, n) == 0) {
			*type = (enum field_type)i;
			c->at += n;
			return true;
		}
	return fail(c, "a type such as u32 or str");
}

/* Copies the word at the cursor to s->names; returns NULL with an error. */
static const char *
take_name(struct cursor *c, struct signature *s, size_t *room)
{
	char *name = s->names + sizeof s->names - *room;
	size_t n = word(c);

	if (n == 0 || n >= *room) {
		fail(c, "the name of the argument");
		return NULL;
	}
	memcpy(name, c->at, n);
	name[n] = '\0';
	*room -= n + 1;
	c->at += n;
	return name;
}

static bool
take_arg(struct cursor *c, struct signature *s, size_t *room)
{
	struct field *arg = &s->arg[s->nargs];

	if (s->nargs == SIGNATURE_MAX_ARGS)
		return fail(c, "at most 16 arguments");
	if (s->nargs > 0 && arg[-1].type == FIELD_STR)
		return fail(c, "no argument after a string");
	skip_blanks(c);
	if (!take_type(c, &arg->type))
		return false;
	skip_blanks(c);
	arg->name = take_name(c, s, room);
	if (arg->name != NULL && *c->at == '|') {
		c->at++;
		s->other[s->nargs] = take_name(c, s, room);
		if (s->other[s->nargs] == NULL)
			return false;
	}
	if (arg->name == NULL)
		return false;
	s->nargs++;
	skip_blanks(c);
	return true;
}

static bool
take_args(struct cursor *c, struct signature *s)
{
	size_t room = sizeof s->names;

	do {
		c->at++; /* the bracket, or a comma */
		if (!take_arg(c, s, &room))
			return false;
	} while (*c->at == ',');
	if (*c->at != ')')
		return fail(c, "',' or ')'");
	c->at++;
	return true;
}

bool
signature_parse(struct signature *s, const char *text, struct err *err)
{
	struct cursor c = { text, text, err };
	size_t n = strcspn(text, "(");

	*s = (struct signature){ 0 };
	if (n > 1 && text[n - 1] == '+') {
		s->jumbo = true;
		n--;
	}
	if (n == 0 || n >= sizeof s->name)
		return fail(&c, "the name of an event");
	memcpy(s->name, text, n);
	c.at += n + s->jumbo;
	if (*c.at == '(' && !take_args(&c, s))
		return false;
	if (*c.at != '\0')
		return fail(&c, "the end");
	return true;
}

uint32_t
signature_size(const struct signature *s, int n)
{
	uint32_t size = 0;

	for (int i = 0; i < n; i++)
		size += types[s->arg[i].type].size;
	return size;
}
