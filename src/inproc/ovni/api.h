/* SPDX-License-Identifier: MIT */
/*
 * api.h - preconditions that the public functions share.
 */
#ifndef WEFT_INPROC_OVNI_API_H
#define WEFT_INPROC_OVNI_API_H

#include "inproc/core/proc.h"
#include "inproc/core/say.h"
#include "inproc/ovni/thread.h"

/* Returns the calling thread; dies unless process and thread are ready. */
struct thread *weft_rt_need_thread(const char *where);

#endif
