/* SPDX-License-Identifier: MIT */
/*
 * hush.h - writes that raise no signal.
 *
 * A file beyond RLIMIT_FSIZE raises SIGXFSZ, a pipe that nobody reads SIGPIPE,
 * and both end a program that has no handler. What we write is not to do so:
 * between the two calls the signal is blocked, and one that came is taken away.
 * The call that failed says EFBIG or EPIPE all the same. errno is kept.
 */
#ifndef WEFT_INPROC_CORE_HUSH_H
#define WEFT_INPROC_CORE_HUSH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct hush {
	sigset_t was, only;
	bool is_pending; /* it was before: not ours to take */
};

void weft_rt_hush(struct hush *h, int signal);
void weft_rt_unhush(const struct hush *h);

/* Writes at a place in a file without SIGXFSZ. */
bool weft_rt_hush_write(int fd, const void *data, size_t n, off_t at);

#endif
