/* SPDX-License-Identifier: MIT */
#include "export/single.h"

#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "export/compress.h"
#include "export/sink.h"

#define BUFFER_BYTES (256u << 10) /* fits into the second-level cache */

bool
single_open(struct outfile *f, struct arena *a, const char *dir,
	const char *name, const struct sink_setup *setup, struct err *err)
{
	const struct compress_options none = { 0 };
	const struct compress_options *o =
		setup->compress != NULL ? setup->compress : &none;
	const char *path = setup->file;
	bool ok;

	if (path == NULL)
		path = arena_printf(
			a, "%s/%s%s", dir, name, compress_extension(o->kind));
	ok = strcmp(path, "-") == 0
		? outfile_open_stdout(f, a, BUFFER_BYTES, err)
		: outfile_open(f, a, path, BUFFER_BYTES, err);
	if (ok)
		compress_begin(f, a, o);
	return ok;
}

/* Returns the length without the end, if the first n bytes end so. */
static size_t
without(const char *path, size_t n, const char *end)
{
	size_t m = strlen(end);

	return n > m && strncmp(path + n - m, end, m) == 0 ? n - m : n;
}

const char *
single_beside(struct arena *a, const char *path, const char *extension,
	const char *part, const char *other)
{
	const char *packed = compress_extension(compress_of_name(path));
	size_t n = without(path, strlen(path), packed);

	n = without(path, n, extension);
	return arena_printf(a, "%.*s%s%s%s%s", (int)n, path,
		part != NULL ? "-" : "", part != NULL ? part : "",
		other != NULL ? other : extension, other != NULL ? "" : packed);
}

const char *
single_option(const struct sink_setup *setup, const char *key)
{
	size_t n = strlen(key);

	for (const char *const *o = setup->options; o != NULL && *o != NULL;
		o++)
		if (strncmp(*o, key, n) == 0)
			return *o + n;
	return NULL;
}
