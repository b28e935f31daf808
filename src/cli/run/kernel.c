/* SPDX-License-Identifier: MIT */
#include "cli/run/kernel.h"

#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include "trace/obs/wire.h"

#define THREADS "/loom.*/proc.*/thread.*"

/* The values of wait.reason. */
enum reason { RUNNING = 1, READY = 2, BLOCKED = 4, ENDED = 0 };

enum {
	BUFFER = 64 << 10,
	STREAM_MAX = 2000 << 20,
	PID_BITS = 22, /* the recorder adds a multiple of 2^22 to the pid of a
	                * directory that another program had */
};

/* A change of a thread's state in the kernel. */
struct change {
	int64_t time;
	enum reason reason;
};

/* A stream as bytes. */
struct bytes {
	const unsigned char *at, *end;
};

/* A thread's own stream. */
struct own {
	const char *folder;
	int64_t first, last; /* times of its events */
	int next;            /* index + 1 of the next one of the thread */
};

struct merge {
	struct arena arena;  /* for the whole */
	struct arena stream; /* for one thread */
	const char *seen, *to;
	VEC(struct own) own;
	struct map threads; /* pid and tid -> index + 1 of the earliest */
	VEC(struct change) change;
	struct err *err;
};

/* Returns the size of the event, or 0 if it is cut. */
static size_t
size_of(struct bytes b)
{
	size_t room = (size_t)(b.end - b.at),
	       n = sizeof(struct obs_event_header);
	uint32_t jumbo;

	if (room < n)
		return 0;
	if ((b.at[0] & OBS_PAYLOAD) != 0)
		n += (size_t)(b.at[0] & OBS_PAYLOAD) + 1;
	if ((b.at[0] & OBS_JUMBO) != 0) {
		if (room < n)
			return 0;
		memcpy(&jumbo, b.at + sizeof(struct obs_event_header),
			sizeof jumbo);
		n += jumbo;
	}
	return n <= room ? n : 0;
}

static int64_t
time_of(const unsigned char *event)
{
	int64_t t;

	memcpy(&t, event + 4, sizeof t);
	return t;
}

static bool
is_event(const unsigned char *event, const char *mcv)
{
	return memcmp(event + 1, mcv, 3) == 0;
}

/* Reads the events of a stream. Returns false without an error if there is no
 * stream. */
static bool
read_stream(struct merge *m, const char *folder, struct bytes *to)
{
	const char *path = arena_printf(&m->stream, "%s/stream.obs", folder);
	struct err why = { 0 };
	size_t size;
	char *data = file_read(&m->stream, path, STREAM_MAX, &size, &why);

	if (data == NULL || size < (size_t)OBS_FIRST)
		return false;
	to->at = (unsigned char *)data + OBS_FIRST;
	to->end = (unsigned char *)data + size;
	return true;
}

/* Notes the times of one of the program's streams. */
static void
note_own(struct merge *m, const char *folder, uint64_t key)
{
	struct bytes b;
	struct own one = { .folder = arena_strdup(&m->arena, folder) };
	uint64_t *first;
	int *at;
	bool any = false;

	arena_reset(&m->stream);
	if (!read_stream(m, folder, &b))
		return;
	for (size_t n; (n = size_of(b)) > 0; b.at += n) {
		one.first = any ? one.first : time_of(b.at);
		one.last = time_of(b.at);
		any = true;
	}
	if (!any)
		return;
	VEC_PUSH(&m->own, &m->arena, one);
	first = map_put(&m->threads, key);
	if (*first == 0 || m->own.at[*first - 1].first > one.first) {
		m->own.at[m->own.n - 1].next = (int)*first;
		*first = (uint64_t)m->own.n;
		return;
	}
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
	uint64_t tid = strtoull(thread + strlen("/thread."), NULL, 10), pid;

	for (process = thread - 1; *process != '/'; process--)
		;
	pid = strtoull(process + strlen("/proc."), NULL, 10);
	return (pid & ((1u << PID_BITS) - 1)) << 32 | tid;
}

