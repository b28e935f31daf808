/* SPDX-License-Identifier: MIT */
#include "kit.h"

/* A tracer that records each of its calls as text. */
struct scribe {
	struct weft_tracer tracer;
	char text[4096];
};

__attribute__((format(printf, 2, 3))) static void
note(void *t, const char *fmt, ...)
{
	struct scribe *s = t;
	size_t n = strlen(s->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->text + n, sizeof s->text - n, fmt, ap);
	va_end(ap);
}

static void
scribe_start(struct weft_tracer *t, const struct weft_task *task)
{
	note(t, "+%c@%lld ", (char)task->id, (long long)task->start);
}

static void
scribe_step(
	struct weft_tracer *t, const struct weft_task *task, const char *what)
{
	note(t, "/%c%s ", (char)task->id, what);
}

static void
scribe_tag(
	struct weft_tracer *t, const struct weft_task *task, const char *what)
{
	note(t, "#%c%s ", (char)task->id, what);
}

static void
scribe_milestone(struct weft_tracer *t, const struct weft_task *task,
	const struct weft_milestone *m)
{
	note(t, "!%c%s@%lld ", (char)task->id, m->what, (long long)m->time);
}

static void
scribe_end(struct weft_tracer *t, const struct weft_task *task)
{
	note(t, "-%c@%lld ", (char)task->id, (long long)task->end);
}

static void
scribe_open(void *arg, const struct weft_task *task)
{
	note(arg, "open:%c ", (char)task->id);
}

static void
scribe_finish(struct weft_tracer *t, int64_t now)
{
	note(t, "end@%lld ", (long long)now);
	weft_tracer_open_tasks(t, scribe_open, t);
}

static const struct weft_tracer_ops scribe_ops = {
	.start = scribe_start,
	.step = scribe_step,
	.tag = scribe_tag,
	.milestone = scribe_milestone,
	.end = scribe_end,
	.finish = scribe_finish,
};

static struct scribe scribe;

static void
begin_traced(void)
{
	begin();
	memset(&scribe, 0, sizeof scribe);
	scribe.tracer.ops = &scribe_ops;
	scribe.tracer.name = "scribe";
	CHECK_INT(weft_task_collect(&component.domain, &scribe.tracer), 0);
}

/* Ends the run and returns the recorded calls of the tracer. */
static const char *
told(void)
{
	weft_sim_engine_close(e);
	return scribe.text;
}

TEST(a_tracer_hears_all_in_order)
{
	begin_traced();
	play("5+a 6+b 7#ahit 8/bfar 9!await 10-b 11-a 12+c");
	CHECK_STR(told(),
		"+a@5 +b@6 #ahit /bfar !await@9 -b@10 -a@11 +c@12 "
		"end@12 open:c ");
}

TEST(one_milestone_a_time)
{
	begin_traced();
	play("5+a 5+b 6!aone 6!atwo 6!bone 7!aone 8-a 8-b");
	CHECK_STR(told(), "+a@5 +b@5 !aone@6 !bone@6 !aone@7 -a@8 -b@8 end@8 ");
}

TEST(what_does_not_fit_is_a_fault)
{
	struct weft_sim_domain *d = &component.domain;

	begin_traced();
	play("1-z 2#zx 3/zx 4!zx 5+a 6+a 7-a 8-a");
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_TASK_NONE), 5);
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_TASK_OPEN), 1);
	CHECK_STR(weft_sim_fault_text(e, 0),
		"Component: end of task 122, which is not open");
	CHECK_STR(weft_sim_fault_text(e, 4),
		"Component: task 97, kind-what, starts, but is open already");
	weft_task_start(d, &(struct weft_task){ .id = 1, .what = "w" });
	weft_task_start(d, &(struct weft_task){ .id = 1, .kind = "k" });
	weft_task_start(d,
		&(struct weft_task){
			.id = 98, .parent = 98, .kind = "k", .what = "w" });
	weft_task_tag(d, 98, "");
	weft_task_milestone(d, 98, "k", NULL);
	weft_task_end(d, 98);
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_TASK), 5);
	CHECK_STR(told(), "+a@5 -a@7 +b@8 -b@8 end@8 ");
}

