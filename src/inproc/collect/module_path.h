/* SPDX-License-Identifier: MIT */
/*
 * module_path.h - the absolute path of a file that is mapped: the loader keeps
 * the name by which a module was loaded, such as "./plugin.so".
 */
#ifndef WEFT_INPROC_COLLECT_MODULE_PATH_H
#define WEFT_INPROC_COLLECT_MODULE_PATH_H

#include <stddef.h>

/* Writes the path of the file that is mapped at an address to `to`, without a
 * zero byte at its end, and cut off after `room` bytes. Returns its length, 0
 * if the kernel does not tell it. For signal handlers, too. */
size_t module_path(const void *at, char *to, size_t room);

#endif
