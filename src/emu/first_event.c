/* SPDX-License-Identifier: MIT */
#include "emu/first_event.h"

#include "emu/part.h"
#include "emu/state.h"

#define GATE_NS (INT64_C(3600) * 1000000000)

/* Returns true if the streams have the same clock: CTF streams of one node do,
 * even if they begin at different times, when a process or another file of a
 * rotated session begins. */
static bool
have_one_clock(const struct stream *a, const struct stream *b)
{
	return a->part != NULL && b->part != NULL &&
		a->part->node == b->part->node;
}

/* Takes the first events of the other parts. Returns false if another part
 * checks them. */
static bool
take_others(struct emu *emu)
{
	const struct source_stream *s = emu->part->streams;

	for (int i = 0; i < emu->trace->streams.n && emu->part->is_first; i++)
		if (s[i].any)
			emu->first[i] = (struct first_event){ s[i].time,
				s[i].offset, true };
	return emu->part->is_first;
}

void
first_event_check(struct emu *emu)
{
	const struct stream *stream = emu->trace->streams.at;
	const struct first_event *first = emu->first, *one = NULL;

	if (emu->part != NULL && !take_others(emu))
		return;

	for (int i = 0; i < emu->trace->streams.n; i++) {
		int64_t gap;

		if (!first[i].seen)
			continue;
		if (one == NULL)
			one = &first[i];
		gap = first[i].time - one->time;
		if ((gap >= -GATE_NS && gap <= GATE_NS) ||
			have_one_clock(&stream[one - first], &stream[i]))
			continue;
		finding_add(emu->findings,
			(struct finding){ .severity = FINDING_ERROR,
				.file = emu->trace->streams.at[i].file,
				.advice = "set the clock offsets in "
					  "clock-offsets.txt, or with -c",
				.offset = first[i].offset,
				.by_line = emu->trace->by_line,
				.time = first[i].time - emu->start },
			"detected large clock gate: this stream begins %lld s "
			"%s the first one",
			(long long)((gap < 0 ? -gap : gap) / 1000000000),
			gap < 0 ? "before" : "after");
	}
}
