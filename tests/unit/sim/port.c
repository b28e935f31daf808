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
	RUN(buffers_are_bounded_queues), RUN(messages_are_logged))
