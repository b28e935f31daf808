/* SPDX-License-Identifier: MIT */
#include "trace/ctf/salvage.h"

#include <fcntl.h>
#include <unistd.h>

#include "rt/ctfwire.h"
#include "trace/ctf/stream.h"
#include "trace/ctf/tail.h"
#include "trace/source.h"

#define WINDOW 65536

/* The time of the tail's last event, in ticks. */
static uint64_t
last_tick(const struct ctf_stream *of)
{
	struct findings quiet;
	struct arena a = { 0 };
	struct ctf_stream s = { .layout = of->layout,
		.meta = of->meta,
		.findings = &quiet,
		.tail = of->tail,
		.next = of->tail->begin };
	uint64_t last = 0;

	findings_init(&quiet, &a, 0);
	if (ctf_stream_open(&s, of->file, WINDOW, true)) {
		last = s.cursor.clock;
		while (ctf_stream_next(&s))
			last = s.cursor.clock;
		ctf_stream_close(&s);
	}
	arena_fini(&a);
	return last;
}

/* A short write is a full disk. The times last: without them it is whole, too.
 */
static bool
append(const struct ctf_stream *s)
{
	const struct ctf_tail *t = s->tail;
	struct ctfwire_head h;
	int fd = open(s->file, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && ftruncate(fd, t->begin) == 0;

	if (ok && t->n > 0) {
		memcpy(&h, t->at, sizeof h);
		if (t->n > sizeof h) {
			memcpy(&h.begin, t->at + sizeof h + 1, 8);
			h.end = last_tick(s);
		}
		ok = pwrite(fd, t->at, t->n, t->begin) == (ssize_t)t->n &&
			pwrite(fd, &h, sizeof h, t->begin) == sizeof h;
	}
	if (fd >= 0)
		ok = close(fd) == 0 && ok;
	return ok;
}

bool
ctf_salvage(const struct ctf_stream *s, struct salvage *result, struct err *err)
{
	const struct ctf_tail *t = s->tail;

	if (t->live) {
		result->running++;
		return true;
	}
	if (!append(s))
		return err_set(err, ERR_SYSTEM, "cannot append to %s", s->file);
	unlink(t->mark);
	unlink(t->ring);
	result->streams++;
	if (t->n > sizeof(struct ctfwire_head))
		result->bytes += t->n - sizeof(struct ctfwire_head);
	return true;
}
