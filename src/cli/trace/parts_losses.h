/* SPDX-License-Identifier: MIT */
/* parts_losses.h - what the output of several processes (parts.h) could not
 * express. Each process counts the records that it writes itself; rows, types
 * and labels are declared, and counted, in all of them. */
#ifndef WEFT_CLI_TRACE_PARTS_LOSSES_H
#define WEFT_CLI_TRACE_PARTS_LOSSES_H

struct arena;
struct loss;
struct parts_losses;
struct sink;
struct team;

/* Adds up the losses of the closed sinks of all processes, which all call
 * it. */
const struct parts_losses *parts_losses_gather(
	struct arena *a, struct team *t, struct sink *sink);

/* Calls fn for each loss. */
void parts_losses_tell(const struct parts_losses *l,
	void (*fn)(void *arg, const struct loss *loss), void *arg);

#endif
