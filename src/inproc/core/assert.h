/* SPDX-License-Identifier: MIT */
/*
 * assert.h - asserts stop the process where a bug of the library appears.
 *
 *	WEFT_ASSERT(tail_is_behind_head, tail <= head);
 *
 *	BUG tail_is_behind_head: ../src/inproc/core/drain.c:34: tail <= head
 *
 * The name says what holds, and is unique in the tree, so that a search for it
 * leads to the assert. A failed assert writes that line with one write(2) and
 * ends the process with SIGABRT: safe in signal handlers, under any lock, on a
 * stack of a page, in a child of fork. The compiler builds the line.
 *
 * Only builds with -Dasserts=enabled have asserts (debug and test builds have
 * them); in other builds nothing of an assert is left, not even its name. A
 * condition must read atomic fields atomically: an assert must not add a data
 * race.
 *
 * Public headers have no asserts: their code is compiled into the program.
 */
#ifndef WEFT_INPROC_CORE_ASSERT_H
#define WEFT_INPROC_CORE_ASSERT_H

#ifdef WEFT_ASSERTS

#include <stddef.h>

/* Writes n bytes to the standard error and ends the process. */
void weft_rt_assert_failed(const char *line, size_t n)
	__attribute__((noreturn, cold));

#define WEFT_ASSERT_TEXT(x) #x
#define WEFT_ASSERT_NUMBER(x) WEFT_ASSERT_TEXT(x)
#define WEFT_ASSERT_LINE(name, condition) \
	"BUG " #name ": " __FILE__ \
	":" WEFT_ASSERT_NUMBER(__LINE__) ": " condition "\n"
#define WEFT_ASSERT(name, condition) \
	do { \
		if (__builtin_expect(!(condition), 0)) \
			weft_rt_assert_failed( \
				WEFT_ASSERT_LINE(name, #condition), \
				sizeof(WEFT_ASSERT_LINE(name, #condition)) - \
					1); \
	} while (0)

#else

#define WEFT_ASSERT(name, condition) ((void)0)

#endif
#endif
