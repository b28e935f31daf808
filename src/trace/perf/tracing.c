/* SPDX-License-Identifier: MIT */
#include "trace/perf/tracing.h"

#include <string.h>

#include "base/arena.h"

#define FORMAT_MAX (1u << 20)
#define TRACEPOINTS_MAX 4096

/* Moves behind a text and its NUL. */
static void
skip_text(struct bytes *b)
{
	const uint8_t *nul =
		bytes_left(b) == 0 ? NULL : memchr(b->at, '\0', bytes_left(b));

	if (nul == NULL)
		b->bad = true;
	else
		b->at = nul + 1;
}

/* Moves behind a file with its size. */
static void
skip_file(struct bytes *b)
{
	uint64_t n = bytes_u64(b);

	bytes_take(b, n < SIZE_MAX ? (size_t)n : SIZE_MAX);
}

static void
add_format(struct perf_tracepoints *to, struct arena *a, struct bytes *b)
{
	uint64_t n = bytes_u64(b);
	const uint8_t *at = bytes_take(b, n < SIZE_MAX ? (size_t)n : SIZE_MAX);
	struct arena scratch = { 0 };
	struct tracepoint t;

	if (at == NULL || n > FORMAT_MAX || to->at.n == TRACEPOINTS_MAX)
		return;
	if (weft_tracepoint_parse(
		    &t, arena_strndup(&scratch, (const char *)at, (size_t)n))) {
		struct tracepoint *kept = ARENA_NEW(a, struct tracepoint);

		*kept = t;
		VEC_PUSH(&to->at, a, kept);
	}
	arena_fini(&scratch);
}

void
perf_tracing_read(struct perf_tracepoints *to, struct arena *a, struct bytes b)
{
	static const uint8_t magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c',
		'i', 'n', 'g' };
	const uint8_t *head = bytes_take(&b, sizeof magic);
	uint32_t n, systems;

	if (head == NULL || memcmp(head, magic, sizeof magic) != 0)
		return;
	skip_text(&b);     /* version */
	bytes_take(&b, 6); /* byte order, size of a long, size of a page */
	skip_text(&b);     /* "header_page" */
	skip_file(&b);
	skip_text(&b); /* "header_event" */
	skip_file(&b);
	n = bytes_u32(&b);
	for (uint32_t i = 0; i < n && !b.bad; i++)
		skip_file(&b); /* events of ftrace itself */
	systems = bytes_u32(&b);
	for (uint32_t i = 0; i < systems && !b.bad; i++) {
		skip_text(&b);
		n = bytes_u32(&b);
		for (uint32_t j = 0; j < n && !b.bad; j++)
			add_format(to, a, &b);
	}
}
