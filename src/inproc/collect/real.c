/* SPDX-License-Identifier: MIT */
#include "inproc/collect/real.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

struct real real;

#define REAL_ROW(result, name, version, arguments) \
	{ #name, version, offsetof(struct real, name) },

static const struct row {
	const char *name, *version;
	size_t at;
} rows[] = { REAL_FUNCTIONS(REAL_ROW) };

static const struct link_map *
module_of(const void *at)
{
	struct dl_find_object in;

	return _dl_find_object((void *)(uintptr_t)at, &in) == 0
		? in.dlfo_link_map
		: NULL;
}

/* In the loader's order the C library comes after this library. Others may lie
 * between them that replace functions, too, and give them no versions: a
 * sanitizer's, or one that changes what time it is. The loader binds a program
 * to those, but a look-up of a version does not find them. */
static void *
find_function(const char *name, const char *version)
{
	void *any = dlsym(RTLD_NEXT, name),
	     *exact = version == NULL ? NULL : dlvsym(RTLD_NEXT, name, version);
	const struct link_map *exact_in, *any_in;

	if (exact == NULL || exact == any)
		return any;
	exact_in = module_of(exact);
	any_in = module_of(any);
	if (exact_in == any_in)
		return exact;
	while (any_in != NULL && any_in != exact_in)
		any_in = any_in->l_next;
	return any_in == NULL ? exact : any;
}

static void *
find(const struct row *row)
{
	return find_function(row->name, row->version);
}

void
real_give_up(const char *name)
{
	static const char none[] =
		"libweft-collect: there is no function behind ";

	if (write(2, none, sizeof none - 1) < 0 ||
		write(2, name, strlen(name)) < 0 || write(2, "\n", 1) < 0)
		_exit(126);
	_exit(127);
}

static bool
find_entry(const struct real_entry *e)
{
	void *f = find_function(e->name, e->version);

	if (f != NULL)
		__atomic_store_n(e->real, f, __ATOMIC_RELAXED);
	return f != NULL;
}

void
real_find_one(const struct real_entry *e)
{
	if (!find_entry(e))
		real_give_up(e->name);
}

void
real_find_entries(void)
{
	extern const struct real_entry *const __start_weft_real[],
		*const __stop_weft_real[] __attribute__((visibility("hidden")));

	/* The linker defines both ends of one array. */
	for (const struct real_entry *const *e = __start_weft_real;
		e != __stop_weft_real; e++)
		find_entry(*e);
}

void
real_find(const char *name)
{
	void *f;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		f = find(&rows[i]);
		if (f != NULL)
			__atomic_store_n((void **)((char *)&real + rows[i].at),
				f, __ATOMIC_RELAXED);
		if (f != NULL || name == NULL ||
			strcmp(name, rows[i].name) != 0)
			continue;
		real_give_up(name);
	}
}
