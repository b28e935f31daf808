/* SPDX-License-Identifier: MIT */
/*
 * directories.h - the CTF traces below a path, and the files of each.
 *
 * A trace is a directory with a file "metadata" and streams beside it. The user
 * may name a directory above: Nanos6 writes NAME/RANK/ctf/{user,kernel}, LTTng
 * NAME/ust/uid/N/64-bit. Streams of Nanos6 (channel_N) without metadata are a
 * trace, too.
 */
#ifndef WEFT_TRACE_CTF_DIRECTORIES_H
#define WEFT_TRACE_CTF_DIRECTORIES_H

#include <stdbool.h>

#include "base/vec.h"

struct arena;

struct ctf_folder {
	const char *path;
	const char *name;          /* relative to the root; "" for the root */
	const char *metadata;      /* NULL: there is none */
	const char *no_metadata;   /* path of a file "metadata" that is not CTF
	                            * metadata; or NULL */
	VEC(const char *) streams; /* paths, in byte order */
};

struct ctf_folders {
	struct arena *arena; /* borrowed */
	bool first;          /* stop at the first trace */
	bool foreign;        /* a trace of another format was found */
	VEC(struct ctf_folder) at;
	VEC(const char *) links; /* to directories; none is followed */
};

/* Finds the traces at and below the path, in byte order of their names. */
void ctf_folders_find(struct ctf_folders *f, const char *path);

#endif
