/* SPDX-License-Identifier: MIT */
#include "cli/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/fit.h"

#define COLUMNS_MAX 100000

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
