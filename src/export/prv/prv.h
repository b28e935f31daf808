/* SPDX-License-Identifier: MIT */
/*
 * prv.h - timelines for Paraver: CLASS.prv, CLASS.pcf and CLASS.row for every
 * class of rows.
 *
 * Each record is an event line "2:0:1:1:ROW:TIME:TYPE:VALUE", with rows counted
 * from 1 in their class; each link is a communication line. Times are in ns,
 * rounded down. The .pcf holds palette and labels, the .row the names. A type
 * without a title has values in the .prv and no block in the .pcf. Views of all
 * types with a title are in cfg/CLASS (cfg.h).
 *
 * Lines and their order are those of the ovni emulator, byte for byte, so that
 * old views and scripts still work.
 */
#ifndef WEFT_EXPORT_PRV_PRV_H
#define WEFT_EXPORT_PRV_PRV_H

#include <stddef.h>

#include "export/sink.h"

extern const struct sink_ops sink_prv;

#endif
