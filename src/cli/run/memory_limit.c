/* SPDX-License-Identifier: MIT */
#include "cli/run/memory_limit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "perf/smallfile.h"

enum { LIST_MOST = 8192, LIMIT_MOST = 64 };

/* Returns the number in a file; UINT64_MAX: it says "max", or is not there. */
static uint64_t
limit_in(const char *path)
{
	char text[LIMIT_MOST];
	uint64_t n;

	if (!smallfile_read(path, text, sizeof text) || *text < '0' ||
		*text > '9')
		return UINT64_MAX;
	errno = 0;
	n = strtoull(text, NULL, 10);
	return errno == 0 ? n : UINT64_MAX;
}

/* Returns the least limit of a group and those around it. In a container the
 * group's path is that of the host, but its own files lie at the top. */
static uint64_t
least(struct arena *a, const char *folder, char *group, const char *name)
{
	uint64_t most = UINT64_MAX, n;
	char *end = group + strlen(group);

	for (;;) {
		n = limit_in(arena_printf(a, "%s%s/%s", folder, group, name));
		most = n < most ? n : most;
		if (end == group)
			return most;
		while (end > group && *--end != '/')
			;
		*end = '\0';
	}
}

static bool
has_memory(const char *controllers)
{
	static const char name[] = "memory";
	const char *at = strstr(controllers, name), *end;

	if (at == NULL)
		return false;
	end = at + strlen(name);
	return (at == controllers || at[-1] == ',') &&
		(*end == '\0' || *end == ',');
}

/* line: "4:memory:/a/b"; "0::/a/b" is a group of version 2. */
static uint64_t
limit_of(struct arena *a, char *line, const char *folder)
{
	char *controllers = strchr(line, ':'), *group;

	if (controllers == NULL ||
		(group = strchr(controllers + 1, ':')) == NULL)
		return UINT64_MAX;
	controllers++;
	*group++ = '\0';
	if (*controllers == '\0')
		return least(a, folder, group, "memory.max");
	if (!has_memory(controllers))
		return UINT64_MAX;
	return least(a, arena_printf(a, "%s/memory", folder), group,
		"memory.limit_in_bytes");
}

uint64_t
memory_limit(struct arena *a, const char *list, const char *folder)
{
	char text[LIST_MOST], *next;
	uint64_t most = UINT64_MAX, n;

	if (!smallfile_read(list, text, sizeof text))
		return UINT64_MAX;
	for (char *line = text; line != NULL; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		n = limit_of(a, line, folder);
		most = n < most ? n : most;
	}
	return most;
}
