/* SPDX-License-Identifier: MIT */
/*
 * handler.h - tells whether the caller may be in a signal handler.
 *
 * In a handler code must not allocate or take a lock of the C library: the
 * handler may have interrupted the same function. The kernel's frame of a
 * handler lies on the stack above the caller. On x86-64 the frame has the
 * address of the function through which handlers return, on aarch64 the head of
 * the saved vector registers; on other processors the answer is always true.
 * Returned functions may leave such frames on the stack, too: false is certain,
 * true is not.
 */
#ifndef WEFT_INPROC_CORE_HANDLER_H
#define WEFT_INPROC_CORE_HANDLER_H

#include <stdbool.h>

/* Takes some microseconds; takes no lock, allocates nothing. */
bool weft_rt_handler_may_be(void);

#endif
