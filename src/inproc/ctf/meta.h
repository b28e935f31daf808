/* SPDX-License-Identifier: MIT */
/*
 * meta.h - the beginning of the metadata, common to all parts of a CTF trace.
 */
#ifndef WEFT_INPROC_CTF_META_H
#define WEFT_INPROC_CTF_META_H

struct text;

/* Writes the integer types and the packet header. */
void weft_rt_ctf_types(struct text *o);

/* Writes members of the environment. */
void weft_rt_ctf_env(struct text *o);

void weft_rt_ctf_clock(struct text *o);

/* Writes a stream class; bits: size of an event's id; more: further
 * declarations. */
void weft_rt_ctf_stream_class(
	struct text *o, int id, int bits, const char *more);

#endif
