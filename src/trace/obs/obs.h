/* SPDX-License-Identifier: MIT */
/*
 * obs.h - reader of ovni traces, version 3.
 *
 * A trace is a directory with streams at any depth: a stream.json (which thread
 * wrote it, meta.c) beside a stream.obs (its events, stream.c). The events of
 * all streams are merged by corrected clock; equal clocks come in stream order.
 * Streams are read through windows, so memory does not grow with the trace.
 */
#ifndef WEFT_TRACE_OBS_OBS_H
#define WEFT_TRACE_OBS_OBS_H

#include "trace/source.h"

extern const struct source_ops source_ovni;

#endif
