/* SPDX-License-Identifier: MIT */
#include "agents.h"

TEST(random_messages_arrive_the_same_twice)
{
	uint64_t sum[2];

	for (int i = 0; i < 2; i++) {
		struct agents s;

		agents_open(&s, 100, 1000, NULL);
		CHECK_INT(weft_sim_run(s.e), 0);
		CHECK_INT(agents_received(&s), 100000);
		CHECK_INT(weft_sim_faults(s.e, WEFT_SIM_OK), 0);
		sum[i] = agents_sum(&s);
		agents_close(&s);
	}
	CHECK(sum[0] == sum[1]);
}

static void
say_place(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	(void)hook;
	say("%s %s\n", ctx->domain->name, ctx->pos->name);
}

static const char hop[] = "Agent[0].Port.Outgoing Buffer Push\n"
			  "Agent[0].Port Port Msg Send\n"
			  "Wire Conn Start Send\n"
			  "Wire Conn Start Trans\n"
			  "Agent[1].Port Port Msg Recv\n"
			  "Agent[1].Port.Incoming Buffer Push\n"
			  "Wire Conn Done Trans\n"
			  "Agent[0].Port.Outgoing Buffer Pop\n"
			  "Agent[0].Port Port Msg Retrieve Outgoing\n"
			  "Wire Conn Deliver\n"
			  "Agent[1].Port.Incoming Buffer Pop\n"
			  "Agent[1].Port Port Msg Retrieve Incoming\n";

TEST(a_hop_fires_every_position_in_order)
{
	struct weft_sim_hook hook = { say_place, NULL };
	struct weft_sim_msg msg = { 0 };
	struct agents s;

	agents_open(&s, 2, 0, NULL);
	weft_sim_run(s.e);
	weft_sim_hook_attach_all(s.e, "*", &hook,
		WEFT_SIM_ON_PORT | WEFT_SIM_ON_BUFFER | WEFT_SIM_ON_WIRE);
	msg.dst = &s.agent[1].port;
	CHECK_INT(weft_sim_send(&s.agent[0].port, &msg), 0);
	weft_sim_run(s.e);
	CHECK_STR(heard(), hop);
	CHECK_INT(weft_sim_now(s.e), 2000);
	agents_close(&s);
}

TEST(messages_to_nowhere_are_faults)
{
	struct weft_sim_msg msg = { 0 };
	struct weft_sim_port lonely;
	struct agents s;

	agents_open(&s, 2, 0, NULL);
	weft_sim_port_init(&lonely, &s.agent[0].ticker, 1, 1, "Lonely");
	CHECK_INT(weft_sim_send(&s.agent[0].port, &msg), WEFT_SIM_NOWHERE);
	msg.dst = &s.agent[0].port;
	CHECK_INT(weft_sim_send(&s.agent[0].port, &msg), WEFT_SIM_NOWHERE);
	msg.dst = &lonely;
	CHECK_INT(weft_sim_send(&s.agent[0].port, &msg), WEFT_SIM_NOWHERE);
	CHECK_INT(weft_sim_send(&lonely, &msg), WEFT_SIM_NOWHERE);
	CHECK_STR(weft_sim_fault_text(s.e, 2),
		"Agent[0].Port: a message to Agent[0].Lonely, which is not on "
		"its wire");
	CHECK_INT(weft_sim_plug(&s.wire, &s.agent[0].port), WEFT_SIM_TWICE);
	agents_close(&s);
}

TEST(full_buffers_are_faults)
{
	struct weft_sim_msg msg[5] = { { 0 } };
	struct agents s;

	agents_open(&s, 2, 0, NULL);
	for (int i = 0; i < 5; i++) {
		msg[i].dst = &s.agent[1].port;
		CHECK_INT(weft_sim_send(&s.agent[0].port, &msg[i]),
			i < 4 ? WEFT_SIM_OK : WEFT_SIM_FULL);
	}
	CHECK_STR(weft_sim_fault_text(s.e, 0),
		"Agent[0].Port.Outgoing: full, with 4 elements");
	weft_sim_run(s.e);
	CHECK_INT(s.agent[1].received, 4);
	agents_close(&s);
}

