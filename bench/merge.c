/* SPDX-License-Identifier: MIT */
#include "merge.h"

#include <fcntl.h>

#include "base/arena.h"
#include "bench.h"

#define EVENT_MAX 28
#define JUMBO 0x10
#define HEADER 8
#define FIRST_TID 1000

/*
 * All windows together stay below this, so that they fit in a second-level or
 * third-level cache together with the output; a single window has at most
 * WINDOW_MAX.
 */
#define WINDOWS_TOTAL (8u << 20)
#define WINDOW_MIN (8u << 10)
#define WINDOW_MAX (128u << 10)

/* Bits of a stream number. */
static unsigned
keys_bits(uint32_t n)
{
	unsigned bits = 0;

	while ((UINT32_C(1) << bits) < n)
		bits++;
	return bits;
}

void
keys_init(struct keys *k, struct arena *a, const uint64_t *key, uint32_t n)
{
	uint64_t *win;

	k->bits = keys_bits(n);
	k->n = UINT32_C(1) << k->bits;
	k->mask = k->n - 1;
	k->node = ARENA_ARRAY(a, uint64_t, k->n);
	win = ARENA_ARRAY(a, uint64_t, 2 * (size_t)k->n);
	for (uint32_t i = 0; i < k->n; i++)
		win[k->n + i] = i < n ? key[i] : KEYS_END;
	for (uint32_t i = k->n - 1; i > 0; i--) {
		uint64_t l = win[2 * i], r = win[2 * i + 1];

		win[i] = l < r ? l : r;
		k->node[i] = l < r ? r : l;
	}
	k->top = win[1];
}

void
merge_too_long(void)
{
	bench_die(BENCH_COULD_NOT, "the trace goes back or is too long");
}

/* Moves the unread bytes to the start of the window and reads more bytes after
 * them. */
static void
read_on(struct stream *s, size_t window)
{
	size_t left = (size_t)(s->end - s->at);

	memmove(s->window, s->at, left);
	s->at = s->window;
	while (left < 2 * EVENT_MAX) {
		ssize_t n = pread(
			s->fd, s->window + left, window - left, s->offset);

		if (n < 0)
			bench_die(BENCH_COULD_NOT, "stream %u: %s", s->id,
				strerror(errno));
		if (n == 0)
			break;
		s->offset += n;
		left += (size_t)n;
	}
	s->end = s->window + left;
	s->safe = left < 2 * EVENT_MAX ? s->at : s->end - EVENT_MAX;
}

/* The event may extend beyond the stream, or have a form that gen.c does not
 * write. */
static void
check_event(const struct stream *s, const uint8_t *at)
{
	size_t left = (size_t)(s->end - at);

	if ((at[0] & JUMBO) != 0)
		bench_die(BENCH_COULD_NOT, "stream %u: jumbo event", s->id);
	if (left < 12 || left < event_size(at))
		bench_die(BENCH_COULD_NOT, "stream %u is cut", s->id);
}

uint64_t
merge_refill(const struct merge *m, struct stream *s)
{
	const uint8_t *ahead;

	if (s->at >= s->end)
		return KEYS_END; /* that was the last event */
	read_on(s, m->window);
	check_event(s, s->at);
	ahead = s->at + event_size(s->at);
	if (ahead == s->end)
		return KEYS_END;
	check_event(s, ahead);
	return merge_key(m, ahead, s->id);
}

static int
open_stream(const char *trace, uint32_t i)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof path,
		"%s/loom.host.0/proc.1/thread.%u/stream.obs", trace,
		FIRST_TID + i);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && (i == 0 || errno != ENOENT))
		bench_die(BENCH_COULD_NOT, "cannot open %s: %s", path,
			strerror(errno));
	return fd;
}

/* Opens all streams; the limit of open files is raised as far as allowed. */
static void
open_streams(struct merge *m, struct arena *a, const char *trace)
{
	struct rlimit files;
	uint32_t cap = 0;
	int fd;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	while ((fd = open_stream(trace, m->n)) >= 0) {
		if (m->n == cap) {
			struct stream *more;

			cap = cap == 0 ? 64 : 2 * cap;
			more = ARENA_ARRAY(a, struct stream, cap);
			if (m->n > 0)
				memcpy(more, m->stream,
					m->n * sizeof *m->stream);
			m->stream = more;
		}
		m->stream[m->n].fd = fd;
		m->stream[m->n].id = m->n;
		m->n++;
	}
}

/* Reads the first window of each stream, and finds the earliest clock. */
static void
fill_windows(struct merge *m, struct arena *a)
{
	for (uint32_t i = 0; i < m->n; i++) {
		struct stream *s = &m->stream[i];
		uint64_t clock;

		/* The flags after the last event of a file are read, too. */
		s->window = arena_alloc(a, m->window + EVENT_MAX);
		s->at = s->end = s->window;
		s->offset = HEADER;
		read_on(s, m->window);
		if (s->at == s->end)
			continue;
		check_event(s, s->at);
		memcpy(&clock, s->at + 4, sizeof clock);
		if (clock < m->base)
			m->base = clock;
	}
}

void
merge_open(struct merge *m, struct arena *a, const char *trace)
{
	uint64_t *key;

	*m = (struct merge){ .base = UINT64_MAX };
	open_streams(m, a, trace);
	m->window = WINDOWS_TOTAL / m->n;
	if (m->window < WINDOW_MIN)
		m->window = WINDOW_MIN;
	if (m->window > WINDOW_MAX)
		m->window = WINDOW_MAX;
	fill_windows(m, a);
	m->keys.bits = keys_bits(m->n);
	m->next = ARENA_ARRAY(a, uint64_t, m->n);
	key = ARENA_ARRAY(a, uint64_t, m->n);
	for (uint32_t i = 0; i < m->n; i++) {
		struct stream *s = &m->stream[i];

		key[i] = KEYS_END;
		if (s->at < s->end)
			key[i] = merge_key(m, s->at, i);
		m->next[i] = merge_refill(m, s);
	}
	keys_init(&m->keys, a, key, m->n);
}

void
merge_close(struct merge *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		close(m->stream[i].fd);
}
