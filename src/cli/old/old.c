/* SPDX-License-Identifier: MIT */
#include "cli/old/old.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/old/ctf2prv.h"
#include "cli/old/emu.h"
#include "cli/old/tools.h"

static const struct old tools[] = {
	{ "ovniemu", old_emu },
	{ "ovnidump", old_dump },
	{ "ovnitop", old_top },
	{ "ovnisort", old_sort },
	{ "ovniver", old_version },
	{ "ctf2prv", old_ctf },
};

const struct old *
old_find(const char *argv0)
{
	const char *name = file_name(argv0);

	for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
		if (strcmp(tools[i].name, name) == 0)
			return &tools[i];
	return NULL;
}
