/* SPDX-License-Identifier: MIT */
/*
 * windows.h - reads a trace whole or a window of it, and compares: events by
 * all their members, findings by their texts.
 *
 *	read_all(&whole, "t", NULL);
 *	read_window(&part, "t", "t.weft", from, to);
 *	check_window(&whole, &part, from, to);
 */
#ifndef WEFT_TEST_WINDOWS_H
#define WEFT_TEST_WINDOWS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/vec.h"
#include "test.h"
#include "trace/source.h"
#include "unit/base/scratch.h"

struct seen {
	int64_t time, offset;
	uint64_t bytes; /* a sum over name and payload */
	uint32_t stream, size;
};

/* The events and findings that a reader returned. */
struct reading {
	struct arena arena;
	struct findings findings;
	VEC(struct seen) seen;
	int64_t start;
	uint64_t read_bytes, all_bytes;
};

static inline uint64_t
sum_of(const struct trace *t, const struct event *ev)
{
	const char *name = t->classes.at[ev->class].name;
	uint64_t sum = 1;

	for (; *name != '\0'; name++)
		sum = sum * 31 + (uint8_t)*name;
	for (uint32_t i = 0; i < ev->size; i++)
		sum = sum * 31 + ev->data[i];
	return sum;
}

/* Returns the bytes that this process has read from files so far. */
static inline uint64_t
bytes_read(void)
{
	FILE *file = fopen("/proc/self/io", "r");
	uint64_t n = 0;

	CHECK(file != NULL && fscanf(file, "rchar: %" SCNu64, &n) == 1);
	if (file != NULL)
		fclose(file);
	return n;
}

static inline void
end_reading(struct reading *r)
{
	arena_fini(&r->arena);
	memset(r, 0, sizeof *r);
}

/* Reads the events from `from` to before `to`, ns since the first event, with
 * or without seeking. */
static inline bool
read_some(struct reading *r, const char *path, const char *folder, bool seek,
	int64_t from, int64_t to)
{
	struct source_options options = { .seek = folder };
	struct err err = { 0 };
	struct source *s;
	struct event ev;
	uint64_t done, before = bytes_read();

	end_reading(r);
	findings_init(&r->findings, &r->arena, 100000);
	s = sources_open(&r->arena, path, &options, &r->findings, &err);
	CHECK_STR(err.text, "");
	if (s == NULL)
		return false;
	r->start = s->trace.start;
	if (seek)
		source_seek(s, r->start + from);
	while (source_next(s, &ev) == SOURCE_EVENT && ev.time - r->start < to) {
		struct seen seen = { ev.time, ev.offset, sum_of(&s->trace, &ev),
			ev.stream, ev.size };

		if (ev.time - r->start >= from)
			VEC_PUSH(&r->seen, &r->arena, seen);
	}
	r->read_bytes = bytes_read() - before;
	source_progress(s, &done, &r->all_bytes);
	source_close(s);
	return true;
}

static inline bool
read_all(struct reading *r, const char *path, const char *folder)
{
	return read_some(r, path, folder, false, 0, INT64_MAX);
}

static inline bool
read_window(struct reading *r, const char *path, const char *folder,
	int64_t from, int64_t to)
{
	return read_some(r, path, folder, true, from, to);
}

/* Checks that the part equals the whole, filtered. */
static inline bool
is_window(const struct reading *whole, const struct reading *part, int64_t from,
	int64_t to)
{
	int n = 0;

	for (int i = 0; i < whole->seen.n; i++) {
		const struct seen *s = &whole->seen.at[i];

		if (s->time - whole->start < from ||
			s->time - whole->start >= to)
			continue;
		if (n >= part->seen.n ||
			memcmp(s, &part->seen.at[n], sizeof *s) != 0)
			return false;
		n++;
	}
	return n == part->seen.n && whole->start == part->start;
}

static inline void
check_findings(const struct reading *want, const struct reading *got)
{
	char a[512], b[512];

	CHECK_INT(got->findings.list.n, want->findings.list.n);
	for (int i = 0; i < want->findings.list.n && i < got->findings.list.n;
		i++) {
		finding_text(&want->findings.list.at[i], a, sizeof a);
		finding_text(&got->findings.list.at[i], b, sizeof b);
		if (strcmp(a, b) != 0) {
			CHECK_STR(b, a);
			return;
		}
	}
}

/* Checks n windows, short and long, some past the end. */
static inline void
check_windows(const char *path, const char *folder, const struct reading *whole,
	int n)
{
	struct reading part = { 0 };
	uint64_t state = 88172645463325252;
	int64_t end = whole->seen.at[whole->seen.n - 1].time - whole->start;
	int wrong = 0;

	for (int i = 0; i < n; i++) {
		int64_t from = (int64_t)(scratch_random(&state) %
			(uint64_t)(end + end / 50));
		int64_t length = end >> scratch_random(&state) % 12;

		read_window(&part, path, folder, from, from + length);
		wrong += !is_window(whole, &part, from, from + length);
	}
	CHECK_INT(wrong, 0);
	end_reading(&part);
}

#endif
