/* SPDX-License-Identifier: MIT */
/* loaded.c - a library for the test `run`. */
#include <pthread.h>

__attribute__((visibility("default"))) int pass(pthread_mutex_t *m);

int
pass(pthread_mutex_t *m)
{
	return pthread_mutex_unlock(m);
}
