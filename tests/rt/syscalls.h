/* SPDX-License-Identifier: MIT */
/*
 * syscalls.h - replaces syscall(), by which the recorder enters the kernel.
 *
 * The file that includes this header defines before_syscall(): it sees each
 * call, and may change the arguments. If it returns false, having set errno,
 * the call is not made and returns -1.
 */
#ifndef WEFT_TESTS_RT_SYSCALLS_H
#define WEFT_TESTS_RT_SYSCALLS_H

#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>

static bool before_syscall(long number, long a[6]);

__attribute__((visibility("default"))) long syscall(long number, ...);

/* The loop reads more arguments than most callers pass; the address sanitizer
 * would object. */
__attribute__((no_sanitize_address)) long
syscall(long number, ...)
{
	static long (*next)(long, ...);
	long a[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (!before_syscall(number, a))
		return -1;
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#endif
