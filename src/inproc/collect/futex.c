/* SPDX-License-Identifier: MIT */
/*
 * futex.c - futexes that a program uses by syscall(): locks and parked threads
 * of Rust, waits for atomics, semaphores and latches of C++20.
 */
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/code/single.h"
#include "inproc/collect/call.h"
#include "inproc/collect/confine.h"
#include "inproc/collect/wrap.h"

static const struct wait_row futex = { "WFf", "WFF", KIND_FUTEX, 0 };

WRAPPER long wrap_syscall(long number, ...);
static long (*real_syscall)(long number, ...);
REAL_ENTRY(syscall, "2.2.5");
ONE_VERSION(syscall, "2.2.5");

static bool
is_wait(long op)
{
	op &= FUTEX_CMD_MASK;
	return op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET ||
		op == FUTEX_LOCK_PI || op == FUTEX_LOCK_PI2;
}

static bool
is_wake(long op)
{
	op &= FUTEX_CMD_MASK;
	return op == FUTEX_WAKE || op == FUTEX_WAKE_BITSET ||
		op == FUTEX_UNLOCK_PI;
}

/* Notes which descriptors a system call closes. */
static void
end_descriptors(long number, const long a[6])
{
	if (number == SYS_close)
		fd_forget((unsigned)a[0], (unsigned)a[0]);
	else if (number == SYS_dup3 || number == SYS_dup2)
		fd_forget((unsigned)a[1], (unsigned)a[1]);
	else if (number == SYS_close_range)
		fd_forget((unsigned)a[0], (unsigned)a[1]);
}

/* Other calls than futex(). */
static long
call_other(long number, const long a[6])
{
	int flags = single_flags(number, (const unsigned long *)a);
	bool is_paused, returns = false;
	long r;

	if ((number == SYS_seccomp || number == SYS_prctl) &&
		collect_has != 0 && collect_is_free())
		call_confine(number, (const unsigned long *)a);
	if (collect_does(IO))
		end_descriptors(number, a);
	is_paused = single_begin(number, flags);
	if (number == SYS_exit && collect_has != 0 && collect_is_free())
		call_exit_thread();
	if (number == SYS_exit || number == SYS_exit_group ||
		number == SYS_execve || number == SYS_execveat)
		returns = confine_returns();
	r = REAL_OF(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (returns)
		confine_borrower();
	single_end(number, flags, is_paused, r);
	return r;
}

/* A system call has at most six arguments; what the caller did not give is read
 * and passed on, as syscall() itself does. */
long
wrap_syscall(long number, ...)
{
	struct waiting w;
	long a[6], r;
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number != SYS_futex || !collect_looks())
		return call_other(number, a);
	if (is_wake(a[1]))
		wait_hand_over("WHf", (const void *)a[0], KIND_FUTEX,
			a[2] > 0 ? (uint32_t)a[2] : 1, CALLER);
	if (!is_wait(a[1]))
		return call_other(number, a);
	wait_begin(&w, &futex, (const void *)a[0], 0, CALLER, FRAME);
	r = REAL_OF(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	wait_end(&w, r == 0 ? GOT : (uint32_t)errno);
	return r;
}
