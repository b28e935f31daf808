/* SPDX-License-Identifier: MIT */
/*
 * sink.h - a sink that writes the viewer's index, timeline.widx.
 *
 * The bytes depend on the records only, but for the generation: 16 random bytes
 * that tell two files of one name apart.
 */
#ifndef WEFT_EXPORT_INDEX_SINK_H
#define WEFT_EXPORT_INDEX_SINK_H

#include "export/sink.h"

extern const struct sink_ops sink_index;

/* How much memory buffers of open chunks may take; 128 MiB if this is not
 * called. Less: shorter chunks, more bytes. */
void index_sink_budget(struct sink *s, size_t bytes);

/* A group of rows has a tree of sums if they have `least` records together, and
 * one node of its finest level for `node` of them. For tests. */
void index_sink_trees(struct sink *s, uint64_t least, uint64_t node);

#endif
