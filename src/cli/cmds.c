/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "cli/cmd.h"

const struct cmd *const cmds[] = {
	&cmd_run,
	&cmd_emu,
	&cmd_convert,
	&cmd_pack,
	&cmd_stat,
	&cmd_view,
	&cmd_check,
	&cmd_sort,
	&cmd_sync,
	&cmd_dump,
	&cmd_top,
	&cmd_mem,
	&cmd_tasks,
	&cmd_models,
	&cmd_events,
	&cmd_doctor,
	&cmd_version,
	&cmd_help,
	NULL,
};
