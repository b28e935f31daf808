/* SPDX-License-Identifier: MIT */
#include "cli/trace/input_names.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "cli/copy.h"
#include "cli/times.h"
#include "cli/trace/task_trace.h"
#include "trace/relate.h"

#define LEVELS 8 /* directories that a name may begin with */

const char *
input_path(const char *argument)
{
	size_t n = strcspn(argument, "=/:");

	return argument[n] == '=' && n > 0 && access(argument, F_OK) != 0
		? argument + n + 1
		: argument;
}

/* Returns the end of a path with so many directories above the name. */
static const char *
name_at(struct arena *a, const char *path, int level)
{
	const char *name = copy_title(a, path), *rest = path;

	for (int i = 0; i < level; i++) {
		const char *above = file_parent(a, rest);

		if (strchr(rest, '/') == NULL || strcmp(above, rest) == 0)
			break;
		rest = above;
		if (*file_name(rest) != '\0' && *file_name(rest) != '.')
			name = arena_printf(a, "%s/%s", file_name(rest), name);
	}
	return name;
}

static bool
is_unique(const char *const *name, int n, int i)
{
	for (int k = 0; k < n; k++)
		if (k != i && strcmp(name[k], name[i]) == 0)
			return false;
	return true;
}

/* Returns true if the user gave the input a name: it stays. */
static bool
is_given(const char *argument)
{
	return input_path(argument) != argument;
}

/* Gives all names that are not unique another level, or at last a number. */
static bool
tell_apart(struct arena *a, const char *const *arguments, const char **name,
	int n, int level)
{
	const char **next = ARENA_ARRAY(a, const char *, n);
	bool all = true;

	for (int i = 0; i < n; i++) {
		const char *path = task_trace_path(input_path(arguments[i]));

		next[i] = name[i];
		if (is_given(arguments[i]) || is_unique(name, n, i))
			continue;
		all = false;
		next[i] = level < LEVELS
			? name_at(a, path, level)
			: arena_printf(a, "%s#%d", name[i], i + 1);
	}
	memcpy(name, next, (size_t)n * sizeof *name);
	return all;
}

const char **
input_names(struct arena *a, const char *const *arguments, int n)
{
	const char **name = ARENA_ARRAY(a, const char *, n);
	int level = 0;

	for (int i = 0; i < n; i++) {
		const char *path = input_path(arguments[i]);

		name[i] = is_given(arguments[i])
			? arena_strndup(a, arguments[i],
				  (size_t)(path - arguments[i]) - 1)
			: name_at(a, task_trace_path(path), 0);
	}
	while (++level <= LEVELS && !tell_apart(a, arguments, name, n, level))
		;
	return name;
}

int
input_names_find(const struct relate_input *in, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(in[i].name, name) == 0)
			return i;
	return -1;
}

const char *
input_names_list(struct arena *a, const struct relate_input *in, int n)
{
	const char *all = "";

	for (int i = 0; i < n; i++)
		all = arena_printf(
			a, "%s%s%s", all, i == 0 ? "" : ", ", in[i].name);
	return all;
}

static int
find_name(struct arena *a, const struct relate_input *in, int nin,
	const char *name, size_t n)
{
	return input_names_find(in, nin, arena_strndup(a, name, n));
}

/* Finds the name at the begin of "A+1.5s"; names may have signs, too. Returns
 * its number, or -1, and its length in *n. */
static int
find_other(struct arena *a, const struct relate_input *in, int nin,
	const char *text, size_t *n)
{
	int found = find_name(a, in, nin, text, *n = strlen(text));

	while (found < 0 && *n > 0) {
		--*n;
		if (text[*n] == '+' || text[*n] == '-')
			found = find_name(a, in, nin, text, *n);
	}
	return found;
}

bool
input_names_relate(struct arena *a, const struct relate_input *in, int nin,
	const char *text, struct relate_given *to, struct err *err)
{
	size_t n = strcspn(text, "="), m;
	const char *other = text + n + (text[n] == '=');

	to->a = find_name(a, in, nin, text, n);
	to->b = find_other(a, in, nin, other, &m);
	if (text[n] != '=' || to->a < 0 || to->b < 0 || to->a == to->b)
		return err_set(err, ERR_INPUT,
			"--relate takes B=A+TIME with the names of two inputs "
			"(%s), not \"%.100s\"",
			input_names_list(a, in, nin), text);
	to->shift = 0;
	if (other[m] != '\0' && !times_read(other + m + 1, "ns", &to->shift))
		return err_set(err, ERR_INPUT,
			"--relate: \"%.100s\" is not a time: 1.5s, 20us",
			other + m + 1);
	if (other[m] == '-')
		to->shift = -to->shift;
	return true;
}
