/* SPDX-License-Identifier: MIT */
/*
 * part.h - what records in a process, as the core sees it: a row of hooks.
 *
 * The core runs threads, rings and files, and does not know what is in them. It
 * calls each part in the order of the table (../parts.c); hooks may be NULL.
 */
#ifndef WEFT_INPROC_CORE_PART_H
#define WEFT_INPROC_CORE_PART_H

#include <stdbool.h>
#include <stddef.h>

struct stream;

struct part {
	/* The library is loaded, or unloaded. */
	void (*load)(void);
	void (*unload)(void);

	/* The stream on which the calling thread records, or NULL. */
	struct stream *(*stream)(void);

	/* The calling thread ends: so does its stream. */
	void (*thread_end)(void);

	/* A child of fork begins to record: what was its parent's is not. */
	void (*forget)(void);

	/* A round of the writer thread. */
	void (*drain)(void);

	/* The process ends: no more is taken from elsewhere. Threads may still
	 * record. */
	void (*stop)(void);

	/* And all streams have ended. */
	void (*end)(void);

	/* Recording is switched off, on; any thread, also in handlers. */
	void (*turn)(bool is_on);
};

/* All of them, and NULL. */
extern const struct part *const weft_rt_parts[];

/* Calls a hook without arguments of all that have it. */
#define PART_CALL(hook) \
	do \
		for (const struct part *const *part_ = weft_rt_parts; *part_; \
			part_++) \
			if ((*part_)->hook) \
				(*part_)->hook(); \
	while (0)

/* The size of the largest stream of any part, and the part of it that has to be
 * zero when it begins. */
extern const struct part_room {
	size_t size, zeroed;
} weft_rt_part_room;

#endif
