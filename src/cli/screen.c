/* SPDX-License-Identifier: MIT */
#include "cli/screen.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/columns.h"
#include "base/log.h"

#define COLUMNS_MAX 100000
#define FILLED 4096 /* bytes of a paragraph */

int
screen_columns(void)
{
	const char *text = getenv("COLUMNS");
	long n = text == NULL ? 0 : strtol(text, NULL, 10);
	struct winsize size = { 0 };

	if (n > 0)
		return n < COLUMNS_MAX ? (int)n : COLUMNS_MAX;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

/* Returns the bytes of the word that begins here. One in quotes, "'a b'", ends
 * with them. */
static size_t
word_size(const char *text)
{
	const char *end = *text == '\'' ? strchr(text + 1, '\'') : NULL;

	if (end == NULL)
		return strcspn(text, " ");
	return (size_t)(end - text) + strcspn(end, " ");
}

/* Returns the columns of the next word with the blanks before it; *size
 * receives their bytes. */
static int
word_width(const char *text, size_t *size)
{
	size_t blanks = strspn(text, " ");

	*size = blanks + word_size(text + blanks);
	return columns_of_bytes(text, *size);
}

void
screen_say(const char *text, int indent)
{
	int columns = screen_columns(), at = 0;
	size_t size;

	while (*text != '\0') {
		int n = word_width(text, &size);

		if (columns > 0 && at > indent && at + n > columns) {
			printf("\n%*s", indent, "");
			at = indent;
			n -= (int)strspn(text, " ");
			size -= strspn(text, " ");
			text += strspn(text, " ");
		}
		printf("%.*s", (int)size, text);
		text += size;
		at += n;
	}
	printf("\n");
}

enum { NARROW = 60 }; /* columns below which descriptions are indented less */

/* Returns the column where lines that continue this one begin. */
static int
continues_at(const char *line, int n)
{
	int blanks = (int)strspn(line, " ");

	if (blanks == 0)
		return 0;
	for (int i = blanks; i + 2 < n; i++)
		if (line[i] == ' ' && line[i + 1] == ' ')
			return i + (int)strspn(line + i, " ");
	return blanks + 4;
}

/* Leaves two blanks between a word and its description. */
static void
close_gap(char *line)
{
	char *gap = strstr(line, "  ");
	size_t blanks = gap == NULL ? 0 : strspn(gap, " ");

	if (blanks > 2)
		memmove(gap + 2, gap + blanks, strlen(gap + blanks) + 1);
}

/* Wraps the lines of a block again. */
static void
refill(const char *text, size_t n, int indent)
{
	char line[FILLED], *to = line;
	int blanks = (int)strspn(text, " ");

	for (size_t i = 0; i < n && to < line + sizeof line - 1; i++) {
		if (text[i] != '\n') {
			*to++ = text[i];
			continue;
		}
		*to++ = ' ';
		i += strspn(text + i + 1, " ");
	}
	*to = '\0';
	if (indent > 0 && screen_columns() < NARROW) {
		indent = blanks + 4;
		close_gap(line + blanks);
	}
	screen_say(line, indent);
}

void
screen_text(const char *text)
{
	int columns = screen_columns();

	while (*text != '\0') {
		size_t n = strcspn(text, "\n"), next;
		int indent = continues_at(text, (int)n);
		bool fits = columns == 0 ||
			(n <= (size_t)columns &&
				(columns >= NARROW || indent < NARROW / 4));
		const char *at = text + n;

		while (n > 0 && at[0] == '\n' && at[1] != '\n' &&
			at[1] != '\0' && (int)strspn(at + 1, " ") == indent) {
			next = strcspn(at + 1, "\n");
			fits = fits &&
				(columns == 0 || next <= (size_t)columns);
			at += 1 + next;
		}
		n = (size_t)(at - text);
		if (fits)
			printf("%.*s\n", (int)n, text);
		else
			refill(text, n, indent);
		text = at + (*at == '\n');
	}
}

/* Leaves two blanks in all gaps after the first word. */
static void
close_gaps(char *line)
{
	for (char *at = line + strspn(line, " "); *at != '\0'; at++)
		close_gap(at);
}

static void
put_line(char *line, int indent)
{
	int columns = screen_columns();

	if (columns > 0 && columns_of(line) > columns &&
		(columns < NARROW || columns - indent < NARROW / 2)) {
		close_gaps(line);
		indent = 4;
	}
	screen_say(line, indent);
}

static char *__attribute__((format(printf, 2, 0)))
format(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	size_t size;
	char *text;

	va_copy(again, ap);
	size = (size_t)vsnprintf(NULL, 0, fmt, again) + 1;
	va_end(again);
	text = arena_alloc(a, size);
	vsnprintf(text, size, fmt, ap);
	return text;
}

void
screen_line(int indent, const char *fmt, ...)
{
	struct arena a = { 0 };
	va_list ap;

	va_start(ap, fmt);
	put_line(format(&a, fmt, ap), indent);
	va_end(ap);
	arena_fini(&a);
}

void
screen_sentence(const char *fmt, ...)
{
	struct arena a = { 0 };
	va_list ap;

	va_start(ap, fmt);
	screen_say(format(&a, fmt, ap), 5);
	va_end(ap);
	arena_fini(&a);
}

void
screen_summary(const char *fmt, ...)
{
	struct arena a = { 0 };
	char *line, *rest;
	va_list ap;

	if (log_is_quiet())
		return;
	va_start(ap, fmt);
	line = format(&a, fmt, ap);
	va_end(ap);
	for (; (rest = strchr(line, '\n')) != NULL; line = rest + 1) {
		*rest = '\0';
		screen_say(line, 4);
	}
	printf("%s", line);
	arena_fini(&a);
}

void
screen_examples(const char *text)
{
	int columns = screen_columns();

	while (*text != '\0') {
		char line[FILLED], *what;

		snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"),
			text);
		text += strcspn(text, "\n");
		text += *text == '\n';
		what = strstr(line + strspn(line, " "), "  ");
		if (columns == 0 || columns_of(line) <= columns ||
			what == NULL) {
			printf("%s\n", line);
			continue;
		}
		*what = '\0';
		printf("%s\n", line);
		what += 1 + strspn(what + 1, " ");
		screen_line(6, "%6s%s", "", what);
	}
}
