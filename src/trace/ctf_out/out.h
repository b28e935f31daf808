/* SPDX-License-Identifier: MIT */
/*
 * out.h - a CTF trace that is being written: its directories, classes of
 * streams and events, and streams. Shared by the files of this directory.
 *
 * A trace without parts (trace.h) becomes one directory with a stream for each
 * of its own. A trace with parts keeps their directories, names and contexts,
 * except that files that continue a stream (rotation) are joined.
 */
#ifndef WEFT_TRACE_CTF_OUT_OUT_H
#define WEFT_TRACE_CTF_OUT_OUT_H

#include "base/err.h"
#include "base/out.h"
#include "base/vec.h"
#include "trace/ctf_out/shape.h"
#include "trace/writer.h"

#define CTF_OUT_UUID 16

/* Bytes in front of a payload that is copied: {vpid, vtid}; the size of one
 * that is any bytes. */
#define CTF_OUT_THREAD 8
#define CTF_OUT_SIZE 4

/* Names in the environment. */
#define CTF_OUT_WRITER "weft_writer"   /* version of the writer */
#define CTF_OUT_STREAMS "weft_streams" /* tables of an ovni trace */
#define CTF_OUT_SYSTEM "weft_system"   /* 1: trace.whole_system */
#define CTF_OUT_SEPARATOR \
	'\x1e' /* between the JSON documents of \
	        * weft_streams */

/* Returns the prefix of the URI of events that had no fields (see restore.h);
 * the rest is the event's name. bytes: the payload is any bytes. */
static inline const char *
ctf_out_prefix(bool jumbo, bool bytes)
{
	if (jumbo)
		return bytes ? "ovni:jb:" : "ovni:j:";
	return bytes ? "ovni:eb:" : "ovni:e:";
}

/* A class of events in a class of streams. */
struct out_event_class {
	uint32_t id;
	const char *name, *uri, *says; /* uri, says: or NULL */
	uint32_t fixed;  /* bytes of a payload that is not any bytes; the text
	                  * at its end counts as 0 */
	bool has_text;   /* a text ends it */
	bool is_bytes;   /* the payload is any bytes */
	bool is_payload; /* the payload is copied, not encoded */
	const struct shape *common, *specific, *payload; /* or NULL */
};

/* What is known of a class of events of the trace. */
struct out_known {
	const char *name, *says;
	int nargs;
	const struct field *arg;
};

/* A clock of a part. */
struct out_clock {
	const char *name; /* letters, digits and '_' only */
	const char *of;   /* its name in the source; or NULL */
	const char *uuid; /* or NULL */
	int64_t offset;   /* ns, as the metadata says */
	int64_t base;     /* time of the trace at its value 0 */
};

struct out_stream_class {
	uint64_t id;
	struct out_part *part;
	bool is_set;  /* the shapes are known */
	bool has_cpu; /* packets name their CPU, which the source does not */
	const struct out_clock *clock; /* NULL: events have no time */
	const struct shape *packet;    /* fields of packets beside our own */
	const struct shape *common;    /* of all events; or NULL */
	VEC(struct out_event_class *) events;
	/* By class of the trace, times 2, plus 1 if any bytes. */
	VEC(struct out_event_class *) by_class;
};

struct out_part {
	const struct trace_part *part; /* NULL: the whole trace */
	const char *path;              /* directory, before it is renamed */
	uint8_t uuid[CTF_OUT_UUID];
	bool has_kinds; /* packets name the class of their stream */
	VEC(struct out_stream_class *) classes;
	VEC(struct out_clock *) clocks;
};

struct out_stream {
	struct out_stream_class *class;
	const char *path;
	uint64_t instance;
	int64_t cpu;
	int fd;
	struct shape_out out; /* the packet; empty: none is open */
	size_t context, body; /* offsets in the packet: its context, events */
	uint32_t extra;       /* bytes of the packet's own fields */
	uint64_t begin, end;  /* clocks */
	uint64_t discarded, sequence;
	bool any;    /* a packet was written */
	bool in_gap; /* events may have been lost up to gap_end */
	uint64_t gap_end;
	VEC(struct trace_lost) waiting; /* gaps before the first event */
};

