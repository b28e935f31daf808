/* SPDX-License-Identifier: MIT */
/*
 * reopen LIB TIMES - a program that is not linked with the library: TIMES times
 * it opens the library, records an event and closes the library.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	long times = argc > 2 ? atol(argv[2]) : 0;

	for (long i = 0; i < times; i++) {
		void *lib = dlopen(argv[1], RTLD_NOW);
		void (*jumbo)(const char *, const void *, uint32_t);

		if (!lib) {
			puts(dlerror());
			return 1;
		}
		*(void **)&jumbo = dlsym(lib, "weft_jumbo");
		jumbo("OUj", &i, sizeof(i));
		dlclose(lib);
	}
	puts("acted");
	return 7;
}
