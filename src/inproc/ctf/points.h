/* SPDX-License-Identifier: MIT */
/*
 * points.h - points of the program, and the events that they have.
 */
#ifndef WEFT_INPROC_CTF_POINTS_H
#define WEFT_INPROC_CTF_POINTS_H

#include <stdbool.h>

#include "weft/ctf.h"

/* Is it a name of the metadata's language? */
bool weft_rt_ctf_is_name(const char *text);

/* Dies if they are wrong. Under the process's lock. */
void weft_rt_ctf_add_points(struct weft_ctf_point *points);

/* Recording is switched off, on; any thread, also in handlers. */
void weft_rt_ctf_switch(bool is_on);

#endif
