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

/* Returns true if the ovni tools have the model; models that only weft has are
 * named by small letters. */
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

/* Prints the last lines; the emulation took that many seconds. */
void old_say_end(const struct pipeline *r, bool ok, double seconds);

#endif
