/* SPDX-License-Identifier: MIT */
/*
 * cpus.h - decides whether to use a second thread. With a CPU of its own the
 * thread saves a third of the time, without one it only adds work.
 */
#ifndef WEFT_CLI_CPUS_H
#define WEFT_CLI_CPUS_H

#include <stdbool.h>

/* Returns true if this process may use two or more CPUs and the machine has
 * fewer running threads than CPUs. */
bool cpus_one_is_free(void);

/* Decides the same for a number of CPUs and the text of /proc/loadavg. NULL or
 * malformed text: no other thread runs. */
bool cpus_one_is_free_of(int cpus, const char *loadavg);

#endif
