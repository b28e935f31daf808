/* SPDX-License-Identifier: MIT */
/*
 * infer.h - infers from events the facts that the metadata of a killed program
 * lacks: which CPUs exist, which models are used.
 *
 * A writer that is killed leaves a stream.json without CPU list and without
 * required models, or with the core model only. Both can be seen in the events,
 * so the trace is read once before it is emulated; the missing facts are added
 * to its tables, each with a finding that begins with "inferred".
 */
#ifndef WEFT_EMU_INFER_H
#define WEFT_EMU_INFER_H

#include <stdbool.h>

struct source;
struct source_options;
struct trace;

/* Returns true if the tables of two openings of a trace have the same sizes. A
 * trace may change in between: then nothing that one shows holds for the
 * other. */
bool infer_is_same(const struct trace *a, const struct trace *b);

/* Reads the trace of the source a second time and completes its tables, if
 * trace_lacks_tables() says so. */
void infer_complete(
	struct source *source, const struct source_options *options);

/* Makes threads without requirements require the core model, as in a complete
 * trace. */
void infer_core(struct trace *t);

/* Completes the hardware counters of threads that did not finish: a list that
 * is the beginning of another thread's list becomes that list. */
void infer_counters(struct trace *t);

#endif
