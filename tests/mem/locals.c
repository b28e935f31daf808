/* SPDX-License-Identifier: MIT */
/* locals - two threads touch thread-local arrays, two of the program and one of
 * a library; prints the share of CPU time that each array took. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "locals.h"

static _Thread_local char mine[LOCAL_BYTES];
_Thread_local char yours[LOCAL_BYTES] = { 1 };

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds that each phase took. */
static void *
run(void *seconds)
{
	double *to = seconds, t[4];

	t[0] = now();
	local_touch(mine, 4000);
	t[1] = now();
	local_touch(yours, 8000);
	t[2] = now();
	library_touch(16000);
	t[3] = now();
	for (int i = 0; i < 3; i++)
		to[i] = t[i + 1] - t[i];
	return NULL;
}

int
main(void)
{
	static const char *const names[] = { "mine", "yours", "theirs" };
	double a[3] = { 0 }, b[3] = { 0 }, all = 0;
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, a) != 0)
		return 1;
	run(b);
	pthread_join(thread, NULL);
	for (int i = 0; i < 3; i++)
		all += a[i] + b[i];
	for (int i = 0; i < 3; i++)
		printf("%s %.2f\n", names[i], 100 * (a[i] + b[i]) / all);
	return 0;
}
