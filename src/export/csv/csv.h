/* SPDX-License-Identifier: MIT */
/*
 * csv.h - records as a table: states.csv, and links.csv and gaps.csv if the
 * trace has any.
 *
 *	time_ns,class,row,type,value,label,depth
 *	10,thread,TH 1.7,nanos6.subsystem,19,Worker: Looking for work,1
 *
 * Each record is one line, in the order of the records. `type` is the type's
 * key; `value` is empty for VALUE_NONE; `label` is the one known at the time of
 * the call: a label added later does not appear in earlier lines. Fields with a
 * comma, a quote or a line break are quoted as in RFC 4180; lines end in \n.
 */
#ifndef WEFT_EXPORT_CSV_CSV_H
#define WEFT_EXPORT_CSV_CSV_H

#include <stddef.h>

#include "export/sink.h"

extern const struct sink_ops sink_csv;

#endif
