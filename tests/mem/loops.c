/* SPDX-License-Identifier: MIT */
/* loops - loops of many shapes over one array that fits in no cache and others
 * that always fit. Nearly all time is spent on the first. */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define LOOP static void __attribute__((noinline))

enum { COLD = 1 << 22, HOT = 256, STEPS = 1 << 16, NS = 120000000 };

struct node {
	struct node *next;
	long key, pad[6];
};

double cold[COLD], hot[HOT];
uint32_t hot_index[STEPS];
static struct node *nodes;
static volatile double result;

static uint32_t
other(uint32_t x)
{
	return x * 1664525u + 1013904223u;
}

LOOP
add_from_memory(uint32_t x)
{
	double sum = 0;

	for (int i = 0; i < STEPS; i++) {
		x = other(x);
		sum += cold[x >> 8 & (COLD - 1)];
		sum += hot[i & (HOT - 1)];
	}
	result += sum;
}

LOOP
two_loads(uint32_t x)
{
	double sum = 0;

	for (int i = 0; i < STEPS; i++) {
		double near = hot[i & (HOT - 1)];

		x = other(x);
		sum += near * cold[x >> 8 & (COLD - 1)];
	}
	result += sum;
}

LOOP
gather(uint32_t x)
{
	double sum = 0;

	for (int i = 0; i < STEPS; i++)
		sum += cold[hot_index[i] ^ (x & 0xffff)];
	result += sum;
}

LOOP
chase(uint32_t x)
{
	const struct node *n = &nodes[x % (COLD / 8)];
	double sum = 0;

	for (int i = 0; i < STEPS / 8; i++) {
		sum += (double)n->key;
		n = n->next;
	}
	result += sum;
}

LOOP
store(uint32_t x)
{
	for (int i = 0; i < STEPS; i++) {
		x = other(x);
		cold[x >> 8 & (COLD - 1)] = hot[i & (HOT - 1)];
	}
}

LOOP
unrolled(uint32_t x)
{
	double a = 0, b = 0;

	for (int i = 0; i < STEPS; i += 4) {
		x = other(x);
		a += cold[x >> 8 & (COLD - 1)] * hot[i & (HOT - 1)];
		b += hot[(i + 1) & (HOT - 1)];
		x = other(x);
		a += cold[x >> 8 & (COLD - 1)] * hot[(i + 2) & (HOT - 1)];
		b += hot[(i + 3) & (HOT - 1)];
	}
	result += a + b;
}

LOOP
by_columns(uint32_t x)
{
	double sum = 0;

	for (size_t j = x % 900; j < x % 900 + 16; j++)
		for (size_t k = 0; k < 2000; k++)
			sum += hot[k & (HOT - 1)] * cold[k * 2000 + j];
	result += sum;
}

static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * (int64_t)1000000000 + t.tv_nsec;
}

int
main(void)
{
	void (*const loop[])(uint32_t) = { add_from_memory, two_loads, gather,
		chase, store, unrolled, by_columns };
	uint32_t x = 1;

	nodes = malloc(COLD / 8 * sizeof(*nodes));
	if (nodes == NULL)
		return 1;
	for (uint32_t i = 0; i < COLD / 8; i++) {
		nodes[i].next = &nodes[other(i) % (COLD / 8)];
		nodes[i].key = i % HOT;
	}
	for (int i = 0; i < STEPS; i++)
		hot_index[i] = (x = other(x)) >> 8 & (COLD - 1);
	for (int i = 0; i < COLD; i++)
		cold[i] = i % 7;
	for (size_t i = 0; i < sizeof(loop) / sizeof(*loop); i++)
		for (int64_t end = now() + NS; now() < end;)
			loop[i](x = other(x));
	return 0;
}
