/* SPDX-License-Identifier: MIT */
/*
 * ways.c - uses each kind of memory in a way that does not depend on how the
 * program is linked: tests/mem/static links it dynamically and statically, and
 * the reports must be the same.
 *
 *	ways WHAT...      WHAT: blocks, pages, threads, fork, exec, now, work
 */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <weft/mem.h>

enum { LARGE = 1 << 20, MAPPED = 8 << 20, THREADS = 4, PAGE = 4096 };

static char table[LARGE];
static _Thread_local char mine[8192];
static volatile char sink;

static void *
touched(void *p, size_t bytes)
{
	memset(p, 1, bytes);
	return p;
}

static void
blocks(void)
{
	void *p, *list[8];
	int n = 0;

	list[n++] = touched(malloc(10000), 10000);
	list[n++] = calloc(100, 200);
	list[n++] = realloc(malloc(3000), 30000);
	list[n++] = reallocarray(NULL, 10, 5000);
	list[n++] = memalign(64, 7000);
	list[n++] = aligned_alloc(256, 8192);
	list[n++] = valloc(9000);
	if (posix_memalign(&p, 128, 6000) == 0)
		list[n++] = p;
	weft_mem_name(list[0], "first");
	for (int i = 0; i < n; i += 2)
		free(list[i]);
	sink = *(char *)pvalloc(5000);
	sink = *strdup(touched(malloc(2000), 1999)); /* a block of libc's */
}

static void
pages(void)
{
	char *p = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	touched(p, MAPPED);
	p = mremap(p, MAPPED, 2 * MAPPED, MREMAP_MAYMOVE);
	munmap(p, MAPPED);
	sink = *(char *)touched(sbrk(3 * PAGE), 3 * PAGE);
}

static void *
of_thread(void *unused)
{
	memset(mine, 2, sizeof mine);
	char *p = touched(malloc(50000), 50000);

	sink = p[sink];
	free(p);
	return unused;
}

static int
of_thrd(void *unused)
{
	of_thread(unused);
	return 0;
}

static void
with_threads(void)
{
	pthread_t p[THREADS];
	thrd_t t;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&p[i], NULL, of_thread, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(p[i], NULL);
	if (thrd_create(&t, of_thrd, NULL) == thrd_success)
		thrd_join(t, NULL);
}

static void
with_fork(void)
{
	pid_t child = fork();

	if (child == 0) {
		sink = *(char *)touched(malloc(70000), 70000);
		with_threads();
		exit(0);
	}
	waitpid(child, NULL, 0);
}

/* A walk through a list in random order waits for memory; the time on the local
 * array is a part of it. */
static void
work(void)
{
	enum { N = 1 << 22 };
	uint32_t *next = malloc(N * sizeof *next), at = 0, other;
	volatile char local[LARGE];
	uint64_t seed = 1;
	clock_t end;

	for (uint32_t i = 0; i < N; i++)
		next[i] = i;
	for (uint32_t i = N - 1; i > 0; i--) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		other = (uint32_t)(seed >> 33) % i;
		uint32_t was = next[i];

		next[i] = next[other];
		next[other] = was;
	}
	for (end = clock() + CLOCKS_PER_SEC / 6; clock() < end;)
		for (int i = 0; i < 100000; i++)
			at = next[at];
	for (end = clock() + CLOCKS_PER_SEC / 6; clock() < end;)
		for (int i = 0; i < LARGE; i += 64)
			local[i]++;
	for (end = clock() + CLOCKS_PER_SEC / 6; clock() < end;)
		for (int i = 0; i < LARGE; i += 64)
			((volatile char *)table)[i]++;
	sink = (char)at;
	free(next);
}

int
main(int argc, char *argv[])
{
	memset(table, 3, sizeof table);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "blocks") == 0)
			blocks();
		else if (strcmp(argv[i], "pages") == 0)
			pages();
		else if (strcmp(argv[i], "threads") == 0)
			with_threads();
		else if (strcmp(argv[i], "fork") == 0)
			with_fork();
		else if (strcmp(argv[i], "work") == 0)
			work();
		else if (strcmp(argv[i], "now") == 0)
			_exit(0);
		else if (strcmp(argv[i], "exec") == 0)
			return execv(
				argv[0], (char *[]){ argv[0], "blocks", NULL });
	}
	return 0;
}
