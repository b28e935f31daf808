/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/resume.h"

#include <string.h>

#include "inproc/core/drain.h"
#include "inproc/core/stream.h"
#include "inproc/ovni/record.h"

static void
pass(struct resume_state *s, const unsigned char *record)
{
	bool has_cpu = (record[0] & 15) >= 3;

	s->time = record_time(record);
	if (record[1] != 'O')
		return;
	if (record[2] == 'H' && record[3] != '\0' &&
		strchr("xprcwe", record[3]))
		s->last = (char)record[3];
	if (has_cpu &&
		((record[2] == 'H' && record[3] == 'x') ||
			(record[2] == 'A' && record[3] == 's')))
		memcpy(&s->cpu, record + RECORD_HEAD, sizeof(s->cpu));
}

void
weft_rt_resume_pass(
	struct resume *r, const unsigned char *record, bool is_written)
{
	pass(is_written ? &r->written : &r->oldest, record);
}

static size_t
put(unsigned char *to, char letter, uint64_t time)
{
	const unsigned char first[4] = { 0, 'O', 'H', (unsigned char)letter };

	memcpy(to, first, 4);
	memcpy(to + 4, &time, 8);
	return RECORD_HEAD;
}

static size_t
put_start(unsigned char *to, int32_t cpu, uint64_t time)
{
	const int32_t where[4] = { cpu, -1, 0, 0 };
	size_t n = put(to, 'x', time);

	to[0] = sizeof(where) - 1;
	memcpy(to + n, where, sizeof(where));
	return n + sizeof(where);
}

/* Writes the end of the thread at the file's end, and its start at the first
 * kept record. */
static size_t
resume(const struct resume *r, const struct stream *s,
	unsigned char to[STREAM_BRIDGE])
{
	const struct resume_state *old = &r->written;
	const struct resume_state *now = &r->oldest;
	const struct ringfile *f = s->mem.file;
	uint64_t time = f->first < __atomic_load_n(&f->head, __ATOMIC_ACQUIRE)
		? record_time(weft_rt_stream_record(s, f->first))
		: now->time;
	size_t n = 0;

	if (old->last == 'p' || old->last == 'w')
		n += put(to + n, 'r', old->time);
	if (old->last != 0 && old->last != 'e')
		n += put(to + n, 'e', old->time);
	if (now->last == 0 || now->last == 'e')
		return n;
	n += put_start(to + n, now->cpu, time);
	if (now->last == 'p' || now->last == 'w')
		n += put(to + n, 'p', time);
	if (now->last == 'c' || now->last == 'w')
		n += put(to + n, now->last, time);
	return n;
}

bool
weft_rt_resume_bridge(struct resume *r, struct stream *s)
{
	unsigned char events[STREAM_BRIDGE];
	size_t n = resume(r, s, events);

	if (n > 0 && !weft_rt_drain_direct(s, events, n, NULL, 0))
		return false;
	r->written = r->oldest;
	return true;
}
