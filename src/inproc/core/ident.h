/* SPDX-License-Identifier: MIT */
/*
 * ident.h - identifies a process uniquely among all machines.
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

/* The inode of the initial pid namespace of a machine. */
#define IDENT_PIDNS_INITIAL 4026531836u

enum { IDENT_TEXT = 160 };

struct ident {
	char boot[40];    /* id of the boot; empty: unknown */
	uint64_t pidns;   /* inode of the pid namespace; 0: unknown */
	int pid;          /* process id in that namespace */
	uint64_t started; /* clock ticks since boot; 0: unknown */
};

/* Returns the identity of the calling process. Safe in handlers. */
struct ident weft_rt_ident(void);

/* Writes the identity as JSON, with a newline; returns the length. */
size_t weft_rt_ident_text(const struct ident *id, char text[IDENT_TEXT]);

/* Parses the text of weft_rt_ident_text(); more keys may follow. Returns false
 * for any other text. */
bool weft_rt_ident_read(struct ident *id, const char *text);

/* Returns true if both identities are known and name the same process. */
bool weft_rt_ident_is_same(const struct ident *a, const struct ident *b);

/* Returns the start time, in clock ticks since boot, of the process with that
 * id in the pid namespace of /proc; pid 0: of the calling process. Returns 0 if
 * there is no such process or /proc is not readable. */
uint64_t weft_rt_ident_started(int pid);

#endif
