/* SPDX-License-Identifier: MIT */
/*
 * hook.h - what a function that takes the place of another one looks like.
 */
#ifndef WEFT_INPROC_MEM_HOOK_H
#define WEFT_INPROC_MEM_HOOK_H

/* A name that the program finds before the C library's. */
#define HOOK __attribute__((visibility("default")))

/* Where a walk of the stack begins: the frame of whoever says it. The library
 * is compiled with frame pointers. */
#define HERE __builtin_frame_address(0)

#define SLOW __attribute__((noinline))

#endif
