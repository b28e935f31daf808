/* SPDX-License-Identifier: MIT */
/*
 * ctf_out.h - writes the events of any trace as CTF 1.8 or CTF 2.
 *
 * Both have the same streams; only the file "metadata" differs. Packets are
 * byte aligned and little endian: header {magic, uuid, stream_instance_id},
 * context {timestamp_begin, timestamp_end, content_size, packet_size,
 * packet_seq_num, events_discarded}, then events {id, timestamp} with contexts
 * and payload; without times if the source has no clock. An event of ovni keeps
 * its payload byte by byte behind the context {vpid, vtid}; the tables of the
 * trace are in the environment, so that trace/ctf/restore.h reads back the same
 * trace.
 */
#ifndef WEFT_TRACE_CTF_OUT_CTF_OUT_H
#define WEFT_TRACE_CTF_OUT_CTF_OUT_H

#include "trace/writer.h"

extern const struct writer_ops writer_ctf, writer_ctf2;

#endif
