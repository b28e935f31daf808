/* SPDX-License-Identifier: MIT */
/*
 * guest.h - what a library that replaces functions of the C library
 * (libweft-collect.so) does for the recorder, as a table of hooks.
 *
 * The recorder calls those functions, too: by itself, and through libraries
 * that the program replaced, such as an allocator with locks. The hooks keep
 * the guest from recording what the recorder does. The table is a weak symbol,
 * found by the loader before any constructor runs: its address is NULL without
 * the guest.
 */
#ifndef WEFT_INPROC_CORE_GUEST_H
#define WEFT_INPROC_CORE_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_line;

/* Functions of the recorder for the guest. */
struct host {
	/* Ends the recording of a process which is about to call _exit(). */
	void (*end)(void);

	/* Starts the writer thread, if events have waited for that. The calling
	 * thread has no lock that an allocator may need. */
	void (*offer)(void);

	/* Ends all streams for an exec of the program `path`, which is about to
	 * be called. Returns false if nothing is recorded. keep() makes the
	 * streams go on, in the same thread, after the exec failed. */
	bool (*replace)(const char *path);
	void (*keep)(void);

	/* Ends the writer thread for a call that the kernel refuses to a
	 * process of several threads; resume() follows. Returns false if there
	 * is no such thread. */
	bool (*pause)(void);
	void (*resume)(void);

	/* Ends the writer thread, if there is one, for the rest of the process
	 * and of its forked children: threads drain their own rings. */
	void (*stay_alone)(void);

	/* Returns true if the process has no other thread of the program. */
	bool (*is_alone)(void);

	/* The calling thread is about to lose the permission for most system
	 * calls, or with `all` each thread: ends the recording of the thread,
	 * or of the process, and makes no system call for them later. Returns
	 * true if the process is not recorded any more: then its only thread
	 * called. */
	bool (*confine)(bool all);

	/* Fills in a line over the time-stamp counter from the recorder's load
	 * to now. Returns false if the counter is not the clock, or the process
	 * is younger than 10 ms. */
	bool (*line)(struct weft_line *to);
};

struct guest {
	/* Called when the recorder is loaded. */
	void (*load)(const struct host *host);

	/* Returns true while the thread records something for the guest. It may
	 * hold any lock of the program, also its allocator's, so the recorder
	 * must not start a thread. */
	bool (*is_inside)(void);

	/* Returns true if the thread was made by one that lost the permission
	 * for most system calls. */
	bool (*is_confined)(void);

	/* Called by each thread of the recorder when it begins: the guest
	 * records nothing of it. */
	void (*quiet)(void);

	/* Called around work of a thread of the program on another stack: the
	 * guest records nothing meanwhile. leave() takes what enter()
	 * returned. */
	uintptr_t (*enter)(void);
	void (*leave)(uintptr_t before);

	/* Returns when the calling thread began, ns of CLOCK_MONOTONIC, or 0 if
	 * that is not known. */
	uint64_t (*began)(void);

	/* Atomic; changed whenever events are lost: the guest records again
	 * what it relies on. */
	uint32_t *losses;
};

extern const struct guest weft_guest __attribute__((weak));

/* Returns the table, or NULL. */
static inline const struct guest *
guest_hooks(void)
{
	return &weft_guest;
}

/* Tells the guest that events are lost. */
static inline void
guest_lost(void)
{
	if (guest_hooks() != NULL)
		__atomic_add_fetch(guest_hooks()->losses, 1, __ATOMIC_RELAXED);
}

#endif
