/* SPDX-License-Identifier: MIT */
/*
 * lock.c - mutexes, read and write locks, and spin locks.
 */
#include <stddef.h>

#include "inproc/collect/wrap.h"

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */

/* The C library's own fields have the thread that holds a lock; 0: not known.
 */
static const struct wait_row mutex = { "WMm", "WMM", KIND_MUTEX,
	HAS_OWNER(offsetof(pthread_mutex_t, __data.__owner)) };
static const struct wait_row reader = { "WMr", "WMR", KIND_RWLOCK,
	HAS_OWNER(offsetof(pthread_rwlock_t, __data.__cur_writer)) };
static const struct wait_row writer = { "WMw", "WMW", KIND_RWLOCK,
	HAS_OWNER(offsetof(pthread_rwlock_t, __data.__cur_writer)) };
static const struct wait_row spin = { "WMs", "WMS", KIND_SPIN, 0 };

/* Tries a mutex. Where pthread_mutex_trylock() has other effects than the first
 * part of pthread_mutex_lock(), this function only looks at the lock, and
 * returns EINVAL to leave a free one to the real function: a robust mutex whose
 * owner died may be refused by the latter alone, and of a mutex with a ceiling
 * of priority, each refusal changes what the C library knows of the thread. */
enum {
	ROBUST = 0x10,
	PROTECT = 0x40,
	OWNER = 0x3fffffff, /* of a robust mutex */
	IS_TAKEN = 0x7ffff, /* of one with a ceiling, which is above */
};

static SLOW int
look_at_mutex(const pthread_mutex_t *l)
{
	uint32_t lock =
		(uint32_t)__atomic_load_n(&l->__data.__lock, __ATOMIC_RELAXED);
	uint32_t who = (l->__data.__kind & PROTECT) != 0 ? IS_TAKEN : OWNER;

	return (lock & who) != 0 ? EBUSY : EINVAL;
}

static inline int
try_mutex(pthread_mutex_t *l)
{
	if (__builtin_expect((l->__data.__kind & (ROBUST | PROTECT)) == 0, 1))
		return REAL(pthread_mutex_trylock)(l);
	return look_at_mutex(l);
}

#define NOW(type) (type * l)
#define TIMED(type) (type * l, const struct timespec *t)
#define CLOCKED(type) (type * l, clockid_t clock, const struct timespec *t)
#define SLOW_NOW(type) (type * l, const void *caller, const void *frame)
#define SLOW_TIMED(type) \
	(type * l, const struct timespec *t, const void *caller, \
		const void *frame)
#define SLOW_CLOCKED(type) \
	(type * l, clockid_t clock, const struct timespec *t, \
		const void *caller, const void *frame)
#define TIME_IS_VALID is_valid_time(CLOCK_REALTIME, t)
#define CLOCK_IS_VALID is_valid_time(clock, t)

/* can: as for TAKES_LOCK. A mutex that is free is taken whatever the time. */
/* clang-format off */
#define TAKES(type, name, try, row) \
	TAKES_LOCK(name, NOW(type), (l), SLOW_NOW(type), (l, caller, FRAME), try, \
		true, row)
#define TAKES_TIMED(type, name, try, can, row) \
	TAKES_LOCK(name, TIMED(type), (l, t), SLOW_TIMED(type), \
		(l, t, caller, FRAME), try, can, row)
#define TAKES_CLOCKED(type, name, try, can, row) \
	TAKES_LOCK(name, CLOCKED(type), (l, clock, t), SLOW_CLOCKED(type), \
		(l, clock, t, caller, FRAME), try, can, row)

TAKES(pthread_mutex_t, pthread_mutex_lock, try_mutex, &mutex)
TAKES_TIMED(pthread_mutex_t, pthread_mutex_timedlock, try_mutex, true,
	&mutex)
TAKES_CLOCKED(pthread_mutex_t, pthread_mutex_clocklock, try_mutex,
	is_valid_clock(clock), &mutex)
GIVES_LOCK(pthread_mutex_unlock, pthread_mutex_t, KIND_MUTEX)

TAKES(pthread_rwlock_t, pthread_rwlock_rdlock, REAL(pthread_rwlock_tryrdlock),
	&reader)
TAKES_TIMED(pthread_rwlock_t, pthread_rwlock_timedrdlock,
	REAL(pthread_rwlock_tryrdlock), TIME_IS_VALID, &reader)
TAKES_CLOCKED(pthread_rwlock_t, pthread_rwlock_clockrdlock,
	REAL(pthread_rwlock_tryrdlock), CLOCK_IS_VALID, &reader)
TAKES(pthread_rwlock_t, pthread_rwlock_wrlock, REAL(pthread_rwlock_trywrlock),
	&writer)
TAKES_TIMED(pthread_rwlock_t, pthread_rwlock_timedwrlock,
	REAL(pthread_rwlock_trywrlock), TIME_IS_VALID, &writer)
TAKES_CLOCKED(pthread_rwlock_t, pthread_rwlock_clockwrlock,
	REAL(pthread_rwlock_trywrlock), CLOCK_IS_VALID, &writer)
GIVES_LOCK(pthread_rwlock_unlock, pthread_rwlock_t, KIND_RWLOCK)

TAKES(pthread_spinlock_t, pthread_spin_lock, REAL(pthread_spin_trylock), &spin)
GIVES_LOCK(pthread_spin_unlock, pthread_spinlock_t, KIND_SPIN)

ONE_VERSION(pthread_mutex_lock, "2.2.5");
ONE_VERSION(pthread_mutex_unlock, "2.2.5");
TWO_VERSIONS(pthread_mutex_timedlock, "2.2.5");
TWO_VERSIONS(pthread_mutex_clocklock, "2.30");
TWO_VERSIONS(pthread_rwlock_rdlock, "2.2.5");
TWO_VERSIONS(pthread_rwlock_wrlock, "2.2.5");
TWO_VERSIONS(pthread_rwlock_timedrdlock, "2.2.5");
TWO_VERSIONS(pthread_rwlock_timedwrlock, "2.2.5");
TWO_VERSIONS(pthread_rwlock_clockrdlock, "2.30");
TWO_VERSIONS(pthread_rwlock_clockwrlock, "2.30");
TWO_VERSIONS(pthread_rwlock_unlock, "2.2.5");
TWO_VERSIONS(pthread_spin_lock, "2.2.5");
TWO_VERSIONS(pthread_spin_unlock, "2.2.5");

/* NOLINTEND(bugprone-macro-parentheses) */
