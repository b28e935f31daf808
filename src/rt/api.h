/* SPDX-License-Identifier: MIT */
/*
 * api.h - what the public functions have in common: their preconditions.
 */
#ifndef WEFT_RT_API_H
#define WEFT_RT_API_H

#include "rt/proc.h"
#include "rt/say.h"
#include "rt/thread.h"

/* The calling thread, which has to be ready, of a process that is. */
struct thread *weft_rt_need_thread(const char *where);

#endif
