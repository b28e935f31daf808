/* SPDX-License-Identifier: MIT */
/*
 * memory_limit.h - how much memory the control groups of this process allow it,
 * as in a container.
 *
 * Format of the files: Documentation/admin-guide/cgroup-v2.rst and
 * cgroup-v1/memory.rst of the Linux kernel.
 */
#ifndef WEFT_CLI_RUN_MEMORY_LIMIT_H
#define WEFT_CLI_RUN_MEMORY_LIMIT_H

#include <stdint.h>

struct arena;

/* Returns the least limit in bytes of the groups and those around them;
 * UINT64_MAX: there is none, or it cannot be read. list: /proc/self/cgroup;
 * folder: where the groups are mounted, /sys/fs/cgroup. */
uint64_t memory_limit(struct arena *a, const char *list, const char *folder);

#endif
