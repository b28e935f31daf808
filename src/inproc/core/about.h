/* SPDX-License-Identifier: MIT */
/*
 * about.h - the object "weft" in the metadata of a stream.
 *
 * docs/dev/trace-format.md names its keys.
 */
#ifndef WEFT_INPROC_CORE_ABOUT_H
#define WEFT_INPROC_CORE_ABOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "inproc/core/text.h"

struct stream;

/* Writes the member "weft" of the object that is open: the clock, the process,
 * the ring while the stream has one, and the losses. has_clocks: also the facts
 * about the whole process, which only one stream states. */
void weft_rt_about(struct text *o, const struct stream *s, bool is_finished,
	bool has_clocks);

/* Returns an object with only the data by which a reader of a CTF stream finds
 * its ring. The text begins in scratch. */
struct text weft_rt_about_ring(
	const struct stream *s, char *scratch, size_t room);

/* Writes when the machine was suspended, as JSON arrays: "[FROM, TO, NS], ...",
 * between the texts before and behind; writes nothing if it never was. */
void weft_rt_about_suspended(
	struct text *o, const char *before, const char *behind);

#endif
