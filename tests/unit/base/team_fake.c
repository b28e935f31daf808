/* SPDX-License-Identifier: MIT */
/* A module for team.h without MPI, whose job is one process, as when MPI does
 * not know the launcher. FAKE_LAYOUT and FAKE_NAME make it one of another
 * version. */
#include "base/team_ops.h"

#ifdef FAKE_NAME
#define weft_team FAKE_NAME
#endif
#ifndef FAKE_LAYOUT
#define FAKE_LAYOUT TEAM_LAYOUT
#endif

static const char *
version(void)
{
	return "Fake 1.0";
}

static void
start(int *rank, int *size, void (*on_failure)(const char *why))
{
	(void)on_failure;
	*rank = 0;
	*size = 1;
}

static void
stop(void)
{
}

extern const struct team_ops weft_team;

__attribute__((visibility("default"))) const struct team_ops weft_team = {
	.layout = FAKE_LAYOUT,
	.name = "Fake MPI",
	.version = version,
	.start = start,
	.stop = stop,
};
