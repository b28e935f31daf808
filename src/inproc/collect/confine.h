/* SPDX-License-Identifier: MIT */
/*
 * confine.h - notices seccomp: a thread that may make few system calls from now
 * on is recorded until then. After that, no wrapper does more than call the
 * real function, in this thread and in those that it makes.
 *
 * A filter that lets the recorder's calls pass changes nothing, nor does one
 * that refuses calls which the recorder can do without.
 */
#ifndef WEFT_INPROC_COLLECT_CONFINE_H
#define WEFT_INPROC_COLLECT_CONFINE_H

#include <stdbool.h>

/* Returns true if this system call, whose arguments are `a`, will confine the
 * calling thread or, if *all is set then, all threads. Keeps errno. */
bool confine_is_near(long number, const unsigned long a[4], bool *all)
	__attribute__((visibility("hidden"), cold));

/* Makes the calling thread one that is confined. */
void confine_thread(void) __attribute__((visibility("hidden")));

/* Removes this library from what programs preload that are executed from now
 * on. */
void confine_children(void) __attribute__((visibility("hidden")));

#endif
