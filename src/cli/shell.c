/* SPDX-License-Identifier: MIT */
#include "cli/shell.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

/* Characters without a special meaning to a shell, anywhere in a word. */
#define PLAIN \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
	"_-./,:+@%="

static bool
has_control(const char *word)
{
	for (; *word != '\0'; word++)
		if ((unsigned char)*word < ' ' || *word == 0x7f)
			return true;
	return false;
}

/* Writes a word with control bytes, which a message does not show and a user
 * cannot copy: "$(printf 'one\012two')". */
static const char *
printed(struct arena *a, const char *word)
{
	char *to = arena_alloc(a, 4 * strlen(word) + sizeof "\"$(printf '')\"");
	char *at = to + sprintf(to, "\"$(printf '");

	for (; *word != '\0'; word++)
		if ((unsigned char)*word < ' ' || *word == 0x7f)
			at += sprintf(at, "\\%03o", (unsigned)*word);
		else if (*word == '\'')
			at += sprintf(at, "'\\''");
		else
			at += sprintf(at, "%s%c",
				*word == '%'            ? "%"
					: *word == '\\' ? "\\"
							: "",
				*word);
	sprintf(at, "')\"");
	return to;
}

const char *
shell_word(struct arena *a, const char *word)
{
	size_t n;
	char *to, *at;

	if (word[0] == '-')
		word = arena_printf(a, "./%s", word);
	n = strlen(word);
	if (n > 0 && strspn(word, PLAIN) == n)
		return word;
	if (has_control(word))
		return printed(a, word);
	to = at = arena_alloc(a, 4 * n + 3);
	*at++ = '\'';
	for (; *word != '\0'; word++) {
		if (*word == '\'') {
			memcpy(at, "'\\''", 4);
			at += 4;
		} else {
			*at++ = *word;
		}
	}
	*at++ = '\'';
	*at = '\0';
	return to;
}
