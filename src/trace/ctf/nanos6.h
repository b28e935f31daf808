/* SPDX-License-Identifier: MIT */
/*
 * nanos6.h - built-in metadata for streams of Nanos6: the runtime writes its
 * metadata at exit, so a program that was killed leaves none.
 */
#ifndef WEFT_TRACE_CTF_NANOS6_H
#define WEFT_TRACE_CTF_NANOS6_H

#include "trace/ctf/directories.h"
#include "trace/ctf/type.h"

struct arena;
struct err;
struct findings;

/* Returns true if all streams of the directory have names as Nanos6 gives
 * them. */
bool ctf_nanos6_is(const struct ctf_folder *folder);

/*
 * Makes the metadata of the Nanos6 version that reads most of the streams, and
 * adds a finding about that. Returns false with err if no version reads an
 * event.
 */
bool ctf_nanos6_meta(struct ctf_meta *m, struct arena *a,
	const struct ctf_folder *folder, struct findings *fs, struct err *err);

#endif
