/* SPDX-License-Identifier: MIT */
#include "cli/trace/code_names.h"

#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "mem/db/symbols.h"

struct files {
	struct code_names names;
	struct symbols symbols;
};

static unsigned
digit(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

static int
file_of(struct files *f, const char *build, const char *path)
{
	uint8_t id[MODULE_BUILD_MAX];
	uint32_t n = 0;
	struct symbols_file *file;
	int i;

	for (; n < MODULE_BUILD_MAX && build[0] != '\0' && build[1] != '\0';
		build += 2)
		id[n++] = (uint8_t)(digit(build[0]) << 4 | digit(build[1]));
	i = symbols_add(&f->symbols, path, id, n);
	file = &f->symbols.file.at[i];
	if (file->path == path) { /* new: the caller's text may go away */
		file->path = arena_strdup(f->symbols.arena, path);
		file->name = file_name(file->path);
	}
	return i;
}

/* Returns true for a source file of the system, or of the library of Rust,
 * whose paths are mostly relative. */
static bool
is_of_the_system(const char *file)
{
	static const char *const roots[] = { "/usr/", "/rustc/", "/rust/deps/",
		"library/std/", "library/core/", "library/alloc/" };

	for (size_t i = 0; file != NULL && i < sizeof roots / sizeof *roots;
		i++)
		if (strncmp(file, roots[i], strlen(roots[i])) == 0)
			return true;
	return file != NULL && strstr(file, "/rustlib/src/") != NULL;
}

/* Returns true for the libraries that languages bring. */
static bool
is_of_a_language(const char *path)
{
	static const char *const names[] = { "libstdc++.", "libc++.", "libc.so",
		"libgcc_s.", "libstd-", "ld-linux" };
	const char *name = file_name(path);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* Of inlined calls the innermost one counts that is not in a header of the
 * system: the caller of std::mutex::lock(), not the lines in it. */
static bool
code(void *of, const char *build, const char *path, uint64_t address,
	struct code_name *to)
{
	struct files *f = of;
	struct code_locations in =
		symbols_code(&f->symbols, file_of(f, build, path), address);
	const struct code_location *at = f->symbols.location.at;
	int best = 0;

	while (best < in.n - 1 && is_of_the_system(at[in.at[best]].file))
		best++;
	to->is_library = is_of_a_language(path) ||
		is_of_the_system(at[in.at[best]].file);
	if (is_of_the_system(at[in.at[best]].file))
		best = 0;
	at += in.at[best];
	if (!at->is_named)
		return false;
	to->function = at->function;
	/* compilers give code of their own line 0 */
	to->file =
		at->file == NULL || at->line == 0 ? NULL : file_name(at->file);
	to->line = at->line;
	return true;
}

/* address: in the file, or the offset of a thread-local variable. */
static bool
find(struct files *f, const struct variable *v, uint64_t address,
	struct code_name *to)
{
	if (v == NULL)
		return false;
	to->function = address == v->address
		? v->name
		: arena_printf(f->symbols.arena, "%s+%llu", v->name,
			  (unsigned long long)(address - v->address));
	to->file = v->file == NULL ? NULL : file_name(v->file);
	to->line = v->line;
	to->is_library = is_of_the_system(v->file);
	return true;
}

static bool
variable(void *of, const char *build, const char *path, uint64_t address,
	struct code_name *to)
{
	struct files *f = of;
	struct module *m = symbols_module(&f->symbols, file_of(f, build, path));

	return m != NULL && find(f, module_variable(m, address), address, to);
}

static bool
local(void *of, const char *build, const char *path, uint64_t offset,
	struct code_name *to)
{
	struct files *f = of;
	struct module *m = symbols_module(&f->symbols, file_of(f, build, path));

	return m != NULL && find(f, module_local(m, offset), offset, to);
}

struct code_names *
code_names_open(struct arena *a)
{
	struct files *f = ARENA_NEW(a, struct files);

	symbols_init(&f->symbols, a);
	f->names = (struct code_names){ f, code, variable, local };
	return &f->names;
}

void
code_names_close(struct code_names *names)
{
	struct files *f = names == NULL ? NULL : names->of;

	if (f != NULL)
		symbols_fini(&f->symbols);
}
