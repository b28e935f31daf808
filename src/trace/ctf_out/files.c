/* SPDX-License-Identifier: MIT */
/* Directories and files of the output. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/leftover.h"
#include "trace/ctf_out/out.h"

#define MEMORY (UINT64_C(64) << 20) /* of the packets of all streams */
#define ROOM_MAX (256u << 10)       /* bytes of a packet */
#define ROOM_MIN (4u << 10)
#define OPEN_MAX 256 /* streams whose files stay open */

static void
fail(struct ctf_out *c, const char *path)
{
	if (c->err.kind == ERR_NONE)
		err_set(&c->err, ERR_SYSTEM, "%.300s", path);
}

/* Some file systems tell of a failed write only here. */
static void
close_file(struct ctf_out *c, const char *path, int *fd)
{
	if (*fd >= 0 && close(*fd) != 0)
		fail(c, path);
	*fd = -1;
}

void
ctf_out_append(
	struct ctf_out *c, const char *path, int *fd, const void *at, size_t n)
{
	const char *from = at;

	if (c->err.kind != ERR_NONE)
		return;
	if (*fd < 0)
		*fd = open(
			path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (*fd < 0)
		fail(c, path);
	while (c->err.kind == ERR_NONE && n > 0) {
		ssize_t done = write(*fd, from, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			fail(c, path);
			break;
		}
		from += done;
		n -= (size_t)done;
	}
	if (!c->keep_open)
		close_file(c, path, fd);
}

void
ctf_out_metadata(
	struct ctf_out *c, const struct out_part *p, const struct out *text)
{
	const char *path = arena_printf(c->arena, "%s/metadata", p->path);
	int fd = -1;

