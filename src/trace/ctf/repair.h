/* SPDX-License-Identifier: MIT */
/*
 * repair.h - writes a valid CTF trace from a trace that is cut off or damaged.
 *
 * Each stream is copied packet by packet, each packet up to its last whole
 * event, with its sizes adjusted. A clock that goes back, or is invalid, is
 * replaced by the previous one. Metadata is written as text: the trace's own,
 * or the built-in one of Nanos6 if the trace has none. The input is only read;
 * memory holds a window of it.
 *
 * Findings report the changes and the losses.
 */
#ifndef WEFT_TRACE_CTF_REPAIR_H
#define WEFT_TRACE_CTF_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct findings;
struct source;

struct ctf_repair_result {
	int streams;         /* streams written */
	uint64_t events;     /* events copied */
	uint64_t clocks;     /* clocks set to the previous clock */
	uint64_t lost_bytes; /* bytes of packets and streams that were left
	                      * out */
};

/*
 * Writes the trace of a CTF source (no event needs to be read first) into the
 * directory: streams and metadata under the same names. Returns false with err
 * when something cannot be written; files already written stay.
 */
bool ctf_repair(struct arena *a, const struct source *source,
	const char *folder, struct findings *done,
	struct ctf_repair_result *result, struct err *err);

#endif
