/* SPDX-License-Identifier: MIT */
#include "inproc/core/handler.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inproc/core/slow.h"

#if defined(__x86_64__) || defined(__aarch64__)

enum {
	WAYS = 4,         /* return functions; usually only the C library's */
	PART = 16 << 10,  /* bytes of the stack read at once */
	FAR = 16 << 20,   /* give up beyond this depth */
	SAVED = 32 << 10, /* most bytes of a frame with all registers */
	SIGNALS = 64
};

extern void *__libc_stack_end __attribute__((weak));

struct look {
	uintptr_t way[WAYS];
	int nways;
	uintptr_t at, end;
	bool may_be;
};

/* Reads the stack at an address; returns the bytes read, or -1 if the kernel
 * permits no read. It does not load them directly: the memory above may be
 * unmapped. */
static ssize_t
read_at(uintptr_t at, void *to, size_t n)
{
	struct iovec here = { to, n }, there = { (void *)at, n };
	ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	int fd;

	if (got > 0)
		return got;
	fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	got = pread(fd, to, n, (off_t)at);
	close(fd);
	return got < 0 ? 0 : got;
}

#ifdef __x86_64__

/* The kernel's struct. */
struct action {
	void (*handler)(int);
	unsigned long flags;
	uintptr_t restorer;
	uint64_t mask;
};

/* Collects the functions through which handlers of all signals return. A
 * handler that was removed while it runs is included, because the kernel keeps
 * the function in the signal's entry. Returns false if there are too many. */
static bool
find_ways(struct look *l)
{
	for (int sig = 1; sig <= SIGNALS; sig++) {
		struct action a = { 0 };
		int i = 0;

		if (syscall(SYS_rt_sigaction, sig, NULL, &a, sizeof(a.mask)) !=
				0 ||
			a.restorer == 0)
			continue;
		while (i < l->nways && l->way[i] != a.restorer)
			i++;
		if (i == WAYS)
			return false;
		l->way[i] = a.restorer;
		l->nways += i == l->nways;
	}
	return true;
}

static bool
is_way(const struct look *l, uintptr_t word)
{
	for (int i = 0; i < l->nways; i++)
		if (word == l->way[i])
			return true;
	return false;
}

/* The kernel's frame for a handler. Code that installs handlers leaves the
 * return function's address on its stack, too, so more is checked. */
struct frame {
	uintptr_t way, flags, link, stack[3], r[15], sp, ip, eflags;
};

static bool
is_frame(uintptr_t at)
{
	struct frame f = { 0 };

	if (read_at(at, &f, sizeof(f)) != (ssize_t)sizeof(f))
		return false;
	/* one flag is always set; the frame lies just below the interrupted
	 * stack pointer, or on the alternate stack that it names */
	return f.link == 0 && (f.eflags & 2) != 0 && f.eflags < 1u << 22 &&
		((f.sp > at && f.sp < at + SAVED) ||
			at - f.stack[0] < f.stack[2]);
}

#else

/* Each frame has this head of the vector registers: a number that is no
 * pointer, and of which this function leaves no copy on the stack. */
static bool
find_ways(struct look *l)
{
	l->nways = 1;
	return true;
}

static bool
is_way(const struct look *l, uintptr_t word)
{
	(void)l;
	return word ==
		((uintptr_t)sizeof(struct fpsimd_context) << 32 | FPSIMD_MAGIC);
}

static bool
is_frame(uintptr_t at)
{
	return at % 16 == 0;
}

#endif

static bool
has_frame(const struct look *l, const uintptr_t *word, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (is_way(l, word[k]) && is_frame(l->at + 8 * k))
			return true;
	return false;
}

/* Searches up to the end of the stack, or of the mapped memory. */
static void
walk(struct look *l)
{
	uintptr_t word[PART / sizeof(uintptr_t)];
	uintptr_t from = l->at;

	while (l->at < l->end) {
		/* end on a page: an unmapped page ends a read */
		size_t n = PART - l->at % 4096;
		ssize_t got;

		if (n > l->end - l->at)
			n = l->end - l->at;
		got = read_at(l->at, word, n);
		l->may_be = got < 0 || l->at - from > FAR ||
			has_frame(l, word, (size_t)(got < 0 ? 0 : got) / 8);
		if (l->may_be || got < (ssize_t)n)
			return;
		l->at += n;
	}
}

/* Returns the end of the stack that the address lies on; UINTPTR_MAX if it is
 * not the thread's original stack. */
static uintptr_t
end_of_stack(uintptr_t at)
{
	uintptr_t self = (uintptr_t)pthread_self();
	uintptr_t first = &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0;

	if (gettid() == getpid() && at < first)
		return first;
	return at < self ? self : UINTPTR_MAX;
}

static void
look(void *arg)
{
	struct look *l = arg;
	stack_t other;

	l->may_be = true;
	if (sigaltstack(NULL, &other) == 0 && !(other.ss_flags & SS_DISABLE) &&
		l->at - (uintptr_t)other.ss_sp < other.ss_size)
		return;
	if (!find_ways(l))
		return;
	l->may_be = false;
	if (l->nways > 0)
		walk(l);
}

bool
weft_rt_handler_may_be(void)
{
	struct look l = { .nways = 0 };

	l.at = (uintptr_t)weft_rt_slow_outside() & ~(uintptr_t)7;
	l.end = end_of_stack(l.at) & ~(uintptr_t)7;
	weft_rt_slow(look, &l);
	return l.may_be;
}

#else

bool
weft_rt_handler_may_be(void)
{
	return true; /* the way back from handlers is unknown here */
}

#endif
