/* SPDX-License-Identifier: MIT */
/*
 * tell.h - a line on standard error, from a library to the user of the program.
 *
 * Only for problems that the user must see: a simulation that hangs, a call
 * that comes too late. Commands use log.h.
 */
#ifndef WEFT_BASE_TELL_H
#define WEFT_BASE_TELL_H

/* Prints the text and a newline. Texts begin with "weft: ". */
void tell_user(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), cold));

#endif
