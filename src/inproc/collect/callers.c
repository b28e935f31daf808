/* SPDX-License-Identifier: MIT */
#include "inproc/collect/callers.h"

#include <dlfcn.h>
#include <pthread.h>

#include "inproc/code/peek.h"
#include "inproc/code/walk.h"

enum {
	OWN = 8,           /* frames of this library, at most */
	MAIN = 8 << 20,    /* bytes below the end of the main stack */
	STACK = 128 << 10, /* bytes of the main stack that are looked at */
	OTHER = 16 << 10,  /* of another one */
	PAGE = 4096,       /* at most a page of the kernel */
};

bool callers_has;

/* The end of the main thread's stack; the loader's. */
extern void *__libc_stack_end;

static uint64_t own_begin, own_size; /* where this library is mapped */

void
callers_load(void)
{
	struct dl_find_object in;

	if (_dl_find_object((void *)(uintptr_t)callers_load, &in) != 0)
		return;
	own_begin = (uint64_t)(uintptr_t)in.dlfo_map_start;
	own_size = (uint64_t)(uintptr_t)in.dlfo_map_end - own_begin;
	callers_has = dlsym(RTLD_DEFAULT, "_Unwind_Backtrace") != NULL;
}

/* Returns the end of the stack that an address is on, or of the part of it that
 * is looked at. A thread's struct lies above its stack. A coroutine's stack may
 * have a page behind it that cannot be read; the main stack has none. */
static uint64_t
stack_end(uint64_t at)
{
	uint64_t first = (uint64_t)(uintptr_t)__libc_stack_end,
		 own = (uint64_t)pthread_self(), most = at + STACK,
		 end = (at | (PAGE - 1)) + 1;
	char byte;

	if (first - at < MAIN)
		return first < most ? first : most;
	most = at + OTHER;
	if (own > at && own < most)
		most = own;
	while (end < most &&
		code_peek(&byte, (const void *)(uintptr_t)end, 1) == 1)
		end += PAGE;
	return end < most ? end : most;
}

uint32_t
callers_walk(const void *caller, uint32_t region)
{
	uint64_t found[OWN + SITE_CALLS];
	struct frame here;
	struct stack stack;
	bool is_cut;
	int n, first = 0, ncalls = 0;

	__asm__ volatile("lea (%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
			 : "=&r"(here.ip), "=&r"(here.sp), "=&r"(here.bp));
	stack = (struct stack){ here.sp, stack_end(here.sp),
		(const void *)(uintptr_t)here.sp };
	n = walk(&stack, here, found, OWN + SITE_CALLS, &is_cut);
	while (first < n && found[first] != (uint64_t)(uintptr_t)caller)
		first++;
	for (int i = first; i < n && ncalls < SITE_CALLS; i++) {
		/* a runtime of OpenMP is not a caller inside the region */
		if (region != 0 && ncalls > 0 &&
			site_is_quiet((const void *)(uintptr_t)found[i]))
			break;
		/* wrappers call functions of the program, too */
		if (found[i] - own_begin >= own_size)
			found[ncalls++] = found[i];
	}
	return ncalls == 0 ? site_number(caller, region)
			   : site_path(found, ncalls, region);
}
