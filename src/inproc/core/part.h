/* SPDX-License-Identifier: MIT */
/*
 * part.h - a part is code that records in a process, seen by the core as a
 * table of hooks.
 *
 * The core runs threads, rings and files, and does not know their contents. It
 * calls each part in the order of the table (../parts.c); hooks may be NULL.
 */
#ifndef WEFT_INPROC_CORE_PART_H
#define WEFT_INPROC_CORE_PART_H

#include <stdbool.h>
#include <stddef.h>

struct stream;

struct part {
	/* Called when the library is loaded or unloaded. */
	void (*load)(void);
	void (*unload)(void);

	/* Returns the stream on which the calling thread records, or NULL. */
	struct stream *(*stream)(void);

	/* Ends the stream of the calling thread, which is about to exit. */
	void (*thread_end)(void);

	/* Called when a child of fork begins to record: forgets the parent's
	 * state. */
	void (*forget)(void);

	/* Called in each round of the writer thread. Returns true if it must be
	 * called again within 10 ms. */
	bool (*drain)(void);

	/* Called when the process ends: stops taking events from elsewhere.
	 * Threads may still record. */
	void (*stop)(void);

	/* Called when all streams have ended. */
	void (*end)(void);

	/* Called when recording is switched off or on, by any thread, also in
	 * handlers. */
	void (*turn)(bool is_on);
};

/* All parts, ended by NULL. */
extern const struct part *const weft_rt_parts[];

/* Calls one hook, which takes no arguments, of each part that has this hook. */
#define PART_CALL(hook) \
	do \
		for (const struct part *const *part_ = weft_rt_parts; *part_; \
			part_++) \
			if ((*part_)->hook) \
				(*part_)->hook(); \
	while (0)

/* The size of the largest stream of any part, and the number of its bytes that
 * must be zero at the start. */
extern const struct part_room {
	size_t size, zeroed;
} weft_rt_part_room;

#endif
