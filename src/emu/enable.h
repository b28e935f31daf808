/* SPDX-License-Identifier: MIT */
/*
 * enable.h - which models are enabled: `ovni` always, the others when a thread
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
 * Enables models and adds their channels: the models that threads require, or
 * all models if the options say so; the models from files; and the models that
 * the trace declares. A required version that is not supported is a finding:
 * the major number must be equal, and the minor number not newer.
 */
void enable_models(struct emu *emu, const struct emu_options *options);

/* Returns true if the trace declares events of a model that its events alone
 * enable. */
bool enable_by_events(const struct trace *t, const struct model *m);

#endif
