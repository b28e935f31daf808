/* SPDX-License-Identifier: MIT */
#include "inproc/mem/loader.h"

#include <dlfcn.h>
#include <stddef.h>

static uint64_t own_lo, own_hi; /* set at the start */

void *
loader_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

void *
loader_find(const char *name)
{
	return dlsym(RTLD_DEFAULT, name);
}

void
loader_own_code(uint64_t *lo, uint64_t *hi)
{
	struct dl_find_object us;

	if (_dl_find_object((void *)(uintptr_t)loader_own_code, &us) != 0)
		return;
	*lo = own_lo = (uint64_t)(uintptr_t)us.dlfo_map_start;
	*hi = own_hi = (uint64_t)(uintptr_t)us.dlfo_map_end;
}

/* The library's data lies between its code's limits, too. */
bool
loader_is_own_data(uint64_t address)
{
	return address >= own_lo && address < own_hi;
}
