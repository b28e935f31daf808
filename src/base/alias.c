/* SPDX-License-Identifier: MIT */
#include "base/alias.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

struct alias {
	const char *path, *name;
	size_t length; /* of path */
};

/* Set before threads start. */
static struct arena arena;
static VEC(struct alias) all;

void
alias_add(const char *path, const char *name)
{
	const struct alias is = { arena_strdup(&arena, path),
		arena_strdup(&arena, alias_of(&arena, name)), strlen(path) };

	VEC_PUSH(&all, &arena, is);
}

/* Returns the first path in the text that has an alias, or NULL. */
static const char *
find(const char *text, const struct alias **is)
{
	const char *first = NULL;

	for (int i = 0; i < all.n; i++) {
		const char *at = strstr(text, all.at[i].path);

		if (at != NULL && (first == NULL || at < first)) {
			first = at;
			*is = &all.at[i];
		}
	}
	return first;
}

const char *
alias_of(struct arena *a, const char *text)
{
	const struct alias *is;
	const char *at = text == NULL ? NULL : find(text, &is), *rest;

	if (at == NULL)
		return text;
	rest = at + is->length;
	return arena_printf(a, "%.*s%s%s%s", (int)(at - text), text, is->name,
		*rest == '/' ? ":" : "", alias_of(a, rest + (*rest == '/')));
}

void
alias_text(char *text, size_t room)
{
	struct arena scratch = { 0 };
	const char *shown;

	if (all.n == 0 || room == 0)
		return;
	shown = alias_of(&scratch, text);
	if (shown != text) {
		size_t n = strlen(shown);

		n = n < room ? n : room - 1;
		memcpy(text, shown, n);
		text[n] = '\0';
	}
	arena_fini(&scratch);
}
