/* SPDX-License-Identifier: MIT */
/*
 * api.h - what the public functions have in common: their preconditions.
 */
#ifndef WEFT_INPROC_OVNI_API_H
#define WEFT_INPROC_OVNI_API_H

#include "inproc/core/proc.h"
#include "inproc/core/say.h"
#include "inproc/ovni/thread.h"

/* The calling thread, which has to be ready, of a process that is. */
struct thread *weft_rt_need_thread(const char *where);

#endif
