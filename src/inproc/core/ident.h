/* SPDX-License-Identifier: MIT */
/*
 * ident.h - who a process is: no other process of any machine is the same.
 *
 * A process id alone names a process only within one pid namespace of one boot
 * of one machine, and only until the kernel gives the number away again. The
 * boot, the namespace and the time of the start make it unique.
 *
 *	{"boot": "1d7a...", "pidns": 4026531836, "pid": 17, "started": 4711}
 */
#ifndef WEFT_INPROC_CORE_IDENT_H
#define WEFT_INPROC_CORE_IDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The inode of the pid namespace in which a machine starts. */
#define IDENT_PIDNS_INITIAL 4026531836u

enum { IDENT_TEXT = 160 };

struct ident {
	char boot[40];    /* id of the boot; empty: unknown */
	uint64_t pidns;   /* inode of the pid namespace; 0: unknown */
	int pid;          /* in that namespace */
	uint64_t started; /* clock ticks since boot; 0: unknown */
};

/* Returns the identity of the calling process. Safe in handlers. */
struct ident weft_rt_ident(void);

/* Writes the identity as JSON, with a newline; returns the length. */
size_t weft_rt_ident_text(const struct ident *id, char text[IDENT_TEXT]);

/* Reads what weft_rt_ident_text() wrote; more keys may follow. Returns false
 * for anything else. */
bool weft_rt_ident_read(struct ident *id, const char *text);

/* Returns whether both are known and name one process. */
bool weft_rt_ident_is_same(const struct ident *a, const struct ident *b);

/* Returns when the process with that id in the pid namespace of /proc started,
 * in clock ticks since boot; pid 0: the calling one. 0: there is none, or /proc
 * does not say. */
uint64_t weft_rt_ident_started(int pid);

#endif
