/* SPDX-License-Identifier: MIT */
#include "inproc/collect/real.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/sanitized.h"

struct real real;

#define REAL_ROW(result, name, version, arguments) \
	{ #name, version, offsetof(struct real, name) },

static const struct row {
	const char *name, *version;
	size_t at;
} rows[] = { REAL_FUNCTIONS(REAL_ROW) };

/* In the loader's order the C library comes after this library. A sanitizer's
 * library may lie between them, whose functions have no versions: a thread that
 * it did not make crashes in code for ThreadSanitizer. */
static void *
find_function(const char *name, const char *version)
{
	void *f = version == NULL || is_sanitized()
		? NULL
		: dlvsym(RTLD_NEXT, name, version);

	return f != NULL ? f : dlsym(RTLD_NEXT, name);
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
