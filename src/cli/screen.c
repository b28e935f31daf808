/* SPDX-License-Identifier: MIT */
#include "cli/screen.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/fit.h"

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

/* Returns the characters of the next word with the blanks before it; *size
 * receives their bytes. */
static int
word_width(const char *text, size_t *size)
{
	size_t blanks = strspn(text, " ");
	int n = (int)blanks;

	*size = blanks + strcspn(text + blanks, " ");
	for (const char *s = text + blanks; s < text + *size;
		s += fit_character(s))
		n++;
	return n;
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

/* Fills the lines of a block anew. */
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
