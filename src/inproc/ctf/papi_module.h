/* SPDX-License-Identifier: MIT */
/*
 * papi_module.h - counters of PAPI, which a module counts that is loaded when
 * one is asked for: weft-papi.so, built where libpapi is.
 *
 * Values are counted from the opening on, in the order in which the counters
 * were added. A counter is what PAPI_add_named_event() takes: PAPI_FP_OPS,
 * amd64_rapl::RAPL_ENERGY_PKG, sde:::my_library::steps.
 */
#ifndef WEFT_INPROC_CTF_PAPI_MODULE_H
#define WEFT_INPROC_CTF_PAPI_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/hwc.h"

enum { PAPI_LAYOUT = 1, PAPI_SETS = 4 };
#define PAPI_SYMBOL "weft_papi"

/* Of a thread: an event set of each component of PAPI. */
struct papi_sets {
	int n;
	struct papi_set {
		int id, component, n;
		unsigned char at[WEFT_HWC_MAX]; /* the value's place */
	} set[PAPI_SETS];
};

struct papi_module {
	int layout;
	/* One more, for threads that open later. NULL, or why it cannot be. */
	const char *(*add)(const char *name);
	/* Begins to count, in the calling thread. NULL, or why not. */
	const char *(*open)(struct papi_sets *s);
	void (*read)(const struct papi_sets *s, uint64_t *values);
	void (*close)(struct papi_sets *s);
};

/* Could PAPI have a counter of that name? */
bool weft_rt_papi_is(const char *name);

/* The module, which is loaded once. NULL: *why is what is missing. */
const struct papi_module *weft_rt_papi(const char **why);

#endif
