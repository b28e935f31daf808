/* SPDX-License-Identifier: MIT */
/*
 * who.h - what the machine and a launcher call the process: host, loom, rank.
 */
#ifndef WEFT_INPROC_CORE_WHO_H
#define WEFT_INPROC_CORE_WHO_H

#include <stdint.h>

struct proc;

/* The name of the host, up to its first dot. */
const char *weft_rt_who_host(void);

/* The loom of processes that name none: HOST, or HOST.PIDNS outside the pid
 * namespace of the machine, as thread ids of two namespaces may be equal. */
const char *weft_rt_who_loom(uint64_t pidns);

/* The rank that an MPI launcher put in the environment. */
void weft_rt_who_rank(struct proc *p);

#endif
