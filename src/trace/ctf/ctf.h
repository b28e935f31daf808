/* SPDX-License-Identifier: MIT */
/*
 * ctf.h - reads traces of the Common Trace Format 1.8: those of LTTng and of
 * Nanos6, a folder or all below it.
 *
 * What an event is comes from the metadata, by name. A class has these fields
 * at the top, each a struct, as far as the metadata has them:
 *
 *	stream.packet.context  stream.event.context  event.context  event.fields
 *
 * and the fields in a struct follow it (event.h): trace_class_field() finds
 * the one that a name means. An event that several stream classes declare has
 * a class for each. Where it happened is said by its stream: the CPU, and the
 * part with the process and the environment (trace.h).
 */
#ifndef WEFT_TRACE_CTF_CTF_H
#define WEFT_TRACE_CTF_CTF_H

#include "trace/source.h"

struct ctf_part;

extern const struct source_ops source_ctf;

/* Of a source of that kind: the i-th of trace.parts (part.h). */
const struct ctf_part *ctf_part_of(const struct source *source, int i);

#endif
