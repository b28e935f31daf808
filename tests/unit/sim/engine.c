/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sched.h>

#include "kit.h"

static struct weft_sim_engine *e;
static struct weft_sim_handler h, second, peer;

static void
make(const struct weft_sim_setup *setup)
{
	e = weft_sim_engine_open(setup);
	weft_sim_handler_init(&h, e, NULL, "Handler");
	weft_sim_handler_init(&peer, e, NULL, "Peer");
	weft_sim_handler_init(&second, e, NULL, "Second");
	h.handle = say_number;
	peer.handle = say_number;
	second.handle = say_number;
	second.secondary = true;
}

TEST(equal_times_come_as_pushed)
{
	static const int times[] = { 5, 2, 5, 2, 5, 1 };

	make(NULL);
	for (int i = 0; i < 6; i++)
		weft_sim_schedule(&h, times[i], NUMBER(i));
	CHECK_INT(weft_sim_run(e), 0);
	CHECK_STR(heard(), "5 1 3 0 2 4 ");
	weft_sim_engine_close(e);
}

static uint64_t given[200];

static int
takes_id(struct weft_sim_handler *self, const struct weft_sim_event *ev)
{
	given[(intptr_t)ev->data] = weft_sim_id(self->domain.engine);
	return 0;
}

static int
by_value(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return a < b ? -1 : a > b;
}

TEST(ids_of_many_handlers_differ)
{
	static struct weft_sim_handler many[100];

	make(NULL);
	for (int i = 0; i < 200; i++) {
		struct weft_sim_handler *one = &many[i / 2];

		if (i % 2 == 0)
			weft_sim_handler_init(one, e, NULL, "Many[%d]", i);
		one->handle = takes_id;
		weft_sim_schedule(one, i, NUMBER(i));
	}
	weft_sim_run(e);
	qsort(given, 200, sizeof *given, by_value);
	CHECK(given[0] > 0);
	for (int i = 1; i < 200; i++)
		CHECK(given[i] != given[i - 1]);
	CHECK_INT(weft_sim_id(e), 64);
	weft_sim_engine_close(e);
}

#define LAST 300 /* time of the last event */

/* The state that a correct order of events has reached, for each time. */
static struct {
	intptr_t number[2]; /* number of the last event that ran, of the primary
	                     * and of the secondary events */
	int waiting;        /* primary events that have not run yet */
} at[LAST + 1];

static intptr_t numbers;
static uint64_t chance;

static void
schedule_some(int64_t now, int n)
{
	for (int i = 0; i < n && now < LAST; i++) {
		int64_t time;

		chance = chance * 6364136223846793005u + 1442695040888963407u;
		time = now + (int64_t)(chance >> 40) % 40;
		time = time > LAST ? LAST : time;
		if (chance >> 60 & 1) {
			at[time].waiting++;
			weft_sim_schedule(&h, time, NUMBER(++numbers));
		} else {
			weft_sim_schedule(&second, time, NUMBER(++numbers));
		}
	}
}

static int
in_order(struct weft_sim_handler *self, const struct weft_sim_event *ev)
{
	static int64_t time;
	intptr_t *last = &at[ev->time].number[self->secondary];

	CHECK(ev->time >= time);
	CHECK((intptr_t)ev->data > *last);
	CHECK_INT(self->secondary && at[ev->time].waiting > 0, 0);
	at[ev->time].waiting -= !self->secondary;
	time = ev->time;
	*last = (intptr_t)ev->data;
	chance += UINT64_C(0x9e3779b97f4a7c15);
	schedule_some(ev->time, numbers < 20000 ? (int)(chance >> 33 & 3) : 0);
	return 0;
}

TEST(order_is_total_among_many)
{
	make(NULL);
	h.handle = in_order;
	second.handle = in_order;
	schedule_some(0, 1000);
	weft_sim_run(e);
	CHECK(numbers > 2000);
	CHECK_INT(weft_sim_count(e), numbers);
	CHECK_INT(weft_sim_pending(e), 0);
	weft_sim_engine_close(e);
}

