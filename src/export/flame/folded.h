/* SPDX-License-Identifier: MIT */
/*
 * folded.h - stacks as lines of text, for flamegraph.pl and most viewers of
 * flame graphs: stacks.folded.
 *
 *	Task: Running body;Worker: Looking for work 2345
 *
 * The number is the time in ns. ";" in a name becomes ":", a line feed a blank.
 * Lines are sorted by their bytes. All rows are added up; the option
 * "per-row=1" puts the name of the row first.
 */
#ifndef WEFT_EXPORT_FLAME_FOLDED_H
#define WEFT_EXPORT_FLAME_FOLDED_H

#include "export/sink.h"

extern const struct sink_ops sink_folded;

#endif
