/* SPDX-License-Identifier: MIT */
/*
 * family.c - records every event of the models ovni, nosv, nodes, tampi, mpi,
 * openmp and kernel, on 4 threads with a CPU each, and prints how often it
 * recorded each. (But not OCn, which is obsolete.)
 *
 *	family RANK NRANKS
 *
 * Each thread enters each state ROUNDS times, runs tasks, and is switched out.
 * Processes of several ranks record into one trace. It shows how a runtime of
 * one's own calls these models; tests/rt/family runs it.
 */
#include <ovni.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/trace.h>

#include "states.h"

#define THREADS 4
#define ROUNDS 3
#define TYPE 1 /* type of all tasks and worksharings */

enum { MARK_PHASE, MARK_STEP }; /* types of marks */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t created, moved;
static int32_t tids[THREADS];
static unsigned counts[128 * 128 * 128];

static unsigned
index_of(const char *code)
{
	return ((unsigned)code[0] & 127u) << 14 |
		((unsigned)code[1] & 127u) << 7 | ((unsigned)code[2] & 127u);
}

static void
count(const char *code)
{
	pthread_mutex_lock(&lock);
	counts[index_of(code)]++;
	pthread_mutex_unlock(&lock);
}

static void
event(const char *code)
{
	weft_ev(code);
	count(code);
}

static void
event_ids(const char *code, uint32_t a, uint32_t b)
{
	weft_ev_u32_u32(code, a, b);
	count(code);
}

static void
event_id(const char *code, uint32_t id)
{
	weft_ev_u32(code, id);
	count(code);
}

static void
event_data(const char *code, const void *data, size_t n)
{
	weft_ev_data(code, data, n);
	count(code);
}

/* Records an event of any size. */
static void
jumbo(const char *code, const void *data, uint32_t n)
{
	struct ovni_ev ev = { 0 };

	ovni_ev_set_clock(&ev, ovni_clock_now());
	ovni_ev_set_mcv(&ev, code);
	ovni_ev_jumbo_emit(&ev, data, n);
	count(code);
}

static void
create_type(const char *code, const char *label)
{
	struct {
		uint32_t id;
		char label[60];
	} type = { TYPE, "" };

	snprintf(type.label, sizeof(type.label), "%s", label);
	jumbo(code, &type, (uint32_t)(sizeof(type.id) + strlen(label) + 1));
}

static void
each_state(const struct state *s)
{
	for (; s->in[0] != '\0'; s++)
		for (int i = 0; i < ROUNDS; i++) {
			event(s->in);
			event(s->out);
		}
}

/* A task that pauses, and a body of the parallel task 1. */
static void
nosv_tasks(uint32_t me)
{
	int64_t counters[2] = { 1000, 2000 + me };
	uint32_t id = 10 + me;

	event_ids("VTc", id, TYPE);
	event_ids("VTx", id, 0);
	event_ids("VTp", id, 0);
	event_ids("VTr", id, 0);
	event_ids("VTe", id, 0);
	event_ids("VTx", 1, me);
	event_ids("VTe", 1, me);
	jumbo("VWC", counters, sizeof(counters));
}

static void
nosv(uint32_t me)
{
	static const char *const single[] = { "VPr", "VPa", "VPp", "VS@", "VSr",
		"VSs", "VHa", "VHA" };

	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		event(single[i]);
	nosv_tasks(me);
	each_state(nosv_states);
}

static void
openmp(uint32_t me)
{
	event_ids("PPc", me, TYPE);
	event_id("PPx", me);
	event_id("PQx", TYPE);
	event("PBs");
	event("PBS");
	event_id("PQe", TYPE);
	event_id("PPe", me);
	each_state(openmp_states);
}

static void
marks(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		ovni_mark_push(MARK_PHASE, 1);
		count("OM[");
		ovni_mark_set(MARK_STEP, i + 1);
		count("OM=");
		ovni_mark_pop(MARK_PHASE, 1);
		count("OM]");
	}
}

/* The thread moves to a CPU that no other thread uses. Then the thread before
 * it moves it back to its own CPU. */
