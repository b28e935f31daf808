/* SPDX-License-Identifier: MIT */
/*
 * bug.h - our own mistakes.
 *
 * BUG_ON(cond) ends the process with the place and the condition (SIGABRT,
 * exit code 134 in a shell) when something is wrong that no input can cause.
 * It is never used on bytes that we read: those get an err or a finding.
 */
#ifndef WEFT_BASE_BUG_H
#define WEFT_BASE_BUG_H

/* Prints "BUG: file:line: cond" and aborts. */
void bug_abort(const char *file, int line, const char *cond)
	__attribute__((noreturn, cold));

#define BUG_ON(cond) \
	do { \
		if (__builtin_expect(!!(cond), 0)) \
			bug_abort(__FILE__, __LINE__, #cond); \
	} while (0)

#endif
