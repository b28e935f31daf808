/* SPDX-License-Identifier: MIT */
/* decoder.c - loads Zydis with the loader of a dynamic program. */
#include "inproc/code/decoder.h"

#include <dlfcn.h>

bool
decoder_find(struct decoder *d)
{
	/* local: its names must not clash with the program's */
	void *z = dlopen("libZydis.so.4.0", RTLD_NOW | RTLD_LOCAL);

	if (z == NULL)
		z = dlopen("libZydis.so", RTLD_NOW | RTLD_LOCAL);
	return z != NULL && decoder_fill(d, dlsym, z);
}
