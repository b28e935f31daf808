/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <string.h>

char *
text_disarm(char *text)
{
	for (char *c = text; *c != '\0'; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return text;
}

const char *
text_trim(const char *text)
{
	while (*text == ' ')
		text++;
	return text;
}

bool
text_is_one_of(const char *text, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(text, *list) == 0)
			return true;
	return false;
}

const char *
text_plural(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

bool
text_fits(const char *pattern, const char *text)
{
	const char *star = NULL, *from = NULL;

	while (*text != '\0') {
		if (*pattern == '*') {
			star = pattern++;
			from = text;
		} else if (*pattern == *text || *pattern == '?') {
			pattern++;
			text++;
		} else if (star != NULL) {
			/* Lets the last star match one more character. */
			pattern = star + 1;
			text = ++from;
		} else {
			return false;
		}
	}
	return pattern[strspn(pattern, "*")] == '\0';
}
