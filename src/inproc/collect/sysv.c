/* SPDX-License-Identifier: MIT */
/*
 * sysv.c - message queues of POSIX and of System V, and semaphores of System V.
 */
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "inproc/code/peek.h"
#include "inproc/collect/call.h"

/* NOLINTBEGIN(bugprone-macro-parentheses,readability-function-size) - lists of
 * parameters */

/* A queue of POSIX is a descriptor of a file that is not like others. */
static bool
queue_waits(mqd_t q)
{
	int error = errno, flags = fcntl(q, F_GETFL);

	errno = error;
	return flags >= 0 && (flags & O_NONBLOCK) == 0;
}

/* Returns the number of a queue of System V. */
static uint32_t
queue_number(int id)
{
	char name[40] = "System V message queue ", digits[12];
	size_t n = strlen(name), k = 0;

	do
		digits[k++] = (char)('0' + id % 10);
	while ((id /= 10) > 0 && k < sizeof digits);
	while (k > 0)
		name[n++] = digits[--k];
	name[n] = '\0';
	return fd_path_number(name);
}

static const struct wait_row semaphore = { "WSw", "WSW", KIND_SEM, 0 };

/* A semaphore has no address: the set's id and its number in the set. */
static const void *
address_of(int set, const struct sembuf *op)
{
	return (const void *)(((uintptr_t)(unsigned)set << 16 | op->sem_num) +
		1);
}

/* The kernel takes at most 500 operations, unless the machine is set up
 * otherwise. */
enum { OPERATIONS = 500, AT_ONCE = 32 };

/* Hands over a semaphore to which an operation adds. Returns true if it may
 * wait. */
static bool
look_at(int set, const struct sembuf *op, const void *caller)
{
	if (op->sem_op <= 0)
		return (op->sem_flg & IPC_NOWAIT) == 0;
	wait_hand_over("WHp", address_of(set, op), KIND_SEM, NO_SECOND, caller);
	return false;
}

/* Returns the address of the first semaphore that operations may wait for, or
 * NULL. Those who wait for others are told before they can go on. */
static const void *
look_at_all(int set, const struct sembuf *op, size_t n, const void *caller)
{
	struct sembuf some[AT_ONCE];
	const void *waits = NULL;
	size_t got;

	for (size_t i = 0; n <= OPERATIONS && i < n; i += got) {
		got = n - i < AT_ONCE ? n - i : AT_ONCE;
		/* the kernel may refuse the array */
		got = code_peek(some, op + i, got * sizeof *some) /
			sizeof *some;
		for (size_t k = 0; k < got; k++)
			if (look_at(set, &some[k], caller) && waits == NULL)
				waits = address_of(set, &some[k]);
		if (got == 0)
			return NULL;
	}
	return waits;
}

#define QUEUE(result, name, kind, params, args) \
	WRAPPER result wrap_##name params; \
	static __typeof__(wrap_##name) *real_##name; \
	REAL_ENTRY(name, "2.3.4"); \
	TWO_VERSIONS(name, "2.3.4"); \
	result wrap_##name params \
	{ \
		struct waiting w; \
		result r; \
\
		if (!collect_does(IO) || !queue_waits(q)) \
			return REAL_OF(name) args; \
		call_begin(&w, kind, fd_number(q), CALLER, FRAME); \
		pthread_cleanup_push(call_cut, &w); \
		r = REAL_OF(name) args; \
		pthread_cleanup_pop(0); \
		call_end(&w, INT_RESULT(r)); \
		return r; \
	}

QUEUE(int, mq_send, CALL_SEND,
	(mqd_t q, const char *from, size_t n, unsigned priority),
	(q, from, n, priority))
QUEUE(int, mq_timedsend, CALL_SEND,
	(mqd_t q, const char *from, size_t n, unsigned priority,
		const struct timespec *t),
	(q, from, n, priority, t))
QUEUE(ssize_t, mq_receive, CALL_RECEIVE,
	(mqd_t q, char *to, size_t n, unsigned *priority), (q, to, n, priority))
QUEUE(ssize_t, mq_timedreceive, CALL_RECEIVE,
	(mqd_t q, char *to, size_t n, unsigned *priority,
		const struct timespec *t),
	(q, to, n, priority, t))

CALL(IO, int, msgsnd, "2.2.5", CALL_SEND, (flags & IPC_NOWAIT) == 0,
	queue_number(id), (int id, const void *from, size_t n, int flags),
	(id, from, n, flags))
CALL(IO, ssize_t, msgrcv, "2.2.5", CALL_RECEIVE, (flags & IPC_NOWAIT) == 0,
	queue_number(id), (int id, void *to, size_t n, long type, int flags),
	(id, to, n, type, flags))

#define SEMAPHORE(name, version, params, args) \
	CALL_REAL(int, name, version, params); \
	int wrap_##name params \
	{ \
		const void *waits; \
		struct waiting w; \
		int r; \
\
		if (!collect_looks()) \
			return REAL_OF(name) args; \
		waits = look_at_all(set, op, n, CALLER); \
		if (waits == NULL) \
			return REAL_OF(name) args; \
		wait_begin(&w, &semaphore, waits, CALLER, FRAME); \
		r = REAL_OF(name) args; \
		wait_end(&w, r == 0 ? GOT : FAILED); \
		return r; \
	}

SEMAPHORE(semop, "2.2.5", (int set, struct sembuf *op, size_t n), (set, op, n))
SEMAPHORE(semtimedop, "2.3.3",
	(int set, struct sembuf *op, size_t n, const struct timespec *t),
	(set, op, n, t))

/* NOLINTEND(bugprone-macro-parentheses,readability-function-size) */
