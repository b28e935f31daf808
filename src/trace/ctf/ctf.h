/* SPDX-License-Identifier: MIT */
/*
 * ctf.h - reads traces of the Common Trace Format 1.8, such as those of LTTng
 * and Nanos6: one directory, or all below it.
 *
 * The metadata names and describes the events. An event class has these structs
 * as its top-level fields, as far as the metadata declares them:
 *
 *	stream.packet.context  stream.event.context  event.context  event.fields
 *
 * followed by the fields in each struct (event.h); trace_class_field() finds
 * the field that a name means. An event that several stream classes declare has
 * one event class per stream class. The stream tells where its events happened:
 * on which CPU, and, by its part, in which process and environment (trace.h).
 */
#ifndef WEFT_TRACE_CTF_CTF_H
#define WEFT_TRACE_CTF_CTF_H

#include "trace/source.h"

struct ctf_part;

extern const struct source_ops source_ctf;

/* Returns the i-th of trace.parts of a CTF source (part.h). */
const struct ctf_part *ctf_part_of(const struct source *source, int i);

/* Returns the byte offset in its file of the payload of the last event of a CTF
 * source that was opened as_stored. */
int64_t ctf_payload_offset(const struct source *source);

#endif
