/* SPDX-License-Identifier: MIT */
/*
 * enable.h - which models are on: `ovni` always, the others when a thread
 * requires them.
 */
#ifndef WEFT_EMU_ENABLE_H
#define WEFT_EMU_ENABLE_H

#include <stdbool.h>

struct emu;
struct emu_options;
struct model;
struct trace;

/*
 * Turns models on, with their channels; all of them if asked for, those from
 * files, and those that the trace declares. A required version that this build
 * does not have is a finding: same major number, and a minor number that is not
 * newer.
 */
void enable_models(struct emu *emu, const struct emu_options *options);

/* True if the trace declares events of the model, which turns it on. */
bool enable_by_events(const struct trace *t, const struct model *m);

#endif