	ctf_out_append(c, path, &fd, text->buf, (size_t)(text->at - text->buf));
	close_file(c, path, &fd);
}

/* FNV-1a. */
static uint64_t
hash(uint64_t h, const char *text)
{
	for (; text != NULL && *text != '\0'; text++)
		h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return h;
}

/* Gives a trace that has no UUID one that depends on its tables only, so that
 * the output is the same each time. */
static void
set_uuid(struct ctf_out *c, struct out_part *p)
{
	const struct trace_part *of = p->part;
	uint64_t h[2] = { UINT64_C(0xcbf29ce484222325), 0x77656674 };

	if (of != NULL && of->uuid != NULL) {
		memcpy(p->uuid, of->uuid, sizeof p->uuid);
		return;
	}
	for (int i = 0; i < 2; i++) {
		h[i] = hash(h[i], c->tables_text);
		h[i] = hash(h[i], of != NULL ? of->name : NULL);
		for (int j = 0; of != NULL && j < of->env.n; j++) {
			h[i] = hash(h[i], of->env.at[j].name);
			h[i] = hash(h[i], of->env.at[j].text);
			h[i] ^= (uint64_t)of->env.at[j].number;
		}
	}
	memcpy(p->uuid, h, sizeof p->uuid);
	p->uuid[6] = (uint8_t)((p->uuid[6] & 0x0f) | 0x80);
	p->uuid[8] = (uint8_t)((p->uuid[8] & 0x3f) | 0x80);
}

static struct out_part *
find_part(struct ctf_out *c, const struct trace_part *part, struct err *err)
{
	struct out_part *p;

	for (int i = 0; i < c->parts.n; i++)
		if (c->parts.at[i]->part == part)
			return c->parts.at[i];
	p = ARENA_NEW(c->arena, struct out_part);
	p->part = part;
	p->path = part == NULL || *part->name == '\0'
		? c->temporary
		: arena_printf(c->arena, "%s/%s", c->temporary, part->name);
	if (!file_mkdir(p->path, err))
		return NULL;
	set_uuid(c, p);
	VEC_PUSH(&c->parts, c->arena, p);
	return p;
}

static struct out_stream_class *
find_class(struct ctf_out *c, struct out_part *p, const struct stream *s)
{
	uint64_t id = p->part == NULL ? 0 : (uint64_t)s->kind;
	struct out_stream_class *k;

	for (int i = 0; i < p->classes.n; i++)
		if (p->classes.at[i]->id == id)
			return p->classes.at[i];
	k = ARENA_NEW(c->arena, struct out_stream_class);
	k->id = id;
	k->part = p;
	k->clock = ctf_out_clock_of(c, p, s);
	VEC_PUSH(&p->classes, c->arena, k);
	p->has_kinds = p->has_kinds || p->classes.n > 1 || id != 0;
	return k;
}

/* Returns a name for the file of a stream: that of the source, or a number with
 * as many digits as all have, so that their order stays. */
static const char *
file_of(struct ctf_out *c, const struct stream *s, int i)
{
	char last[16];

	if (s->part != NULL && s->name != NULL && *s->name != '\0')
		return file_name(s->name);
	snprintf(last, sizeof last, "%d", c->trace->streams.n - 1);
	return arena_printf(c->arena, "stream-%0*d", (int)strlen(last), i);
}

/* Adds a stream that begins with this one of the trace. */
static bool
add_stream(struct ctf_out *c, int i, struct err *err)
{
	const struct stream *s = &c->trace->streams.at[i];
	struct out_stream *to;
	struct out_part *p;

	p = find_part(c, s->part, err);
	if (p == NULL)
		return false;
	to = ARENA_NEW(c->arena, struct out_stream);
	to->class = find_class(c, p, s);
	to->class->has_cpu =
		to->class->has_cpu || (s->part != NULL && s->cpu != TRACE_NONE);
	to->path = arena_printf(c->arena, "%s/%s", p->path, file_of(c, s, i));
	to->instance = s->part != NULL && s->instance >= 0
		? (uint64_t)s->instance
		: (uint64_t)i;
	to->cpu = s->cpu;
	to->fd = -1;
	c->stream_of[i] = to;
	VEC_PUSH(&c->streams, c->arena, to);
	return true;
}

static bool
add_streams(struct ctf_out *c, struct err *err)
{
	const struct trace *t = c->trace;

	for (int i = 0; i < t->streams.n; i++)
		if (t->streams.at[i].follows == 0 &&
			!t->streams.at[i].is_unread && !add_stream(c, i, err))
			return false;
	/* A stream may follow one that comes later in the table. */
	for (int i = 0; i < t->streams.n; i++)
		if (t->streams.at[i].follows > 0)
			c->stream_of[i] =
				c->stream_of[t->streams.at[i].follows - 1];
	return true;
}

/* Returns true for ".", ".." and "/": no other directory takes their place. */
static bool
is_fixed(const char *path)
{
	const char *last = file_name(path);

	return *last == '\0' || file_is_dots(last);
}

/* Returns false with err, also if the directory is not empty. */
static bool
check_empty(const char *path, struct err *err)
{
	DIR *dir = opendir(path);
	const struct dirent *e;
	bool any = false;

	if (dir == NULL)
		return err_set(err, ERR_SYSTEM, "%.300s", path);
	while (!any && (e = readdir(dir)) != NULL)
		any = !file_is_dots(e->d_name);
	closedir(dir);
	return !any ||
		err_set(err, ERR_INPUT,
			"%.300s exists and is not empty: name another "
			"directory",
			path);
}

/* Checks the name of the output: a directory that is not there, or empty. An
 * empty one stays until the output takes its place. */
static bool
check_path(struct ctf_out *c, struct err *err)
{
	size_t n = strlen(c->path);
	struct stat st;
	bool there;

	while (n > 1 && c->path[n - 1] == '/')
		n--;
	c->path = arena_strndup(c->arena, c->path, n);
	there = lstat(c->path, &st) == 0;
	if (!there && errno != ENOENT)
		return err_set(err, ERR_SYSTEM, "%.300s", c->path);
	if (there && (!S_ISDIR(st.st_mode) || is_fixed(c->path)))
		return err_set(err, ERR_INPUT,
			"%.300s exists and %s: name another directory", c->path,
			S_ISDIR(st.st_mode) ? "cannot be replaced"
					    : "is no directory");
	if (there && !check_empty(c->path, err))
		return false;
	c->temporary =
		arena_printf(c->arena, "%s.tmp-%d", c->path, (int)getpid());
	if (mkdir(c->temporary, 0777) != 0)
		return err_set(err, ERR_SYSTEM, "%.300s", c->path);
	return true;
}

bool
ctf_out_begin(struct ctf_out *c, struct err *err)
{
	int n = c->trace->streams.n;
	uint64_t room = n > 0 ? MEMORY / (uint64_t)n : ROOM_MAX;

	c->leftover = -1;
	if (!check_path(c, err))
		return false;
	c->leftover = leftover_add_tree(c->temporary);
	c->room = room > ROOM_MAX ? ROOM_MAX
		: room < ROOM_MIN ? ROOM_MIN
				  : (size_t)room;
	c->keep_open = n <= OPEN_MAX;
	c->wide = c->trace->classes.n * 2 > UINT16_MAX;
	if (c->trace->parts.n == 0)
		c->tables_text = ctf_out_tables(c);
	c->stream_of = ARENA_ARRAY(c->arena, struct out_stream *, n);
	if (add_streams(c, err))
		return true;
	ctf_out_end(c, false, &(struct err){ 0 });
	return false;
}

bool
ctf_out_end(struct ctf_out *c, bool keep, struct err *err)
{
	for (int i = 0; keep && i < c->parts.n; i++)
		(c->is_ctf2 ? ctf_out_fragments : ctf_out_tsdl)(
			c, c->parts.at[i]);
	for (int i = 0; i < c->streams.n; i++) {
		struct out_stream *s = c->streams.at[i];

		close_file(c, s->path, &s->fd);
		mem_free(s->out.buf);
	}
	keep = keep && c->err.kind == ERR_NONE;
	if (keep && rename(c->temporary, c->path) != 0) {
		fail(c, c->path);
		keep = false;
	}
	if (!keep)
		file_remove_tree(c->temporary);
	leftover_drop(c->leftover);
	if (c->err.kind != ERR_NONE)
		*err = c->err;
	return c->err.kind == ERR_NONE;
}
