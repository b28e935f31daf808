/* SPDX-License-Identifier: MIT */
#include "cli/trace/packed.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "archive/archive.h"
#include "base/alias.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "cli/trace/piped.h"
#include "cli/trace/record_trace.h"
#include "cli/trace/task_trace.h"
#include "trace/ctf/ctf.h"
#include "trace/finding.h"
#include "trace/perf/file.h"
#include "trace/text/text.h"

#define LEVELS 32 /* of directories in a trace */
#define CHUNK (256 << 10)
#define UNPACKED_MOST 3   /* archives or compressed files in each other */
#define FINDING_LINE 2000 /* bytes */

static bool
hash_file(const char *path, uint64_t *hash, uint64_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	XXH64_state_t state;
	char *buffer = mem_resize(NULL, CHUNK, 1);
	int64_t at = 0, n = 0;

	XXH64_reset(&state, 0);
	while (fd >= 0 && (n = file_pread(fd, buffer, CHUNK, at)) > 0) {
		XXH64_update(&state, buffer, (size_t)n);
		at += n;
	}
	mem_free(buffer);
	if (fd >= 0)
		close(fd);
	*hash = XXH64_digest(&state);
	*bytes = (uint64_t)at;
	return fd >= 0 && n == 0;
}

static bool
add_file(struct arena *a, const char *path, const char *name,
	const struct stat *st, struct packed_files *to, struct err *err)
{
	struct packed_file file = {
		.path = path, .name = name, .mtime = st->st_mtime
	};

	if (!hash_file(path, &file.hash, &file.bytes))
		return err_set(err, ERR_SYSTEM, "cannot read %s", path);
	to->bytes += file.bytes;
	VEC_PUSH(&to->list, a, file);
	return true;
}

static bool
add_dir(struct arena *a, const char *path, const char *name, int levels,
	struct packed_files *to, struct err *err)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, alphasort);
	bool ok = n >= 0 || err_set(err, ERR_SYSTEM, "cannot read %s", path);

	for (int i = 0; i < n; i++) {
		const char *child =
			arena_printf(a, "%s/%s", path, entries[i]->d_name);
		const char *inner =
			arena_printf(a, "%s/%s", name, entries[i]->d_name);
		bool dots = strcmp(entries[i]->d_name, ".") == 0 ||
			strcmp(entries[i]->d_name, "..") == 0;
		struct stat st;

		mem_free(entries[i]);
		if (dots || !ok || lstat(child, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode) && levels > 0)
			ok = add_dir(a, child, inner, levels - 1, to, err);
		else if (S_ISREG(st.st_mode))
			ok = add_file(a, child, inner, &st, to, err);
	}
	if (n >= 0)
		mem_free(entries);
	return ok;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct packed_file *)a)->name,
		((const struct packed_file *)b)->name);
}

bool
packed_list(struct arena *a, const char *path, const char *top,
	struct packed_files *to, struct err *err)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return err_set(err, ERR_SYSTEM, "cannot read %s", path);
	if (S_ISREG(st.st_mode))
		return add_file(a, path, file_name(path), &st, to, err);
	if (!add_dir(a, path, top, LEVELS, to, err))
		return false;
	if (to->list.n > 0)
		qsort(to->list.at, (size_t)to->list.n, sizeof to->list.at[0],
			by_name);
	return to->list.n > 0 ||
		err_set(err, ERR_INPUT, "%s has no files", path);
}

static void
add_finding(struct findings *fs, const char *file, const char *text)
{
	finding_add(fs,
		(struct finding){ .severity = FINDING_ERROR,
			.file = file,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"%s", text);
}

/* Compares a file with what the archive says of it. */
static void
compare(struct arena *a, struct findings *fs, const char *top,
	struct json_object *file)
{
	const char *name = json_str(json_get(file, "name"));
	const char *want = json_str(json_get(file, "xxh64"));
	const char *path;
	char got[17];
	uint64_t hash, bytes;

	if (name == NULL || want == NULL || strstr(name, "..") != NULL)
		return;
	path = arena_printf(a, "%s/%s", top, name);
	if (!hash_file(path, &hash, &bytes)) {
		add_finding(fs, path, "was packed, and is not in the archive");
		return;
	}
	snprintf(got, sizeof got, "%016llx", (unsigned long long)hash);
	if (strcmp(got, want) != 0)
		add_finding(fs, path, "differs from what was packed");
}

/* Checks the files below `top` if the archive describes them. */
static void
verify(struct arena *a, struct findings *fs, const char *top)
{
	const char *about = arena_printf(a, "%s/%s", top, ARCHIVE_ABOUT);
	struct json_object *doc, *files;

	if (!file_is_regular(about))
		return;
	doc = json_read(a, about, &(struct err){ 0 });
	files = doc != NULL ? json_get(doc, "files") : NULL;
	for (size_t i = 0; files != NULL && i < json_length(files); i++)
		compare(a, fs, top, json_at(files, i));
	json_close(doc);
}

static void
say(const char *text)
{
	log_warning("%s", text);
}

/* The files of an archive that are traces by themselves. */
struct choice {
	struct arena *a;
	const char *first;
	char list[400];
	size_t length; /* of the list */
	int n;
};

static bool
is_trace_file(const char *path)
{
	return record_trace_format(path) != NULL || perf_file_is(path) ||
		source_text.recognise(path) || task_trace_is(path);
}

static void
choose_below(struct choice *c, const char *dir, int levels)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const char *path =
			arena_printf(c->a, "%s/%s", dir, entries[i]->d_name);
		bool dots = file_is_dots(entries[i]->d_name);

		mem_free(entries[i]);
		if (!dots && file_is_dir(path) && levels > 0)
			choose_below(c, path, levels - 1);
		if (dots || !file_is_regular(path) || !is_trace_file(path))
			continue;
		c->first = c->n++ == 0 ? path : c->first;
		if (c->length < sizeof c->list)
			c->length += (size_t)snprintf(c->list + c->length,
				sizeof c->list - c->length, "%s%s",
				c->n == 1 ? "" : ", ", alias_of(c->a, path));
	}
	if (n >= 0)
		mem_free(entries);
}

