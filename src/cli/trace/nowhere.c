/* SPDX-License-Identifier: MIT */
#include "cli/trace/nowhere.h"

static void
ignore_state(struct sink *s, const struct record *r)
{
	(void)s;
	(void)r;
}

static bool
close_nothing(struct sink *s, struct err *err)
{
	(void)s;
	(void)err;
	return true;
}

const struct sink_ops sink_nowhere = {
	.name = "nowhere",
	.help = "writes nothing",
	.state = ignore_state,
	.close = close_nothing,
};
