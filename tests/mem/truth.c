/* SPDX-License-Identifier: MIT */
/* truth - a program with phases that each wait for one variable; prints the
 * share of CPU time that each took, with the time to fill the variable, in
 * which a slow machine takes long for faults. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { NODES = 1 << 19, BYTES = 24 << 20, STACK = 2 << 20 };

struct node {
	struct node *next;
	long pad[7];
};

char table[BYTES];
static _Thread_local char local[2 << 20]; /* larger than small stacks */
static volatile long result;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *
own_malloc(size_t size)
{
	void *p = malloc(size);

	if (p == NULL)
		exit(1);
	return p;
}

static struct node *
build_list(void)
{
	struct node *list = own_malloc(NODES * sizeof *list);

	/* here, where each instruction that faults touches the list only */
	memset(list, 1, NODES * sizeof *list);
	for (size_t i = 0; i < NODES; i++)
		list[i].next = &list[(i * 1664525u + 1013904223u) % NODES];
	return list;
}

static void __attribute__((noinline))
walk_list(const struct node *n, long steps)
{
	while (steps-- > 0)
		n = n->next;
	result += n->pad[0];
}

static void __attribute__((noinline)) touch(char *p, size_t n, int rounds)
{
	while (rounds-- > 0)
		for (size_t i = 0; i < n; i += 64)
			p[i]++;
}

static void __attribute__((noinline)) use_stack(int rounds)
{
	char buffer[STACK];

	memset(buffer, 1, sizeof buffer);
	touch(buffer, sizeof buffer, rounds);
	result += buffer[64] + local[result & 63];
}

static void *
begin(void *nothing)
{
	return nothing;
}

int
main(void)
{
	struct node *list;
	char *map = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;
	double t[8];

	/* the recorder does not sample the first faults of a process, but
	 * samples those that come after its first thread */
	if (pthread_create(&thread, NULL, begin, NULL) != 0 ||
		pthread_join(thread, NULL) != 0)
		return 1;
	t[0] = now();
	list = build_list();
	t[1] = now();
	memset(table, 1, BYTES);
	t[2] = now();
	memset(map, 1, BYTES);
	t[3] = now();
	walk_list(list, 400000);
	t[4] = now();
	touch(table, BYTES, 80);
	t[5] = now();
	touch(map, BYTES, 40);
	t[6] = now();
	use_stack(1500);
	t[7] = now();
	for (int i = 0; i < 4; i++)
		printf("%s %.2f\n",
			(const char *[]){ "block of build_list", "table",
				"mapping of main", "buffer in use_stack" }[i],
			100 *
				(t[i + 4] - t[i + 3] +
					(i < 3 ? t[i + 1] - t[i] : 0)) /
				(t[7] - t[0]));
	return 0;
}
