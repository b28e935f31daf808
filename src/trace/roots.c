/* SPDX-License-Identifier: MIT */
#include "trace/roots.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

/* Returns the last n + 1 names of a path, or NULL if it has fewer. */
static const char *
last_names(const char *path, int n)
{
	const char *at = path + strlen(path);

	while (at > path && (at[-1] != '/' || n-- > 0))
		at--;
	return n > 0 ? NULL : at;
}

static int
count_slashes(const char *text)
{
	int n = 0;

	for (; *text != '\0'; text++)
		n += *text == '/';
	return n;
}

/* Returns where a layout begins in the directory's name, or NULL. */
static const char *
find_layout(const struct roots *r, const char *folder)
{
	for (int i = 0; r->layouts[i] != NULL; i++) {
		const char *layout = r->layouts[i];
		const char *at = last_names(folder, count_slashes(layout));

		if (at != NULL && fnmatch(layout, at, FNM_PATHNAME) == 0)
			return at;
	}
	return NULL;
}

bool
roots_fits(const struct roots *r, const char *folder)
{
	return find_layout(r, folder) != NULL;
}

static bool
is_root(const char *root, const char *name, size_t size)
{
	return strncmp(root, name, size) == 0 && root[size] == '\0';
}

void
roots_add(struct roots *r, const char *folder)
{
	const char *end = find_layout(r, folder);
	size_t size;

	if (end == NULL || r->n > ROOTS_LISTED)
		return;
	size = (size_t)(end - folder);
	size -= size > 0; /* the slash */
	for (int i = 0; i < r->n && i < ROOTS_LISTED; i++)
		if (is_root(r->root[i], folder, size))
			return;
	if (r->n < ROOTS_LISTED)
		r->root[r->n] = arena_strndup(r->arena, folder, size);
	r->n++;
}

bool
roots_check(const struct roots *r, const char *path, const char *hint,
	struct err *err)
{
	char list[256] = "";
	size_t n = 0;

	if (r->n < 2)
		return true;
	for (int i = 0; i < r->n && i < ROOTS_LISTED && n < sizeof list; i++)
		n += (size_t)snprintf(list + n, sizeof list - n, "%s%s",
			i == 0 ? "" : ", ",
			*r->root[i] == '\0' ? "." : r->root[i]);
	return err_set(err, ERR_SEVERAL,
		"%s: contains several traces (%s%s) whose clocks are not "
		"related: name one of them, as %s/%s%s",
		path, list,
		n >= sizeof list || r->n > ROOTS_LISTED ? ", ..." : "", path,
		*r->root[0] == '\0' ? r->root[1] : r->root[0], hint);
}
