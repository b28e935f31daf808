/* SPDX-License-Identifier: MIT */
/* A small runtime whose tasks call it, rightly and wrongly. */
#include "ctfmistake.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "weft/nanos6.h"

enum { CALL, START, END, BLOCK, WOKEN };

static struct weft_ctf_tracepoint points[] = {
	[CALL] = { .name = "call",
		.fields = "u32 id",
		.variants = WEFT_CTF_TC | WEFT_CTF_OC },
	[START] = { .name = "start",
		.fields = "u32 id",
		.does = WEFT_CTF_TASK_START },
	[END] = { .name = "end", .does = WEFT_CTF_TASK_END },
	[BLOCK] = { .name = "block", .does = WEFT_CTF_TASK_BLOCK },
	[WOKEN] = { .name = "woken", .does = WEFT_CTF_TASK_UNBLOCK },
	{ 0 },
};

static void
call(int in_task)
{
	weft_ctf_enter_u32(&points[CALL], in_task, 1);
	weft_ctf_exit(&points[CALL], in_task);
}

static void
runs_task(uint32_t id)
{
	weft_ctf_ev_u32(&points[START], id);
	call(1);
	weft_ctf_ev(&points[END]);
}

/* A call blocks its task, and another task runs on the CPU meanwhile. */
static void
blocks(uint32_t id)
{
	weft_ctf_ev_u32(&points[START], id);
	weft_ctf_enter_u32(&points[CALL], 1, 1);
	weft_ctf_ev(&points[BLOCK]);
	call(0);
	runs_task(id + 1);
	weft_ctf_ev(&points[WOKEN]);
	weft_ctf_exit(&points[CALL], 1);
	weft_ctf_ev(&points[END]);
}

static void *
does_right(void *cpu)
{
	if ((long)cpu >= 0)
		weft_ctf_cpu((int)(long)cpu);
	for (uint32_t i = 0; i < 100; i++) {
		call(0);
		blocks(10 * i + 1);
	}
	weft_ctf_leave();
	return NULL;
}

static void
does_wrong(const char *what)
{
	const struct weft_ctf_tracepoint *p = &points[CALL];

	if (strcmp(what, "tc") == 0) {
		call(1);
	} else if (strcmp(what, "oc") == 0) {
		weft_ctf_ev_u32(&points[START], 1);
		call(0);
		weft_ctf_ev(&points[END]);
	} else if (strcmp(what, "exit") == 0) {
		weft_ctf_exit(p, 0);
	} else if (strcmp(what, "other") == 0) {
		weft_ctf_enter_u32(p, 0, 1);
		weft_ctf_exit(p, 1);
		weft_ctf_exit(p, 0);
	} else if (strcmp(what, "open") == 0) {
		weft_ctf_enter_u32(p, 0, 1);
	} else if (strcmp(what, "killed") == 0) {
		weft_ctf_enter_u32(p, 0, 1);
		kill(getpid(), SIGKILL);
	} else if (strcmp(what, "inner") == 0) {
		weft_ctf_ev_u32(&points[START], 1);
		weft_ctf_enter_u32(p, 1, 1);
		weft_ctf_ev(&points[END]);
	} else if (strcmp(what, "start") == 0) {
		weft_ctf_ev_u32(&points[START], 1);
		runs_task(2);
		weft_ctf_ev(&points[END]);
	} else if (strcmp(what, "end") == 0) {
		weft_ctf_ev(&points[END]);
	} else if (strcmp(what, "woken") == 0) {
		weft_ctf_ev_u32(&points[START], 1);
		weft_ctf_ev(&points[WOKEN]);
		weft_ctf_ev(&points[END]);
	}
}

/* More events than a ring can hold. */
void
ctfmistake_often(void)
{
	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "mine", .points = points, .ncpus = 1 });
	weft_ctf_cpu(0);
	for (uint32_t i = 0; i < 200000; i++) {
		runs_task(i);
		call(0);
	}
	weft_ctf_leave();
}

