/* SPDX-License-Identifier: MIT */
#include "trace/obs/salvage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* json-c also defines a type of this name. */
#define json_type jsonc_type
#include <json-c/json.h>
#undef json_type

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "trace/ring_tail.h"
#include "trace/source.h"
#include "trace/trace.h"

#define ROOM (64u << 10)

static struct json_object *
lost_list(const struct stream *s)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < s->lost.n; i++) {
		const struct trace_lost *l = &s->lost.at[i];
		struct json_object *one = json_object_new_array();

		json_object_array_add(one, json_object_new_int64(l->from));
		json_object_array_add(one, json_object_new_int64(l->to));
		json_object_array_add(one, json_object_new_int64(l->count));
		json_object_array_add(list, one);
	}
	return list;
}

void
obs_salvage_meta(struct json_object *doc, const struct stream *s)
{
	struct json_object *weft = json_get(doc, "weft");
	struct json_object *ring = json_get(weft, "ring");

	if (!json_object_is_type(weft, json_type_object))
		return;
	if (json_object_is_type(ring, json_type_object)) {
		json_object_object_del(ring, "file");
		json_object_object_del(ring, "id");
	}
	if (s->lost.n > 0)
		json_object_object_add(weft, "lost", lost_list(s));
	if (s->overwritten > 0)
		json_object_object_add(weft, "overwritten",
			json_object_new_int64(s->overwritten));
}

static bool
save_meta(struct arena *a, const struct stream *s, struct err *err)
{
	struct json_object *doc = json_read(a, s->meta, err);
	struct outfile out;
	bool ok;

	if (doc == NULL)
		return err_in(err, "%s", s->meta);
	obs_salvage_meta(doc, s);
	ok = outfile_open(&out, a, s->meta, ROOM, err);
	if (ok) {
		outfile_puts(&out,
			json_object_to_json_string_ext(doc,
				JSON_C_TO_STRING_PRETTY |
					JSON_C_TO_STRING_SPACED));
		outfile_puts(&out, "\n");
		ok = outfile_close(&out, err);
	}
	json_close(doc);
	return ok;
}

/* Appends the ring's bytes to the stream. A short write means a full disk. */
static bool
append(const struct ring_tail *r, const char *to, struct err *err)
{
	char data[ROOM];
	int fd = open(to, O_WRONLY | O_CLOEXEC);
	int64_t at = r->begin, n = 0;
	bool ok = fd >= 0;

	while (ok && at < r->end) {
		n = ring_read(r, data, sizeof data, at);
		ok = n > 0 && pwrite(fd, data, (size_t)n, at) == n;
		at += n;
	}
	if (!ok)
		err_set(err, ERR_SYSTEM, "cannot append to %s", to);
	if (fd >= 0 && close(fd) != 0 && ok)
		ok = err_set(err, ERR_SYSTEM, "cannot append to %s", to);
	return ok;
}

bool
obs_salvage(const struct trace *t, struct salvage *result, struct err *err)
{
	for (int i = 0; i < t->streams.n; i++) {
		const struct stream *s = &t->streams.at[i];

		if (s->ring == NULL)
			continue;
		if (s->ring->live) {
			result->running++;
			continue;
		}
		if (!append(s->ring, s->file, err) ||
			!save_meta(t->arena, s, err))
			return false;
		unlink(s->ring->file);
		result->streams++;
		if (s->ring->end > s->ring->begin)
			result->bytes +=
				(uint64_t)(s->ring->end - s->ring->begin);
	}
	return true;
}

/* Returns true if the ring has no owner, or its creator was killed before
 * writing a header. */
static bool
is_spare(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct ringfile f = { 0 };
	bool spare = fd >= 0 && file_pread(fd, &f, sizeof f, 0) >= 0 &&
		f.id == 0 && !ringfile_is_held(fd);

	if (fd >= 0)
		close(fd);
	return spare;
}

void
obs_salvage_spares(struct arena *a, const char *folder, int pid)
{
	const char *mine = arena_printf(a, "weft-%d-", pid);
	DIR *d;

	if (kill(pid, 0) == 0 || errno != ESRCH)
		return;
	d = opendir(folder);
	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		const char *file;

		if (strncmp(e->d_name, mine, strlen(mine)) != 0)
			continue;
		file = arena_printf(a, "%s/%s", folder, e->d_name);
		if (is_spare(file))
			unlink(file);
	}
	if (d)
		closedir(d);
}
