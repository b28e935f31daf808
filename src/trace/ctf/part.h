/* SPDX-License-Identifier: MIT */
/*
 * part.h - one folder of a CTF trace: its metadata, and whose events they are.
 */
#ifndef WEFT_TRACE_CTF_PART_H
#define WEFT_TRACE_CTF_PART_H

#include "base/vec.h"
#include "trace/ctf/folder.h"
#include "trace/ctf/layout.h"

struct ctf_stream;
struct trace;

struct ctf_part {
	struct trace_part part;
	const struct ctf_folder *folder;
	struct ctf_meta meta;
	struct ctf_layout layout;
	/* Another part with the same metadata, whose layout this is; or NULL.
	 * Sessions that are rotated repeat it. */
	const struct ctf_part *twin;
};

struct ctf_parts {
	VEC(struct ctf_part *) at;
};

/* CPUs of a node, until all are known. */
struct ctf_cpu {
	int node;
	int64_t number;
	const char *file;
};

struct ctf_cpus {
	VEC(struct ctf_cpu) at;
};

/*
 * Reads the metadata, or finds what fits where there is none, and adds the
 * event classes to the trace. NULL with err; what was done about it so far are
 * findings.
 */
struct ctf_part *ctf_part_open(
	struct trace *t, const struct ctf_folder *folder, struct err *err);

void ctf_part_close(struct ctf_part *p);

/* Adds node and process, as the environment says. */
void ctf_part_place(struct trace *t, struct ctf_part *p, struct ctf_cpus *cpus);

/* A finding about ranks of the trace that are missing, or there twice. */
void ctf_part_check_ranks(const struct trace *t, const struct ctf_parts *parts);

/* "cpu_id" of the packet that was read, or TRACE_NONE. */
int64_t ctf_part_cpu(const struct ctf_stream *s);

/* False if the stream holds events of threads, and not of a CPU. */
bool ctf_part_is_cpu(const struct ctf_stream *s);

/* True if events say their thread in the context "vtid" of LTTng's user-space
 * tracer. Its kernel tracer has that, too, but there switches tell more. */
bool ctf_part_has_vtid(const struct ctf_part *p, const struct ctf_stream *s);

/* Adds all CPUs, in the order of their numbers. */
void ctf_part_add_cpus(struct trace *t, struct ctf_cpus *cpus);

#endif
