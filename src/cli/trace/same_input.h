/* SPDX-License-Identifier: MIT */
/*
 * same_input.h - finds inputs that are copies of one recording, or of a part of
 * it.
 *
 * Two streams are the same if the metadata names the same thread, and machine
 * or trace, and their files begin with the same bytes: these have times, and
 * the numbers of the stream and its first packet. So a copy is found, too, that
 * was made while the program still ran.
 */
#ifndef WEFT_CLI_TRACE_SAME_INPUT_H
#define WEFT_CLI_TRACE_SAME_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;
struct trace;

struct same_input {
	const char *path;
	uint64_t size; /* bytes */
	/* Of its streams with events, in order; none if the time of the input
	 * is simulated: two runs of a simulator may write the same. */
	VEC(uint64_t) key;
	const struct trace *trace; /* NULL: not open */
};

/* Lists the streams of an open input. */
void same_input_list(
	struct arena *a, const struct trace *t, struct same_input *to);

/* Returns another input that shows all that the input shows; NULL: none does.
 * Of two that show the same, the first one counts. */
const struct same_input *same_input_whole(
	const struct same_input *all, int n, const struct same_input *input);

/* Returns true if both have packets of one recording in CTF, by its UUID. */
bool same_input_is_part(const struct same_input *a, const struct same_input *b);

/* Returns the number of streams that both have. */
int same_input_count(const struct same_input *a, const struct same_input *b);

#endif
