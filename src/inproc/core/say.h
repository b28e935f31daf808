/* SPDX-License-Identifier: MIT */
/*
 * say.h - what the library says on standard error, and how it dies.
 *
 * Misuse of the interface ends the process with one sentence and abort(), as
 * programs and scripts around ovni expect. A failing environment (a full disk)
 * is a warning.
 */
#ifndef WEFT_INPROC_CORE_SAY_H
#define WEFT_INPROC_CORE_SAY_H

/* What strerror() says, without a translation, which it might load. */
const char *weft_rt_reason(int error);

/* The calling thread has a table of descriptors of its own: it borrows that of
 * the program to say something. */
void weft_rt_say_from_aside(void);

/* "FATAL: where: text", and the reason of errno if the text ends in ":". */
void weft_rt_die(const char *where, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* "WARN: text", likewise. Leaves errno alone. */
void weft_rt_warn(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif
