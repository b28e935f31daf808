/* SPDX-License-Identifier: MIT */
/* sanitized.c - a program that makes one mistake for a sanitizer to find; a
 * letter selects it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shared;
static void *volatile lost;

static void *
race(void *unused)
{
	for (int i = 0; i < 100000; i++)
		shared++;
	return unused;
}

static void
two_threads(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, race, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

static void
leak(void)
{
	lost = malloc(5000);
	lost = NULL;
}

static void
overflow(int by)
{
	volatile int x = 0x7fffffff;

	x += by;
	printf("%d\n", x);
}

int
main(int argc, char **argv)
{
	char *volatile p = malloc(5000);
	int *volatile q = malloc(40);

	if (argc < 2 || p == NULL || q == NULL)
		return 2;
	memset(p, 1, 5000);
	switch (argv[1][0]) {
	case 'a':
		printf("%d\n", p[4998 + argc]);
		break;
	case 'l':
		leak();
		break;
	case 't':
		two_threads();
		break;
	case 'u':
		overflow(argc);
		break;
	case 'm':
		if (q[argc] != 0)
			puts("not 0");
		break;
	default:
		break;
	}
	free(q);
	free(p);
	return 3;
}
