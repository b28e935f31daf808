/* SPDX-License-Identifier: MIT */
/*
 * part.h - one directory of a CTF trace: its metadata, and the process whose
 * events it holds.
 */
#ifndef WEFT_TRACE_CTF_PART_H
#define WEFT_TRACE_CTF_PART_H

#include "base/vec.h"
#include "trace/ctf/directories.h"
#include "trace/ctf/layout.h"

struct ctf_stream;
struct trace;

struct ctf_part {
	struct trace_part part;
	const struct ctf_folder *folder;
	struct ctf_meta meta;
	struct ctf_layout layout;
	/* Another part with the same metadata, which owns the layout; or NULL.
	 * Rotated sessions repeat their metadata. */
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
 * Reads the metadata, or finds built-in metadata that fits, and adds the event
 * classes to the trace. Returns NULL with err; findings tell what was tried.
 */
struct ctf_part *ctf_part_open(
	struct trace *t, const struct ctf_folder *folder, struct err *err);

void ctf_part_close(struct ctf_part *p);

/* Adds node and process from the environment. */
void ctf_part_place(struct trace *t, struct ctf_part *p, struct ctf_cpus *cpus);

/* Adds findings about ranks that are missing or occur twice. */
void ctf_part_check_ranks(const struct trace *t, const struct ctf_parts *parts);

/* Returns "cpu_id" of the current packet, or TRACE_NONE. */
int64_t ctf_part_cpu(const struct ctf_stream *s);

/* Returns false if the stream holds events of threads instead of a CPU. */
bool ctf_part_is_cpu(const struct ctf_stream *s);

/* Returns true if events name their thread in the context "vtid" of LTTng's
 * user-space tracer. The kernel tracer has that context, too, but there the
 * switches say which thread runs. */
bool ctf_part_has_vtid(const struct ctf_part *p, const struct ctf_stream *s);

/* Adds all CPUs, in the order of their numbers. */
void ctf_part_add_cpus(struct trace *t, struct ctf_cpus *cpus);

#endif
