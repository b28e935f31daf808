/* SPDX-License-Identifier: MIT */
/* Starts threads that the kernel switches before a trace begins. */
#include "ctfearly.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "weft/ctf.h"

static atomic_bool is_over;

static void *
waits(void *none)
{
	fprintf(stderr, "early %d\n", (int)gettid());
	while (!is_over)
		usleep(1000);
	return none;
}

static void *
makes_another(void *none)
{
	pthread_t t;

	waits(none);
	pthread_create(&t, NULL, waits, NULL);
	pthread_join(t, NULL);
	return none;
}

void
ctfearly(void)
{
	static struct weft_ctf_tracepoint points[] = { { .name = "one" },
		{ 0 } };
	pthread_t t[5];

	for (int i = 0; i < 5; i++)
		pthread_create(&t[i], NULL, makes_another, NULL);
	usleep(20000);
	weft_ctf_start(&(struct weft_ctf_runtime){ .prefix = "mine",
		.points = points,
		.ncpus = (int)sysconf(_SC_NPROCESSORS_CONF) });
	weft_ctf_ev(&points[0]);
	usleep(50000);
	is_over = 1;
	for (int i = 0; i < 5; i++)
		pthread_join(t[i], NULL);
}
