/* SPDX-License-Identifier: MIT */
/* loaded.c - a library that the test program loads while it records: its lock
 * must be seen, too. */
#include <pthread.h>

__attribute__((visibility("default"))) int pass(pthread_mutex_t *m);
__attribute__((visibility("default"))) extern pthread_mutex_t own_lock;

pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;

int
pass(pthread_mutex_t *m)
{
	return pthread_mutex_unlock(m);
}
