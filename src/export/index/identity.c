/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "export/index/identity.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/quote.h"
#include "base/vec.h"

#define END_BYTES (64 << 10) /* hashed at both ends of a file */
#define DEPTH 32             /* most levels of nested directories */

/* The text while it grows. */
struct text {
	struct arena *arena;
	VEC(char) out;
	VEC(char *) files; /* relative to the root */
	const char *root;
	char *ends; /* room for the bytes of both ends of a file */
	bool failed;
};

static void
put(struct text *t, const char *s)
{
	for (; *s != '\0'; s++)
		VEC_PUSH(&t->out, t->arena, *s);
}

static void
put_quoted(struct text *t, const char *s)
{
	const char *stop = s + strlen(s);
	char piece[2 * QUOTE_ROOM];

	put(t, "\"");
	while (s < stop) {
		char *end =
			quote_json(piece, piece + sizeof piece - 1, &s, stop);

		*end = '\0';
		put(t, piece);
	}
	put(t, "\"");
}

static const char *
join(struct text *t, const char *dir, const char *name)
{
	return *dir == '\0' ? arena_strdup(t->arena, name)
			    : arena_printf(t->arena, "%s/%s", dir, name);
}

/* Lists all regular files below a directory, unsorted. */
static void
collect(struct text *t, const char *relative, int depth)
{
	DIR *d = opendir(join(t, t->root, relative));
	struct dirent *e;

	t->failed |= d == NULL && depth == 0;
	while (d != NULL && (e = readdir(d)) != NULL) {
		const char *name, *path;
		struct stat st;

		if (file_is_dots(e->d_name) ||
			strncmp(e->d_name, INDEX_FILE, strlen(INDEX_FILE)) == 0)
			continue; /* the index itself is no input */
		name = join(t, relative, e->d_name);
		path = join(t, t->root, name);
		if (lstat(path, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode) && depth < DEPTH)
			collect(t, name, depth + 1);
		else if (file_is_regular(path))
			VEC_PUSH(&t->files, t->arena,
				arena_strdup(t->arena, name));
	}
	if (d != NULL)
		closedir(d);
}

static int
by_name(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Returns a hash of both ends of a file. */
static uint64_t
hash_ends(const struct text *t, int fd, int64_t size)
{
	char *bytes = t->ends;
	int64_t head = file_pread(fd, bytes, END_BYTES, 0), tail = 0;
	int64_t from = size - END_BYTES > head ? size - END_BYTES : head;

	if (head == END_BYTES && size > head)
		tail = file_pread(fd, bytes + head, END_BYTES, from);
	return XXH3_64bits(bytes,
		(size_t)(head > 0 ? head : 0) + (size_t)(tail > 0 ? tail : 0));
}

static void
put_file(struct text *t, const char *name)
{
	const char *path = *name == '\0' ? t->root : join(t, t->root, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0) {
		put(t,
			t->out.at[t->out.n - 1] == '[' ? "{\"path\": "
						       : ", {\"path\": ");
		put_quoted(t, name);
		put(t,
			arena_printf(t->arena,
				", \"size\": \"%" PRId64
				"\", \"mtime_ns\": \"%" PRId64
				"\", \"xxh3\": \"%016" PRIx64 "\"}",
				(int64_t)st.st_size,
				(int64_t)st.st_mtim.tv_sec * 1000000000 +
					st.st_mtim.tv_nsec,
				hash_ends(t, fd, st.st_size)));
	}
	close(fd);
}

const char *
index_identity(struct arena *a, const char *path, const char *options)
{
	struct text t = {
		.arena = a, .root = path, .ends = arena_alloc(a, 2 * END_BYTES)
	};

	put(&t, "{\"options\": ");
	put_quoted(&t, options);
	put(&t, ", \"files\": [");
	if (file_is_dir(path))
		collect(&t, "", 0);
	else if (file_is_regular(path))
		put_file(&t, "");
	else
		t.failed = true;
	if (t.files.n > 1)
		qsort(t.files.at, (size_t)t.files.n, sizeof *t.files.at,
			by_name);
	for (int i = 0; i < t.files.n; i++)
		put_file(&t, t.files.at[i]);
	put(&t, "]}");
	VEC_PUSH(&t.out, a, '\0');
	return t.failed ? NULL : t.out.at;
}

static const char *
text_of(struct json_object *at, const char *key)
{
	const char *text = json_str(json_get(at, key));

	return text != NULL ? text : "";
}

/* Returns the file of that name, or NULL. */
static struct json_object *
find(struct json_object *files, const char *name)
{
	for (size_t i = 0; i < json_length(files); i++)
		if (strcmp(text_of(json_at(files, i), "path"), name) == 0)
			return json_at(files, i);
	return NULL;
}

static bool
is_same(struct json_object *x, struct json_object *y)
{
	return strcmp(text_of(x, "size"), text_of(y, "size")) == 0 &&
		strcmp(text_of(x, "mtime_ns"), text_of(y, "mtime_ns")) == 0 &&
		strcmp(text_of(x, "xxh3"), text_of(y, "xxh3")) == 0;
}

/* Returns the first difference between the lists of files, in words. */
static const char *
changed(struct arena *a, struct json_object *then, struct json_object *now)
{
	for (size_t i = 0; i < json_length(now); i++) {
		struct json_object *file = json_at(now, i);
		const char *name = text_of(file, "path");
		struct json_object *old = find(then, name);

		if (old == NULL || !is_same(old, file))
			return arena_printf(a,
				*name == '\0' ? "input changed%s"
					      : "input changed (%s)",
				name);
	}
	return "input changed";
}

const char *
index_stale(struct arena *a, const struct index *ix, const char *path,
	const char *options)
{
	const char *then = index_meta(ix)->identity, *why = NULL;
	const char *now = index_identity(a, path, options);
	struct err err = { 0 };
	struct json_object *x, *y;

	if (strcmp(index_meta(ix)->version, WEFT_VERSION) != 0)
		return arena_printf(
			a, "made by Weft %s", index_meta(ix)->version);
	if (now == NULL)
		return "the input cannot be read";
	if (strcmp(then, now) == 0)
		return NULL;
	x = json_parse(then, strlen(then), &err);
	y = json_parse(now, strlen(now), &err);
	if (x == NULL)
		why = "it does not name its trace";
	else if (strcmp(text_of(x, "options"), options) != 0)
		why = "other options";
	else
		why = changed(a, json_get(x, "files"), json_get(y, "files"));
	json_close(x);
	json_close(y);
	return why;
}
