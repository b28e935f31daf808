/* SPDX-License-Identifier: MIT */
/*
 * bug.h - assertions about our own code.
 *
 * BUG_ON(cond) prints the code location and the condition and ends the process
 * (SIGABRT, exit code 134 in a shell) when something is wrong that no input can
 * cause. Never use it to check bytes that were read: report those with an err
 * or a finding.
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
