/* SPDX-License-Identifier: MIT */
/*
 * meta.h - the file "metadata" of a CTF trace: text, or packets of text.
 */
#ifndef WEFT_TRACE_CTF_META_H
#define WEFT_TRACE_CTF_META_H

#include "base/err.h"
#include "trace/ctf/type.h"

struct arena;
struct findings;

/* Magic number of a packet of metadata. */
#define CTF_META_MAGIC 0x75d11d57u

/*
 * Reads and parses the file. A packet that is cut is a finding, and its text
 * is taken as far as it goes. False with err.
 */
bool ctf_meta_read(struct ctf_meta *m, struct arena *a, const char *file,
	struct findings *fs, struct err *err);

/* True if this looks like the begin of such a file. */
bool ctf_meta_begins(const char *file);

#endif
