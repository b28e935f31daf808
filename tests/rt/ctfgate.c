/* SPDX-License-Identifier: MIT */
/*
 * ctfgate.c - records numbers, calls and threads while recording is on, off,
 * and on again; threads are always recorded. With an argument it records while
 * other threads declare tracepoints and switch recording.
 */
#include <pthread.h>
#include <stdio.h>

#include "weft/ctf.h"

enum { NUMBER, CALL, THREAD, NPOINTS };

static struct weft_ctf_tracepoint points[NPOINTS + 1] = {
	[NUMBER] = { .name = "number", .fields = "u64 n" },
	[CALL] = { .name = "call",
		.fields = "u32 n",
		.variants = WEFT_CTF_TC | WEFT_CTF_OC },
	[THREAD] = { .name = "thread",
		.fields = "u32 n",
		.does = WEFT_CTF_KEPT },
};
static struct weft_ctf_tracepoint later[] = {
	{ .name = "later", .fields = "u32 n" }, { 0 }
};

static void
all(uint32_t n)
{
	weft_ctf_ev_u64(&points[NUMBER], n);
	weft_ctf_enter_u32(&points[CALL], 0, n);
	weft_ctf_exit(&points[CALL], 0);
	weft_ctf_ev_u32(&points[THREAD], n);
	weft_ctf_ev_u32(later, n);
}

enum { MANY = 100 };
static struct weft_ctf_tracepoint many[MANY][2];
static int is_over;

static void *
records(void *cpu)
{
	weft_ctf_cpu((int)(long)cpu);
	for (int i = 0; !__atomic_load_n(&is_over, __ATOMIC_RELAXED); i++) {
		weft_ctf_ev_u64(&points[NUMBER], 1);
		weft_ctf_ev(&many[i % MANY][0]);
	}
	weft_ctf_leave();
	return NULL;
}

static void *
switches(void *none)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		weft_off();
		weft_on();
	}
	return none;
}

/* Other threads declare and switch; at the end all tracepoints are on. */
static int
race(void)
{
	static char names[MANY][8];
	pthread_t t[3];
	int noff = 0;

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, records, (void *)i);
	pthread_create(&t[2], NULL, switches, NULL);
	for (int i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "p%d", i);
		many[i][0].name = names[i];
		weft_ctf_declare(many[i]);
	}
	__atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	/* the other threads may not have run yet */
	weft_ctf_cpu(0);
	weft_ctf_ev(&many[0][0]);
	weft_ctf_leave();
	for (int i = 0; i < MANY; i++)
		noff += many[i][0].event[0].id == 0;
	printf("%d are off\n", noff);
	return noff == 0 ? 7 : 1;
}

int
main(int argc, char **argv)
{
	(void)argv;
	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "mine", .points = points, .ncpus = 2 });
	if (argc > 1)
		return race();
	weft_ctf_cpu(0);
	all(1);
	weft_off();
	all(2);
	weft_ctf_declare(later);
	all(3);
	weft_on();
	all(4);
	weft_ctf_leave();
	puts("acted");
	return 7;
}
