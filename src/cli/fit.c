/* SPDX-License-Identifier: MIT */
#include "cli/fit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

int
fit_character(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	int n = *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc2 ? 2 : 1;

	for (int i = 1; i < n; i++)
		if (s[i] >> 6 != 2)
			return 1;
	return n;
}

static int
length(const char *text)
{
	int n = 0;

	for (; *text != '\0'; text += fit_character(text))
		n++;
	return n;
}

/* Returns the text after n characters. */
static const char *
skip(const char *text, int n)
{
	for (; n > 0; n--)
		text += fit_character(text);
	return text;
}

enum way { CUT_END, CUT_MIDDLE, CUT_NUMBER };

/* Returns true if a cut at this character would split a number. */
static bool
is_in_number(const char *text, const char *at)
{
	return at > text && strchr("0123456789.", at[-1]) != NULL &&
		*at != '\0' && strchr("0123456789.", *at) != NULL;
}

static const char *
cut(struct arena *a, const char *text, int width, enum way way, int number)
{
	int n = length(text);
	int head = way == CUT_END ? width : (width - 2) / 2;
	const char *tail = text + strlen(text), *end;
	char mark[16] = "";

	if (n <= width)
		return text;
	if (way == CUT_MIDDLE) {
		snprintf(mark, sizeof mark, "..");
		tail = skip(text, n - (width - 2 - head));
	} else if (way == CUT_NUMBER) {
		head = width - snprintf(mark, sizeof mark, "~%d", number);
	}
	end = skip(text, head);
	while (is_in_number(text, end))
		end--;
	if (end == text)
		end = skip(text, head);
	while (is_in_number(text, tail))
		tail++;
	return arena_printf(a, "%.*s%s%s", (int)(end - text), text, mark, tail);
}

/* A text, its shortened form, and its index. */
struct pair {
	const char *from, *to;
	int i;
};

static int
by_result(const void *pa, const void *pb)
{
	const struct pair *a = pa, *b = pb;
	int order = strcmp(a->to, b->to);

	return order != 0 ? order : strcmp(a->from, b->from);
}

static int
by_text(const void *pa, const void *pb)
{
	const struct pair *a = pa, *b = pb;

	return strcmp(a->from, b->from);
}

/* Returns true if different texts were shortened to the same text. */
static bool
has_clash(
	struct arena *a, const char *const *text, const char *const *fit, int n)
{
	struct pair *p = ARENA_ARRAY(a, struct pair, n);
	bool clash = false;

	for (int i = 0; i < n; i++)
		p[i] = (struct pair){ text[i], fit[i], i };
	qsort(p, (size_t)n, sizeof *p, by_result);
	for (int i = 1; i < n; i++)
		clash = clash ||
			(strcmp(p[i - 1].to, p[i].to) == 0 &&
				strcmp(p[i - 1].from, p[i].from) != 0);
	return clash;
}

/* Numbers the texts; equal texts have equal numbers. */
static int *
numbers(struct arena *a, const char *const *text, int n)
{
	struct pair *p = ARENA_ARRAY(a, struct pair, n);
	int *number = ARENA_ARRAY(a, int, n), last = 0;

	for (int i = 0; i < n; i++)
		p[i] = (struct pair){ text[i], NULL, i };
	qsort(p, (size_t)n, sizeof *p, by_text);
	for (int i = 0; i < n; i++) {
		last += i == 0 || strcmp(p[i - 1].from, p[i].from) != 0;
		number[p[i].i] = last;
	}
	return number;
}

const char **
fit_texts(struct arena *a, const char *const *text, int n, int width)
{
	const char **fit = ARENA_ARRAY(a, const char *, n);
	int *number;

	if (n == 0)
		return fit;
	number = numbers(a, text, n);
	for (int way = CUT_END; way <= CUT_NUMBER; way++) {
		for (int i = 0; i < n; i++)
			fit[i] = cut(
				a, text[i], width, (enum way)way, number[i]);
		if (!has_clash(a, text, fit, n))
			break;
	}
	return fit;
}
