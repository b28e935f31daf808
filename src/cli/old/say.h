/* SPDX-License-Identifier: MIT */
/*
 * say.h - the messages of ovniemu on standard error, in the original words,
 * because scripts search for them.
 */
#ifndef WEFT_CLI_OLD_SAY_H
#define WEFT_CLI_OLD_SAY_H

#include <stdbool.h>
#include <stdint.h>

struct model;
struct pipeline;

/* Returns true if the ovni tools have the model; models of weft alone have
 * small letters. */
bool old_has_model(const struct model *m);

/* Returns the version of the model that ovniemu prints. */
const char *old_model_version(const struct model *m);

/* Prints the messages after opening the streams. */
void old_say_streams(const struct pipeline *r);

/* Prints the messages before the emulation: the metadata is valid. */
void old_say_loaded(const struct pipeline *r);

/* Prints all findings, and the box about the event at which the emulation
 * stopped. */
void old_say_findings(const struct pipeline *r);

/* Prints the last lines, after so many seconds of emulation. */
void old_say_end(const struct pipeline *r, bool ok, double seconds);

#endif
