/* SPDX-License-Identifier: MIT */
/*
 * pprof.h - time of each stack as a profile for pprof and its web page, and for
 * all that reads its format: profile.pb.gz.
 *
 * A sample is a stack of a row with [time in ns, how often it was entered], and
 * the row's name as the label "thread". A location is a state; its function has
 * the state's label as name.
 */
#ifndef WEFT_EXPORT_FLAME_PPROF_H
#define WEFT_EXPORT_FLAME_PPROF_H

#include "export/sink.h"

extern const struct sink_ops sink_pprof;

#endif
