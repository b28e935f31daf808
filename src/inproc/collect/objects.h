/* SPDX-License-Identifier: MIT */
/*
 * objects.h - numbers for locks and code locations, and where locks were
 * initialised.
 *
 * Both tables are found by address without a lock, hold 65 535 entries and are
 * wiped by a fork. A number is used only after its definition was recorded; two
 * threads may record the same definition. A lock or location for which the
 * table has no room has the number 0, "unknown".
 */
#ifndef WEFT_INPROC_COLLECT_OBJECTS_H
#define WEFT_INPROC_COLLECT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of the event WYl. */
enum kind {
	KIND_MUTEX = 1,
	KIND_RWLOCK = 2,
	KIND_SPIN = 3,
	KIND_OMP_LOCK = 4,
	KIND_COND = 5,
	KIND_BARRIER = 6,
	KIND_SEM = 7,
	KIND_ONCE = 8,
	KIND_FUTEX = 9,
	/* not of WYl: files by name (fd.h) */
	KIND_FILE = 32,
};

struct object {
	uint64_t key;     /* atomic: address and kind; 0: free */
	uint32_t waiters; /* atomic: threads that wait now */
	uint32_t count;   /* atomic: number of threads that a barrier needs; 0:
	                   * unknown */
	uint64_t defined; /* atomic: put_is_defined() */
	uint32_t block;   /* atomic: path of the memory recorder that allocated
	                   * the block in which it lay when it was defined; 0: not
	                   * known */
};

/* Returns memory that is 0 and that a fork wipes, or NULL. */
void *wiped_pages(size_t size);

/* Makes the tables. Returns false if there is no memory. */
bool objects_init(void);

/* Returns the object, added if it is new; NULL: no room. */
struct object *object_at(const void *address, enum kind kind);

/* Returns the object, or NULL if it was not added. */
struct object *object_find(const void *address, enum kind kind);

/* Notes that an object begins at an address: what was known of the address does
 * not hold any longer. caller: the return address of the call that initialised
 * it, which is kept of the last 65 536 objects or so; NULL: an object ends. */
void object_begins(const void *address, enum kind kind, const void *caller);

/* Returns the object's number. Records the definition before the number is used
 * for the first time. */
uint32_t object_number(struct object *o);

/* Returns the number without recording a definition; o may be NULL. */
uint32_t object_place(const struct object *o);

/* Returns true if the number is of an object whose definition precedes what the
 * thread records now. */
bool object_is_defined(uint32_t number);

/* Returns the number of the code location before a return address. parent: the
 * location around it, as of its caller or its OpenMP region, or 0. */
uint32_t site_number(const void *caller, uint32_t parent);

/* Does the same for a return address and those of the calls around it, the
 * innermost first. */
enum { SITE_CALLS = 16 };
uint32_t site_path(const uint64_t *caller, int n, uint32_t parent);

/* Writes the code location before a return address as "prog+0x1234". */
#define SITE_TEXT 80
void site_text(const void *caller, char to[SITE_TEXT]);

/* Returns true if the address lies in a library whose waits are not those of
 * the program: a runtime that has a collector of its own, or ours. */
bool site_is_quiet(const void *caller);

/* Threads that wait for any object now; atomic. */
extern uint32_t *objects_waiting;

#endif
