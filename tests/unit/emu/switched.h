/* SPDX-License-Identifier: MIT */
/*
 * switched.h - a model whose events enable and disable channels, for random
 * events. It has what no built-in model has: one channel begins disabled, one
 * has a value that it shows while disabled, and two make the rows of CPUs
 * follow the active thread.
 */
#ifndef WEFT_TEST_SWITCHED_H
#define WEFT_TEST_SWITCHED_H

#include "emu/model.h"

/* clang-format off */
static const struct chan_def switched_chan[] = {
	{ .key = "all", .title = "All", .number = 900, .dup = true,
	  .thread = TRACK_ACTIVE, .emission = EMITDUP },
	{ .key = "off", .title = "Off", .number = 901, .idle = 66,
	  .thread = TRACK_RUNNING, .off = true, .disabled = 55 },
	{ .key = "stack", .title = "Stack", .number = 902, .kind = CHAN_STACK,
	  .thread = TRACK_RUNNING, .cpu_active = true },
	{ .key = "always", .title = "Always", .number = 903, .dup = true,
	  .thread = TRACK_NONE, .emission = SKIPDUPNULL, .cpu_active = true },
};

static const struct model_row switched_row[] = {
	{ .signature = "XAs(u32 n)", .action = ROW_SET, .chan = 0 },
	{ .signature = "XAd(i32 tid)", .action = ROW_DISABLE, .chan = 0,
	  .owner = OWNER_TID, .arg = -1 },
	{ .signature = "XAe", .action = ROW_ENABLE, .chan = 0, .arg = -1 },
	{ .signature = "XBs(u32 n)", .action = ROW_SET, .chan = 1 },
	{ .signature = "XBd", .action = ROW_DISABLE, .chan = 1, .arg = -1 },
	{ .signature = "XBe(i32 tid)", .action = ROW_ENABLE, .chan = 1,
	  .owner = OWNER_TID, .arg = -1 },
	{ .signature = "XC[", .action = ROW_PUSH, .chan = 2, .arg = -1,
	  .value = 4 },
	{ .signature = "XC{(u32 n)", .action = ROW_PUSH, .chan = 2 },
	{ .signature = "XC]", .action = ROW_POP, .chan = 2, .arg = -1,
	  .value = 4 },
	{ .signature = "XCd", .action = ROW_DISABLE, .chan = 2, .arg = -1,
	  .owner = OWNER_RUNNING },
	{ .signature = "XCe", .action = ROW_ENABLE, .chan = 2, .arg = -1 },
	{ .signature = "XDs(u32 n, i32 tid)", .action = ROW_SET, .chan = 3,
	  .owner = OWNER_TID, .owner_arg = 1 },
	{ .signature = "XDd", .action = ROW_DISABLE, .chan = 3, .arg = -1 },
	{ .signature = "XDe", .action = ROW_ENABLE, .chan = 3, .arg = -1 },
};
/* clang-format on */

static const struct model switched = {
	.id = 'X',
	.name = "switched",
	.version = "1.0.0",
	.need = NEED_NOTHING,
	.chans = switched_chan,
	.nchans = sizeof switched_chan / sizeof switched_chan[0],
	.rows = switched_row,
	.nrows = sizeof switched_row / sizeof switched_row[0],
};

#endif
