/* SPDX-License-Identifier: MIT */
/*
 * futex.c - futexes that a program uses by syscall(): locks and parked threads
 * of Rust, waits for atomics, semaphores and latches of C++20.
 */
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/code/peek.h"
#include "inproc/code/single.h"
#include "inproc/collect/call.h"
#include "inproc/collect/confine.h"
#include "inproc/collect/wrap.h"

static const struct wait_row futex = { "WFf", "WFF", KIND_FUTEX, 0 };

WRAPPER long wrap_syscall(long number, ...);
static long (*real_syscall)(long number, ...);
REAL_ENTRY(syscall, "2.2.5");
ONE_VERSION(syscall, "2.2.5");

/* Newer than futex(), with numbers that all machines share. */
enum { WAITV = 449, WAKE = 454, WAIT = 455, REQUEUE = 456 };

/* One of several futexes, as the kernel takes it. */
struct one_of {
	uint64_t value, address;
	uint32_t flags, reserved;
};

static inline bool
is_futex(long number)
{
	return number == SYS_futex || number == WAITV ||
		(number >= WAKE && number <= REQUEUE);
}

static bool
is_wait(long op)
{
	op &= FUTEX_CMD_MASK;
	return op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET ||
		op == FUTEX_LOCK_PI || op == FUTEX_LOCK_PI2 ||
		op == FUTEX_WAIT_REQUEUE_PI;
}

static bool
is_wake(long op)
{
	op &= FUTEX_CMD_MASK;
	return op == FUTEX_WAKE || op == FUTEX_WAKE_BITSET ||
		op == FUTEX_WAKE_OP || op == FUTEX_UNLOCK_PI ||
		op == FUTEX_REQUEUE || op == FUTEX_CMP_REQUEUE ||
		op == FUTEX_CMP_REQUEUE_PI;
}

/* Returns the first of several futexes; NULL: the kernel will refuse them. */
static const void *
first_of(long list)
{
	struct one_of one;

	return code_peek(&one, (const void *)list, sizeof one) == sizeof one
		? (const void *)(uintptr_t)one.address
		: NULL;
}

/* Returns the futex for which a call waits, of several the first; or NULL. */
static const void *
awaited(long number, const long a[6])
{
	if (number == WAITV)
		return first_of(a[0]);
	return number == WAIT || (number == SYS_futex && is_wait(a[1]))
		? (const void *)a[0]
		: NULL;
}

static void
wake(const void *address, long n, const void *caller)
{
	if (n > 0)
		wait_hand_over("WHf", address, KIND_FUTEX, (uint32_t)n, caller);
}

static void
wake_all(long number, const long a[6], const void *caller)
{
	if (number == REQUEUE)
		wake(first_of(a[0]), a[2], caller);
	if (number == SYS_futex && (a[1] & FUTEX_CMD_MASK) == FUTEX_UNLOCK_PI)
		wake((const void *)a[0], 1, caller);
	else if (number == WAKE || (number == SYS_futex && is_wake(a[1])))
		wake((const void *)a[0], a[2], caller);
	if (number == SYS_futex && (a[1] & FUTEX_CMD_MASK) == FUTEX_WAKE_OP)
		wake((const void *)a[4], a[3], caller);
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
	if (number == SYS_exit_group && collect_has != 0 && collect_is_free())
		call_exit_process();
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
	const void *address;
	struct waiting w;
	long a[6], r;
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (__builtin_expect(!is_futex(number), 1) || !collect_looks())
		return call_other(number, a);
	wake_all(number, a, CALLER);
	address = awaited(number, a);
	if (address == NULL)
		return call_other(number, a);
	wait_begin(&w, &futex, address, CALLER, FRAME);
	r = REAL_OF(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	wait_end(&w, r >= 0 ? GOT : (uint32_t)errno);
	return r;
}
