/* SPDX-License-Identifier: MIT */
/*
 * inits.c - where locks begin and end. A lock on the heap or on a stack has no
 * variable that names it, so the code that initialised it does.
 */
#include <semaphore.h>
#include <threads.h>

#include "inproc/collect/wrap.h"

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */

/* Wraps a function that initialises or destroys the object `l`. version: the
 * first one of its symbol. caller: NULL at the end. */
#define NOTES(result, name, version, params) \
	WRAPPER result wrap_##name params; \
	static __typeof__(wrap_##name) *real_##name; \
	REAL_ENTRY(name, version);
#define BEGINS(name, version, params, args, kind) \
	NOTES(int, name, version, params) \
	int wrap_##name params \
	{ \
		int r = REAL_OF(name) args; \
\
		if (r == 0 && collect_looks()) \
			object_begins((const void *)l, kind, CALLER); \
		return r; \
	}
#define ENDS(name, version, type, kind) \
	NOTES(int, name, version, (type * l)) \
	int wrap_##name(type *l) \
	{ \
		if (collect_looks()) \
			object_begins((const void *)l, kind, NULL); \
		return REAL_OF(name)(l); \
	}
#define ENDS_C11(name, type, kind) \
	NOTES(void, name, "2.28", (type * l)) \
	void wrap_##name(type *l) \
	{ \
		if (collect_looks()) \
			object_begins((const void *)l, kind, NULL); \
		REAL_OF(name)(l); \
	}

/* clang-format off */
BEGINS(pthread_mutex_init, "2.2.5",
	(pthread_mutex_t *l, const pthread_mutexattr_t *a), (l, a), KIND_MUTEX)
BEGINS(pthread_rwlock_init, "2.2.5",
	(pthread_rwlock_t *l, const pthread_rwlockattr_t *a), (l, a), KIND_RWLOCK)
BEGINS(pthread_spin_init, "2.2.5", (pthread_spinlock_t *l, int is_shared),
	(l, is_shared), KIND_SPIN)
BEGINS(pthread_cond_init, "2.3.2",
	(pthread_cond_t *l, const pthread_condattr_t *a), (l, a), KIND_COND)
BEGINS(sem_init, "2.2.5", (sem_t *l, int is_shared, unsigned n),
	(l, is_shared, n), KIND_SEM)
BEGINS(mtx_init, "2.28", (mtx_t *l, int type), (l, type), KIND_MUTEX)
BEGINS(cnd_init, "2.28", (cnd_t *l), (l), KIND_COND)

ENDS(pthread_mutex_destroy, "2.2.5", pthread_mutex_t, KIND_MUTEX)
ENDS(pthread_rwlock_destroy, "2.2.5", pthread_rwlock_t, KIND_RWLOCK)
ENDS(pthread_spin_destroy, "2.2.5", pthread_spinlock_t, KIND_SPIN)
ENDS(pthread_cond_destroy, "2.3.2", pthread_cond_t, KIND_COND)
ENDS(pthread_barrier_destroy, "2.2.5", pthread_barrier_t, KIND_BARRIER)
ENDS(sem_destroy, "2.2.5", sem_t, KIND_SEM)
ENDS_C11(mtx_destroy, mtx_t, KIND_MUTEX)
ENDS_C11(cnd_destroy, cnd_t, KIND_COND)
/* clang-format on */

ONE_VERSION(pthread_mutex_init, "2.2.5");
TWO_VERSIONS(pthread_rwlock_init, "2.2.5");
TWO_VERSIONS(pthread_spin_init, "2.2.5");
ONE_VERSION(pthread_cond_init, "2.3.2");
TWO_VERSIONS(sem_init, "2.2.5");
TWO_VERSIONS(mtx_init, "2.28");
TWO_VERSIONS(cnd_init, "2.28");
ONE_VERSION(pthread_mutex_destroy, "2.2.5");
TWO_VERSIONS(pthread_rwlock_destroy, "2.2.5");
TWO_VERSIONS(pthread_spin_destroy, "2.2.5");
ONE_VERSION(pthread_cond_destroy, "2.3.2");
TWO_VERSIONS(pthread_barrier_destroy, "2.2.5");
TWO_VERSIONS(sem_destroy, "2.2.5");
TWO_VERSIONS(mtx_destroy, "2.28");
TWO_VERSIONS(cnd_destroy, "2.28");

/* NOLINTEND(bugprone-macro-parentheses) */
