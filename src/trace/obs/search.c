/* SPDX-License-Identifier: MIT */
#include "trace/obs/search.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/obs/meta.h"
#include "trace/obs/wire.h"
#include "trace/roots.h"

/* A stream that was found. */
struct found {
	const char *file; /* path of the metadata, which may be missing */
	const char *name; /* its directory, relative to the trace */
};

struct search {
	struct arena *arena;
	struct findings *findings;
	VEC(struct found) found;
};

/* Returns true if a stream without metadata can be read: it has an event (a
 * writer killed at its start leaves none), and its directory is named after a
 * thread. */
static bool
is_called(struct search *s, const char *meta)
{
	const char *file = arena_printf(
		s->arena, "%s/" OBS_EVENTS, file_parent(s->arena, meta));
	struct stat st = { 0 };

	if (stat(file, &st) == 0 &&
		st.st_size <= (off_t)sizeof(struct obs_file_header))
		return false;
	if (obs_meta_has_name(s->arena, meta))
		return true;
	finding_file(s->findings, FINDING_ERROR, file,
		"left out: %lld bytes, because nothing says which thread wrote "
		"them: there is no " OBS_META
		", and the directory is not named "
		"loom.NAME/proc.PID/thread.TID",
		(long long)st.st_size);
	return false;
}

static void
add_found(void *arg, const char *path, const char *relative)
{
	struct search *s = arg;
	bool is_meta = strcmp(file_name(path), OBS_META) == 0;
	const char *name = file_parent(s->arena, relative);

	/* In a directory, the metadata is found before the events. */
	if (!is_meta && s->found.n > 0 &&
		strcmp(s->found.at[s->found.n - 1].name, name) == 0)
		return;
	if (!is_meta)
		path = arena_printf(
			s->arena, "%s/" OBS_META, file_parent(s->arena, path));
	if (is_meta || is_called(s, path))
		VEC_PUSH(&s->found, s->arena, ((struct found){ path, name }));
}

static void
add_unreadable(void *arg, const char *path, const char *why)
{
	struct search *s = arg;

	finding_file(s->findings, FINDING_ERROR, arena_strdup(s->arena, path),
		"left out: %s", why);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct found *)a)->name,
		((const struct found *)b)->name);
}

static void
add_stream(struct trace *t, struct arena *scratch, const struct found *f)
{
	int index = t->streams.n;
	const char *lib;
	struct stream *stream = VEC_ADD(&t->streams, t->arena);

	stream->name = f->name;
	stream->meta = f->file;
	stream->file = arena_printf(
		t->arena, "%s/" OBS_EVENTS, file_parent(t->arena, f->file));
	stream->thread = obs_meta_read(t, scratch, f->file, index, &lib);
	if (lib != NULL && t->lib != NULL && strcmp(lib, t->lib) != 0)
		finding_file(t->findings, FINDING_WARNING, f->file,
			"written by libovni %s, other streams by %s", lib,
			t->lib);
	if (t->lib == NULL)
		t->lib = lib;
}

/* weft run records into DIR/ovni what the program does, and into DIR/threads
 * where its threads ran, which only --threads keeps after its end. */
#define OWN "ovni/loom."
#define SEEN "threads/loom."

/* Returns the length of the path of DIR in a stream's name, whose trace is
 * DIR/trace; or -1. */
static int
find_run(const char *name, const char *trace)
{
	const char *at = strstr(name, trace);

	return at != NULL && (at == name || at[-1] == '/') ? (int)(at - name)
							   : -1;
}

/* Returns the first stream of DIR/trace, in the DIR of another stream if `of`
 * is not NULL; or NULL. */
static const char *
find_beside(const struct search *s, const char *trace, const char *of, int n)
{
	for (int i = 0; i < s->found.n; i++) {
		const char *name = s->found.at[i].name;
		int size = find_run(name, trace);

		if (size >= 0 &&
			(of == NULL ||
				(size == n &&
					strncmp(name, of, (size_t)n) == 0)))
			return name;
	}
	return NULL;
}

/* Leaves out the record of where threads ran beside the program's trace, which
 * has the same threads. */
static void
drop_seen(struct search *s, const char *root)
{
	const char *seen = find_beside(s, SEEN, NULL, 0);
	int n = seen == NULL ? -1 : find_run(seen, SEEN), kept = 0;

	if (n < 0 || find_beside(s, OWN, seen, n) == NULL)
		return;
	finding_file(s->findings, FINDING_NOTE,
		arena_printf(s->arena, "%s/%.*sthreads", root, n, seen),
		"left out: where the threads of ovni beside it ran; name both "
		"to see both");
	for (int i = 0; i < s->found.n; i++) {
		struct found f = s->found.at[i];

		if (find_run(f.name, SEEN) != n ||
			strncmp(f.name, seen, (size_t)n) != 0)
			s->found.at[kept++] = f;
	}
	s->found.n = kept;
}

/* Returns true if the streams are of one trace, by their directories. */
static bool
is_one_trace(const struct search *s, const char *root, struct err *err)
{
	static const char *const layouts[] = { "loom.*/proc.*/thread.*", NULL };
	struct roots roots = { .arena = s->arena, .layouts = layouts };

	for (int i = 0; i < s->found.n; i++)
		roots_add(&roots, s->found.at[i].name);
	return roots_check(&roots, root,
		", or --clocks if they are nodes of one run", err);
}

bool
obs_search(struct trace *t, const char *root, bool merge_all, bool has_clocks,
	struct err *err)
{
	struct search s = { .arena = t->arena, .findings = t->findings };
	const struct file_visitor v = { .file = add_found,
		.unreadable = add_unreadable,
		.arg = &s,
		/* The ovni tools look for metadata only. */
		.also = t->findings->strict ? NULL : OBS_EVENTS,
		.levels = merge_all ? 0 : ROOTS_DEPTH };
	struct arena scratch = { 0 };

	if (!file_find(t->arena, root, OBS_META, &v, err))
		return false;
	if (s.found.n == 0)
		return err_set(err, ERR_FORMAT,
			"%s: no trace in this directory or %d levels below, of "
			"ovni (" OBS_META ") or in CTF (metadata)",
			root, ROOTS_DEPTH);
	if (!merge_all)
		drop_seen(&s, root);
	if (!merge_all && !has_clocks && !is_one_trace(&s, root, err))
		return false;
	qsort(s.found.at, (size_t)s.found.n, sizeof *s.found.at, by_name);
	for (int i = 0; i < s.found.n; i++) {
		add_stream(t, &scratch, &s.found.at[i]);
		arena_reset(&scratch);
	}
	arena_fini(&scratch);
	return true;
}

void
obs_search_end(struct trace *t)
{
	for (int i = 0; i < t->streams.n; i++) {
		const struct stream *s = &t->streams.at[i];
		int process = s->by_name ? t->threads.at[s->thread].process
					 : TRACE_NONE;

		if (s->by_name && t->processes.at[process].app_id == 0)
			trace_set_app(t, process, 1, s->meta);
	}
}
