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
	WAYS = 4,         /* back from handlers: that of the C library */
	PART = 16 << 10,  /* bytes looked at at a time */
	FAR = 16 << 20,   /* deeper, it may be anything */
	SAVED = 32 << 10, /* bytes of a frame with all registers, at most */
	SIGNALS = 64
};

extern void *__libc_stack_end __attribute__((weak));

struct look {
	uintptr_t way[WAYS];
	int nways;
	uintptr_t at, end;
	bool may_be;
};

/* How much of the stack from there on could be read; -1: the kernel gives
 * none of it. Not by a load: what lies above may be nobody's. */
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

/* As the kernel has it. */
struct action {
	void (*handler)(int);
	unsigned long flags;
	uintptr_t restorer;
	uint64_t mask;
};

/* A handler that is running may have been taken away already: its way back is
 * still told. False: there are too many. */
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

/* What the kernel puts on a stack before it calls a handler. Who sets handlers
 * leaves the address of the way on its stack as well. */
struct frame {
	uintptr_t way, flags, link, stack[3], r[15], sp, ip, eflags;
};

static bool
is_frame(uintptr_t at)
{
	struct frame f = { 0 };

	if (read_at(at, &f, sizeof(f)) != (ssize_t)sizeof(f))
		return false;
	/* one bit is always set; the frame lies just below what it interrupted,
	 * or on the alternate stack that it tells */
	return f.link == 0 && (f.eflags & 2) != 0 && f.eflags < 1u << 22 &&
		((f.sp > at && f.sp < at + SAVED) ||
			at - f.stack[0] < f.stack[2]);
}

#else

/* Each frame has the vector registers, behind this head: a number that is no
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

/* Up to the end of the stack, or of what is mapped. */
static void
walk(struct look *l)
{
	uintptr_t word[PART / sizeof(uintptr_t)];
	uintptr_t from = l->at;

	while (l->at < l->end) {
		/* a page more each time, as what is not there ends a read */
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

/* Where the stack that address lies on begins; far away if it is some other
 * than what the thread began with. */
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
	return true; /* handlers leave by other ways */
}

#endif
