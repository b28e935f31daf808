/* SPDX-License-Identifier: MIT */
/*
 * say.h - what ovniemu says on standard error while it runs, in the words
 * that scripts look for.
 */
#ifndef WEFT_CLI_OLD_SAY_H
#define WEFT_CLI_OLD_SAY_H

#include <stdbool.h>
#include <stdint.h>

struct model;
struct run;

/* True if the ovni tools have the model: those of ours have small letters. */
bool old_has_model(const struct model *m);

/* The version that ovniemu tells of it. */
const char *old_model_version(const struct model *m);

/* The streams are open. */
void old_say_streams(const struct run *r);

/* Nothing is wrong with their tables, and the emulation begins. */
void old_say_loaded(const struct run *r);

/* All findings, and the box about the event at which the run stopped. */
void old_say_findings(const struct run *r);

/* The last lines, after so many seconds of emulation. */
void old_say_end(const struct run *r, bool ok, double seconds);

#endif
