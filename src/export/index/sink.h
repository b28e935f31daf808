/* SPDX-License-Identifier: MIT */
/*
 * sink.h - a sink that writes the viewer's index, timeline.widx.
 *
 * Equal records give equal bytes, except for the generation: 16 random bytes
 * that tell two files of the same name apart.
 */
#ifndef WEFT_EXPORT_INDEX_SINK_H
#define WEFT_EXPORT_INDEX_SINK_H

#include "export/sink.h"

extern const struct sink_ops sink_index;

/* Limits the memory of the buffers of open chunks (128 MiB if this is not
 * called). A lower limit makes chunks shorter and the file larger. */
void index_sink_budget(struct sink *s, size_t bytes);

/* For tests: returns the bytes of memory that grow with rows and series. */
size_t index_sink_memory(const struct sink *s);

/* For tests: a group of rows gets a tree of sums if it has at least `least`
 * records; the finest level of the tree gets one node per `node` records. */
void index_sink_trees(struct sink *s, uint64_t least, uint64_t node);

#endif
