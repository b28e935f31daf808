/* SPDX-License-Identifier: MIT */
#include "inproc/core/hush.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

void
weft_rt_hush(struct hush *h, int signal)
{
	sigset_t pending;
	int error = errno;

	sigemptyset(&h->only);
	sigaddset(&h->only, signal);
	pthread_sigmask(SIG_BLOCK, &h->only, &h->was);
	sigpending(&pending);
	h->is_pending = sigismember(&pending, signal);
	errno = error;
}

void
weft_rt_unhush(const struct hush *h)
{
	static const struct timespec now;
	int error = errno;

	if (!h->is_pending)
		sigtimedwait(&h->only, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &h->was, NULL);
	errno = error;
}

bool
weft_rt_hush_write(int fd, const void *data, size_t n, off_t at)
{
	struct hush limit;
	ssize_t done;

	weft_rt_hush(&limit, SIGXFSZ);
	errno = ENOSPC; /* a short write does not set errno */
	done = pwrite(fd, data, n, at);
	weft_rt_unhush(&limit);
	return done == (ssize_t)n;
}
