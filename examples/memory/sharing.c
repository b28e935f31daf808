/* SPDX-License-Identifier: MIT */
/*
 * sharing.c - counters of two threads, in one cache line or apart.
 *
 *	weft run -e datacentric ./sharing          false sharing
 *	weft run -e datacentric ./sharing apart
 *
 * Each thread increments only its own counter, yet the report charges its time
 * to `counters`: the cache line moves from one processor to the other and back.
 * With "apart" the counters take no time.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 2, ROUNDS = 20000000, LONGS = 256 };

static _Alignas(64) _Atomic long counters[LONGS];
static int distance = 1; /* longs from one counter to the next */

static void *
count(void *number)
{
	_Atomic long *mine = &counters[*(int *)number * distance];

	for (int i = 0; i < ROUNDS; i++)
		atomic_fetch_add_explicit(mine, 1, memory_order_relaxed);
	return NULL;
}

int
main(int argc, char *argv[])
{
	pthread_t thread[THREADS];
	int number[THREADS];

	if (argc > 1 && strcmp(argv[1], "apart") == 0)
		distance = 16;
	for (int i = 0; i < THREADS; i++) {
		number[i] = i;
		if (pthread_create(&thread[i], NULL, count, &number[i]) != 0)
			return 1;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("%ld %ld\n", counters[0], counters[distance]);
	return 0;
}
