/* SPDX-License-Identifier: MIT */
/* boot_id.h - the id of the boot of this machine. Safe in signal handlers. */
#ifndef WEFT_PERF_BOOT_ID_H
#define WEFT_PERF_BOOT_ID_H

#include <string.h>

#include "perf/smallfile.h"

/* Writes the id; "" if it is not known. */
static inline void
boot_id_read(char *to, size_t size)
{
	smallfile_read("/proc/sys/kernel/random/boot_id", to, size);
	to[strspn(to, "0123456789abcdef-")] = '\0';
}

#endif
