/* SPDX-License-Identifier: MIT */
/*
 * proposals.h - lists of words, with commas, that a shell can propose. They are
 * made from tables and need no trace.
 */
#ifndef WEFT_CLI_TRACE_PROPOSALS_H
#define WEFT_CLI_TRACE_PROPOSALS_H

struct arena;

/* Return the models of this build; the keys of their types of state; the names
 * of their views (every type is a view, too); the formats of timelines. */
const char *propose_models(struct arena *a);
const char *propose_types(struct arena *a);
const char *propose_views(struct arena *a);
const char *propose_formats(struct arena *a);

#endif
