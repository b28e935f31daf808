/* SPDX-License-Identifier: MIT */
/*
 * alien.h - programs that cannot load this library (code/foreign.h): they are
 * executed without it.
 */
#ifndef WEFT_INPROC_COLLECT_ALIEN_H
#define WEFT_INPROC_COLLECT_ALIEN_H

#include <stdbool.h>

/* Returns true if the program, a path or a name that execvp() searches for, or
 * the interpreter of a script cannot load this library. Returns false for NULL
 * and for files that cannot be read. Keeps errno, and changes no memory of the
 * process: children of vfork() call this function. */
bool alien_is(const char *path) __attribute__((visibility("hidden")));

#endif
