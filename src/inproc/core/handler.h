/* SPDX-License-Identifier: MIT */
/*
 * handler.h - may the caller be in a handler of a signal?
 *
 * What allocates, or takes a lock of the C library, must not be done there: the
 * handler may have interrupted the same. The kernel's frame of a handler lies
 * on the stack above the caller. On x86-64 it has the address of the function
 * through which handlers return, on aarch64 the head of the saved vector
 * registers; on other processors the answer is always true. What has returned
 * leaves such frames behind, too: false is certain, true is not.
 */
#ifndef WEFT_INPROC_CORE_HANDLER_H
#define WEFT_INPROC_CORE_HANDLER_H

#include <stdbool.h>

/* Some microseconds; takes no lock, allocates nothing. */
bool weft_rt_handler_may_be(void);

#endif
