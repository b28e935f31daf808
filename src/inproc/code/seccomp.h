/* SPDX-License-Identifier: MIT */
/*
 * seccomp.h - foresees that a thread is about to lose system calls that a
 * recorder makes in it.
 *
 * The filter is executed for each of these calls, as the kernel would. A filter
 * that lets them pass changes nothing, nor does one that refuses calls which
 * the recorder can do without.
 */
#ifndef WEFT_INPROC_CODE_SECCOMP_H
#define WEFT_INPROC_CODE_SECCOMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A system call of the recorder, with the arguments that filters look at. */
struct seccomp_call {
	int number;
	bool is_needed; /* nothing is recorded where it fails */
	uint64_t args[6];
};

/* Returns true if the system call `number`, whose arguments are `a`, will take
 * one of the n calls from the calling thread or, if *all is set then, from all
 * threads. Keeps errno. */
bool seccomp_is_near(long number, const unsigned long a[4],
	const struct seccomp_call *calls, size_t n, bool *all)
	__attribute__((visibility("hidden"), cold));

#endif
