/* SPDX-License-Identifier: MIT */
/*
 * mem.h - tells the memory recorder about pools and names, which it cannot see
 * by itself.
 *
 * By default a program that hands out parts of one large block appears as one
 * variable in a memory profile. These calls declare the parts:
 *
 *	#include <weft/mem.h>
 *	weft_mem_register(part, bytes, "particles");
 *	weft_mem_unregister(part);
 *	weft_mem_name(grid, "grid");      a block of malloc or mmap, as a whole
 *
 * Nothing needs to be linked. The functions look for the recorder, which is
 * loaded when `weft run -e datacentric` started the program, or which `weft mem
 * link` linked into a static program; without the recorder they do nothing (a
 * few ns per call after the first). Any thread may call them.
 */
#ifndef WEFT_MEM_H
#define WEFT_MEM_H

#include <dlfcn.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The table of functions that the recorder exports. */
struct weft_mem_calls {
	int version; /* WEFT_MEM_CALLS */
	void (*add)(const void *p, size_t bytes, const char *name);
	void (*remove)(const void *p);
	void (*name)(const void *p, const char *name);
};

#define WEFT_MEM_CALLS 1

/* In a static program that `weft mem link` linked the address of the recorder's
 * table; else NULL, or the same table. */
extern const struct weft_mem_calls weft_mem_recorder __attribute__((weak));

/* gcc assumes that a function reads what a pointer to const points to, and
 * warns when the block is not yet initialized. These functions use only the
 * address. */
#ifdef __has_attribute
#if __has_attribute(access)
#define WEFT_MEM_ADDRESS __attribute__((access(none, 1)))
#endif
#endif
#ifndef WEFT_MEM_ADDRESS
#define WEFT_MEM_ADDRESS
#endif

static inline const struct weft_mem_calls *
weft_mem_found(void)
{
	static const struct weft_mem_calls none = { 0, NULL, NULL, NULL };
	static const struct weft_mem_calls *found;
	const struct weft_mem_calls *c =
		__atomic_load_n(&found, __ATOMIC_ACQUIRE);

	if (c == NULL) {
		c = &weft_mem_recorder;
		if (c == NULL) /* NULL: search all loaded objects */
			c = (const struct weft_mem_calls *)dlsym(
				NULL, "weft_mem_recorder");
		if (c == NULL || c->version != WEFT_MEM_CALLS)
			c = &none;
		__atomic_store_n(&found, c, __ATOMIC_RELEASE);
	}
	return c;
}

/* Declares the bytes at p as a variable of their own, allocated by the caller
 * of this function. name is copied and cut to 255 bytes; NULL: no name. */
WEFT_MEM_ADDRESS static inline void
weft_mem_register(const void *p, size_t bytes, const char *name)
{
	if (weft_mem_found()->version != 0)
		weft_mem_found()->add(p, bytes, name);
}

/* Ends the variable that weft_mem_register() declared at p. */
WEFT_MEM_ADDRESS static inline void
weft_mem_unregister(const void *p)
{
	if (weft_mem_found()->version != 0)
		weft_mem_found()->remove(p);
}

/* Names the whole block at p, which malloc or mmap returned or
 * weft_mem_register() declared. A report has a line for each pair of call path
 * and name. Call it right after the allocation: accesses and page faults before
 * the call are charged to the block without a name. */
WEFT_MEM_ADDRESS static inline void
weft_mem_name(const void *p, const char *name)
{
	if (weft_mem_found()->version != 0)
		weft_mem_found()->name(p, name);
}

#ifdef __cplusplus
}
#endif

#endif
