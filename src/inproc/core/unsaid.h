/* SPDX-License-Identifier: MIT */
/*
 * unsaid.h - warnings that the recorder leaves for weft run.
 *
 * Under weft run nothing of the recorder goes to the program's standard error.
 * Its processes share a page with weft run, a file that WEFT_UNSAID names. Each
 * maps the page when it loads the recorder: later it may have lost the right to
 * open or write files (setuid, chroot, limits, seccomp). A program that another
 * user executes cannot map the page: its warnings are dropped. Without
 * WEFT_UNSAID, warnings go to standard error.
 */
#ifndef WEFT_INPROC_CORE_UNSAID_H
#define WEFT_INPROC_CORE_UNSAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNSAID_PAGE = 4096 };

/* The content of the file. Any process writes it. */
struct unsaid {
	uint32_t has_trouble; /* a process has told that its recording stops */
	uint32_t used;        /* bytes of text, and those that had no room */
	char text[UNSAID_PAGE - 8]; /* lines; the rest is 0 */
};

/* Maps the page; once, at load. WEFT_UNSAID=none drops all warnings. */
void weft_rt_unsaid_load(void);

/* Returns the directory of weft run, "" if this process was not started by one.
 * The program may have removed OVNI_TRACEDIR from its environment since. */
const char *weft_rt_unsaid_folder(void);

/* Leaves the line, which ends with a newline and a 0, unless the page has it
 * already. Returns false if the caller is to print the line. */
bool weft_rt_unsaid_keep(const char *line, size_t n);

/* Returns true if this process is to tell that its recording stops: of those of
 * a weft run, only the first. */
bool weft_rt_unsaid_is_first(void);

/* Returns true if the directory of weft run does not exist any more for this
 * process: that sees other directories (chroot), and the recorder must not make
 * its own among them. */
bool weft_rt_unsaid_is_elsewhere(void);

#endif
