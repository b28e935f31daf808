/* SPDX-License-Identifier: MIT */
/*
 * start.h - begins and ends a CTF trace.
 */
#ifndef WEFT_INPROC_CTF_START_H
#define WEFT_INPROC_CTF_START_H

/* Ends the trace, after all streams have ended. */
void weft_rt_ctf_exit(void);

#endif