static bool
is_b(const struct weft_task *task, void *arg)
{
	(void)arg;
	return task->id == 'b';
}

TEST(a_filter_is_asked_at_the_start)
{
	begin_traced();
	scribe.tracer.filter = is_b;
	play("5+a 6+b 7#ahit 8#bhit 9-b 10-a");
	CHECK_STR(told(), "+b@6 #bhit -b@9 end@10 ");
}

TEST(collecting_twice_names_both)
{
	begin_traced();
	CHECK_INT(weft_task_collect(&component.domain, &scribe.tracer),
		WEFT_SIM_TWICE);
	CHECK_STR(weft_sim_fault_text(e, 0),
		"Component: scribe collects from it already");
	CHECK_INT(weft_task_collect_all(e, "Comp*", &scribe.tracer), 0);
	CHECK_INT(weft_task_collect_all(e, "*", &scribe.tracer), 1);
	play("5+a");
	CHECK_STR(told(), "+a@5 end@5 open:a ");
}

TEST(a_tracer_has_one_simulation)
{
	struct weft_sim_engine *other = weft_sim_engine_open(NULL);
	struct weft_sim_domain d;

	begin_traced();
	weft_sim_domain_init(&d, other, NULL, "Other");
	CHECK_INT(weft_task_collect(&d, &scribe.tracer), WEFT_SIM_LIMIT);
	CHECK_STR(weft_sim_fault_text(other, 0),
		"Other: scribe collects from another simulation");
	weft_sim_engine_close(other);
	CHECK_STR(told(), "end@0 ");
}

TEST(at_most_63_tracers)
{
	static struct scribe many[64];

	begin();
	for (int i = 0; i < 64; i++) {
		many[i].tracer.ops = &scribe_ops;
		CHECK_INT(weft_task_collect(&component.domain, &many[i].tracer),
			i < 63 ? WEFT_SIM_OK : WEFT_SIM_LIMIT);
	}
	play("1+a 2-a");
	weft_sim_engine_close(e);
	CHECK_STR(many[62].text, "+a@1 -a@2 end@2 ");
	CHECK_STR(many[63].text, "");
}

/* a ends before the window; b begins before it and ends in it; c begins in it
 * and ends after it; d begins after it; e covers all of it. */
#define WINDOW_SCRIPT "1+a 2+e 3+b 5-a 15-b 18+c 25-c 26+d 27-d 30-e"

TEST(a_window_gives_what_is_open_in_it)
{
	begin_traced();
	weft_tracer_window(&scribe.tracer, 10, 20);
	play(WINDOW_SCRIPT);
	CHECK_STR(told(), "+e@2 +b@3 -b@15 +c@18 -c@25 -e@30 end@30 ");
}

static int
switches(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	(void)h;
	if (ev->time == 10)
		weft_tracer_start(&scribe.tracer);
	else
		weft_tracer_stop(&scribe.tracer);
	return 0;
}

TEST(start_and_stop_make_the_same_window)
{
	static struct weft_sim_handler h;

	begin_traced();
	weft_sim_handler_init(&h, e, NULL, "Switch");
	h.handle = switches;
	weft_tracer_stop(&scribe.tracer);
	weft_sim_schedule(&h, 10, NULL);
	weft_sim_schedule(&h, 20, NULL);
	play(WINDOW_SCRIPT);
	CHECK_STR(told(), "+e@2 +b@3 -b@15 +c@18 -c@25 -e@30 end@30 ");
}

TEST(a_limit_of_tasks_holds)
{
	begin_traced();
	scribe.tracer.max_tasks = 2;
	play("1+a 2+b 3+c 4-a 5+d 6-b 7-c 8-d");
	CHECK_INT(scribe.tracer.dropped, 2);
	CHECK_STR(told(), "+a@1 +b@2 -a@4 -b@6 end@8 ");
}

/* Looks at the detail of tasks, at the start and the end. */
static int detail_seen;

static void
look(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	(void)hook;
	if (ctx->pos == &weft_task_pos_start || ctx->pos == &weft_task_pos_end)
		detail_seen += *(int *)ctx->detail;
}

static void
look_too(struct weft_tracer *t, const struct weft_task *task)
{
	(void)t;
	detail_seen += *(int *)task->detail * 100;
}

