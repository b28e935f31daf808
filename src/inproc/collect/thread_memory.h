/* SPDX-License-Identifier: MIT */
/*
 * thread_memory.h - where an address lies that is in no module: in the
 * thread-local storage of a thread, or on a stack.
 *
 * The storage of a thread for the modules that were loaded at the start lies
 * below the address that pthread_self() returns, above the thread's stack in
 * the same mapping, and is laid out the same way in all threads. That of
 * modules which were loaded later is elsewhere, and not recognised.
 */
#ifndef WEFT_INPROC_COLLECT_THREAD_MEMORY_H
#define WEFT_INPROC_COLLECT_THREAD_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct memory {
	int32_t tid;        /* whose storage or stack; 0: not known */
	bool is_local;      /* in thread-local storage */
	const void *module; /* an address in the module of the variable */
	uint64_t offset;    /* of the variable in the module's block */
};

/* Reads the limit of the main thread's stack and the layout of thread-local
 * storage. Called at load, in the main thread. */
void memory_load(void) __attribute__((visibility("hidden")));

/* Note that the calling thread begins, that it is the only one of a child of
 * fork, and that it ends. */
void memory_begin_thread(void) __attribute__((visibility("hidden")));
void memory_begin_child(void) __attribute__((visibility("hidden")));
void memory_end_thread(void) __attribute__((visibility("hidden")));

/* Returns where the address lies. Of the stacks only those of the main thread
 * and of the calling one are known. */
struct memory memory_of(uintptr_t address)
	__attribute__((visibility("hidden")));

#endif
