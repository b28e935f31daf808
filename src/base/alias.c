/* SPDX-License-Identifier: MIT */
#include "base/alias.h"

#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

struct alias {
	const char *path, *name;
	size_t length; /* of path */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of both */
static struct arena arena;
static VEC(struct alias) all;

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

/* Does the same as alias_of() for the holder of the lock. */
static const char *
replace(struct arena *a, const char *text)
{
	const struct alias *is;
	const char *at = text == NULL ? NULL : find(text, &is), *rest;

	if (at == NULL)
		return text;
	rest = at + is->length;
	return arena_printf(a, "%.*s%s%s%s", (int)(at - text), text, is->name,
		*rest == '/' ? ":" : "", replace(a, rest + (*rest == '/')));
}

void
alias_add(const char *path, const char *name)
{
	struct alias is = { .length = strlen(path) };

	pthread_mutex_lock(&lock);
	is.path = arena_strdup(&arena, path);
	is.name = arena_strdup(&arena, replace(&arena, name));
	VEC_PUSH(&all, &arena, is);
	pthread_mutex_unlock(&lock);
}

const char *
alias_of(struct arena *a, const char *text)
{
	const char *shown;

	pthread_mutex_lock(&lock);
	shown = replace(a, text);
	pthread_mutex_unlock(&lock);
	return shown;
}

void
alias_text(char *text, size_t room)
{
	struct arena scratch = { 0 };
	const char *shown;

	if (room == 0)
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
