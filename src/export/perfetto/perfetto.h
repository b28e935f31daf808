/* SPDX-License-Identifier: MIT */
/*
 * perfetto.h - timelines for Perfetto (ui.perfetto.dev): trace.pftrace, track
 * events in the wire format of Protocol Buffers.
 *
 * Each class is a track that holds the tracks of its rows. A row's own track
 * shows the primary type of its class: the first type with stacks, else the
 * first type of states other than a "*.state" type. Every other type of the row
 * is a track below it.
 *
 *	states, ids    slices; those of a stack are nested
 *	numbers        a counter; "no value" is written as 0
 *	points         instants
 *	links          two instants that a flow connects
 *	gaps           slices "lost: N events" of a track "lost"
 *	findings       instants of a track "findings"
 *
 * If the clocks at time 0 are known, timestamps are those of CLOCK_MONOTONIC,
 * so that the file can be merged with a trace of the whole system.
 *
 * Options: "os=1" writes rows with a row identity as threads of processes;
 * "states=1" writes types without stacks as tracks of states, which Perfetto
 * knows since version 57: one packet for each change instead of two.
 */
#ifndef WEFT_EXPORT_PERFETTO_PERFETTO_H
#define WEFT_EXPORT_PERFETTO_PERFETTO_H

#include "export/sink.h"

extern const struct sink_ops sink_perfetto;

#endif
