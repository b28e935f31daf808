/* SPDX-License-Identifier: MIT */
/*
 * repair.h - a whole CTF trace from one that is cut or damaged.
 *
 * Each stream is copied packet by packet, each packet up to its last whole
 * event, and its sizes say so. A clock that goes back, or cannot be, becomes
 * the one before. Metadata is written as text: that of the trace, or what is
 * known of Nanos6 where the trace has none. The input is only read; memory is a
 * window.
 *
 * What was done, and what is lost, becomes findings.
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
	int streams;         /* written */
	uint64_t events;     /* copied */
	uint64_t clocks;     /* that were set to the one before */
	uint64_t lost_bytes; /* of packets and of streams, left out */
};

/*
 * Writes the trace of a CTF source, of which no event needs to be read, into
 * the folder: streams and metadata under the same names. False with err when
 * something cannot be written; what was written stays.
 */
bool ctf_repair(struct arena *a, const struct source *source,
	const char *folder, struct findings *done,
	struct ctf_repair_result *result, struct err *err);

#endif
