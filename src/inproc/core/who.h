/* SPDX-License-Identifier: MIT */
/*
 * who.h - names that the machine and the launcher give the process: host, loom,
 * rank.
 */
#ifndef WEFT_INPROC_CORE_WHO_H
#define WEFT_INPROC_CORE_WHO_H

#include <stdint.h>

struct proc;

/* Returns the name of the host up to its first dot. */
const char *weft_rt_who_host(void);

/* Returns the loom of processes that name none: HOST, or HOST.PIDNS outside the
 * initial pid namespace, as thread ids of two namespaces may be equal. */
const char *weft_rt_who_loom(uint64_t pidns);

/* Sets the rank that an MPI launcher put in the environment. */
void weft_rt_who_rank(struct proc *p);

#endif