static void
affinity(uint32_t me)
{
	uint32_t next = me % THREADS; /* index of the thread after this one */
	int32_t away = THREADS + (int32_t)me - 1;
	int32_t back[2] = { (int32_t)next, tids[next] };

	event_data("OAs", &away, sizeof(away));
	pthread_barrier_wait(&moved);
	event_data("OAr", back, sizeof(back));
	pthread_barrier_wait(&moved);
}

/* The events of ovni, but for those that begin and end the thread. */
static void
core(uint32_t me)
{
	static const char *const codes[] = { "OHc", "OHp", "OHw", "OHr", "OF[",
		"OF]", "OB.", "OU[", "OU]" };

	for (int i = 0; i < ROUNDS; i++)
		for (size_t j = 0; j < sizeof(codes) / sizeof(codes[0]); j++)
			event(codes[j]);
	marks();
	affinity(me);
}

static void
begin_thread(uint32_t me)
{
	struct {
		int32_t cpu, creator;
		uint64_t tag;
	} start = { (int32_t)me - 1, -1, 0 };

	tids[me - 1] = (int32_t)gettid();
	ovni_thread_init(tids[me - 1]);
	ovni_attr_set_boolean("nosv.can_breakdown", 1);
	ovni_attr_set_str("nosv.hwc.0.name", "INSTRUCTIONS");
	ovni_attr_set_str("nosv.hwc.1.name", "CYCLES");
	ovni_attr_flush();
	event_data("OHx", &start, sizeof(start));
}

/* me: number of the thread, 1 to THREADS. Thread 1 creates the tasks that all
 * threads share. */
static void *
work(void *arg)
{
	uint32_t me = *(uint32_t *)arg;

	begin_thread(me);
	if (me == 1) {
		create_type("VYc", "job");
		create_type("POc", "loop");
		event_ids("VTC", 1, TYPE);
	}
	pthread_barrier_wait(&created);
	core(me);
	nosv(me);
	openmp(me);
	each_state(nodes_states);
	each_state(tampi_states);
	each_state(mpi_states);
	event("KCO");
	event("KCI");
	event("OHe");
	ovni_thread_free();
	return NULL;
}

static void
run(void)
{
	pthread_t thread[THREADS];
	uint32_t me[THREADS];

	for (uint32_t i = 0; i < THREADS; i++) {
		/* OHC: its CPU, and the tag in two halves */
		event_data("OHC", (uint32_t[3]){ i, 0, 0 }, 12);
		me[i] = i + 1;
		if (pthread_create(&thread[i], NULL, work, &me[i]) != 0)
			exit(1);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

int
main(int argc, char *argv[])
{
	char loom[64];
	int rank;

	if (argc != 3) {
		fprintf(stderr, "usage: family RANK NRANKS\n");
		return 2;
	}
	rank = (int)strtol(argv[1], NULL, 10);
	snprintf(loom, sizeof(loom), "node%d", rank);
	ovni_version_check();
	ovni_proc_init(1, loom, getpid());
	ovni_thread_init(gettid());
	ovni_proc_set_rank(rank, (int)strtol(argv[2], NULL, 10));
	for (int i = 0; i < 2 * THREADS; i++)
		ovni_add_cpu(i, i);
	ovni_mark_type(MARK_PHASE, OVNI_MARK_STACK, "phase");
	ovni_mark_label(MARK_PHASE, 1, "Solve");
	ovni_mark_type(MARK_STEP, 0, "step");
	ovni_mark_label(MARK_STEP, 1, "First");
	ovni_mark_label(MARK_STEP, 2, "Second");
	ovni_mark_label(MARK_STEP, 3, "Third");
	ovni_attr_set_boolean("nosv.can_breakdown", 1);
	pthread_barrier_init(&created, NULL, THREADS);
	pthread_barrier_init(&moved, NULL, THREADS);
	event_data("OHx", (int32_t[4]){ -1, -1, 0, 0 }, 16);
	run();
	event("OHe");
	ovni_thread_free();
	ovni_proc_fini();
	for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (counts[i] > 0)
			printf("%c%c%c %u\n", i >> 14, i >> 7 & 127, i & 127,
				counts[i]);
	return 0;
}
