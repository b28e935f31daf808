/* SPDX-License-Identifier: MIT */
/* Which statement asked for a block, and on behalf of which callers. */
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "mem/db/owner.h"

static bool
has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);

	return n >= m && strcasecmp(name + n - m, suffix) == 0;
}

/* Returns true for functions that allocate on behalf of others: those of
 * libraries, and allocation functions of programs: xmalloc, sqlite3MallocZero,
 * g_realloc. */
static bool
is_allocator(const char *function)
{
	static const char *const begins[] = { "operator new",
		"std::", "__gnu_cxx::" };
	static const char *const holds[] = { "malloc", "calloc", "realloc" };
	static const char *const ends[] = { "alloc", "memalign", "strdup",
		"strndup" };

	for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
		if (strncmp(function, begins[i], strlen(begins[i])) == 0)
			return true;
	for (size_t i = 0; i < sizeof holds / sizeof holds[0]; i++)
		if (strcasestr(function, holds[i]) != NULL)
			return true;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (has_suffix(function, ends[i]))
			return true;
	return false;
}

/* Returns true if the location's function allocates on behalf of others, or if
 * its whole source file or library does: obmalloc.c, libjemalloc.so. */
static bool
is_of_allocator(const struct profile *p, const struct code_location *at)
{
	const char *of =
		at->module < 0 ? "" : p->symbols.file.at[at->module].name;

	return (at->is_named && is_allocator(at->function)) ||
		strcasestr(of, "malloc") != NULL ||
		(at->file != NULL &&
			strcasestr(file_name(at->file), "malloc") != NULL);
}

/* Returns the innermost frame with a name, from `node` outwards; 0: none. */
static uint32_t
named_node(const struct profile *p, uint32_t node)
{
	while (node != p->dynamic && node != 0 &&
		!profile_location(p, p->node.at[node].location)->is_named)
		node = p->node.at[node].parent;
	return node == p->dynamic ? 0 : node;
}

/* Returns true if a frame can stand for its statement. A frame without a name
 * can do so only if no outer frame of the same file has a name: then the file
 * is stripped. */
static bool
tells(const struct profile *p, uint32_t node)
{
	const struct code_location *at =
		profile_location(p, p->node.at[node].location);
	uint32_t named = named_node(p, node);

	if (at->is_named || at->module < 0)
		return at->is_named;
	return named == 0 ||
		profile_location(p, p->node.at[named].location)->module !=
		at->module;
}

static bool
is_start(const struct code_location *at)
{
	return strncmp(at->function, "__libc_start_", 13) == 0;
}

/* Returns the statement that asked for the block: the innermost statement
 * outside of allocators, or `node` if there is none. */
static uint32_t
site_node(const struct profile *p, uint32_t node)
{
	for (uint32_t n = node; n != p->dynamic && n != 0;
		n = p->node.at[n].parent) {
		const struct code_location *at =
			profile_location(p, p->node.at[n].location);

		if (tells(p, n) && !is_of_allocator(p, at))
			return n;
	}
	return node;
}

static bool
has_place(const uint32_t *list, int n, uint32_t location)
{
	for (int i = 0; i < n; i++)
		if (list[i] == location)
			return true;
	return false;
}

int
owner_chain(const struct profile *p, uint32_t node, uint32_t list[OWNER_CHAIN])
{
	uint32_t site = site_node(p, node);
	int n = 0;

	for (uint32_t up = site; up != p->dynamic && up != 0 && n < OWNER_CHAIN;
		up = p->node.at[up].parent) {
		uint32_t number = p->node.at[up].location;
		const struct code_location *at = profile_location(p, number);

		if (up != site && !tells(p, up))
			continue;
		if (n > 0 && is_start(at))
			break;
		if (!has_place(list, n, number))
			list[n++] = number;
		if (strcmp(at->function, "main") == 0)
			break;
	}
	return n;
}