TEST(run_until_takes_what_is_due)
{
	make(NULL);
	for (int i = 10; i <= 40; i += 10)
		weft_sim_schedule(&h, i, NUMBER(i));
	weft_sim_run_until(e, 25);
	CHECK_STR(heard(), "10 20 ");
	CHECK_INT(weft_sim_now(e), 20);
	CHECK_INT(weft_sim_pending(e), 2);
	weft_sim_run(e);
	CHECK_STR(heard(), "30 40 ");
	weft_sim_engine_close(e);
}

static int
schedules_peer(struct weft_sim_handler *self, const struct weft_sim_event *ev)
{
	say_number(self, ev);
	return weft_sim_schedule(&peer, ev->time, NUMBER(9));
}

TEST(primaries_come_before_secondaries)
{
	make(NULL);
	weft_sim_schedule(&second, 5, NUMBER(1));
	weft_sim_schedule(&second, 5, NUMBER(2));
	weft_sim_schedule(&h, 5, NUMBER(3));
	h.handle = schedules_peer;
	weft_sim_run(e);
	CHECK_STR(heard(), "3 9 1 2 ");
	second.handle = schedules_peer;
	weft_sim_schedule(&second, 5, NUMBER(1));
	weft_sim_schedule(&second, 5, NUMBER(2));
	weft_sim_run(e);
	CHECK_STR(heard(), "1 9 2 9 ");
	weft_sim_engine_close(e);
}

TEST(an_event_in_the_past_is_a_fault)
{
	make(NULL);
	weft_sim_schedule(&h, 10, NUMBER(1));
	weft_sim_run(e);
	CHECK_INT(weft_sim_schedule(&h, 9, NULL), WEFT_SIM_PAST);
	CHECK_INT(weft_sim_schedule(&h, -1, NULL), WEFT_SIM_PAST);
	CHECK_INT(weft_sim_schedule(&h, WEFT_SIM_NEVER, NULL), WEFT_SIM_PAST);
	CHECK_INT(weft_sim_schedule(&h, 10, NUMBER(2)), 0);
	weft_sim_run(e);
	CHECK_STR(heard(), "1 2 ");
	CHECK_STR(weft_sim_fault_text(e, 0),
		"Handler: an event at 9 ps, but the time is 10 ps already");
	weft_sim_engine_close(e);
}

static int
fails(struct weft_sim_handler *self, const struct weft_sim_event *ev)
{
	(void)self;
	return (int)(intptr_t)ev->data;
}

TEST(errors_of_handlers_are_reported)
{
	make(NULL);
	h.handle = fails;
	for (int i = 0; i < 3; i++)
		weft_sim_schedule(&h, i, NUMBER(i + 4));
	weft_sim_schedule(&peer, 9, NUMBER(9));
	CHECK_INT(weft_sim_run(e), 4);
	CHECK_STR(heard(), "9 ");
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_HANDLER), 3);
	CHECK_STR(weft_sim_fault_text(e, 1),
		"Handler: its handler returned 5 at 1 ps");
	CHECK_INT(weft_sim_run(e), 0);
	weft_sim_engine_close(e);
}

static void
told(void *arg, enum weft_sim_fault kind, const char *text)
{
	(void)arg;
	say("%d:%s ", (int)kind, text);
}

static int
runs(struct weft_sim_handler *self, const struct weft_sim_event *ev)
{
	(void)ev;
	return weft_sim_run(self->domain.engine) == WEFT_SIM_BUSY ? 0 : 1;
}

TEST(faults_are_told)
{
	make(&(struct weft_sim_setup){ .fault = told });
	h.handle = runs;
	weft_sim_schedule(&h, 0, NULL);
	CHECK_INT(weft_sim_run(e), 0);
	weft_sim_report(&peer.domain, "odd %d", 7);
	CHECK_STR(heard(), "8:the engine runs already 14:Peer: odd 7 ");
	for (int i = 0; i < 200; i++)
		weft_sim_report(&peer.domain, "more");
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_OK), 202);
	CHECK(weft_sim_fault_text(e, 99) != NULL);
	CHECK(weft_sim_fault_text(e, 100) == NULL);
	heard();
	weft_sim_engine_close(e);
}

