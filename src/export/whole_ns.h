/* SPDX-License-Identifier: MIT */
/* whole_ns.h - rounds times in ps down to ns on their way to another sink, and
 * counts those that are not whole ns. */
#ifndef WEFT_EXPORT_WHOLE_NS_H
#define WEFT_EXPORT_WHOLE_NS_H

#include "export/sink.h"

#define WHOLE_NS_LOSS "times below 1 ns, which are rounded down"

/* Returns true if the setup asks for it. */
bool whole_ns_wanted(const struct sink_setup *setup);

/* Returns a sink that closes `next` when it is closed. `next` tells the count
 * as WHOLE_NS_LOSS. */
struct sink *whole_ns_open(
	struct arena *a, struct sink *next, uint64_t *rounded);

#endif
