/* SPDX-License-Identifier: MIT */
#include "trace/obs/window.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/ring_tail.h"
#include "trace/trace.h"

struct finding
obs_stream_at_byte(const struct obs_stream *s, enum finding_severity severity)
{
	return (struct finding){
		.severity = severity,
		.file = s->file,
		.offset = obs_stream_offset(s),
		.time = FINDING_NEVER,
	};
}

bool
obs_stream_open_fd(struct obs_stream *s)
{
	if (s->fd < 0)
		s->fd = open(s->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return s->fd >= 0;
}

void
obs_stream_release_fd(struct obs_stream *s)
{
	if (s->fd >= 0 && !s->keep_open) {
		close(s->fd);
		s->fd = -1;
	}
}

/* Grows the buffer for a large event, and shrinks it afterwards: with a
 * thousand streams, buffers for the largest event of each stream would add
 * up. */
static void
fit(struct obs_stream *s, size_t need)
{
	size_t cap = need > s->window ? need : s->window;

	if (cap == s->cap)
		return;
	s->buf = mem_resize(s->buf, cap, 1);
	s->cap = cap;
}

/* Reads bytes of the file, then of the ring. Bytes that have left the ring
 * meanwhile are in the file by now. */
static int64_t
read_at(struct obs_stream *s, uint8_t *to, size_t n, int64_t offset)
{
	int64_t got = file_pread(s->fd, to, n, offset), more;

	if (got < 0 || (size_t)got == n || s->ring == NULL)
		return got;
	to += got;
	n -= (size_t)got;
	offset += got;
	more = ring_read(s->ring, to, n, offset);
	if (more < 0)
		more = file_pread(s->fd, to, n, offset);
	return more < 0 ? more : got + more;
}

void
obs_stream_refill(struct obs_stream *s, size_t need)
{
	size_t used = (size_t)(s->at - s->buf);
	size_t left = (size_t)(s->end - s->at), n;
	int64_t got = -1, from;

	if (s->offset + (s->end - s->buf) >= s->size_bytes)
		return;
	memmove(s->buf, s->at, left);
	s->offset += (int64_t)used;
	fit(s, need);
	s->at = s->buf;
	from = s->offset + (int64_t)left;
	n = s->cap - left;
	if (n > (uint64_t)(s->size_bytes - from))
		n = (size_t)(s->size_bytes - from);
	if (obs_stream_open_fd(s))
		got = read_at(s, s->buf + left, n, from);
	if (got < 0) {
		finding_add(s->findings, obs_stream_at_byte(s, FINDING_ERROR),
			"cannot continue reading: %s", strerror(errno));
		got = 0;
		s->unread = true;
	}
	s->end = s->buf + left + got;
	obs_stream_release_fd(s);
}

size_t
obs_stream_peek(struct obs_stream *s, uint8_t *to, size_t n, int64_t offset)
{
	int64_t in_window = offset - s->offset, got = -1;

	if (offset >= s->size_bytes)
		return 0;
	if (n > (uint64_t)(s->size_bytes - offset))
		n = (size_t)(s->size_bytes - offset);
	if (in_window >= 0 && in_window + (int64_t)n <= s->end - s->buf) {
		memcpy(to, s->buf + in_window, n);
		return n;
	}
	if (obs_stream_open_fd(s))
		got = read_at(s, to, n, offset);
	obs_stream_release_fd(s);
	return got < 0 ? 0 : (size_t)got;
}

void
obs_stream_correct_by(struct obs_stream *s, const struct trace_node *n)
{
	if (n == NULL)
		return;
	s->clock_offset = n->clock_offset;
	s->line = n->line.points.n > 1 ? &n->line : NULL;
}
