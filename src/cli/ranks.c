/* SPDX-License-Identifier: MIT */
#include "cli/ranks.h"

#include "base/leftover.h"
#include "base/log.h"

/* MPI has refused a call: the job ends when this returns. */
static void
on_failure(const char *why)
{
	leftovers_remove();
	log_error("MPI: %s", why);
}

bool
ranks_open(struct team *t)
{
	struct err err = { 0 };

	if (team_open(t, NULL, on_failure, &err))
		return true;
	if (team_is_first())
		log_error("%s", err.text);
	return false;
}
