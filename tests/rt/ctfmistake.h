/* SPDX-License-Identifier: MIT */
/*
 * ctfmistake.h - acts of ctfact about the context of calls and their
 * arguments.
 *
 *	ctfact mistake tc       a call in task context where no task runs, on
 *	                        a CPU and by the main thread; without tc: no
 *	                        mistake
 *	ctfact context          with tracepoints of Nanos6: a call of a task
 *	                        where no task runs, an exit without its enter
 *	ctfact texts            a call with two texts of the maximal length
 *	ctfact often            tasks and calls in a loop, without a mistake
 *	ctfact moves            a thread waits in a task and goes on with it on
 *	                        another CPU, while others run on its first CPU
 */
#ifndef WEFT_TESTS_RT_CTFMISTAKE_H
#define WEFT_TESTS_RT_CTFMISTAKE_H

/* Makes the mistake that `what` names; NULL: none. */
void ctfmistake(const char *what);
void ctfmistake_moves(void);
void ctfmistake_nanos6(void);
void ctfmistake_often(void);
void ctfmistake_texts(void);

#endif