void
ctfmistake(const char *what)
{
	pthread_t t[2];

	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "mine", .points = points, .ncpus = 2 });
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, does_right, (void *)(1 - 2 * i));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (!what)
		return;
	does_wrong(what);
	weft_ctf_cpu(0);
	does_wrong(what);
	weft_ctf_leave();
}

enum { RESUME, WAIT, BEGIN, FINISH, HOLD, GO_ON };
static struct weft_ctf_tracepoint moving[] = {
	[RESUME] = { .name = "resume",
		.fields = "u32 tid",
		.does = WEFT_CTF_THREAD_RESUME },
	[WAIT] = { .name = "wait", .variants = WEFT_CTF_TC },
	[BEGIN] = { .name = "run", .does = WEFT_CTF_TASK_START },
	[FINISH] = { .name = "finish", .does = WEFT_CTF_TASK_END },
	[HOLD] = { .name = "hold", .does = WEFT_CTF_TASK_BLOCK },
	[GO_ON] = { .name = "go_on", .does = WEFT_CTF_TASK_UNBLOCK },
	{ 0 },
};

static void
goes_to(int cpu)
{
	weft_ctf_cpu(cpu);
	weft_ctf_ev_u32(&moving[RESUME], (uint32_t)gettid());
}

static void *
runs_meanwhile(void *cpu)
{
	goes_to((int)(long)cpu);
	weft_ctf_ev(&moving[BEGIN]);
	weft_ctf_ev(&moving[FINISH]);
	weft_ctf_leave();
	return NULL;
}

void
ctfmistake_moves(void)
{
	pthread_t t;

	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "moving", .points = moving, .ncpus = 2 });
	goes_to(0);
	weft_ctf_ev(&moving[BEGIN]);
	weft_ctf_enter(&moving[WAIT], 1);
	weft_ctf_ev(&moving[HOLD]);
	weft_ctf_leave();
	pthread_create(&t, NULL, runs_meanwhile, (void *)0L);
	pthread_join(t, NULL);
	goes_to(1);
	weft_ctf_ev(&moving[GO_ON]);
	weft_ctf_exit(&moving[WAIT], 1);
	weft_ctf_ev(&moving[FINISH]);
	weft_ctf_leave();
}

#define N6(point) (&n6[WEFT_NANOS6_##point])
static struct weft_ctf_tracepoint n6[] = { WEFT_NANOS6_TRACEPOINTS{ 0 } };

void
ctfmistake_nanos6(void)
{
	uint32_t tid = (uint32_t)getpid();

	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "nanos6", .points = n6, .ncpus = 1 });
	weft_ctf_cpu(0);
	weft_ctf_ev_u32(N6(THREAD_CREATE), tid);
	weft_ctf_ev_u32(N6(THREAD_RESUME), tid);
	weft_ctf_enter(N6(TASKWAIT), 1);
	weft_ctf_exit(N6(TASKWAIT), 1);
	weft_ctf_exit(N6(UNBLOCK), 0);
	weft_ctf_ev_u32(N6(THREAD_SUSPEND), tid);
	weft_ctf_ev_u32(N6(THREAD_SHUTDOWN), tid);
	weft_ctf_leave();
}

void
ctfmistake_texts(void)
{
	static struct weft_ctf_tracepoint says[] = {
		{ .name = "say",
			.fields = "str a, str b",
			.variants = WEFT_CTF_TC,
			.counters = WEFT_CTF_TASK },
		{ .name = "start", .does = WEFT_CTF_TASK_START }, { 0 }
	};
	static char texts[2][512];

	memset(texts[0], 'a', 511);
	memset(texts[1], 'b', 511);
	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "mine", .points = says, .ncpus = 1 });
	weft_ctf_cpu(0);
	weft_ctf_ev(&says[1]);
	weft_ctf_enter_data(&says[0], 1, texts, sizeof(texts));
	weft_ctf_exit(&says[0], 1);
	weft_ctf_leave();
}
