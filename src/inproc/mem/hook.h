/* SPDX-License-Identifier: MIT */
/*
 * hook.h - attributes of functions that replace others of the program.
 */
#ifndef WEFT_INPROC_MEM_HOOK_H
#define WEFT_INPROC_MEM_HOOK_H

/* Exports a name that the loader finds before the C library's. */
#define HOOK __attribute__((visibility("default")))

/* The caller's own frame, where a walk of the stack begins. The library is
 * compiled with frame pointers. */
#define HERE __builtin_frame_address(0)

#define SLOW __attribute__((noinline))

#endif