/* Returns true if streams of a trace are below the directory. */
static bool
has_streams(struct arena *a, const char *dir)
{
	return source_ctf.recognise(dir) || task_trace_is(dir) ||
		file_any(a, dir, "stream.json", "stream.obs", LEVELS);
}

/* Returns the trace among the files that were unpacked: the directory itself if
 * it has streams, else the only file that is a trace. */
static const char *
choose(struct arena *a, const char *found, bool *several)
{
	struct choice c = { .a = a };

	if (!file_is_dir(found) || has_streams(a, found))
		return found;
	choose_below(&c, found, LEVELS);
	*several = c.n > 1;
	if (c.n < 2)
		return c.n == 1 ? c.first : found;
	log_error("%s: contains %d traces: name one of them: %s%s", found, c.n,
		c.list, c.length < sizeof c.list ? "" : "...");
	return NULL;
}

/* Unpacks an archive; returns the path itself if it is none. */
static const char *
unpack(struct arena *a, const char *path, int64_t max_bytes,
	struct findings *fs, bool *several)
{
	const struct archive_options options = { .max_bytes = max_bytes,
		.warning = say };
	struct err err = { 0 };
	const char *top, *found;
	bool named;

	if (!archive_is(a, path))
		return path;
	found = archive_open(a, path, &options, &top, &named, &err);
	if (found == NULL)
		log_error("%s", err.text);
	else
		verify(a, fs, top);
	return found == NULL || named ? found : choose(a, found, several);
}

/* What this process has unpacked. */
struct unpacked {
	const char *name; /* as the user gave it */
	struct stat file; /* of the archive then */
	const char *path; /* to read */
};

static VEC(struct unpacked) all_unpacked;
static struct arena unpacked_arena;

static bool
is_same_file(const struct stat *x, const struct stat *y)
{
	return x->st_ino == y->st_ino && x->st_dev == y->st_dev &&
		x->st_size == y->st_size &&
		x->st_mtim.tv_sec == y->st_mtim.tv_sec &&
		x->st_mtim.tv_nsec == y->st_mtim.tv_nsec;
}

static const char *
find_unpacked(const char *name, const struct stat *file)
{
	for (int i = 0; i < all_unpacked.n; i++)
		if (strcmp(all_unpacked.at[i].name, name) == 0 &&
			is_same_file(&all_unpacked.at[i].file, file))
			return all_unpacked.at[i].path;
	return NULL;
}

const char *
packed_path(struct arena *a, const char *path, int64_t max_bytes,
	struct findings *fs, bool *several)
{
	const char *given = path, *known;
	struct arena *kept = &unpacked_arena;
	struct stat file;

	*several = false;
	if (stat(archive_file(a, given), &file) != 0)
		return path;
	known = find_unpacked(given, &file);
	if (known != NULL)
		return known;
	for (int i = 0; path != NULL && i < UNPACKED_MOST; i++) {
		const char *was = path;

		path = unpack(a, path, max_bytes, fs, several);
		if (path == was)
			path = piped_inflate(a, path, max_bytes);
		if (path == was)
			break;
	}
	if (path == NULL || path == given)
		return path;
	path = arena_strdup(kept, path);
	VEC_PUSH(&all_unpacked, kept,
		((struct unpacked){ arena_strdup(kept, given), file, path }));
	return path;
}

const char *
packed_input(struct arena *a, const char *path, enum exit_code *code)
{
	struct findings differ;
	bool several;

	findings_init(&differ, a, INT_MAX);
	path = packed_path(a, path, 0, &differ, &several);
	for (int i = 0; i < differ.list.n; i++) {
		char text[FINDING_LINE];

		finding_text(&differ.list.at[i], text, sizeof text);
		log_warning("%s", text);
	}
	*code = path != NULL ? EXIT_YES : several ? EXIT_USAGE : EXIT_UNABLE;
	return path;
}
