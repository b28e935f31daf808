/* SPDX-License-Identifier: MIT */
/*
 * tracepoints.h - declares the program's CTF tracepoints and their events.
 */
#ifndef WEFT_INPROC_CTF_TRACEPOINTS_H
#define WEFT_INPROC_CTF_TRACEPOINTS_H

#include <stdbool.h>

#include "weft/ctf.h"

/* Returns true if the text is an identifier of the metadata's language. */
bool weft_rt_ctf_is_name(const char *text);

/* Adds tracepoints; dies if they are wrong. Call under the process's lock. */
void weft_rt_ctf_add_tracepoints(struct weft_ctf_tracepoint *points);

/* Switches recording off or on; any thread, also in handlers. */
void weft_rt_ctf_switch(bool is_on);

#endif
