/* SPDX-License-Identifier: MIT */
/*
 * nodes.c - NODES, the OmpSs-2 runtime on top of nOS-V.
 */
#include "emu/models/models.h"

enum { SUBSYSTEM };

/* clang-format off */
static const struct chan_def chans[] = {
	[SUBSYSTEM] = {
		.key = "subsystem", .title = "NODES subsystem", .none = "No subsystem",
		.number = 30, .kind = CHAN_STACK,
		.thread = TRACK_ACTIVE },
};

static const struct span_def spans[] = {
	{ "DR[", "DR]", SUBSYSTEM, 1, MEANS_DEPENDENCIES, "Dependencies: Registering task accesses",
	  "begins registering the accesses of a task" },
	{ "DU[", "DU]", SUBSYSTEM, 2, MEANS_DEPENDENCIES, "Dependencies: Unregistering task accesses",
	  "begins unregistering the accesses of a task" },
	{ "DW[", "DW]", SUBSYSTEM, 3, MEANS_SYNC, "If0: Waiting for an If0 task",
	  "enters the wait for an if0 task" },
	{ "DI[", "DI]", SUBSYSTEM, 4, MEANS_TASK, "If0: Executing an If0 task inline",
	  "begins running an if0 task inline" },
	{ "DT[", "DT]", SUBSYSTEM, 5, MEANS_SYNC, "Taskwait: Taskwait",
	  "enters a taskwait" },
	{ "DC[", "DC]", SUBSYSTEM, 6, MEANS_CREATE, "Add Task: Creating a task",
	  "begins creating a task" },
	{ "DS[", "DS]", SUBSYSTEM, 7, MEANS_CREATE, "Add Task: Submitting a task",
	  "begins submitting a task" },
	{ "DP[", "DP]", SUBSYSTEM, 8, MEANS_CREATE, "Spawn Function: Spawning a function",
	  "begins spawning a function" },
};
/* clang-format on */

const struct model model_nodes = {
	.id = 'D',
	.name = "nodes",
	.version = "1.0.0",
	.brief = "NODES runtime: dependencies, taskwaits, new tasks",
	.need = NEED_RUNNING,
	MODEL_ROWS(chans),
	MODEL_ROWS(spans),
};
