/* SPDX-License-Identifier: MIT */
/*
 * about.h - what the metadata of a stream says of us: the object "weft".
 *
 * docs/dev/trace-format.md names its keys.
 */
#ifndef WEFT_INPROC_CORE_ABOUT_H
#define WEFT_INPROC_CORE_ABOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "inproc/core/text.h"

struct stream;

/* The member "weft" of the object that is open: the clock, the process, the
 * ring as long as it is one, what was lost; with has_clocks also what holds for
 * the whole process, which one stream says. */
void weft_rt_about(struct text *o, const struct stream *s, bool is_finished,
	bool has_clocks);

/* An object with nothing else: what tells a reader of a CTF stream where its
 * ring is. The text begins in that memory. */
struct text weft_rt_about_ring(
	const struct stream *s, char *scratch, size_t room);

/* When the machine was suspended, as rows of JSON: "[FROM, TO, NS], ..." with
 * what stands before and behind them; nothing if it never was. */
void weft_rt_about_suspended(
	struct text *o, const char *before, const char *behind);

#endif
