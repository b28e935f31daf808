/* SPDX-License-Identifier: MIT */
/*
 * real.h - the functions that the wrappers replace: those of the C library, or
 * of whoever replaced them before.
 */
#ifndef WEFT_INPROC_COLLECT_REAL_H
#define WEFT_INPROC_COLLECT_REAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <time.h>

/* A row is a function: its result, its name, the version of its symbol (NULL:
 * the newest) and its arguments. Conditions of another version have another
 * layout. */
/* clang-format off */
#define REAL_FUNCTIONS(ROW) \
	ROW(int, pthread_mutex_lock, NULL, (pthread_mutex_t *)) \
	ROW(int, pthread_mutex_trylock, NULL, (pthread_mutex_t *)) \
	ROW(int, pthread_mutex_timedlock, NULL, \
		(pthread_mutex_t *, const struct timespec *)) \
	ROW(int, pthread_mutex_clocklock, NULL, \
		(pthread_mutex_t *, clockid_t, const struct timespec *)) \
	ROW(int, pthread_mutex_unlock, NULL, (pthread_mutex_t *)) \
	ROW(int, pthread_rwlock_rdlock, NULL, (pthread_rwlock_t *)) \
	ROW(int, pthread_rwlock_wrlock, NULL, (pthread_rwlock_t *)) \
	ROW(int, pthread_rwlock_tryrdlock, NULL, (pthread_rwlock_t *)) \
	ROW(int, pthread_rwlock_trywrlock, NULL, (pthread_rwlock_t *)) \
	ROW(int, pthread_rwlock_timedrdlock, NULL, \
		(pthread_rwlock_t *, const struct timespec *)) \
	ROW(int, pthread_rwlock_timedwrlock, NULL, \
		(pthread_rwlock_t *, const struct timespec *)) \
	ROW(int, pthread_rwlock_clockrdlock, NULL, \
		(pthread_rwlock_t *, clockid_t, const struct timespec *)) \
	ROW(int, pthread_rwlock_clockwrlock, NULL, \
		(pthread_rwlock_t *, clockid_t, const struct timespec *)) \
	ROW(int, pthread_rwlock_unlock, NULL, (pthread_rwlock_t *)) \
	ROW(int, pthread_spin_lock, NULL, (pthread_spinlock_t *)) \
	ROW(int, pthread_spin_trylock, NULL, (pthread_spinlock_t *)) \
	ROW(int, pthread_spin_unlock, NULL, (pthread_spinlock_t *)) \
	ROW(int, pthread_cond_wait, "GLIBC_2.3.2", \
		(pthread_cond_t *, pthread_mutex_t *)) \
	ROW(int, pthread_cond_timedwait, "GLIBC_2.3.2", \
		(pthread_cond_t *, pthread_mutex_t *, const struct timespec *)) \
	ROW(int, pthread_cond_clockwait, NULL, \
		(pthread_cond_t *, pthread_mutex_t *, clockid_t, \
			const struct timespec *)) \
	ROW(int, pthread_cond_signal, "GLIBC_2.3.2", (pthread_cond_t *)) \
	ROW(int, pthread_cond_broadcast, "GLIBC_2.3.2", (pthread_cond_t *)) \
	ROW(int, pthread_barrier_init, NULL, \
		(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned)) \
	ROW(int, pthread_barrier_wait, NULL, (pthread_barrier_t *)) \
	ROW(int, sem_wait, NULL, (sem_t *)) \
	ROW(int, sem_trywait, NULL, (sem_t *)) \
	ROW(int, sem_timedwait, NULL, (sem_t *, const struct timespec *)) \
	ROW(int, sem_clockwait, NULL, \
		(sem_t *, clockid_t, const struct timespec *)) \
	ROW(int, sem_post, NULL, (sem_t *)) \
	ROW(int, pthread_join, NULL, (pthread_t, void **)) \
	ROW(int, pthread_tryjoin_np, NULL, (pthread_t, void **)) \
	ROW(int, pthread_timedjoin_np, NULL, \
		(pthread_t, void **, const struct timespec *)) \
	ROW(int, pthread_clockjoin_np, NULL, \
		(pthread_t, void **, clockid_t, const struct timespec *))
/* clang-format on */

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */
#define REAL_MEMBER(result, name, version, arguments) result(*name) arguments;

/* Written by the first call or at load, always with the same values. */
struct real {
	REAL_FUNCTIONS(REAL_MEMBER)
};

/* NOLINTEND(bugprone-macro-parentheses) */

extern struct real real;

/* Says that the function is in none of the libraries, and ends the process. */
void real_give_up(const char *name) __attribute__((noreturn));

/* Finds all functions. Ends the process if `name`, which is called, is in none
 * of the libraries. */
void real_find(const char *name);

/*
 * A wrapper with an entry has the pointer to its real function beside it, and
 * the entries of all files form one table.
 *
 *	static ssize_t (*real_read)(int, void *, size_t);
 *	REAL_ENTRY(read, "2.2.5");
 *	... REAL_OF(read)(fd, to, n)
 */
struct real_entry {
	void **real;
	const char *name, *version;
};

/* The section holds pointers, since gcc may pad larger objects. */
#define REAL_ENTRY(name, version) \
	static const struct real_entry entry_##name = { (void **)&real_##name, \
		#name, "GLIBC_" version }; \
	static const struct real_entry *const at_##name \
		__attribute__((section("weft_real"), used)) = &entry_##name

/* Find the functions of one entry, or of all. */
void real_find_one(const struct real_entry *e)
	__attribute__((visibility("hidden"), cold));
void real_find_entries(void) __attribute__((visibility("hidden"), cold));

#define REAL_OF(name) \
	(__builtin_expect(real_##name == NULL, 0) \
			? real_find_one(&entry_##name) \
			: (void)0, \
		real_##name)

/* Returns the real function. */
#define REAL(name) \
	(__builtin_expect(real.name == NULL, 0) ? real_find(#name) : (void)0, \
		real.name)

#endif
