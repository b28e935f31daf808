/* SPDX-License-Identifier: MIT */
#include "cli/fit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/columns.h"

/* Returns the text after at most n columns, and after the accents that belong
 * to the last character. */
static const char *
skip(const char *text, int n)
{
	int columns, size;

	while (*text != '\0') {
		size = columns_next(text, &columns);
		if (columns > n)
			return text;
		n -= columns;
		text += size;
	}
	return text;
}

/* Returns the longest tail of the text that fits in n columns. */
static const char *
last(const char *text, int n)
{
	int all = columns_of(text), columns;

	while (all > n) {
		text += columns_next(text, &columns);
		all -= columns;
	}
	/* no accent without its letter */
	for (int size; *text != '\0'; text += size) {
		size = columns_next(text, &columns);
		if (columns > 0)
			break;
	}
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
	int n = columns_of(text);
	int head = way == CUT_END ? width : (width - 2) / 2;
	const char *tail = text + strlen(text), *end;
	char mark[16] = "";

	if (n <= width)
		return text;
	if (way == CUT_MIDDLE) {
		snprintf(mark, sizeof mark, "..");
		tail = last(text, width - 2 - head);
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
