/* SPDX-License-Identifier: MIT */
#include "export/prv/files.h"

#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/keep.h"
#include "export/compress.h"
#include "export/single.h"
#include "export/sink.h"

static const char *const ends[] = { ".prv", ".pcf", ".row", NULL };

const char *
prv_files_path(const struct prv_files *f, const char *class,
	const char *extension, bool alone)
{
	const struct compress_options *o = f->setup->compress;
	bool is_prv = strcmp(extension, ".prv") == 0;
	const char *end =
		o != NULL && is_prv ? compress_extension(o->kind) : "";

	if (f->setup->file == NULL)
		return arena_printf(
			f->arena, "%s/%s%s%s", f->dir, class, extension, end);
	return arena_printf(f->arena, "%s%s",
		single_beside(f->arena, f->setup->file, ".prv",
			alone ? NULL : class, extension),
		end);
}

bool
prv_files_are_free(const struct prv_files *f, const char *class, bool alone,
	struct err *err)
{
	for (int i = 0; ends[i] != NULL; i++)
		if (!keep_check(prv_files_path(f, class, ends[i], alone), err))
			return false;
	return true;
}

bool
prv_files_check(const struct prv_files *f, const char *class, struct err *err)
{
	if (class[0] == '\0' || class[0] == '.' || strchr(class, '/') != NULL)
		return err_set(err, ERR_INPUT,
			"the class \"%s\" cannot be the name of a file", class);
	/* Whether the output has only one timeline is known at its end. */
	return prv_files_are_free(f, class, false, err) &&
		(f->setup->file == NULL ||
			prv_files_are_free(f, class, true, err));
}

void
prv_files_remove(const struct prv_files *f, const char *class)
{
	for (int i = 0; ends[i] != NULL; i++) {
		const char *path = prv_files_path(f, class, ends[i], false);

		if (f->setup->gone != NULL)
			f->setup->gone(f->setup->gone_arg, path);
		else
			(void)unlink(path);
	}
}
