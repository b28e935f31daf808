/* SPDX-License-Identifier: MIT */
/*
 * meta.h - what the metadata of all parts of a CTF trace begins with.
 */
#ifndef WEFT_INPROC_CTF_META_H
#define WEFT_INPROC_CTF_META_H

struct text;

/* Integers, the packet header. */
void weft_rt_ctf_types(struct text *o);

/* Members of the environment. */
void weft_rt_ctf_env(struct text *o);

void weft_rt_ctf_clock(struct text *o);

/* A stream class; bits of an event's id; what else it declares. */
void weft_rt_ctf_stream_class(
	struct text *o, int id, int bits, const char *more);

#endif
