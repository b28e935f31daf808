/* SPDX-License-Identifier: MIT */
#include "cli/old/old.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/old/ctf2prv.h"
#include "cli/old/emu.h"
#include "cli/old/events.h"
#include "cli/old/options.h"
#include "cli/old/sync.h"
#include "cli/old/tools.h"

static const struct old tools[] = {
	{ "ovniemu", OLD_EMU_OPTIONS, old_emu },
	{ "ovnidump", OLD_DUMP_OPTIONS, old_dump },
	{ "ovnitop", "", old_top },
	{ "ovnisort", OLD_SORT_OPTIONS, old_sort },
	{ "ovnisync", OLD_SYNC_OPTIONS, old_sync },
	{ "ovniver", "", old_version },
	{ "ovnievents", "", old_events },
	{ "ctf2prv", OLD_CTF_OPTIONS, old_ctf },
};

const struct old *
old_at(int i)
{
	int n = (int)(sizeof tools / sizeof tools[0]);

	return i >= 0 && i < n ? &tools[i] : NULL;
}

const struct old *
old_find(const char *argv0)
{
	const char *name = file_name(argv0);

	for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
		if (strcmp(tools[i].name, name) == 0)
			return &tools[i];
	return NULL;
}
