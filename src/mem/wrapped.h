/* SPDX-License-Identifier: MIT */
/*
 * wrapped.h - how the recorder gets into a static program.
 *
 * The linker replaces each function of the list by the recorder's hook
 * (--wrap=malloc: calls of malloc() become calls of __wrap_malloc(), which
 * calls __real_malloc()). tools/static-recorder reads the list, too.
 *
 * A program that has the recorder has this note among its program headers:
 * owner "Weft", type MEM_NOTE, with the version of the files that it writes
 * (MEM_VERSION) as a 32-bit number.
 */
#ifndef WEFT_MEM_WRAPPED_H
#define WEFT_MEM_WRAPPED_H

#define MEM_STATIC_ARCHIVE "libweft-mem-static.a"
/* The symbol that pulls the recorder out of its archive. */
#define MEM_STATIC_SYMBOL "weft_mem_in_program"

#define MEM_NOTE_OWNER "Weft"
#define MEM_NOTE 1

/* clang-format off */
/* An allocator of the program may lack these; then the C library's must not be
 * linked. */
#define MEM_WRAPPED_WEAK(X) \
	X(reallocarray) \
	X(memalign) \
	X(posix_memalign) \
	X(aligned_alloc) \
	X(valloc) \
	X(pvalloc)
#define MEM_WRAPPED(X) \
	X(malloc) \
	X(calloc) \
	X(realloc) \
	X(free) \
	X(mmap) \
	X(mmap64) \
	X(mremap) \
	X(munmap) \
	X(brk) \
	X(sbrk) \
	X(dlclose) \
	X(pthread_create) \
	X(thrd_create) \
	X(_exit) \
	X(_Exit) \
	X(prctl) \
	X(unshare) \
	X(setns) \
	X(syscall)
/* clang-format on */

#endif
