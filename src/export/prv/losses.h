/* SPDX-License-Identifier: MIT */
/* losses.h - what files for Paraver do not say. */
#ifndef WEFT_EXPORT_PRV_LOSSES_H
#define WEFT_EXPORT_PRV_LOSSES_H

#include "export/sink.h"

enum prv_loss {
	PRV_LOSS_ROUNDED,
	PRV_LOSS_LINKS,
	PRV_LOSS_INEXACT,
	PRV_LOSS_CPUS,
	/* From here on they are no records. */
	PRV_LOSS_LABELS,
	PRV_LOSS_ROWS,
	PRV_LOSS_EMPTY,
	PRV_LOSS_GROUPS,
	PRV_LOSS_CLASSES,
	PRV_LOSS_UNIT,
	PRV_LOSSES,
};

/* The texts of sink_ops.losses. */
extern const char *const prv_losses[PRV_LOSSES + 1];

/* Calls fn for each count that is not 0. empty: names of the timelines without
 * a record. */
void prv_losses_tell(struct arena *a, const uint64_t count[PRV_LOSSES],
	const char *empty, void (*fn)(void *arg, const struct loss *loss),
	void *arg);

/* Returns true if readers of the file know the class of its rows by its
 * name. */
bool prv_loss_keeps_class(struct arena *a, const char *path, const char *class);

#endif
