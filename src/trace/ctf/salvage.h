/* SPDX-License-Identifier: MIT */
/*
 * salvage.h - writes the tail of a stream to its file; see source_ops.salvage.
 */
#ifndef WEFT_TRACE_CTF_SALVAGE_H
#define WEFT_TRACE_CTF_SALVAGE_H

#include <stdbool.h>

struct ctf_stream;
struct err;
struct salvage;

bool ctf_salvage(
	const struct ctf_stream *s, struct salvage *result, struct err *err);

#endif
