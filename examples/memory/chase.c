/* SPDX-License-Identifier: MIT */
/*
 * chase.c - the same sum over a list and over an array.
 *
 *	weft run -e datacentric ./chase
 *
 * List and array have the same numbers and are read equally often. The report
 * charges nearly all time to the list: each element must be there before the
 * address of the next one is known.
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20, ROUNDS = 20 };

struct item {
	struct item *next;
	long value;
};

/* All items in one circle, in no order that a processor could guess. */
static struct item *
make_list(void)
{
	struct item *list = malloc(N * sizeof(*list));
	unsigned at = 0;

	for (unsigned i = 0; list != NULL && i < N; i++) {
		unsigned next = (at * 1664525 + 1013904223) % N;

		list[at].next = &list[next];
		list[at].value = i;
		at = next;
	}
	return list;
}

static long *
make_array(void)
{
	long *array = malloc(N * sizeof(*array));

	for (long i = 0; array != NULL && i < N; i++)
		array[i] = i;
	return array;
}

static __attribute__((noinline)) long
sum_of_list(const struct item *p)
{
	long sum = 0;

	for (int i = 0; i < N; i++, p = p->next)
		sum += p->value;
	return sum;
}

static __attribute__((noinline)) long
sum_of_array(const long *array)
{
	long sum = 0;

	for (int i = 0; i < N; i++)
		sum += array[i];
	return sum;
}

int
main(void)
{
	struct item *list = make_list();
	long *array = make_array(), sum = 0;

	if (list == NULL || array == NULL)
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		sum += sum_of_list(list);
		sum -= sum_of_array(array);
		array[i]++;
	}
	printf("%ld\n", sum);
	return 0;
}
