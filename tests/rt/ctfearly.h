/* SPDX-License-Identifier: MIT */
/*
 * ctfearly.h - an act of ctfact: 5 threads exist before the trace begins; each
 * starts another one at the end. Their ids go to stderr.
 *
 * ctfact early
 */
#ifndef WEFT_TESTS_RT_CTFEARLY_H
#define WEFT_TESTS_RT_CTFEARLY_H

void ctfearly(void);

#endif
