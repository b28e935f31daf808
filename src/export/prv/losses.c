/* SPDX-License-Identifier: MIT */
#include "export/prv/losses.h"

#include <string.h>

#include "base/arena.h"
#include "export/prv_in/prv_in.h"

const char *const prv_losses[PRV_LOSSES + 1] = {
	[PRV_LOSS_ROUNDED] =
		"exact times, which were rounded down from ps to ns",
	[PRV_LOSS_LINKS] = "links between rows of different classes",
	[PRV_LOSS_INEXACT] = "exact values above 2^53, which Paraver rounds",
	[PRV_LOSS_CPUS] = "CPUs of threads, which lines have for one node only",
	[PRV_LOSS_LABELS] =
		"labels of values that do not fit in Paraver's 32 bits",
	[PRV_LOSS_ROWS] =
		"rows after the first 65535, the most that Paraver shows",
	[PRV_LOSS_EMPTY] = "timelines without a record",
	[PRV_LOSS_GROUPS] = "groups of tasks, as applications",
	[PRV_LOSS_CLASSES] =
		"classes of rows that the name of no file says (x-CLASS.prv)",
	[PRV_LOSS_UNIT] = "units of times in ps, which are read as ns",
};

void
prv_losses_tell(struct arena *a, const uint64_t count[PRV_LOSSES],
	const char *empty, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	for (int i = 0; i < PRV_LOSSES; i++) {
		struct loss l = { prv_losses[i], count[i],
			i >= PRV_LOSS_LABELS };

		if (i == PRV_LOSS_EMPTY)
			l.what = arena_printf(a, "%s (%s)", l.what, empty);
		if (l.count > 0)
			fn(arg, &l);
	}
}

bool
prv_loss_keeps_class(struct arena *a, const char *path, const char *class)
{
	return strcmp(prv_in_class(a, path), class) == 0;
}
