/* SPDX-License-Identifier: MIT */
/*
 * options.h - the options of the old tools, for getopt() and for completion.
 */
#ifndef WEFT_CLI_OLD_OPTIONS_H
#define WEFT_CLI_OLD_OPTIONS_H

#define OLD_EMU_OPTIONS "c:abdlh"
#define OLD_DUMP_OPTIONS "xh"
#define OLD_SORT_OPTIONS "cn:h"
#define OLD_SYNC_OPTIONS "d:vn:w:o:h"
#define OLD_CTF_OPTIONS "jqo:f:h"

#endif
