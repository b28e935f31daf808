/* SPDX-License-Identifier: MIT */
#include "trace/ctf/directories.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/ctf/meta.h"
#include "trace/ctf/packet.h"
#include "trace/roots.h"

#define CHANNEL "channel_"

/* A rotated LTTng session has two more levels: archives/CHUNK. */
#define DEPTH (ROOTS_DEPTH + 2)
#define LOOK_AT 64 /* files to check in a directory that may not be a trace */

struct names {
	VEC(const char *) files, folders, links;
};

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
sort(const char **at, int n)
{
	if (n > 0)
		qsort(at, (size_t)n, sizeof *at, by_bytes);
}

static bool
list(struct arena *a, const char *path, struct names *to)
{
	DIR *dir = opendir(path);
	const struct dirent *d;

	if (dir == NULL)
		return false;
	while ((d = readdir(dir)) != NULL) {
		const char *full;

		if (d->d_name[0] == '.')
			continue;
		full = arena_printf(a, "%s/%s", path, d->d_name);
		if (d->d_type != DT_DIR && file_is_regular(full))
			VEC_PUSH(&to->files, a, full);
		else if (d->d_type == DT_DIR ||
			(d->d_type == DT_UNKNOWN && file_is_dir(full)))
			VEC_PUSH(&to->folders, a, full);
		else if (d->d_type == DT_LNK && file_is_dir(full))
			VEC_PUSH(&to->links, a, full);
	}
	closedir(dir);
	sort(to->files.at, to->files.n);
	sort(to->folders.at, to->folders.n);
	return true;
}

/* Returns true if the file begins with a packet, or is empty: a program that
 * was killed early leaves empty files. */
static bool
is_stream(const char *file, bool may_be_empty)
{
	uint32_t magic = 0;
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int64_t n;

	if (fd < 0)
		return false;
	n = file_pread(fd, &magic, sizeof magic, 0);
	close(fd);
	return (n == 0 && may_be_empty) ||
		(n == sizeof magic && magic == CTF_MAGIC);
}

static bool
is_channel(const char *file)
{
	return strncmp(file_name(file), CHANNEL, sizeof CHANNEL - 1) == 0 &&
		is_stream(file, true);
}

/* Returns true if a directory without metadata holds streams. */
static bool
has_stream(const struct ctf_folders *f, const struct ctf_folder *found)
{
	if (f->foreign || found->streams.n == 0)
		return false;
	if (found->no_metadata != NULL && file_is_empty(found->no_metadata))
		return true;
	for (int i = 0; i < found->streams.n && i < LOOK_AT; i++)
		if (is_stream(found->streams.at[i], false))
			return true;
	return false;
}

/* Adds the directory if it is a trace. */
static bool
take(struct ctf_folders *f, const char *path, const char *name,
	const struct names *in)
{
	struct ctf_folder found = { .path = path, .name = name };
	bool channel = false;

	for (int i = 0; i < in->files.n; i++) {
		const char *file = in->files.at[i], *last = file_name(file);

		if (strcmp(last, "metadata") == 0) {
			if (ctf_meta_begins(file))
				found.metadata = file;
			else
				found.no_metadata = file;
			continue;
		}
		f->foreign = f->foreign || strcmp(last, "stream.json") == 0;
		channel = channel || is_channel(file);
		VEC_PUSH(&found.streams, f->arena, file);
	}
	/* A trace without usable metadata is added, too: opening it reports the
	 * error. */
	if (found.metadata == NULL && !channel && !has_stream(f, &found))
		return false;
	VEC_PUSH(&f->at, f->arena, found);
	return true;
}

static void
walk(struct ctf_folders *f, const char *path, const char *name, int depth)
{
	struct names in = { 0 };

	if (!list(f->arena, path, &in) || take(f, path, name, &in))
		return;
	for (int i = 0; i < in.links.n; i++)
		VEC_PUSH(&f->links, f->arena, in.links.at[i]);
	for (int i = 0; i < in.folders.n && depth < DEPTH; i++) {
		const char *last = file_name(in.folders.at[i]);

		if (f->foreign || (f->first && f->at.n > 0))
			return;
		walk(f, in.folders.at[i],
			*name == '\0'
				? last
				: arena_printf(f->arena, "%s/%s", name, last),
			depth + 1);
	}
}

void
ctf_folders_find(struct ctf_folders *f, const char *path)
{
	if (strcmp(file_name(path), "metadata") == 0 && file_is_regular(path))
		path = file_parent(f->arena, path);
	walk(f, path, "", 0);
	if (f->foreign)
		f->at.n = 0;
}
