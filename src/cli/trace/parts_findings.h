/* SPDX-License-Identifier: MIT */
/* parts_findings.h - the findings of several parts of a trace (parts.h), in the
 * order in which one emulation of the whole finds them. */
#ifndef WEFT_CLI_TRACE_PARTS_FINDINGS_H
#define WEFT_CLI_TRACE_PARTS_FINDINGS_H

#include <stdbool.h>

struct emu_part;
struct pipeline;
struct team;

/* Keeps all findings from now on, so that those of all parts can be sorted. */
void parts_findings_begin(struct pipeline *r, const struct emu_part *part);

/* Collects the findings of all parts in the first process. Returns false if
 * there are too many to keep. All processes call it. */
bool parts_findings_join(
	struct pipeline *r, struct team *t, const struct emu_part *part);

/* In the first process: adds all findings to those of the pipeline. part: sums
 * of all parts; r->duration is the end of all. */
void parts_findings_finish(struct pipeline *r, const struct emu_part *part);

#endif
