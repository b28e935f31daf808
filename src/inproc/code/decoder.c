/* SPDX-License-Identifier: MIT */
/* decoder.c - loads Zydis with the loader of a dynamic program. */
#include "inproc/code/decoder.h"

#include <dlfcn.h>
#include <stddef.h>

bool
decoder_find(struct decoder *d)
{
	static const char *const names[] = DECODER_NAMES;
	void **const to[] = { (void **)&d->init, (void **)&d->head,
		(void **)&d->operands, (void **)&d->enclosing };
	/* local: its names must not clash with the program's */
	void *z = dlopen("libZydis.so.4.0", RTLD_NOW | RTLD_LOCAL);

	if (z == NULL)
		z = dlopen("libZydis.so", RTLD_NOW | RTLD_LOCAL);
	if (z == NULL)
		return false;
	for (int i = 0; i < DECODER_FUNCTIONS; i++) {
		*to[i] = dlsym(z, names[i]);
		if (*to[i] == NULL)
			return false;
	}
	return true;
}
