/* SPDX-License-Identifier: MIT */
/*
 * start.h - a trace in CTF begins and ends.
 */
#ifndef WEFT_INPROC_CTF_START_H
#define WEFT_INPROC_CTF_START_H

/* It ends, after all streams have. */
void weft_rt_ctf_exit(void);

#endif
