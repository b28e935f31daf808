/* SPDX-License-Identifier: MIT */
/*
 * nanos6.h - what streams of Nanos6 mean without their metadata, which the
 * runtime writes when it ends: a program that was killed leaves none.
 */
#ifndef WEFT_TRACE_CTF_NANOS6_H
#define WEFT_TRACE_CTF_NANOS6_H

#include "trace/ctf/folder.h"
#include "trace/ctf/type.h"

struct arena;
struct err;
struct findings;

/* True if all streams of the folder have names as Nanos6 gives them. */
bool ctf_nanos6_is(const struct ctf_folder *folder);

/*
 * Makes the metadata of the version that reads most of the streams, and says
 * so in a finding. False with err if none reads an event.
 */
bool ctf_nanos6_meta(struct ctf_meta *m, struct arena *a,
	const struct ctf_folder *folder, struct findings *fs, struct err *err);

#endif
