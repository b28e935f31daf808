/* SPDX-License-Identifier: MIT */
/*
 * points.h - declares the program's CTF tracepoints and their events.
 */
#ifndef WEFT_INPROC_CTF_POINTS_H
#define WEFT_INPROC_CTF_POINTS_H

#include <stdbool.h>

#include "weft/ctf.h"

/* Returns true if the text is an identifier of the metadata's language. */
bool weft_rt_ctf_is_name(const char *text);

/* Adds tracepoints; dies if they are wrong. Call under the process's lock. */
void weft_rt_ctf_add_points(struct weft_ctf_point *points);

/* Switches recording off or on; any thread, also in handlers. */
void weft_rt_ctf_switch(bool is_on);

#endif
