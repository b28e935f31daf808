/* SPDX-License-Identifier: MIT */
/* exits.c - hooks for exits that skip destructors, for dlclose, and for calls
 * that confine a thread or the process. */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/mem/confined.h"
#include "inproc/mem/drain.h"
#include "inproc/mem/first.h"
#include "inproc/mem/hook.h"
#include "inproc/mem/real.h"
#include "inproc/mem/track.h"

static __attribute__((noreturn)) void
leave(int code)
{
	real_find();
	if (track.is_on)
		drain_finish();
	confined_by_self();
	real.exit_now(code);
	__builtin_unreachable();
}

HOOK void
_exit(int code)
{
	leave(code);
}

HOOK void
_Exit(int code)
{
	leave(code);
}

/* Programs call this before they install a filter of system calls. */
HOOK int
prctl(int what, ...)
{
	unsigned long with[4];
	va_list args;

	va_start(args, what);
	for (int i = 0; i < 4; i++)
		with[i] = va_arg(args, unsigned long);
	va_end(args);
	real_find();
	if (what == PR_SET_NO_NEW_PRIVS || what == PR_SET_SECCOMP)
		first_stop();
	if (what == PR_SET_SECCOMP || what == PR_SET_SECUREBITS)
		confined_look(SYS_prctl,
			(unsigned long[]){
				(unsigned)what, with[0], with[1], with[2] });
	return real.prctl(what, with[0], with[1], with[2], with[3]);
}

HOOK int
unshare(int flags)
{
	real_find();
	confined_look(SYS_unshare, (unsigned long[4]){ (unsigned)flags });
	return real.unshare(flags);
}

HOOK int
setns(int fd, int kind)
{
	real_find();
	confined_look(
		SYS_setns, (unsigned long[4]){ (unsigned)fd, (unsigned)kind });
	return real.setns(fd, kind);
}

/* The C library declares no such function. */
int capset(void *header, const void *data);

HOOK int
capset(void *header, const void *data)
{
	real_find();
	confined_look(SYS_capset, (unsigned long[4]){ 0 });
	return real.capset(header, data);
}

/* The recorder itself calls this before the real function is known. */
static long
enter_kernel(long number, const long a[6])
{
	const long fourth = a[3], fifth = a[4], sixth = a[5];
	register long r10 __asm__("r10") = fourth;
	register long r8 __asm__("r8") = fifth;
	register long r9 __asm__("r9") = sixth;
	long r;

	__asm__ volatile("syscall"
			 : "=a"(r)
			 : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]),
			 "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	if (r >= 0 || r < -4095)
		return r;
	errno = (int)-r;
	return -1;
}

HOOK long
syscall(long number, ...)
{
	unsigned long looks[4];
	long a[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_exit || number == SYS_prctl ||
		number == SYS_seccomp || number == SYS_unshare ||
		number == SYS_setns || number == SYS_capset) {
		memcpy(looks, a, sizeof looks);
		confined_look(number, looks);
	}
	if (real.syscall == NULL)
		return enter_kernel(number, a);
	return real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

HOOK int
dlclose(void *handle)
{
	int code;

	real_find();
	if (track.is_on && self_tls.is_confined)
		drain_never_looks();
	if (!track.is_on || self_tls.is_confined)
		return real.dlclose(handle);
	drain_before_unload();
	code = real.dlclose(handle);
	drain_after_unload();
	return code;
}
