/* SPDX-License-Identifier: MIT */
/*
 * say.h - prints the library's messages on standard error, and ends the process
 * after misuse.
 *
 * Misuse of the interface ends the process with one sentence and abort(), as
 * programs and scripts around ovni expect. A failing environment (a full disk)
 * is a warning.
 */
#ifndef WEFT_INPROC_CORE_SAY_H
#define WEFT_INPROC_CORE_SAY_H

/* Returns the text of strerror() untranslated: a translation might be loaded
 * from a file. */
const char *weft_rt_reason(int error);

/* Declares that the calling thread has its own table of descriptors: it prints
 * through the program's table. */
void weft_rt_say_from_aside(void);

/* Prints "FATAL: where: text", and the reason of errno if the text ends in
 * ":". */
void weft_rt_die(const char *where, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* Prints "WARN: text", with the reason likewise; under weft run, leaves it for
 * the end of that (unsaid.h). Keeps errno. */
void weft_rt_warn(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif
