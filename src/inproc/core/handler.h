/* SPDX-License-Identifier: MIT */
/*
 * handler.h - may the caller be in a handler of a signal?
 *
 * What allocates, or takes a lock of the C library, must not be done there: the
 * handler may have interrupted the same. The kernel returns from a handler
 * through a function whose address lies in the handler's frame, so it stands on
 * the stack above the caller. What has returned leaves such frames behind, too:
 * false is certain, true is not.
 */
#ifndef WEFT_INPROC_CORE_HANDLER_H
#define WEFT_INPROC_CORE_HANDLER_H

#include <stdbool.h>

/* Some microseconds; takes no lock, allocates nothing. */
bool weft_rt_handler_may_be(void);

#endif
