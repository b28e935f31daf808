/* SPDX-License-Identifier: MIT */
/*
 * meta.h - the file "metadata" of a CTF trace: of CTF 1.8, text or packets of
 * text; of CTF 2, a sequence of JSON objects.
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
 * Reads and parses the file. An incomplete last packet is a finding; its text
 * is used as far as it goes. Returns false with err.
 */
bool ctf_meta_read(struct ctf_meta *m, struct arena *a, const char *file,
	struct findings *fs, struct err *err);

/* Returns true if the file begins like CTF metadata. */
bool ctf_meta_begins(const char *file);

#endif
