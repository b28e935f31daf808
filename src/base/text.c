/* SPDX-License-Identifier: MIT */
#include "base/text.h"

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

const char *
text_plural(unsigned long long n)
{
	return n == 1 ? "" : "s";
}
