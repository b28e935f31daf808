/* SPDX-License-Identifier: MIT */
/*
 * confine.h - notices seccomp: a thread that may make few system calls from now
 * on is recorded until then. After that, no wrapper does more than call the
 * real function, in this thread and in those that it makes.
 *
 * A filter that lets the recorder's calls pass changes nothing, nor does one
 * that refuses calls which the recorder can do without.
 */
#ifndef WEFT_INPROC_COLLECT_CONFINE_H
#define WEFT_INPROC_COLLECT_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if this system call, whose arguments are `a`, will confine the
 * calling thread or, if *all is set then, all threads. Keeps errno. */
bool confine_is_near(long number, const unsigned long a[4], bool *all)
	__attribute__((visibility("hidden"), cold));

/* Makes the calling thread one that is confined. */
void confine_thread(void) __attribute__((visibility("hidden")));

/* Does the same for a child that shares the thread's memory, as one of vfork(),
 * until it ends or executes a program. If the child is killed before, nothing
 * more is recorded of the thread. */
void confine_borrower(void) __attribute__((visibility("hidden")));

/* Undoes that, if it was done: the child's next call is one that ends it or
 * executes a program. Returns true if it was done. */
bool confine_returns(void) __attribute__((visibility("hidden")));

/* Says that all threads are confined, and removes this library from what
 * `environ` makes programs preload. */
void confine_children(void) __attribute__((visibility("hidden")));

/* Notes where this library is; at load. */
void confine_load(void) __attribute__((visibility("hidden")));

/* Returns how many bytes an environment without this library takes that the
 * calling thread is to pass on instead of this one to the program `path`, a
 * name to search for or NULL for one that is not known; 0: this one itself.
 * That is so in a confined thread, and where programs, or this one, could not
 * load the library. */
size_t confine_room(const char *path, char *const *env)
	__attribute__((visibility("hidden")));

/* Removes this library from `environ` while such a thread is in a function of
 * the C library that starts a program, if not all are confined.
 * Returns false if there is nothing to remove; else confine_environ_back()
 * follows. */
bool confine_environ(void) __attribute__((visibility("hidden")));
void confine_environ_back(void *none) __attribute__((visibility("hidden")));

/* In a child of fork, which has only the thread that called it: undoes what the
 * others were doing, and confines the programs of a confined thread. */
void confine_forked(void) __attribute__((visibility("hidden")));

/* Makes that environment, and returns it. */
char *const *confine_env(void *room, char *const *env)
	__attribute__((visibility("hidden")));

#endif