static bool
look_first(const struct weft_task *task, void *arg)
{
	(void)arg;
	detail_seen += *(int *)task->detail * 10000;
	return true;
}

TEST(the_detail_is_seen_by_all)
{
	static const struct weft_tracer_ops ops = { .start = look_too,
		.end = look_too };
	struct weft_tracer t = { .ops = &ops, .filter = look_first };
	struct weft_sim_hook hook = { look, NULL };
	int detail = 1;

	begin();
	detail_seen = 0;
	weft_sim_hook_attach(&component.domain, &hook, WEFT_SIM_ON_TASK);
	weft_task_collect(&component.domain, &t);
	weft_task_start(&component.domain,
		&(struct weft_task){
			.id = 1, .kind = "k", .what = "w", .detail = &detail });
	weft_task_end(&component.domain, 1);
	CHECK_INT(detail_seen, 10202);
	weft_sim_engine_close(e);
}

/* Returns the ids that a run uses, traced or not. */
static uint64_t
ids(bool traced)
{
	uint64_t sum = 0;

	begin();
	memset(&scribe, 0, sizeof scribe);
	scribe.tracer.ops = &scribe_ops;
	if (traced)
		weft_task_collect(&component.domain, &scribe.tracer);
	for (int i = 0; i < 10; i++) {
		uint64_t id = weft_task_start(&component.domain,
			&(struct weft_task){ .kind = "k", .what = "w" });

		weft_task_milestone(&component.domain, id, "k", "w");
		weft_task_end(&component.domain, id);
		sum = sum * 31 + id + weft_sim_id(e);
	}
	weft_sim_engine_close(e);
	return sum;
}

TEST(ids_do_not_depend_on_tracing)
{
	uint64_t plain = ids(false);

	CHECK(ids(false) == plain);
	CHECK(ids(true) == plain);
}

static void
scribe_request(struct weft_tracer *t, const struct weft_task *task)
{
	note(t, "%s%s:%s %s\n", task->end < 0 ? "+" : "-", task->kind,
		task->what, task->location);
}

TEST(a_request_is_two_tasks)
{
	static const struct weft_tracer_ops ops = { .start = scribe_request,
		.end = scribe_request };
	struct weft_sim_domain a, b, c;
	struct weft_sim_msg msg = { .type = "ReadReq" };
	uint64_t out, in;

	begin();
	weft_sim_domain_init(&a, e, NULL, "A");
	weft_sim_domain_init(&b, e, NULL, "B");
	weft_sim_domain_init(&c, e, NULL, "C");
	memset(&scribe, 0, sizeof scribe);
	scribe.tracer.ops = &ops;
	weft_task_collect_all(e, "*", &scribe.tracer);
	out = weft_task_req_initiate(&a, &msg, 0);
	CHECK(out == msg.id && out != 0);
	in = weft_task_req_receive(&b, &msg);
	CHECK(in == weft_task_id_at(&b, &msg));
	CHECK(in == weft_task_id_at(&b, &msg));
	CHECK(in != weft_task_id_at(&c, &msg));
	CHECK(weft_task_find(e, in)->parent == out);
	weft_task_req_complete(&b, &msg);
	weft_task_req_finalize(&a, &msg);
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_OK), 0);
	CHECK_STR(told(),
		"+req_out:ReadReq A.req_out\n"
		"+req_in:ReadReq B.req_in\n"
		"-req_in:ReadReq B.req_in\n"
		"-req_out:ReadReq A.req_out\n");
}

TEST_MAIN(RUN(a_tracer_hears_all_in_order), RUN(one_milestone_a_time),
	RUN(what_does_not_fit_is_a_fault), RUN(a_filter_is_asked_at_the_start),
	RUN(collecting_twice_names_both), RUN(a_tracer_has_one_simulation),
	RUN(at_most_63_tracers), RUN(a_window_gives_what_is_open_in_it),
	RUN(start_and_stop_make_the_same_window), RUN(a_limit_of_tasks_holds),
	RUN(the_detail_is_seen_by_all), RUN(ids_do_not_depend_on_tracing),
	RUN(a_request_is_two_tasks))
