/* SPDX-License-Identifier: MIT */
/*
 * papi_module.h - the interface of weft-papi.so, a module that counts PAPI
 * counters. It is built where libpapi is installed, and loaded when such a
 * counter is asked for.
 *
 * Values count from the opening on, in the order in which the counters were
 * added. Names are those of PAPI_add_named_event(): PAPI_FP_OPS,
 * amd64_rapl::RAPL_ENERGY_PKG, sde:::my_library::steps.
 */
#ifndef WEFT_INPROC_CTF_PAPI_MODULE_H
#define WEFT_INPROC_CTF_PAPI_MODULE_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#include "weft/hwc.h"

enum { PAPI_LAYOUT = 1, PAPI_SETS = 4 };
#define PAPI_SYMBOL "weft_papi"

/* Event sets of a thread, one for each component of PAPI. */
struct papi_sets {
	int n;
	struct papi_set {
		int id, component, n;
		unsigned char at[WEFT_HWC_MAX]; /* indices of the values */
	} set[PAPI_SETS];
};

struct papi_module {
	int layout;
	/* Adds a counter, for threads that open later. Returns NULL, or the
	 * reason of a failure. */
	const char *(*add)(const char *name);
	/* Begins to count in the calling thread. Returns NULL, or the reason of
	 * a failure. */
	const char *(*open)(struct papi_sets *s);
	void (*read)(const struct papi_sets *s, uint64_t *values);
	void (*close)(struct papi_sets *s);
};

/* Loads the module for good; NULL: *why says what is wrong with the file.
 * Inline, since weft doctor tries the module without the recorder. */
static inline const struct papi_module *
papi_module_load(const char *path, const char **why)
{
	void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	const struct papi_module *m =
		file == NULL ? NULL : dlsym(file, PAPI_SYMBOL);

	*why = NULL;
	if (file == NULL)
		*why = dlerror();
	else if (m == NULL || m->layout != PAPI_LAYOUT)
		*why = "weft-papi.so is of another version of Weft";
	return *why == NULL ? m : NULL;
}

/* Returns true if the name may be one of PAPI's. */
bool weft_rt_papi_is(const char *name);

/* Returns the module, loaded once; NULL: *why says what is missing. */
const struct papi_module *weft_rt_papi(const char **why);

#endif
