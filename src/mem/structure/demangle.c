/* SPDX-License-Identifier: MIT */
#include "mem/structure/demangle.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"

#define NAME_MOST 4000 /* characters; longer names stay mangled */

/* Returns "module::name" for gfortran's "__module_MOD_name", or NULL. */
static const char *
of_module(struct arena *a, const char *name)
{
	const char *mark =
		strncmp(name, "__", 2) == 0 ? strstr(name + 2, "_MOD_") : NULL;

	if (mark == NULL || mark == name + 2 || mark[5] == '\0')
		return NULL;
	return arena_printf(
		a, "%.*s::%s", (int)(mark - name - 2), name + 2, mark + 5);
}

#if HAVE_IBERTY
#include <libiberty/demangle.h>

enum { HASH = 20 }; /* "17h", 16 digits, "E" */

struct text {
	size_t n;
	char text[NAME_MOST + 1];
};

static void
append(const char *part, size_t n, void *arg)
{
	struct text *t = arg;

	if (n < NAME_MOST - t->n) {
		memcpy(t->text + t->n, part, n);
		t->n += n;
	} else {
		t->n = NAME_MOST;
	}
}

/* Older names of Rust have the form of C++, and end with a hash. */
static bool
is_of_rust(const char *name)
{
	size_t n = strlen(name);

	return strncmp(name, "_R", 2) == 0 ||
		(strncmp(name, "_ZN", 3) == 0 && n > HASH + 3 &&
			strncmp(name + n - HASH, "17h", 3) == 0 &&
			strspn(name + n - HASH + 3, "0123456789abcdef") ==
				HASH - 4);
}

const char *
names_demangle(struct arena *a, const char *name)
{
	const char *fortran = of_module(a, name);
	struct text t = { 0 };
	int known = 0;

	if (fortran != NULL)
		return fortran;
	if (is_of_rust(name))
		known = rust_demangle_callback(name, DMGL_NO_OPTS, append, &t);
	else if (strncmp(name, "_Z", 2) == 0)
		known = cplus_demangle_v3_callback(
			name, DMGL_NO_OPTS, append, &t);
	if (!known || t.n == 0 || t.n >= NAME_MOST)
		return name;
	return arena_strndup(a, t.text, t.n);
}

bool
names_can_demangle(void)
{
	return true;
}

#else

const char *
names_demangle(struct arena *a, const char *name)
{
	const char *fortran = of_module(a, name);

	return fortran != NULL ? fortran : name;
}

bool
names_can_demangle(void)
{
	return false;
}

#endif