/* Calls fn for each thread's directory below the folder. */
static void
each_thread(struct merge *m, const char *folder,
	void (*fn)(struct merge *m, const char *folder, uint64_t key))
{
	glob_t found;
	char *pattern = ARENA_ARRAY(&m->arena, char, 2 * strlen(folder) + 64);
	size_t n = 0;

	for (const char *c = folder; *c != '\0'; c++) {
		if (strchr("*?[\\", *c) != NULL)
			pattern[n++] = '\\';
		pattern[n++] = *c;
	}
	memcpy(pattern + n, THREADS, sizeof THREADS);
	if (glob(pattern, GLOB_ONLYDIR, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		fn(m, found.gl_pathv[i], key_of(found.gl_pathv[i]));
	globfree(&found);
}

/* Reads the switches of a thread as changes. */
static void
read_changes(struct merge *m, struct bytes b)
{
	m->change.at = NULL;
	m->change.n = m->change.cap = 0;
	for (size_t n; (n = size_of(b)) > 0; b.at += n) {
		struct change c = { time_of(b.at), RUNNING };

		if (is_event(b.at, "OHp"))
			c.reason = n > sizeof(struct obs_event_header)
				? READY
				: BLOCKED;
		else if (is_event(b.at, "OHe"))
			c.reason = ENDED;
		else if (!is_event(b.at, "OHx") && !is_event(b.at, "OHr"))
			continue;
		VEC_PUSH(&m->change, &m->stream, c);
	}
}

static void
put_reason(struct outfile *to, int64_t time, enum reason reason)
{
	uint32_t value = (uint32_t)reason;
	unsigned char data[sizeof(struct obs_event_header) + sizeof value] = {
		sizeof value - 1, 'W', 'R', 's'
	};

	memcpy(data + 4, &time, sizeof time);
	memcpy(data + 12, &value, sizeof value);
	outfile_write(to, data, sizeof data);
}

/* Writes the changes before a time, from *i on, but not those of the time
 * before `from`: of these only the last one counts, at `from`. */
static void
put_until(const struct merge *m, struct outfile *to, int *i, int64_t from,
	int64_t until)
{
	enum reason now = ENDED;

	for (; *i < m->change.n && m->change.at[*i].time <= from; ++*i)
		now = m->change.at[*i].reason;
	if (now != ENDED)
		put_reason(to, from, now);
	for (; *i < m->change.n && m->change.at[*i].time < until; ++*i)
		if (m->change.at[*i].reason != ENDED)
			put_reason(to, m->change.at[*i].time,
				m->change.at[*i].reason);
}

static bool
open_stream(struct merge *m, struct outfile *to, const char *folder)
{
	static const struct obs_file_header head = { OBS_MAGIC, OBS_VERSION };

	if (!outfile_open(to, &m->stream,
		    arena_printf(&m->stream, "%s/stream.obs", folder), BUFFER,
		    m->err))
		return false;
	outfile_write(to, &head, sizeof head);
	return true;
}

/* Adds the model to the metadata of a stream that does not require it yet. */
static bool
require_wait(struct merge *m, const char *from, const char *to)
{
	struct err why = { 0 };
	struct outfile file;
	size_t size;
	char *text = file_read(&m->stream,
		arena_printf(&m->stream, "%s/stream.json", from), BUFFER, &size,
		&why);
	const char *at = text == NULL ? NULL : strstr(text, "\"require\"");

	at = at == NULL ? NULL : strchr(at, '{');
	if (at == NULL)
		return true;
	at++;
	if (strstr(text, "\"wait\":") != NULL && from == to)
		return true;
	if (!outfile_open(&file, &m->stream,
		    arena_printf(&m->stream, "%s/stream.json", to), BUFFER,
		    m->err))
		return false;
	outfile_write(&file, text, (size_t)(at - text));
	outfile_puts(&file, "\n            \"wait\": \"1.0.0\",");
	outfile_puts(&file, at);
	return outfile_close(&file, m->err);
}

/* Merges the changes into one of the thread's own streams. */
static bool
merge_one(struct merge *m, const struct own *own)
{
	struct outfile to;
	struct bytes b;
	int i = 0;
	int64_t from = own->first;

	if (!read_stream(m, own->folder, &b))
		return true;
	if (!open_stream(m, &to, own->folder))
		return false;
	for (size_t n; (n = size_of(b)) > 0; b.at += n) {
		/* the thread begins before its first state */
		if (time_of(b.at) > from || is_event(b.at, "OHe"))
			put_until(m, &to, &i, from, time_of(b.at));
		outfile_write(&to, b.at, n);
	}
	/* what a killed program left unfinished */
	outfile_write(&to, b.at, (size_t)(b.end - b.at));
	return outfile_close(&to, m->err) &&
		require_wait(m, own->folder, own->folder);
}

/* Makes a stream for a thread that recorded nothing. */
static bool
make_stream(struct merge *m, const char *folder, struct bytes b)
{
	const char *to = arena_printf(
		&m->stream, "%s%s", m->to, folder + strlen(m->seen));
	struct outfile file;
	int i = 0;
	int64_t first = 0;
	const unsigned char *begin = b.at;

	if (!file_mkdir(to, m->err) || !open_stream(m, &file, to))
		return false;
	for (size_t n; (n = size_of(b)) > 0; b.at += n) {
		/* on no CPU: several threads of other streams are on none,
		 * too */
		if (b.at == begin && is_event(b.at, "OHx")) {
			unsigned char
				start[sizeof(struct obs_event_header) + 16];

			memcpy(start, b.at, sizeof start);
			memset(start + 12, 0xff, 8);
			outfile_write(&file, start, sizeof start);
			first = time_of(b.at);
		} else if (is_event(b.at, "OHe")) {
			put_until(m, &file, &i, first, time_of(b.at));
			outfile_write(&file, b.at, n);
			break;
		}
	}
	return outfile_close(&file, m->err) && require_wait(m, folder, to);
}

static void
merge_thread(struct merge *m, const char *folder, uint64_t key)
{
	const uint64_t *first = map_get(&m->threads, key);
	struct bytes b;
	bool ok = true;

	if (m->err->kind != ERR_NONE)
		return;
	arena_reset(&m->stream);
	if (!read_stream(m, folder, &b))
		return;
	read_changes(m, b);
	if (m->change.n == 0)
		return;
	if (first == NULL)
		ok = make_stream(m, folder, b);
	for (int i = first == NULL ? 0 : (int)*first; i > 0 && ok;
		i = m->own.at[i - 1].next)
		ok = merge_one(m, &m->own.at[i - 1]);
}

bool
kernel_merge(const char *seen, const char *own, struct err *err)
{
	struct merge m = { .seen = seen, .to = own, .err = err };

	each_thread(&m, own, note_own);
	each_thread(&m, seen, merge_thread);
	map_fini(&m.threads);
	arena_fini(&m.stream);
	arena_fini(&m.arena);
	return err->kind == ERR_NONE;
}
