/* SPDX-License-Identifier: MIT */
/*
 * obs_files.h - small ovni streams for tests, and what is in them.
 *
 *	struct bytes_out b = { 0 };
 *	put_event(&b, "OHx", 10, (int32_t[]){ 0, 1 }, 8);
 *	save(&b, "t/a/stream.obs");
 *	CHECK_STR(load("t/a/stream.obs", text), "OHx10 ");
 */
#ifndef WEFT_TEST_OBS_FILES_H
#define WEFT_TEST_OBS_FILES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "trace/finding.h"
#include "trace/obs/stream.h"
#include "trace/obs/wire.h"

#define BYTES_ROOM 8192

struct bytes_out {
	uint8_t at[BYTES_ROOM];
	size_t n; /* without the file's header */
};

static inline void
put_bytes(struct bytes_out *b, const void *data, size_t n)
{
	memcpy(b->at + b->n, data, n);
	b->n += n;
}

static inline void
put_event(struct bytes_out *b, const char *mcv, uint64_t clock,
	const void *payload, size_t n)
{
	struct obs_event_header h = { .flags = (uint8_t)(n > 0 ? n - 1 : 0) };

	memcpy(h.mcv, mcv, sizeof h.mcv);
	memcpy(h.clock, &clock, sizeof h.clock);
	put_bytes(b, &h, sizeof h);
	if (n > 0)
		put_bytes(b, payload, n);
}

static inline void
put_jumbo(struct bytes_out *b, const char *mcv, uint64_t clock,
	const void *payload, uint32_t n)
{
	put_event(b, mcv, clock, &n, sizeof n);
	b->at[b->n - 16] |= OBS_JUMBO;
	put_bytes(b, payload, n);
}

/* Writes a stream with its header. */
static inline void
save(const struct bytes_out *b, const char *path)
{
	const struct obs_file_header h = { OBS_MAGIC, OBS_VERSION };
	FILE *f = fopen(path, "wb");

	if (f == NULL)
		return;
	fwrite(&h, sizeof h, 1, f);
	fwrite(b->at, 1, b->n, f);
	fclose(f);
}

/* Returns the events of a stream as "OHx10 OHe50 ", or "" if the file is not a
 * stream. */
static inline const char *
load(const char *path, char to[BYTES_ROOM])
{
	struct findings quiet;
	struct obs_stream s;
	size_t n = 0;

	to[0] = '\0';
	findings_init(&quiet, NULL, 0);
	if (!obs_stream_open(&s, path, &quiet, 4096, true))
		return to;
	while (obs_stream_next(&s) && n < BYTES_ROOM - 64) {
		int64_t clock;
		char name[16];

		memcpy(&clock, s.at + 4, sizeof clock);
		n += (size_t)snprintf(to + n, BYTES_ROOM - n, "%s%lld ",
			obs_key_name(s.key, name), (long long)clock);
	}
	obs_stream_close(&s);
	return to;
}

#endif
