/* SPDX-License-Identifier: MIT */
#include "cli/run/kernel.h"

#include <glob.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/run/changes.h"
#include "cli/run/glob_folders.h"
#include "cli/run/kernel_out.h"
#include "cli/run/launch.h"
#include "cli/run/proc_tree.h"
#include "cli/run/raw.h"
#include "cli/run/ready.h"
#include "perf/alone.h"
#include "trace/obs/wire.h"

#define THREADS "/loom.*/proc.*/thread.*"

enum {
	HEAD = sizeof(struct obs_event_header),
	MADE_WITHIN = 64, /* events at the begin of a stream */
};

/* The payload of WHc. */
struct __attribute__((packed)) made {
	int32_t by;
	uint64_t ns;
};

/* A stream that the program recorded. */
struct own {
	const char *folder;
	int64_t first; /* time of its first event */
	int64_t made;  /* when another thread made this one, or else `first` */
	int next;      /* index + 1 of the next one of the thread */
};

struct merge {
	struct kernel_out out;
	struct arena arena;
	const char *seen;
	const struct ready *ready;
	VEC(struct own) own;
	struct map threads; /* ready_key() -> index + 1 of the earliest */
	int nlater;         /* threads that may still make a stream */
};

/* Returns when the thread was made that began at a time, as its stream says
 * where it tells its name, or else that time. */
static int64_t
find_made(struct raw *r, int64_t begin)
{
	const unsigned char *event;
	struct made made;
	size_t n;

	for (int i = 0; i < MADE_WITHIN && (event = raw_next(r, &n)) != NULL;
		i++)
		if (raw_is(event, "WHc") && n >= HEAD + sizeof made) {
			memcpy(&made, event + HEAD, sizeof made);
			return made.ns < (uint64_t)begin
				? begin - (int64_t)made.ns
				: begin;
		}
	return begin;
}

/* Returns true for the thread whose number is that of its process. */
static bool
is_first_thread(uint64_t key)
{
	return key >> 32 == (uint32_t)key;
}

/* Notes one of the program's streams. */
static void
note_own(struct merge *m, const char *folder, uint64_t key)
{
	struct raw r;
	struct own one = { .folder = arena_strdup(&m->arena, folder) };
	const unsigned char *event;
	uint64_t *first;
	size_t n;
	int *at;

	event = raw_open(&r, folder) ? raw_next(&r, &n) : NULL;
	if (event != NULL) {
		one.first = one.made = raw_time(event);
		/* fork() takes its time before a process is there */
		if (raw_is(event, "OHx") && !is_first_thread(key))
			one.made = find_made(&r, one.first);
	}
	raw_close(&r);
	if (event == NULL)
		return;
	VEC_PUSH(&m->own, &m->arena, one);
	first = map_put(&m->threads, key);
	if (*first == 0 || m->own.at[*first - 1].first > one.first) {
		if (*first != 0)
			m->own.at[*first - 1].made =
				m->own.at[*first - 1].first;
		m->own.at[m->own.n - 1].next = (int)*first;
		*first = (uint64_t)m->own.n;
		return;
	}
	m->own.at[m->own.n - 1].made = one.first;
	at = &m->own.at[*first - 1].next;
	while (*at != 0 && m->own.at[*at - 1].first < one.first)
		at = &m->own.at[*at - 1].next;
	m->own.at[m->own.n - 1].next = *at;
	*at = m->own.n;
}

/* Returns the key of a thread's directory, which ends in
 * /proc.PID/thread.TID. */
static uint64_t
key_of(const char *folder)
{
	const char *thread = strrchr(folder, '/'), *process;
	uint64_t tid = strtoull(thread + strlen("/thread."), NULL, 10);

	for (process = thread - 1; *process != '/'; process--)
		;
	return ready_key(strtoull(process + strlen("/proc."), NULL, 10), tid);
}

