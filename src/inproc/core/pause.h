/* SPDX-License-Identifier: MIT */
/*
 * pause.h - tells the processor that this loop waits for another processor.
 */
#ifndef WEFT_INPROC_CORE_PAUSE_H
#define WEFT_INPROC_CORE_PAUSE_H

static inline void
weft_rt_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
	__asm__ volatile("yield" ::: "memory");
#elif defined(__riscv)
	__asm__ volatile(".insn i 0x0f, 0, x0, x0, 0x010" ::: "memory");
#elif defined(__powerpc__)
	__asm__ volatile("or 27,27,27" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

#endif
