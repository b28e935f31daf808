/* SPDX-License-Identifier: MIT */
/*
 * proposals.h - words that are known without a trace, for a shell that
 * completes them: lists with commas, made from the tables that know them.
 */
#ifndef WEFT_CLI_TRACE_PROPOSALS_H
#define WEFT_CLI_TRACE_PROPOSALS_H

struct arena;

/* The models of this build; the keys of their types of state; the names of
 * their views, which types are, too; the formats of timelines. */
const char *propose_models(struct arena *a);
const char *propose_types(struct arena *a);
const char *propose_views(struct arena *a);
const char *propose_formats(struct arena *a);

#endif
