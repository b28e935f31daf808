/* SPDX-License-Identifier: MIT */
#include "inproc/code/peek.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LITTLE = 16, PAGE = 4096 };

/* Returns true if the kernel can read the aligned word that holds a byte: it
 * does so before it refuses the first argument. Address 0 is none. */
static bool
has_word(uintptr_t at)
{
	at &= ~(uintptr_t)7;
	return at != 0 &&
		(syscall(SYS_rt_sigprocmask, -1, at, NULL, 8) == 0 ||
			errno != EFAULT);
}

/* For a few bytes: a fifth of the time of the call below. */
static size_t
peek_little(void *to, const void *from, size_t n)
{
	uintptr_t first = (uintptr_t)from, last = first + n - 1;
	int error = errno;
	bool can = has_word(first) && ((first ^ last) < PAGE || has_word(last));

	errno = error;
	return can ? (memcpy(to, from, n), n) : 0;
}

/* Where the call below is refused, as in some containers. */
static size_t
peek_pages(char *to, const char *from, size_t n)
{
	size_t done = 0, part;

	for (; done < n && has_word((uintptr_t)(from + done)); done += part) {
		part = PAGE - (uintptr_t)(from + done) % PAGE;
		if (part > n - done)
			part = n - done;
		memcpy(to + done, from + done, part);
	}
	return done;
}

static size_t
peek(void *to, const void *from, size_t n)
{
	struct iovec here = { to, n }, there = { (void *)(uintptr_t)from, n };
	int error = errno;
	ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	bool is_refused = got < 0 && errno != EFAULT;

	errno = error;
	if (!is_refused)
		return got < 0 ? 0 : (size_t)got;
	got = (ssize_t)peek_pages(to, from, n);
	errno = error;
	return (size_t)got;
}

size_t
code_peek(void *to, const void *from, size_t n)
{
	return n <= LITTLE ? peek_little(to, from, n) : peek(to, from, n);
}
