/* SPDX-License-Identifier: MIT */
/*
 * busy.c - forks while other threads are inside the recorder: they name blocks,
 * start threads and allocate. Each child does the same and exits. Prints how
 * many children exited by themselves; a child that waits for a lock whose
 * holder does not exist in the child is killed.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "weft/mem.h"

enum { NAMES = 3000, CHILDREN = 20, BYTES = 4096, PATIENCE = 100 };

static bool is_over; /* accessed atomically */
static char *named;

/* Looks up the last of many names, which takes the longest. */
static void
name(int i)
{
	char text[16];

	snprintf(text, sizeof(text), "name %d", i);
	weft_mem_name(named, text);
}

static void *
name_on(void *unused)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		for (int i = 0; i < 32; i++)
			name(NAMES - 1);
		usleep(50); /* lets other threads take the lock */
	}
	return unused;
}

static void
allocate(void)
{
	void *p = malloc(BYTES);

	if (p != NULL)
		*(volatile char *)p = 1;
	free(p);
}

static void *
allocate_on(void *unused)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED))
		allocate();
	return unused;
}

static void *
nothing(void *unused)
{
	return unused;
}

static void
make_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, nothing, NULL) == 0)
		pthread_join(thread, NULL);
}

static void *
make_threads_on(void *unused)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED))
		make_thread();
	return unused;
}

static void
be_child(void)
{
	alarm(PATIENCE);
	name(NAMES - 1);
	make_thread();
	allocate();
	exit(0);
}

int
main(void)
{
	void *(*const work[])(
		void *) = { name_on, allocate_on, make_threads_on };
	pthread_t thread[3];
	int good = 0, status;

	named = malloc(BYTES);
	for (int i = 0; i < NAMES; i++)
		name(i);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work[i], NULL);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = fork();

		if (pid == 0)
			be_child();
		good += waitpid(pid, &status, 0) == pid && status == 0;
		if (good <= i)
			break; /* further children would hang for as long */
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("%d of %d children\n", good, (int)CHILDREN);
	free(named);
	return 0;
}
