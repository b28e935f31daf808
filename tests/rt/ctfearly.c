/* SPDX-License-Identifier: MIT */
/* Starts threads that the kernel schedules before a trace begins. */
#include "ctfearly.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "weft/ctf.h"

enum { EARLY = 5, WAKES = 10 };

static atomic_bool is_over, is_on;
static atomic_int nbegun,
	nseen; /* nbegun: threads that have begun; nseen: threads that the
                * kernel has scheduled often since recording began */

static void *
waits(void *none)
{
	int wakes = 0;

	fprintf(stderr, "early %d\n", (int)gettid());
	nbegun++;
	while (!is_over) {
		usleep(1000);
		wakes += is_on;
		nseen += wakes == WAKES && is_on;
	}
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
	pthread_t t[EARLY];

	for (int i = 0; i < EARLY; i++)
		pthread_create(&t[i], NULL, makes_another, NULL);
	while (nbegun < EARLY)
		usleep(1000);
	weft_ctf_start(&(struct weft_ctf_runtime){ .prefix = "mine",
		.points = points,
		.ncpus = (int)sysconf(_SC_NPROCESSORS_CONF) });
	weft_ctf_ev(&points[0]);
	is_on = true;
	while (nseen < EARLY)
		usleep(1000);
	is_over = true;
	for (int i = 0; i < EARLY; i++)
		pthread_join(t[i], NULL);
}
