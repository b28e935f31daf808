/* SPDX-License-Identifier: MIT */
/*
 * infer.h - infers what the metadata of a killed program lacks from its events:
 * which CPUs exist, which models are used.
 *
 * A writer that is killed leaves a stream.json without CPU list and without
 * required models. Both can be seen in the events, so the trace is read once
 * before it is emulated; the missing facts are added to its tables, each with a
 * finding that begins with "inferred".
 */
#ifndef WEFT_EMU_INFER_H
#define WEFT_EMU_INFER_H

struct source;
struct source_options;
struct trace;

/* Reads the trace of the source a second time and completes its tables, if
 * trace_lacks_tables() says so. */
void infer_complete(
	struct source *source, const struct source_options *options);

/* Makes threads without requirements require the core model, as in a complete
 * trace. */
void infer_core(struct trace *t);

#endif