struct ctf_out {
	struct writer base;
	struct arena *arena;
	const struct trace *trace;
	const char *version, *path, *temporary;
	bool is_ctf2, wide; /* wide: events have ids of 32 bits */
	bool is_part;       /* as in struct writer_setup */
	size_t room;        /* bytes of a packet, about */
	bool keep_open;
	struct err err;
	VEC(struct out_part *) parts;
	struct out_stream **stream_of; /* by stream of the trace; NULL: it has
	                                * no packet */
	VEC(struct out_stream *) streams;
	VEC(struct out_known) known; /* by class of the trace */
	int leftover;
	struct shape_changes changes;
	uint64_t ncorrected; /* nodes whose clock was corrected */
	uint64_t nnames;     /* names in the metadata that are changed */
	uint64_t nuuids;     /* clocks whose id is not written */
	const char *tables_text;
};

/* files.c: directories, streams and their classes. keep: false removes all.
 * Returns false with err. */
bool ctf_out_begin(struct ctf_out *c, struct err *err);
bool ctf_out_end(struct ctf_out *c, bool keep, struct err *err);

/* Appends to a file that is opened at the first call, and stays open if
 * c->keep_open; sets c->err on failure. */
void ctf_out_append(
	struct ctf_out *c, const char *path, int *fd, const void *at, size_t n);

/* Writes the metadata of a part; sets c->err on failure. */
void ctf_out_metadata(
	struct ctf_out *c, const struct out_part *p, const struct out *text);

/* packets.c: opens a packet, closes one whose last clock is `end`. */
void ctf_out_open_packet(struct ctf_out *c, struct out_stream *s,
	uint64_t clock, const union value *values);
void ctf_out_close_packet(struct ctf_out *c, struct out_stream *s);
void ctf_out_gap(struct ctf_out *c, struct out_stream *s,
	const struct trace_lost *lost, const union value *values);

/* Returns the value of the stream's clock at a time of the trace. */
static inline uint64_t
ctf_out_clock(const struct out_stream *s, int64_t time)
{
	const struct out_clock *clock = s->class->clock;

	return (uint64_t)time - (clock != NULL ? (uint64_t)clock->base : 0);
}

/* classes.c: returns the class of an event; adds it at its first event. */
struct out_event_class *ctf_out_add_class(struct ctf_out *c,
	struct out_stream_class *of, uint32_t class, bool bytes);

/* tables.c: the tables of a trace without parts as JSON documents; counts the
 * nodes whose correction they do not hold. */
const char *ctf_out_tables(struct ctf_out *c);

/* tsdl.c, fragments.c: write the file metadata. */
void ctf_out_tsdl(struct ctf_out *c, const struct out_part *p);
void ctf_out_fragments(struct ctf_out *c, const struct out_part *p);

/* env.c: calls put for each value of the environment; text NULL: a number. */
void ctf_out_env(const struct ctf_out *c, const struct out_part *p,
	void (*put)(
		void *arg, const char *name, const char *text, int64_t number),
	void *arg);

/* Returns the format of the trace, "ovni v3"; if it was read from CTF, the one
 * that it had before. */
const char *ctf_out_source(const struct trace *t);

/* Returns the name as an identifier of CTF 1.8, which is no keyword. */
const char *ctf_out_identifier(struct arena *a, const char *name);

/* Returns the clock of a stream of the part, which is added if no earlier
 * stream has it; NULL: its events have no time. */
const struct out_clock *ctf_out_clock_of(
	struct ctf_out *c, struct out_part *p, const struct stream *s);

/* Splits the offset (ns) of a clock into seconds and the rest. */
#define CTF_OUT_NS INT64_C(1000000000)
int64_t ctf_out_seconds(const struct out_clock *clock, int64_t *rest);

#endif
