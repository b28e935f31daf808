/* SPDX-License-Identifier: MIT */
/*
 * pvcheck [-q] [-x RULES] [--original] DIR|FILE... - see pvcheck.h.
 *
 * In a directory, X.prv, X.pcf, X.row and the views in cfg/X belong together.
 * Exit code: 0 if there is no complaint except warnings, 1 if a file violates a
 * rule, 2 for wrong usage.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "pvcheck.h"

typedef VEC(char *) name_list;

static const char *
join(struct check *c, const char *dir, const char *name)
{
	return arena_printf(&c->arena, "%s/%s", dir, name);
}

static bool
is_dir(const char *path)
{
	struct stat info;

	return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool
exists(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
list(struct check *c, const char *dir, name_list *names)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			VEC_PUSH(names, &c->arena,
				arena_strdup(&c->arena, e->d_name));
	if (d != NULL)
		closedir(d);
	if (names->n > 0)
		qsort(names->at, (size_t)names->n, sizeof *names->at, compare);
}

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && strcmp(name + n - m, end) == 0;
}

static void
check_views(struct check *c, const struct timeline *t, const char *path)
{
	name_list names = { 0 };

	if (!is_dir(path)) {
		if (ends_with(path, ".cfg"))
			cfg_check(c, t, path);
		return;
	}
	list(c, path, &names);
	for (int i = 0; i < names.n; i++)
		check_views(c, t, join(c, path, names.at[i]));
}

/* Checks DIR/STEM.prv and the files that belong to it. */
static void
check_timeline(struct check *c, const char *dir, const char *stem)
{
	struct timeline t = { 0 };
	const char *base = join(c, dir, stem);

	prv_check(c, &t, arena_printf(&c->arena, "%s.prv", base));
	row_check(c, &t, arena_printf(&c->arena, "%s.row", base));
	pcf_check(c, &t, arena_printf(&c->arena, "%s.pcf", base));
	timeline_check(c, &t);
	check_views(c, &t, arena_printf(&c->arena, "%s/cfg/%s", dir, stem));
	map_fini(&t.records);
	map_fini(&t.by_number);
}

/* Checks a single file; a view then has no timeline to compare with. */
static void
check_file(struct check *c, const char *path)
{
	struct timeline t = { 0 };

	if (ends_with(path, ".prv"))
		prv_check(c, &t, path);
	else if (ends_with(path, ".pcf"))
		pcf_check(c, &t, path);
	else if (ends_with(path, ".row"))
		row_check(c, &t, path);
	else if (ends_with(path, ".cfg"))
		cfg_check(c, &t, path);
	map_fini(&t.records);
	map_fini(&t.by_number);
}

/* Views in DIR/cfg/CLASS that have no DIR/CLASS.prv are checked alone. */
static void
check_lone_views(struct check *c, const char *dir)
{
	const struct timeline none = { 0 };
	const char *cfg = join(c, dir, "cfg");
	name_list names = { 0 };

	list(c, cfg, &names);
	for (int i = 0; i < names.n; i++)
		if (!exists(arena_printf(
			    &c->arena, "%s/%s.prv", dir, names.at[i])))
			check_views(c, &none, join(c, cfg, names.at[i]));
}

static void
check_dir(struct check *c, const char *dir)
{
	name_list names = { 0 };

	list(c, dir, &names);
	for (int i = 0; i < names.n; i++) {
		const char *path = join(c, dir, names.at[i]);
		size_t n = strlen(names.at[i]);

		if (strcmp(names.at[i], "cfg") == 0 && is_dir(path))
			check_lone_views(c, dir);
		else if (is_dir(path))
			check_dir(c, path);
		else if (ends_with(path, ".prv"))
			check_timeline(c, dir,
				arena_strndup(&c->arena, names.at[i], n - 4));
		else if ((ends_with(path, ".pcf") || ends_with(path, ".row")) &&
			!exists(arena_printf(&c->arena, "%.*s.prv",
				(int)strlen(path) - 4, path)))
			check_file(c, path);
		else if (ends_with(path, ".cfg"))
			check_file(c, path);
	}
}

static unsigned
rules(const char *text)
{
	unsigned found = 0;

	for (; *text != '\0'; text += strcspn(text, ","), text += *text == ',')
		found |= 1u << (unsigned)(atoi(text) & 31);
	return found;
}

int
main(int argc, char *argv[])
{
	struct check c = { 0 };
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "-q") == 0)
			c.quiet = true;
		else if (strcmp(argv[i], "--original") == 0)
			c.original = true;
		else if (strcmp(argv[i], "-x") == 0 && i + 1 < argc)
			c.except |= rules(argv[++i]);
		else
			argc = 0;
	}
	if (i >= argc) {
		fprintf(stderr,
			"usage: pvcheck [-q] [-x RULE,...] [--original] "
			"DIR|FILE...\n");
		return 2;
	}
	for (; i < argc; i++)
		if (is_dir(argv[i]))
			check_dir(&c, argv[i]);
		else if (exists(argv[i]))
			check_file(&c, argv[i]);
		else {
			fprintf(stderr, "pvcheck: there is no %s\n", argv[i]);
			return 2;
		}
	arena_fini(&c.arena);
	return c.errors > 0;
}
