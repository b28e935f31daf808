/* SPDX-License-Identifier: MIT */
#include "cli/shell.h"

#include <string.h>

#include "base/arena.h"

/* Characters without a special meaning to a shell, anywhere in a word. */
#define PLAIN \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
	"_-./,:+@%="

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
