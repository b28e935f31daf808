/* SPDX-License-Identifier: MIT */
/*
 * filters.h - which filters of system calls (seccomp) hold for weft run itself.
 */
#ifndef WEFT_CLI_RUN_FILTERS_H
#define WEFT_CLI_RUN_FILTERS_H

/* Sets WEFT_FILTERS to their number: the memory recorder leaves out programs
 * that are executed under further ones. */
void filters_tell(void);

#endif
