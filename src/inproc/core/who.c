/* SPDX-License-Identifier: MIT */
#include "inproc/core/who.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/ident.h"
#include "inproc/core/proc.h"

/* Returns a number >= 0 from the environment; -1: none. */
static int
number_in(const char *name)
{
	const char *text = getenv(name);
	char *end;
	long n;

	if (!text || text[0] == '\0')
		return -1;
	n = strtol(text, &end, 10);
	return *end == '\0' && n >= 0 && n <= INT_MAX ? (int)n : -1;
}

const char *
weft_rt_who_host(void)
{
	static char name[HOST_NAME_MAX + 1];

	if (gethostname(name, sizeof(name) - 1) != 0 || name[0] == '\0')
		strcpy(name, "node");
	name[strcspn(name, "./")] = '\0';
	return name;
}

const char *
weft_rt_who_loom(uint64_t pidns)
{
	static char name[HOST_NAME_MAX + 32];

	if (pidns == 0 || pidns == IDENT_PIDNS_INITIAL)
		return weft_rt_who_host();
	snprintf(name, sizeof(name), "%s.%" PRIu64, weft_rt_who_host(), pidns);
	return name;
}

void
weft_rt_who_rank(struct proc *p)
{
	static const char *const names[][2] = {
		{ "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
		{ "PMI_RANK", "PMI_SIZE" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int rank = number_in(names[i][0]);
		int size = number_in(names[i][1]);

		if (rank >= 0 && size > rank) {
			p->rank = rank;
			p->nranks = size;
			return;
		}
	}
}
