/* SPDX-License-Identifier: MIT */
/*
 * mem.h - tells the recorder of memory what it cannot see: pools, and names.
 *
 * A program that hands out parts of one large block has one variable in a
 * memory profile, until it says where the parts are:
 *
 *	#include <weft/mem.h>
 *	weft_mem_register(part, bytes, "particles");
 *	weft_mem_unregister(part);
 *	weft_mem_name(grid, "grid");      a block of malloc or mmap, as a whole
 *
 * Nothing needs to be linked: the functions look for the recorder, which is
 * there when `weft run -e datacentric` started the program, and do nothing
 * without it (a few ns after the first call). Any thread.
 */
#ifndef WEFT_MEM_H
#define WEFT_MEM_H

#include <dlfcn.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the recorder exports. */
struct weft_mem_calls {
	int version; /* WEFT_MEM_CALLS */
	void (*add)(const void *p, size_t bytes, const char *name);
	void (*remove)(const void *p);
	void (*name)(const void *p, const char *name);
};

#define WEFT_MEM_CALLS 1

/* gcc takes a pointer to const for one that is read, and warns of blocks that
 * are still empty. Only the address matters. */
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
		/* NULL: among all that is loaded */
		c = (const struct weft_mem_calls *)dlsym(
			NULL, "weft_mem_recorder");
		if (c == NULL || c->version != WEFT_MEM_CALLS)
			c = &none;
		__atomic_store_n(&found, c, __ATOMIC_RELEASE);
	}
	return c;
}

/* These bytes are a variable of their own from now on, allocated here. A name
 * is optional; it is copied, and cut to 255 bytes. */
WEFT_MEM_ADDRESS static inline void
weft_mem_register(const void *p, size_t bytes, const char *name)
{
	if (weft_mem_found()->version != 0)
		weft_mem_found()->add(p, bytes, name);
}

/* The variable that was registered at p is no more. */
WEFT_MEM_ADDRESS static inline void
weft_mem_unregister(const void *p)
{
	if (weft_mem_found()->version != 0)
		weft_mem_found()->remove(p);
}

/* Names the block that malloc, mmap or weft_mem_register gave at p. A report
 * has a row for each call path and name. */
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
