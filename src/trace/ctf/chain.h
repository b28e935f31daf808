/* SPDX-License-Identifier: MIT */
/*
 * chain.h - files that hold one stream, one after the other.
 *
 * A tracer begins another file when one is full, when the user rotates the
 * session (archives/...) and for each snapshot (snapshot-N-...): there the
 * numbers of packets and the count of lost events go on, and what is missing
 * between two files is a gap of the stream. Which files these are is told by
 * the UUID of their metadata, the stream's class and its instance. They are
 * read in the order of their first packets, one open at a time.
 */
#ifndef WEFT_TRACE_CTF_CHAIN_H
#define WEFT_TRACE_CTF_CHAIN_H

#include "base/vec.h"
#include "trace/ctf/stream.h"

struct arena;

/* The files of a stream, as indexes into a table of streams. */
struct ctf_chain {
	int *stream;
	int n, at; /* at: the one that is read */
};

struct ctf_chains {
	VEC(struct ctf_chain) at;
};

/* Whose file a stream is. */
struct ctf_owner {
	const struct ctf_stream *stream;
	bool open;        /* its first packet was read */
	const void *part; /* of files with the same UUID, or the same folder */
};

/* Finds the chains of n files that were opened, in the order of their first
 * files. Every file is in one. */
void ctf_chains_find(struct ctf_chains *to, struct arena *a,
	const struct ctf_owner *owner, int n);

#endif
