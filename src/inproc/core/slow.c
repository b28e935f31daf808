/* SPDX-License-Identifier: MIT */
#include "inproc/core/slow.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "inproc/core/assert.h"
#include "inproc/core/guest.h"
#include "inproc/core/signals.h"

enum {
	STACK = 128 << 10,
	GUARD = 4096,
	ALL = GUARD + STACK,
	TOP = ALL - 16 /* above it is Valgrind's number of the stack */
};

static struct slow_stack *kept;

/* The end of the program's stack while the thread is on another stack. */
static __thread const char *outside;

/* weft_rt_slow_call(arg, work, top): calls work(arg) on the stack at top, with
 * unwind information that leads to the caller's frame. */
#ifdef __x86_64__
__asm__(".text\n"
	".hidden weft_rt_slow_call\n"
	".globl weft_rt_slow_call\n"
	".type weft_rt_slow_call, @function\n"
	"weft_rt_slow_call:\n"
	"	.cfi_startproc\n"
	"	pushq %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	movq %rsp, %rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	movq %rdx, %rsp\n"
	"	callq *%rsi\n"
	"	movq %rbp, %rsp\n"
	"	popq %rbp\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size weft_rt_slow_call, . - weft_rt_slow_call\n");
void weft_rt_slow_call(void *arg, void (*work)(void *), void *top);
#elif defined(__aarch64__)
__asm__(".text\n"
	".hidden weft_rt_slow_call\n"
	".globl weft_rt_slow_call\n"
	".type weft_rt_slow_call, %function\n"
	"weft_rt_slow_call:\n"
	"	.cfi_startproc\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset x29, -16\n"
	"	.cfi_offset x30, -8\n"
	"	mov x29, sp\n"
	"	.cfi_def_cfa_register x29\n"
	"	mov sp, x2\n"
	"	blr x1\n"
	"	mov sp, x29\n"
	"	.cfi_def_cfa_register sp\n"
	"	ldp x29, x30, [sp], #16\n"
	"	.cfi_restore x30\n"
	"	.cfi_restore x29\n"
	"	.cfi_def_cfa_offset 0\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size weft_rt_slow_call, . - weft_rt_slow_call\n");
void weft_rt_slow_call(void *arg, void (*work)(void *), void *top);
#else
static void
weft_rt_slow_call(void *arg, void (*work)(void *), void *top)
{
	(void)top;
	work(arg);
}
#endif

/* A request of Valgrind's, and its answer. Elsewhere the instructions do
 * nothing: the rotations add up to a whole turn. */
static uint64_t
ask_valgrind(uint64_t what, uint64_t first, uint64_t second)
{
	uint64_t answer = 0;
#ifdef __x86_64__
	const uint64_t request[6] = { what, first, second };

	__asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\t"
			 "rolq $61, %%rdi\n\trolq $51, %%rdi\n\t"
			 "xchgq %%rbx, %%rbx"
			 : "+d"(answer)
			 : "a"(request)
			 : "cc", "memory");
#else
	(void)what, (void)first, (void)second;
#endif
	return answer;
}

/* Valgrind takes a step of less than 2 MB of the stack pointer for a return
 * from functions, and the memory between for unused, if it does not know that
 * there is another stack. */
static void
tell_valgrind(char *at)
{
	enum { STACK_REGISTER = 0x1501 };

	*(uint64_t *)(void *)(at + TOP) = ask_valgrind(STACK_REGISTER,
		(uint64_t)(uintptr_t)at + GUARD, (uint64_t)(uintptr_t)at + ALL);
}

static void
unmap(char *at)
{
	enum { STACK_DEREGISTER = 0x1502 };

	ask_valgrind(STACK_DEREGISTER, *(uint64_t *)(void *)(at + TOP), 0);
	munmap(at, ALL);
}

static char *
make(void)
{
	char *at = mmap(NULL, ALL, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	if (at == MAP_FAILED)
		return NULL;
	mprotect(at, GUARD, PROT_NONE);
	madvise(at, ALL, MADV_DONTFORK);
	tell_valgrind(at);
	return at;
}

/* Takes a kept stack; *own is NULL if all are taken and this one is new. */
static char *
take(struct slow_stack **own)
{
	struct slow_stack *s = kept;

	*own = NULL;
	for (int i = 0; s && i < SLOW_STACKS; i++)
		if (!__atomic_exchange_n(&s[i].is_taken, 1, __ATOMIC_ACQUIRE)) {
			*own = &s[i];
			if (!s[i].at)
				s[i].at = make();
			return s[i].at;
		}
	return make();
}

static void
give(char *at, struct slow_stack *own)
{
	WEFT_ASSERT(large_stack_is_given_back_once,
		!own || __atomic_load_n(&own->is_taken, __ATOMIC_RELAXED));
	if (own)
		__atomic_store_n(&own->is_taken, 0, __ATOMIC_RELEASE);
	else if (at)
		unmap(at);
}

void
weft_rt_slow_keep(struct slow_stack *stacks)
{
	kept = stacks;
}

void
weft_rt_slow(void (*work)(void *), void *arg)
{
	const struct guest *guest = guest_hooks();
	struct slow_stack *own;
	int error = errno, cancel;
	uintptr_t before = 0;
	sigset_t was;
	char *at;

	if (outside) {
		work(arg);
		errno = error;
		return;
	}
	signals_block(&was);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (guest != NULL)
		before = guest->enter();
	at = take(&own);
	outside = __builtin_frame_address(0);
	if (at)
		weft_rt_slow_call(arg, work, at + TOP);
	else
		work(arg);
	WEFT_ASSERT(large_stack_is_left_as_it_was_entered,
		outside == __builtin_frame_address(0));
	outside = NULL;
	give(at, own);
	if (guest != NULL)
		guest->leave(before);
	pthread_setcancelstate(cancel, NULL);
	signals_restore(&was);
	errno = error;
}

void
weft_rt_slow_is_large(void)
{
	outside = __builtin_frame_address(0);
}

const char *
weft_rt_slow_outside(void)
{
	return outside ? outside : __builtin_frame_address(0);
}
