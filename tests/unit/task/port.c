/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "../sim/agents.h"
#include "weft/task.h"

/* Records each call of a tracer as text. */
static void
starts(struct weft_tracer *t, const struct weft_task *task)
{
	(void)t;
	say("+%s\n", task->location);
}

static void
waits(struct weft_tracer *t, const struct weft_task *task,
	const struct weft_milestone *m)
{
	(void)t;
	say("!%s %s %s\n", task->location, m->kind, m->what);
}

static void
ends(struct weft_tracer *t, const struct weft_task *task)
{
	(void)t;
	say("-%s %lld\n", task->location, (long long)(task->end - task->start));
}

TEST(messages_in_buffers_are_tasks)
{
	static const struct weft_tracer_ops ops = {
		.start = starts, .milestone = waits, .end = ends
	};
	struct weft_tracer t = { .ops = &ops };
	struct weft_sim_msg msg[2] = { { .type = "A" }, { .type = "B" } };
	struct agents s;

	agents_open(&s, 2, 0, NULL);
	weft_sim_run(s.e);
	weft_task_collect_all(s.e, "Agent[?]", &t);
	for (int i = 0; i < 2; i++) {
		CHECK_INT(weft_task_port(&s.agent[i].port), 0);
		msg[i].dst = &s.agent[1].port;
	}
	CHECK_INT(weft_task_port(&s.agent[0].port), WEFT_SIM_TWICE);
	weft_sim_send(&s.agent[0].port, &msg[0]);
	weft_sim_send(&s.agent[0].port, &msg[1]);
	weft_sim_run(s.e);
	CHECK_STR(heard(),
		"+Agent[0].Port.Outgoing\n"
		"!Agent[0].Port.Outgoing queue Agent[0].Port\n"
		"+Agent[0].Port.Outgoing\n"
		"+Agent[1].Port.Incoming\n"
		"!Agent[1].Port.Incoming queue Agent[1].Port\n"
		"-Agent[0].Port.Outgoing 0\n"
		"!Agent[0].Port.Outgoing queue Agent[0].Port\n"
		"+Agent[1].Port.Incoming\n"
		"-Agent[0].Port.Outgoing 0\n"
		"-Agent[1].Port.Incoming 1000\n"
		"!Agent[1].Port.Incoming queue Agent[1].Port\n"
		"-Agent[1].Port.Incoming 2000\n");
	CHECK_INT(weft_sim_faults(s.e, WEFT_SIM_OK), 1);
	agents_close(&s);
}

/* A tracer that adds up what its callbacks receive. */
struct summing {
	struct weft_tracer tracer;
	uint64_t sum, tasks;
};

static void
add(struct weft_tracer *t, const struct weft_task *task)
{
	struct summing *s = (struct summing *)t;

	s->tasks += task->end >= 0;
	s->sum = s->sum * 1099511628211u + task->id * 7 + task->parent * 3 +
		(uint64_t)task->start + (uint64_t)task->end;
}

static uint64_t
run(int threads)
{
	static const struct weft_tracer_ops ops = { .start = add, .end = add };
	struct weft_sim_setup setup = { .threads = threads, .spread = true };
	struct summing sum = { .tracer.ops = &ops };
	struct agents s;

	agents_open(&s, 20, 30, &setup);
	for (int i = 0; i < s.n; i++)
		weft_task_port(&s.agent[i].port);
	weft_task_collect_all(s.e, "*", &sum.tracer);
	weft_sim_run(s.e);
	CHECK_INT(weft_sim_faults(s.e, WEFT_SIM_OK), 0);
	CHECK_INT(sum.tasks, 2 * 20 * 30);
	agents_close(&s);
	return sum.sum;
}

TEST(threads_give_tracers_what_one_gives)
{
	uint64_t one = run(1);

	CHECK(run(2) == one);
	CHECK(run(8) == one);
}

static void *
run_one(void *sum)
{
	*(uint64_t *)sum = run(2);
	return NULL;
}

TEST(two_simulations_trace_apart)
{
	uint64_t alone = run(1), sum[2] = { 0, 0 };
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, run_one, &sum[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	CHECK(sum[0] == alone);
	CHECK(sum[1] == alone);
}

TEST_MAIN(RUN(messages_in_buffers_are_tasks),
	RUN(threads_give_tracers_what_one_gives),
	RUN(two_simulations_trace_apart))
