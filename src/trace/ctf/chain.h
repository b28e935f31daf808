/* SPDX-License-Identifier: MIT */
/*
 * chain.h - files that hold one stream, one after the other.
 *
 * A tracer starts another file when a file is full, when the user rotates the
 * session (archives/...) and for each snapshot (snapshot-N-...). Packet numbers
 * and the count of lost events continue from file to file, so that anything
 * missing between two files is a gap of the stream. Files belong together if
 * their metadata has the same UUID and they have the same stream class and
 * instance. They are read in the order of their first packets, one open at a
 * time.
 */
#ifndef WEFT_TRACE_CTF_CHAIN_H
#define WEFT_TRACE_CTF_CHAIN_H

#include "base/vec.h"
#include "trace/ctf/stream.h"

struct arena;

/* The files of a stream, as indexes in a table of streams. */
struct ctf_chain {
	int *stream;
	int n, at; /* at: the file being read */
};

struct ctf_chains {
	VEC(struct ctf_chain) at;
};

/* The properties that identify the stream of a file. */
struct ctf_owner {
	const struct ctf_stream *stream;
	bool open;        /* the first packet of the file was read */
	const void *part; /* equal for files with the same UUID, or in the same
	                   * directory */
};

/* Groups n opened files into chains, in the order of their first files. Every
 * file is in exactly one chain. */
void ctf_chains_find(struct ctf_chains *to, struct arena *a,
	const struct ctf_owner *owner, int n);

#endif
