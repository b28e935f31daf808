/* SPDX-License-Identifier: MIT */
#include "inproc/mem/real.h"

#include <string.h>

#include "inproc/core/assert.h"
#include "inproc/mem/loader.h"
#include "inproc/mem/track.h"

struct real real;

_Alignas(16) char scratch[SCRATCH_BYTES];

void *
scratch_take(size_t bytes)
{
	static size_t used;
	size_t whole = (bytes + 31) & ~(size_t)15, at;

	if (bytes > SCRATCH_BYTES)
		return NULL;
	at = __atomic_fetch_add(&used, whole, __ATOMIC_RELAXED);
	if (at + whole > SCRATCH_BYTES)
		return NULL;
	memcpy(scratch + at, &bytes, sizeof(bytes));
	return scratch + at + 16;
}

size_t
scratch_size(const void *p)
{
	size_t bytes;

	WEFT_ASSERT(scratch_block_lies_in_the_scratch,
		scratch_has(p) && (uintptr_t)p % 16 == 0);
	memcpy(&bytes, (const char *)p - 16, sizeof(bytes));
	return bytes;
}

void
real_find(void)
{
	static const struct {
		const char *name;
		void *to;
	} list[] = {
		{ "malloc", &real.malloc },
		{ "calloc", &real.calloc },
		{ "realloc", &real.realloc },
		{ "free", &real.free },
		{ "memalign", &real.memalign },
		{ "posix_memalign", &real.posix_memalign },
		{ "aligned_alloc", &real.aligned_alloc },
		{ "valloc", &real.valloc },
		{ "pvalloc", &real.pvalloc },
		{ "mmap", &real.mmap },
		{ "mremap", &real.mremap },
		{ "munmap", &real.munmap },
		{ "brk", &real.brk },
		{ "sbrk", &real.sbrk },
		{ "dlclose", &real.dlclose },
		{ "pthread_create", &real.pthread_create },
		{ "thrd_create", &real.thrd_create },
		{ "_exit", &real.exit_now },
		{ "prctl", &real.prctl },
		{ "unshare", &real.unshare },
		{ "capset", &real.capset },
		{ "setns", &real.setns },
		{ "syscall", &real.syscall },
	};
	bool was = self_tls.is_internal;

	if (real.malloc != NULL)
		return;
	self_tls.is_internal = true;
	/* malloc last: when it is known, all others are */
	for (size_t i = sizeof(list) / sizeof(*list); i-- > 0;)
		*(void **)list[i].to = loader_next(list[i].name);
	WEFT_ASSERT(real_functions_are_found, real.malloc && real.free);
	self_tls.is_internal = was;
	track.min_bytes = SIZE_MAX;
}