TEST(buffers_are_bounded_queues)
{
	struct weft_sim_engine *e = weft_sim_engine_open(NULL);
	struct weft_sim_buffer b;

	CHECK_INT(weft_sim_buffer_init(&b, e, NULL, 0, "None"), WEFT_SIM_LIMIT);
	CHECK_INT(weft_sim_buffer_init(&b, e, NULL, 3, "Queue"), 0);
	CHECK(weft_sim_pop(&b) == NULL && weft_sim_peek(&b) == NULL);
	for (intptr_t i = 1; i < 20; i++) {
		CHECK_INT(weft_sim_push(&b, NUMBER(i)), 0);
		CHECK_INT(weft_sim_push(&b, NUMBER(-i)), 0);
		CHECK(weft_sim_pop(&b) == NUMBER(i));
		CHECK(weft_sim_pop(&b) == NUMBER(-i));
	}
	for (int i = 0; i < 4; i++)
		CHECK_INT(weft_sim_push(&b, &b), i < 3 ? 0 : WEFT_SIM_FULL);
	weft_sim_engine_close(e);
}

/* Senders that always have a message; a receiver that is slow. */
#define SENDERS 3
#define CYCLES 3000

static struct sender {
	struct weft_sim_ticker ticker;
	struct weft_sim_port port;
	struct weft_sim_msg msg[2 * CYCLES];
	int sent;
} sender[SENDERS];

static struct taker {
	struct weft_sim_ticker ticker;
	struct weft_sim_port port;
	int every, left, from[SENDERS];
} taker;

static bool
send_always(struct weft_sim_ticker *t)
{
	struct sender *s = (struct sender *)t;

	if (taker.left == 0 || !weft_sim_can_send(&s->port))
		return false;
	s->msg[s->sent].dst = &taker.port;
	weft_sim_send(&s->port, &s->msg[s->sent++]);
	return true;
}

static bool
take_slowly(struct weft_sim_ticker *t)
{
	struct weft_sim_msg *msg = NULL;

	(void)t;
	if (--taker.left % taker.every == 0)
		msg = weft_sim_receive(&taker.port);
	if (msg != NULL)
		taker.from[(struct sender *)msg->src->owner - sender]++;
	return taker.left > 0;
}

TEST(a_slow_receiver_serves_all_senders_alike)
{
	for (int every = 1; every <= 4; every++) {
		struct weft_sim_engine *e = weft_sim_engine_open(NULL);
		struct weft_sim_wire wire;
		int served;

		weft_sim_wire_init(&wire, e, NULL, &agents_clock, "Wire");
		taker = (struct taker){ .every = every, .left = CYCLES };
		weft_sim_ticker_init(
			&taker.ticker, e, NULL, &agents_clock, "Taker");
		weft_sim_port_init(&taker.port, &taker.ticker, 1, 1, "Port");
		taker.ticker.tick = take_slowly;
		for (int i = 0; i < SENDERS; i++) {
			struct sender *s = &sender[i];

			s->sent = 0;
			weft_sim_ticker_init(&s->ticker, e, NULL, &agents_clock,
				"Sender[%d]", i);
			weft_sim_port_init(&s->port, &s->ticker, 1, 1, "Port");
			s->ticker.tick = send_always;
			weft_sim_plug(&wire, &s->port);
			weft_sim_tick_now(&s->ticker);
		}
		weft_sim_plug(&wire, &taker.port);
		weft_sim_tick_now(&taker.ticker);
		weft_sim_run_until(e, (CYCLES - 1) * INT64_C(1000));
		served = CYCLES / every / SENDERS;
		for (int i = 0; i < SENDERS; i++)
			CHECK(taker.from[i] >= served - 1 &&
				taker.from[i] <= served + 1);
		weft_sim_stop(e);
		weft_sim_engine_close(e);
	}
}

static int joined;

