/* SPDX-License-Identifier: MIT */
/* plain - knows nothing of Weft: a thread waits for a mutex that another one
 * holds while it sleeps. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void *
hold(void *arg)
{
	const struct timespec nap = { .tv_nsec = 60000000 };

	pthread_mutex_lock(&mutex);
	pthread_barrier_wait(&barrier);
	nanosleep(&nap, NULL);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *
wait_for_mutex(void *arg)
{
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int
main(void)
{
	pthread_t thread[2];

	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&thread[0], NULL, hold, NULL) != 0 ||
		pthread_create(&thread[1], NULL, wait_for_mutex, NULL) != 0)
		return 1;
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
