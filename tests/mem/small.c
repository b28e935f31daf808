/* SPDX-License-Identifier: MIT */
/* small.c - three functions allocate list nodes: first hot and cold nodes in
 * turn, then late ones. One function walks the hot nodes, another the late
 * ones. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 100000, STEPS = 4000000 };

struct node {
	struct node *next;
	long value[5];
};

struct other {
	struct node *next;
	long value[9];
};

static struct node *hot[N], *cold[N], *late[N];

static struct node *
make_hot(void)
{
	return malloc(sizeof(struct node));
}

static struct node *
make_cold(void)
{
	return malloc(sizeof(struct other));
}

static struct node *
make_late(void)
{
	return malloc(sizeof(struct node));
}

static unsigned
next_random(void)
{
	static unsigned state = 1;

	return state = state * 1103515245u + 12345u;
}

/* Links the nodes into a circular list, in another order than their
 * addresses. */
static struct node *
link_all(struct node **p)
{
	for (unsigned i = N - 1; i > 0; i--) {
		unsigned j = (next_random() >> 8) % (i + 1);
		struct node *t = p[i];

		p[i] = p[j];
		p[j] = t;
	}
	for (int i = 0; i < N; i++)
		p[i]->next = p[(i + 1) % N];
	return p[0];
}

static __attribute__((noinline)) struct node *
walk_hot(struct node *p)
{
	for (int i = 0; i < STEPS; i++)
		p = p->next;
	return p;
}

static __attribute__((noinline)) struct node *
walk_late(struct node *p)
{
	for (int i = 0; i < STEPS; i++)
		p = p->next;
	return p;
}

int
main(void)
{
	for (int i = 0; i < N; i++) {
		hot[i] = make_hot();
		cold[i] = make_cold();
	}
	for (int i = 0; i < N; i++)
		late[i] = make_late();
	link_all(cold);
	return printf("%d\n",
		       walk_hot(link_all(hot)) == walk_late(link_all(late))) <
		0;
}
