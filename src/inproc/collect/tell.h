/* SPDX-License-Identifier: MIT */
/*
 * tell.h - tells weft run, by a line in a file, which programs are executed: it
 * looks which of them cannot load this library.
 *
 *	+/usr/bin/sort
 *	-/bin/sh		without LD_PRELOAD in its environment
 *	!-/bin/sh		takes such a line back: the exec failed
 *
 * Children of vfork call these functions, too: they change no memory of the
 * process.
 */
#ifndef WEFT_INPROC_COLLECT_TELL_H
#define WEFT_INPROC_COLLECT_TELL_H

#include <stdbool.h>

/* Called at load: reads the name of the file. */
void tell_load(void) __attribute__((visibility("hidden")));

/* Writes the line of a program that is about to be executed, or, if the exec
 * has failed, the one that takes it back. Keeps errno. */
void tell_exec(const char *path, char *const *env, bool has_failed)
	__attribute__((visibility("hidden")));

enum { TELL_NAME = 256 };

/* Copies the name of a program. Returns it, or NULL if it cannot be read. */
const char *tell_name(char to[TELL_NAME], const char *path)
	__attribute__((visibility("hidden")));

#endif
