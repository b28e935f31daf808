/* SPDX-License-Identifier: MIT */
/* The input is a seek file, whose sum is corrected. The offsets that are read
 * from it must be in order and inside of their streams, and the streams that
 * are read must be the same after they were written and read again. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "harness.h"
#include "trace/seek.h"

#define SUM_AT 24

static void
mend_sum(uint8_t *data, size_t n)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	memset(data + SUM_AT, 0, sizeof sum);
	for (size_t i = 0; i < n; i++)
		sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
	memcpy(data + SUM_AT, &sum, sizeof sum);
}

static void
ask(const struct seek_file *file, const struct seek_stream *s)
{
	int64_t before = INT64_MIN;

	BUG_ON(seek_find(file, s->name) != s);
	for (int i = 0; i < s->place.n; i++) {
		const struct seek_offset *p = &s->place.at[i];
		int found = seek_offset(s, p->time);

		BUG_ON(p->offset <= 0 || p->offset >= s->is.size);
		BUG_ON(p->time < before || found >= i);
		BUG_ON(found >= 0 && s->place.at[found].time >= p->time);
		before = p->time;
	}
	for (int i = 1; i < s->fault.n; i++)
		BUG_ON(s->fault.at[i].offset <= s->fault.at[i - 1].offset);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	struct seek_file file, again;
	struct arena a = { 0 };
	uint8_t *copy = arena_alloc(&a, size + 1);

	memcpy(copy, data, size);
	if (size >= SUM_AT + sizeof(uint64_t))
		mend_sum(copy, size);
	harness_write(&h, SEEK_FILE, copy, size);
	seek_read(&file, &a, h.dir);
	for (int i = 0; i < file.streams.n; i++)
		ask(&file, &file.streams.at[i]);
	if (file.streams.n > 0) {
		char folder[96];

		strcpy(stpcpy(folder, h.dir), "/out");
		seek_write(&file, &a, folder);
		seek_read(&again, &a, folder);
		BUG_ON(again.streams.n != file.streams.n);
		seek_remove(&a, folder);
	}
	arena_fini(&a);
	return 0;
}
