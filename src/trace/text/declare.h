/* SPDX-License-Identifier: MIT */
/*
 * declare.h - statements of a text trace that declare something: node, process,
 * thread, mark, lost events. Each function is called after its keyword was
 * read, reads the rest of the line into the tables of the trace, and returns
 * false with err if it cannot. Contradictions between statements become
 * findings of the tables.
 */
#ifndef WEFT_TRACE_TEXT_DECLARE_H
#define WEFT_TRACE_TEXT_DECLARE_H

#include <stdbool.h>

struct parse;

bool declare_node(struct parse *p);
bool declare_process(struct parse *p);
bool declare_thread(struct parse *p);
bool declare_mark(struct parse *p);
bool declare_counters(struct parse *p);
bool declare_lost(struct parse *p);

#endif