/* Calls fn for each thread's directory below the folder. */
static void
each_thread(struct merge *m, const char *folder,
	void (*fn)(struct merge *m, const char *folder, uint64_t key))
{
	glob_t found;

	if (!glob_folders(&m->arena, folder, THREADS, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		fn(m, found.gl_pathv[i], key_of(found.gl_pathv[i]));
	globfree(&found);
}

/* What was copied of a stream. */
struct copied {
	bool has_begun, has_end;
	int64_t last; /* time of the last event */
};

/* Copies an event. A thread that waited for its first CPU begins when it was
 * made. */
static void
copy_event(const struct own *own, const unsigned char *event, size_t n,
	struct outfile *to)
{
	unsigned char copy[64];
	bool begins = raw_is(event, "OHx") && raw_time(event) == own->first;

	if (own->made == own->first || n > sizeof copy ||
		!(begins || raw_is(event, "WHc"))) {
		outfile_write(to, event, n);
		return;
	}
	memcpy(copy, event, n);
	if (begins)
		memcpy(copy + 4, &own->made, sizeof own->made);
	else if (n >= HEAD + sizeof(struct made))
		memset(copy + HEAD + offsetof(struct made, ns), 0,
			sizeof(uint64_t));
	outfile_write(to, copy, n);
}

/* Copies the thread's own events, and puts the changes between them. */
static struct copied
copy_events(struct merge *m, const struct own *own, struct kernel_feed *f,
	struct raw *r, struct outfile *to)
{
	struct copied c = { .last = own->made };
	const unsigned char *event;
	bool is_first = true;
	size_t n;

	for (; (event = raw_next(r, &n)) != NULL; is_first = false) {
		/* the thread begins before its first state */
		if ((!is_first && raw_time(event) > own->made) ||
			raw_is(event, "OHe")) {
			if (!c.has_begun)
				kernel_put_first(&m->out, to, f, own->made);
			c.has_begun = true;
			kernel_put_until(&m->out, to, f, raw_time(event));
		}
		copy_event(own, event, n, to);
		c.last = raw_time(event);
		c.has_end = raw_is(event, "OHe");
	}
	/* what a killed program left unfinished */
	while ((event = raw_rest(r, &n)) != NULL && n > 0) {
		outfile_write(to, event, n);
		c.has_end = true;
	}
	return c;
}

/* Merges the changes into one of the thread's own streams. */
static bool
merge_one(struct merge *m, const struct own *own, struct kernel_feed *f)
{
	struct outfile to;
	struct copied c;
	struct raw r;

	if (!raw_open(&r, own->folder) ||
		!kernel_open(&m->out, &to, own->folder)) {
		raw_close(&r);
		return m->out.err->kind == ERR_NONE;
	}
	c = copy_events(m, own, f, &r, &to);
	/* A program that executes another one has no end. */
	if (!c.has_end && own->next == 0 &&
		(f->seen == 0 || f->seen > c.last)) {
		if (!c.has_begun)
			kernel_put_first(&m->out, &to, f, own->made);
		kernel_put_end(&m->out, &to, f);
	}
	raw_close(&r);
	return outfile_close(&to, m->out.err) &&
		kernel_require(&m->out, own->folder, own->folder);
}

/* Returns true for a thread without a stream of its own that goes on without
 * the program: it may make one later, in the same place. */
static bool
comes_later(struct merge *m, uint64_t key)
{
	bool comes = map_get(&m->threads, key) == NULL &&
		proc_is_alive((int)(key >> 32), (int)(uint32_t)key);

	m->nlater += comes;
	return comes;
}

static bool
is_of_launched(const struct merge *m, uint64_t key)
{
	return key >> 32 == ready_key((uint64_t)m->out.pid, 0) >> 32;
}

/* Returns the name of a thread, or "". One that no sample saw has the name of
 * its process: a thread begins with the name of the one that made it. */
static const char *
name_of(const struct merge *m, uint64_t key)
{
	uint64_t pid = key >> 32;
	const struct ready_thread *th = ready_find(m->ready, key);

	if (th == NULL)
		th = ready_find(m->ready, ready_key(pid, pid));
	return th == NULL ? "" : th->name;
}

/* The changes of the thread's earliest stream begin when it was made. */
static void
begin_made(struct kernel_feed *f, const struct own *own)
{
	if (own->made < own->first)
		changes_begin(&f->changes, own->made);
}

/* Adds the context switches of a thread to its own streams, or to a new
 * one. */
static void
merge_thread(struct merge *m, const char *folder, uint64_t key)
{
	const uint64_t *first = map_get(&m->threads, key);
	struct kernel_feed f = { .now = REASON_ENDED,
		.may_stop = is_of_launched(m, key),
		.samples = ready_find(m->ready, key) };
	bool ok = true;

	if (m->out.err->kind != ERR_NONE || comes_later(m, key))
		return;
	arena_reset(&m->out.arena);
	ok = changes_open(&f.changes, folder, false, f.samples);
	if (first != NULL)
		begin_made(&f, &m->own.at[*first - 1]);
	if (ok && changes_peek(&f.changes) != NULL) {
		if (first == NULL)
			ok = kernel_copy(&m->out, folder,
				arena_printf(&m->out.arena, "%s%s", m->out.to,
					folder + strlen(m->seen)),
				&f, name_of(m, key));
		for (int i = first == NULL ? 0 : (int)*first; i > 0 && ok;
			i = m->own.at[i - 1].next)
			ok = merge_one(m, &m->own.at[i - 1], &f);
	}
	changes_close(&f.changes);
}

/* Adds what the samples say to a stream of the program. */
static void
merge_samples(struct merge *m, const struct own *own)
{
	uint64_t key = key_of(own->folder);
	const struct ready_thread *samples = ready_find(m->ready, key);
	struct kernel_feed f = { .now = REASON_ENDED,
		.may_stop = is_of_launched(m, key),
		.samples = samples };

	arena_reset(&m->out.arena);
	if (samples == NULL)
		return;
	f.seen = samples->looked;
	if (changes_open(&f.changes, own->folder, true, samples)) {
		begin_made(&f, own);
		merge_one(m, own, &f);
	}
	changes_close(&f.changes);
}

/* Adds what the samples say to the streams of the program, and makes streams
 * for its other threads. */
static void
merge_all_samples(struct merge *m)
{
	for (int i = 0; i < m->own.n && m->out.err->kind == ERR_NONE; i++)
		merge_samples(m, &m->own.at[i]);
	for (int i = 0; i < m->ready->threads.n && m->own.n > 0 &&
		m->out.err->kind == ERR_NONE;
		i++) {
		const struct ready_thread *th = &m->ready->threads.at[i];

		if (map_get(&m->threads, th->key) == NULL && th->n > 0 &&
			strcmp(th->name, ALONE_WRITER) != 0 &&
			strcmp(th->name, ALONE_MEM) != 0 &&
			!comes_later(m, th->key))
			kernel_make(&m->out, m->own.at[0].folder, th);
	}
}

bool
kernel_merge(const char *seen, const char *own, const struct launch *launch,
	struct ready *ready, uint64_t *added, struct err *err)
{
	struct merge m = { .out = { .to = own,
				   .err = err,
				   .stops = &launch->stops,
				   .pid = launch->pid },
		.seen = seen,
		.ready = ready };

	each_thread(&m, own, note_own);
	if (seen != NULL) {
		each_thread(&m, seen, merge_thread);
	} else {
		ready_finish(ready);
		merge_all_samples(&m);
	}
	if (m.nlater > 0)
		log_note("%d thread%s still run%s: --collect kernel is left "
			 "out for %s",
			m.nlater, text_plural((unsigned)m.nlater),
			m.nlater == 1 ? "s" : "",
			m.nlater == 1 ? "it" : "them");
	*added = m.out.added;
	map_fini(&m.threads);
	arena_fini(&m.out.arena);
	arena_fini(&m.arena);
	return err->kind == ERR_NONE;
}
