/* SPDX-License-Identifier: MIT */
/*
 * check_sink.h - a sink that trusts no producer.
 *
 * It is put in front of another sink, and ends the process with a message at
 * the first call that breaks the contract of export/sink.h: ids that were never
 * declared, a row under a type of another class, a time that goes back, a stack
 * that does not end with the value.
 */
#ifndef WEFT_FUZZ_CHECK_SINK_H
#define WEFT_FUZZ_CHECK_SINK_H

#include "export/sink.h"

struct arena;

/* Closes `next` when it is closed. rows_grow: see sink_setup. */
struct sink *check_sink_open(
	struct arena *a, struct sink *next, bool rows_grow);

#endif