static void
at_end(void *arg, int64_t now)
{
	say("%s@%lld ", (const char *)arg, (long long)now);
}

TEST(end_handlers_run_once_in_order)
{
	make(NULL);
	weft_sim_at_end(e, at_end, (void *)"a");
	weft_sim_at_end(e, at_end, (void *)"b");
	weft_sim_schedule(&h, 12, NUMBER(1));
	weft_sim_run(e);
	weft_sim_finish(e);
	weft_sim_engine_close(e);
	CHECK_STR(heard(), "1 a@12 b@12 ");
}

static struct weft_sim_hook counter;
static int counted;

static void
count(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	(void)hook;
	counted += ctx->pos == &weft_sim_before_event;
}

static int
attaches(struct weft_sim_handler *self, const struct weft_sim_event *ev)
{
	if (ev->time == 0)
		weft_sim_hook_attach(
			weft_sim_engine_domain(self->domain.engine), &counter,
			WEFT_SIM_ON_EVENT);
	return 0;
}

TEST(a_hook_attached_by_an_event_sees_the_rest)
{
	make(NULL);
	counter.call = count;
	counted = 0;
	h.handle = attaches;
	for (int i = 0; i < 10; i++)
		weft_sim_schedule(&h, i, NULL);
	weft_sim_run(e);
	CHECK_INT(counted, 9);
	weft_sim_engine_close(e);
}

TEST(events_are_logged)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	make(NULL);
	weft_sim_hook_attach(weft_sim_engine_domain(e),
		weft_sim_event_log(e, to), WEFT_SIM_ON_EVENT);
	weft_sim_schedule(&h, 1500, NULL);
	weft_sim_schedule(&peer, 2000000000001, NULL);
	weft_sim_run(e);
	fclose(to);
	CHECK_STR(text,
		"0.000000001500, Event -> Handler\n"
		"2.000000000001, Event -> Peer\n");
	free(text);
	heard();
	weft_sim_engine_close(e);
}

/* Schedules itself without end. */
static int
again(struct weft_sim_handler *self, const struct weft_sim_event *ev)
{
	__atomic_store_n(&counted, 1, __ATOMIC_RELAXED);
	return weft_sim_schedule(self, ev->time + 1, NULL);
}

static void *
pauses(void *arg)
{
	struct weft_sim_engine *engine = arg;
	int64_t now[2];

	while (!__atomic_load_n(&counted, __ATOMIC_RELAXED))
		sched_yield();
	weft_sim_pause(engine);
	weft_sim_pause(engine);
	while (!weft_sim_paused(engine))
		sched_yield();
	now[0] = weft_sim_now(engine);
	now[1] = weft_sim_now(engine);
	CHECK(now[0] == now[1]);
	weft_sim_continue(engine);
	weft_sim_continue(engine);
	weft_sim_stop(engine);
	return NULL;
}

TEST(another_thread_pauses_and_stops)
{
	pthread_t thread;

	make(NULL);
	h.handle = again;
	weft_sim_schedule(&h, 0, NULL);
	counted = 0;
	pthread_create(&thread, NULL, pauses, e);
	weft_sim_run(e);
	pthread_join(thread, NULL);
	CHECK_INT(weft_sim_pending(e), 1);
	weft_sim_engine_close(e);
}

TEST_MAIN(RUN(equal_times_come_as_pushed), RUN(ids_of_many_handlers_differ),
	RUN(order_is_total_among_many), RUN(run_until_takes_what_is_due),
	RUN(primaries_come_before_secondaries),
	RUN(an_event_in_the_past_is_a_fault),
	RUN(errors_of_handlers_are_reported), RUN(faults_are_told),
	RUN(end_handlers_run_once_in_order),
	RUN(a_hook_attached_by_an_event_sees_the_rest), RUN(events_are_logged),
	RUN(another_thread_pauses_and_stops))
