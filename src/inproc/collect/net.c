/* SPDX-License-Identifier: MIT */
/*
 * net.c - sockets, and waits for several descriptors.
 */
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>

#include "inproc/code/peek.h"
#include "inproc/collect/call.h"

/* NOLINTBEGIN(bugprone-macro-parentheses,readability-function-size) - the
 * arguments are types, and lists of parameters */

#define SOCKET(result, name, version, kind, params, args) \
	CALL(IO, result, name, version, kind, \
		(flags & MSG_DONTWAIT) == 0 && fd_waits(fd), fd_number(fd), \
		params, args)

/* clang-format off */
SOCKET(ssize_t, recv, "2.2.5", CALL_RECEIVE,
	(int fd, void *to, size_t n, int flags), (fd, to, n, flags))
SOCKET(ssize_t, __recv_chk, "2.4", CALL_RECEIVE,
	(int fd, void *to, size_t n, size_t room, int flags),
	(fd, to, n, room, flags))
SOCKET(ssize_t, recvfrom, "2.2.5", CALL_RECEIVE,
	(int fd, void *to, size_t n, int flags, struct sockaddr *from,
		socklen_t *size), (fd, to, n, flags, from, size))
SOCKET(ssize_t, __recvfrom_chk, "2.4", CALL_RECEIVE,
	(int fd, void *to, size_t n, size_t room, int flags,
		struct sockaddr *from, socklen_t *size),
	(fd, to, n, room, flags, from, size))
SOCKET(ssize_t, recvmsg, "2.2.5", CALL_RECEIVE,
	(int fd, struct msghdr *to, int flags), (fd, to, flags))
SOCKET(int, recvmmsg, "2.12", CALL_RECEIVE,
	(int fd, struct mmsghdr *to, unsigned n, int flags,
		struct timespec *time), (fd, to, n, flags, time))
SOCKET(ssize_t, send, "2.2.5", CALL_SEND,
	(int fd, const void *from, size_t n, int flags), (fd, from, n, flags))
SOCKET(ssize_t, sendto, "2.2.5", CALL_SEND,
	(int fd, const void *from, size_t n, int flags,
		const struct sockaddr *to, socklen_t size),
	(fd, from, n, flags, to, size))
SOCKET(ssize_t, sendmsg, "2.2.5", CALL_SEND,
	(int fd, const struct msghdr *from, int flags), (fd, from, flags))
SOCKET(int, sendmmsg, "2.14", CALL_SEND,
	(int fd, struct mmsghdr *from, unsigned n, int flags),
	(fd, from, n, flags))
CALL(IO, int, accept, "2.2.5", CALL_ACCEPT, fd_waits(fd), fd_number(fd),
	(int fd, struct sockaddr *from, socklen_t *size), (fd, from, size))
CALL(IO, int, accept4, "2.10", CALL_ACCEPT, fd_waits(fd), fd_number(fd),
	(int fd, struct sockaddr *from, socklen_t *size, int flags),
	(fd, from, size, flags))
/* clang-format on */

/* A socket gets its name only when it is connected. */
WRAPPER int wrap_connect(int fd, const struct sockaddr *to, socklen_t size);
static int (*real_connect)(int fd, const struct sockaddr *to, socklen_t size);
REAL_ENTRY(connect, "2.2.5");
ONE_VERSION(connect, "2.2.5");

/* Returns true for an error after which the kernel goes on to connect. */
static bool
is_under_way(int error)
{
	return error == EINPROGRESS || error == EALREADY || error == EINTR;
}

int
wrap_connect(int fd, const struct sockaddr *to, socklen_t size)
{
	struct waiting w;
	uint32_t peer;
	int r;

	if (!collect_does(IO))
		return REAL_OF(connect)(fd, to, size);
	peer = fd_peer_number(fd, to, size);
	call_begin(&w, CALL_CONNECT, peer, CALLER, FRAME);
	pthread_cleanup_push(call_cut, &w);
	r = REAL_OF(connect)(fd, to, size);
	pthread_cleanup_pop(0);
	call_end(&w, INT_RESULT(r));
	if (r != 0 && is_under_way(errno))
		fd_connected(fd, peer);
	else
		fd_forget((unsigned)fd, (unsigned)fd);
	return r;
}

/* Returns the file that one descriptor of poll() stands for; 0: several. */
static uint32_t
number_of(const struct pollfd *fds, nfds_t n)
{
	struct pollfd one;

	return n == 1 && code_peek(&one, fds, sizeof one) == sizeof one
		? fd_number(one.fd)
		: 0;
}

/* Returns true for a time of 0 and one that cannot be read: the call does not
 * wait. */
static bool
is_null(const struct timespec *at)
{
	struct timespec t;

	if (at == NULL)
		return false;
	return code_peek(&t, at, sizeof t) < sizeof t ||
		(t.tv_sec == 0 && t.tv_nsec == 0);
}

#define POLL(name, version, waits, number, params, args) \
	CALL(IO, int, name, version, CALL_POLL, waits, number, params, args)

/* clang-format off */
POLL(poll, "2.2.5", ms != 0, number_of(fds, n),
	(struct pollfd *fds, nfds_t n, int ms), (fds, n, ms))
POLL(__poll_chk, "2.16", ms != 0, number_of(fds, n),
	(struct pollfd *fds, nfds_t n, int ms, size_t room), (fds, n, ms, room))
POLL(ppoll, "2.4", !is_null(time), number_of(fds, n),
	(struct pollfd *fds, nfds_t n, const struct timespec *time,
		const sigset_t *mask), (fds, n, time, mask))
POLL(__ppoll_chk, "2.16", !is_null(time), number_of(fds, n),
	(struct pollfd *fds, nfds_t n, const struct timespec *time,
		const sigset_t *mask, size_t room), (fds, n, time, mask, room))
POLL(select, "2.2.5", time == NULL || time->tv_sec != 0 || time->tv_usec != 0,
	0, (int n, fd_set *in, fd_set *out, fd_set *other,
		struct timeval *time), (n, in, out, other, time))
POLL(pselect, "2.2.5", !is_null(time), 0,
	(int n, fd_set *in, fd_set *out, fd_set *other,
		const struct timespec *time, const sigset_t *mask),
	(n, in, out, other, time, mask))
POLL(epoll_wait, "2.3.2", ms != 0, fd_number(fd),
	(int fd, struct epoll_event *to, int n, int ms), (fd, to, n, ms))
POLL(epoll_pwait, "2.6", ms != 0, fd_number(fd),
	(int fd, struct epoll_event *to, int n, int ms, const sigset_t *mask),
	(fd, to, n, ms, mask))
POLL(epoll_pwait2, "2.35", !is_null(time), fd_number(fd),
	(int fd, struct epoll_event *to, int n, const struct timespec *time,
		const sigset_t *mask), (fd, to, n, time, mask))
/* clang-format on */

/* NOLINTEND(bugprone-macro-parentheses,readability-function-size) */
