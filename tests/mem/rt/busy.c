/* SPDX-License-Identifier: MIT */
/*
 * busy.c - forks while other threads are inside the recorder: they name blocks,
 * start threads and allocate. Each child does the same and exits; meanwhile the
 * threads rest. Prints how many children exited by themselves; a child that
 * waits for a lock whose holder does not exist in the child is killed. Handlers
 * of fork that the program registered before the recorder did allocate and
 * start threads, too.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "weft/mem.h"

enum { NAMES = 3000, CHILDREN = 20, BYTES = 4096, PATIENCE = 100 };

/* Accessed atomically; rounds[i] counts those of thread i. */
static bool is_over, is_busy;
static unsigned rounds[3];
static char *named;

/* Looks up the last of many names, which takes the longest. */
static void
name(int i)
{
	char text[16];

	snprintf(text, sizeof(text), "name %d", i);
	weft_mem_name(named, text);
}

static void
name_some(void)
{
	for (int i = 0; i < 32; i++)
		name(NAMES - 1);
	usleep(50); /* lets other threads take the lock */
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

static void
handle(void)
{
	allocate();
	make_thread();
}

static void
register_early(int argc, char *argv[], char *env[])
{
	(void)argc, (void)argv, (void)env;
	pthread_atfork(handle, handle, handle);
}

static void (*const before_libraries)(int, char *[], char *[])
	__attribute__((section(".preinit_array"), used)) = register_early;

static void (*const work[])(void) = { name_some, allocate, make_thread };

/* Does the work of this number again and again, but rests between forks. */
static void *
work_on(void *number)
{
	uintptr_t i = (uintptr_t)number;

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		if (__atomic_load_n(&is_busy, __ATOMIC_RELAXED)) {
			work[i]();
			__atomic_add_fetch(&rounds[i], 1, __ATOMIC_RELAXED);
		} else {
			usleep(100);
		}
	}
	return NULL;
}

/* Waits until each thread has done a round of its work. */
static void
wait_for_work(void)
{
	for (int i = 0; i < 3; i++) {
		unsigned before = __atomic_load_n(&rounds[i], __ATOMIC_RELAXED);

		while (__atomic_load_n(&rounds[i], __ATOMIC_RELAXED) == before)
			usleep(100);
	}
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
	pthread_t thread[3];
	int good = 0, status;

	named = malloc(BYTES);
	for (int i = 0; i < NAMES; i++)
		name(i);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work_on, (void *)(uintptr_t)i);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid;

		__atomic_store_n(&is_busy, true, __ATOMIC_RELAXED);
		wait_for_work();
		pid = fork();
		if (pid == 0)
			be_child();
		__atomic_store_n(&is_busy, false, __ATOMIC_RELAXED);
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