/* A component that needs two messages of one port at once. */
static bool
join(struct weft_sim_ticker *t)
{
	struct agent *a = (struct agent *)t;

	if (a->port.in.size < 2)
		return false;
	weft_sim_receive(&a->port);
	weft_sim_receive(&a->port);
	joined++;
	return true;
}

TEST(every_message_wakes_its_receiver)
{
	struct weft_sim_msg msg[6] = { { 0 } };
	struct agents s;

	agents_open(&s, 2, 0, NULL);
	s.agent[1].ticker.tick = join;
	joined = 0;
	for (int i = 0; i < 6; i++) {
		msg[i].dst = &s.agent[1].port;
		CHECK_INT(weft_sim_send(&s.agent[0].port, &msg[i]), 0);
		weft_sim_run_until(s.e, weft_sim_now(s.e) + 10 * INT64_C(1000));
	}
	CHECK_INT(joined, 3);
	CHECK_INT(s.agent[1].port.in.size, 0);
	agents_close(&s);
}

static int bursts;

/* Sends two messages at once; none if there is no room for both. */
static bool
send_two(struct weft_sim_ticker *t)
{
	struct agent *a = (struct agent *)t;

	if (a->port.out.capacity - a->port.out.size < 2 || a->sent == 8)
		return false;
	for (int i = 0; i < 2; i++) {
		struct weft_sim_msg *msg = &a->msg[a->sent++];

		*msg = (struct weft_sim_msg){ .dst = &a->all->agent[1].port };
		weft_sim_send(&a->port, msg);
	}
	bursts++;
	return true;
}

static int late_taken;

static int
take_one(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct agents *s = ev->data;

	late_taken += weft_sim_receive(&s->agent[1].port) != NULL;
	return ev->time < 40000
		? weft_sim_schedule(h, ev->time + 2000, ev->data)
		: 0;
}

static bool
take_nothing(struct weft_sim_ticker *t)
{
	(void)t;
	return false;
}

TEST(a_sender_that_needs_room_for_two_is_woken)
{
	static struct weft_sim_handler slow;
	struct agents s;

	agents_open(&s, 2, 8, NULL);
	s.agent[0].ticker.tick = send_two;
	s.agent[1].ticker.tick = take_nothing;
	weft_sim_handler_init(&slow, s.e, NULL, "Slow");
	slow.handle = take_one;
	weft_sim_schedule(&slow, 10500, &s);
	bursts = late_taken = 0;
	weft_sim_run(s.e);
	CHECK_INT(bursts, 4);
	CHECK_INT(late_taken, 8);
	agents_close(&s);
}

TEST(messages_are_logged)
{
	struct weft_sim_msg msg = { .id = 7, .type = "Read" };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	struct agents s;

	agents_open(&s, 2, 0, NULL);
	weft_sim_run(s.e);
	weft_sim_hook_attach(&s.agent[0].port.domain, weft_sim_msg_log(s.e, to),
		WEFT_SIM_ON_PORT);
	msg.dst = &s.agent[1].port;
	weft_sim_send(&s.agent[0].port, &msg);
	weft_sim_run(s.e);
	agents_close(&s);
	fclose(to);
	CHECK_STR(text,
		"0.000000000000,Agent[0].Port,Port Msg Send,Agent[0].Port,"
		"Agent[1].Port,Read,7\n"
		"0.000000000000,Agent[0].Port,Port Msg Retrieve Outgoing,"
		"Agent[0].Port,Agent[1].Port,Read,7\n");
	free(text);
}

TEST_MAIN(RUN(random_messages_arrive_the_same_twice),
	RUN(a_hop_fires_every_position_in_order),
	RUN(messages_to_nowhere_are_faults), RUN(full_buffers_are_faults),
	RUN(buffers_are_bounded_queues),
	RUN(a_slow_receiver_serves_all_senders_alike),
	RUN(every_message_wakes_its_receiver),
	RUN(a_sender_that_needs_room_for_two_is_woken),
	RUN(messages_are_logged))
