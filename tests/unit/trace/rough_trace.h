/* SPDX-License-Identifier: MIT */
/*
 * rough_trace.h - an ovni trace of several streams in the directory t, with all
 * that can go wrong: payloads that look like events, regions that are not
 * sorted, clocks that jump, lost events, nodes whose clocks differ.
 *
 *	write_trace(&(struct shape){ 4, 2 << 20, false });
 */
#ifndef WEFT_TEST_ROUGH_TRACE_H
#define WEFT_TEST_ROUGH_TRACE_H

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "trace/obs/wire.h"
#include "unit/base/scratch.h"

#define JUMBO_MAX 40000

/* The shape of a trace: rough (with everything that can go wrong), or not. */
struct shape {
	int streams;
	int64_t bytes; /* bytes of each stream */
	bool plain;
};

/* A stream that the test is writing. */
struct writer {
	FILE *f;
	uint64_t state;
	int64_t clock, bytes;
};

static inline uint64_t
pick(struct writer *w, uint64_t n)
{
	return scratch_random(&w->state) % n;
}

static inline void
put(struct writer *w, const void *data, size_t n)
{
	fwrite(data, 1, n, w->f);
	w->bytes += (int64_t)n;
}

static inline size_t
make_head(uint8_t *to, uint8_t flags, const char *mcv, int64_t clock)
{
	struct obs_event_header h = { .flags = flags };

	memcpy(h.mcv, mcv, sizeof h.mcv);
	memcpy(h.clock, &clock, sizeof h.clock);
	memcpy(to, &h, sizeof h);
	return sizeof h;
}

static inline void
put_event(struct writer *w, const char *mcv, int64_t clock, uint32_t payload)
{
	uint8_t bytes[OBS_EVENT_MAX] = { 0 };
	size_t n = make_head(
		bytes, (uint8_t)(payload > 0 ? payload - 1 : 0), mcv, clock);

	for (uint32_t i = 0; i < payload; i++)
		bytes[n++] = (uint8_t)pick(w, 256);
	put(w, bytes, n);
}

/* A jumbo whose payload looks like events to a reader that begins inside of
 * it. */
static inline void
put_jumbo(struct writer *w)
{
	static uint8_t bytes[JUMBO_MAX + 64];
	uint32_t size = (uint32_t)(pick(w, JUMBO_MAX / 12) * 12);
	size_t n = make_head(bytes, OBS_JUMBO | 3, "6Yc", w->clock);

	memcpy(bytes + n, &size, sizeof size);
	n += sizeof size;
	for (uint32_t i = 0; i < size; i += 12)
		n += make_head(bytes + n, 0, "6W[", w->clock + i);
	put(w, bytes, n);
}

/* A region of events with random clocks. */
static inline void
put_unsorted(struct writer *w)
{
	int64_t begin = w->clock;

	put_event(w, "OU[", w->clock, 0);
	for (int i = 0; i < 20; i++)
		put_event(w, "6S[", begin - (int64_t)pick(w, 5000), 4);
	put_event(w, "OU]", w->clock, 0);
}

static inline void
write_stream(const char *path, int number, const struct shape *shape)
{
	const struct obs_file_header h = { OBS_MAGIC, OBS_VERSION };
	struct writer w = { .f = fopen(path, "wb"),
		.state = 1234567 + (uint64_t)number,
		.clock = 1000000000 + number };

	if (w.f == NULL)
		return;
	put(&w, &h, sizeof h);
	while (w.bytes < shape->bytes) {
		uint64_t kind = shape->plain ? 0 : pick(&w, 2000);

		w.clock += (int64_t)pick(&w, 300);
		if (kind == 1)
			put_unsorted(&w);
		else if (kind == 2)
			put_event(&w, "OHx", w.clock + 7200000000000, 16);
		else if (kind < 4 && !shape->plain)
			put_jumbo(&w);
		else
			put_event(
				&w, "6W]", w.clock, 2 * (uint32_t)pick(&w, 9));
	}
	fclose(w.f);
}

static inline void
write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL)
		return;
	fputs(text, f);
	fclose(f);
}

/* Sets old times of change, as if no program had touched the file for an
 * hour. */
static inline void
age(const char *path, int64_t ns)
{
	const struct timespec t[2] = { { 1700000000, 0 },
		{ 1700000000, (long)ns } };

	utimensat(AT_FDCWD, path, t, 0);
}

static inline const char *
stream_path(int i)
{
	static char path[128];

	snprintf(path, sizeof path, "t/loom.h%d.0/proc.%d/thread.%d/stream.obs",
		i % 2, 10 + i % 2, 100 + i);
	return path;
}

static inline void
write_meta(int i)
{
	struct err err = { 0 };
	char path[128], text[512];

	snprintf(path, sizeof path, "t/loom.h%d.0/proc.%d/thread.%d", i % 2,
		10 + i % 2, 100 + i);
	file_mkdir(path, &err);
	strcat(path, "/stream.json");
	snprintf(text, sizeof text,
		"{\"version\":3,\"ovni\":{\"lib\":{\"version\":\"1.14.0\","
		"\"commit\":\"x\"},\"part\":\"thread\",\"tid\":%d,\"pid\":%d,"
		"\"loom\":\"h%d.0\",\"app_id\":1,\"loom_cpus\":[{\"index\":0,"
		"\"phyid\":3}],\"require\":{\"ovni\":\"1.1.0\"},"
		"\"finished\":1},\"weft\":{\"lost\":"
		"[[1000500000,1000600000,7],[1001000000,1001000010,1]]}}",
		100 + i, 10 + i % 2, i % 2);
	write_text(path, text);
}

/* Two nodes whose clocks differ. */
static inline void
write_trace(const struct shape *shape)
{
	for (int i = 0; i < shape->streams; i++) {
		write_meta(i);
		write_stream(stream_path(i), i, shape);
		age(stream_path(i), 5);
	}
	write_text("t/clock-offsets.txt",
		"rank host offset_median offset_mean offset_std\n"
		"0 h0 0 0 0\n1 h1 12345.5 12345 1\n");
}

#endif
