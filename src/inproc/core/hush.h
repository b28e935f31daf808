/* SPDX-License-Identifier: MIT */
/*
 * hush.h - writes that raise no signal.
 *
 * A write beyond RLIMIT_FSIZE raises SIGXFSZ, a write to a pipe without reader
 * SIGPIPE, and both end a program without a handler. The library's writes must
 * not do so: between the two calls the signal is blocked, and a signal that
 * arrived is removed. The write still fails with EFBIG or EPIPE. errno is kept.
 */
#ifndef WEFT_INPROC_CORE_HUSH_H
#define WEFT_INPROC_CORE_HUSH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct hush {
	sigset_t was, only;
	bool is_pending; /* the signal was pending before: leave it */
};

void weft_rt_hush(struct hush *h, int signal);
void weft_rt_unhush(const struct hush *h);

/* Writes at a byte offset of a file without SIGXFSZ. */
bool weft_rt_hush_write(int fd, const void *data, size_t n, off_t at);

#endif
