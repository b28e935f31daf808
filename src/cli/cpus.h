/* SPDX-License-Identifier: MIT */
/*
 * cpus.h - whether a second thread is worth its cost: with a CPU of its own it
 * saves a third of the time, without one it only adds work.
 */
#ifndef WEFT_CLI_CPUS_H
#define WEFT_CLI_CPUS_H

#include <stdbool.h>

/* True if this process may use two CPUs or more, and fewer threads of the
 * machine want one right now than there are. */
bool cpus_one_is_free(void);

/* The same of so many CPUs, with the text of /proc/loadavg; NULL or another
 * text: nobody else wants one. */
bool cpus_one_is_free_of(int cpus, const char *loadavg);

#endif
