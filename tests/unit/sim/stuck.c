/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "kit.h"

/* Components that first send all their messages, and only then receive. */
struct talker {
	struct weft_sim_ticker ticker;
	struct weft_sim_port port;
	struct weft_sim_msg msg[8];
	int sent;
};

static struct weft_sim_engine *e;
static struct weft_sim_wire wire;
static struct talker talker[3];

static bool
talk(struct weft_sim_ticker *t)
{
	struct talker *s = (struct talker *)t;

	if (s->sent < 8 && s->msg[s->sent].dst != NULL) {
		if (!weft_sim_can_send(&s->port))
			return false;
		weft_sim_send(&s->port, &s->msg[s->sent++]);
		return true;
	}
	return weft_sim_receive(&s->port) != NULL;
}

static void
told(void *arg, enum weft_sim_fault kind, const char *text)
{
	(void)arg;
	say("%d:%s\n", (int)kind, text);
}

static void
make(const struct weft_sim_setup *setup)
{
	static const struct weft_sim_clock ghz = { 1000000000, 1 };

	e = weft_sim_engine_open(setup);
	weft_sim_wire_init(&wire, e, NULL, &ghz, "Wire");
	memset(talker, 0, sizeof talker);
	for (int i = 0; i < 3; i++) {
		struct talker *s = &talker[i];

		weft_sim_ticker_init(
			&s->ticker, e, NULL, &ghz, "Talker[%d]", i);
		s->ticker.tick = talk;
		weft_sim_port_init(&s->port, &s->ticker, 1, 1, "Port");
		weft_sim_plug(&wire, &s->port);
		weft_sim_tick_now(&s->ticker);
	}
}

/* Each sends to the next one, the last to the first. */
static void
talk_in_a_circle(void)
{
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 8; k++)
			talker[i].msg[k].dst = &talker[(i + 1) % 3].port;
}

static const struct weft_sim_setup quiet = { .fault = told };

static const char circle[] =
	"16:the run ended at 2000 ps with 6 messages in buffers; 3 components "
	"wait for each other: Talker[0] waits for room at Talker[1].Port, "
	"Talker[1] waits for room at Talker[2].Port, Talker[2] waits for room "
	"at Talker[0].Port\n";

TEST(components_that_wait_for_each_other_are_named)
{
	make(&quiet);
	talk_in_a_circle();
	CHECK_INT(weft_sim_run(e), WEFT_SIM_STUCK);
	CHECK_STR(heard(), circle);
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_STUCK), 1);
	/* The second run changes nothing, so it does not report the fault
	 * again. */
	CHECK_INT(weft_sim_run(e), WEFT_SIM_STUCK);
	weft_sim_engine_close(e);
	CHECK_STR(heard(), "");
}

static bool
sleep_on(struct weft_sim_ticker *t)
{
	(void)t;
	return false;
}

TEST(messages_that_nobody_takes_are_named)
{
	make(&quiet);
	talker[1].ticker.tick = sleep_on;
	for (int k = 0; k < 2; k++)
		talker[0].msg[k].dst = &talker[1].port;
	talker[2].msg[0].dst = &talker[0].port;
	CHECK_INT(weft_sim_run(e), WEFT_SIM_STUCK);
	CHECK_STR(heard(),
		"16:the run ended at 3000 ps with 2 messages in buffers; "
		"Talker[0].Port waits for room at Talker[1].Port; Talker[1] "
		"has not taken 1 from Talker[1].Port\n");
	weft_sim_engine_close(e);
}

TEST(a_run_that_ends_well_says_nothing)
{
	make(&quiet);
	talker[0].msg[0].dst = &talker[1].port;
	CHECK_INT(weft_sim_run(e), WEFT_SIM_OK);
	weft_sim_engine_close(e);
	CHECK_STR(heard(), "");
}

static int
stops(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	(void)ev;
	weft_sim_stop(h->domain.engine);
	return 0;
}

/* A run that is stopped early still has messages in buffers. */
TEST(a_run_that_is_stopped_says_nothing)
{
	static struct weft_sim_handler last;

	make(&quiet);
	talk_in_a_circle();
	weft_sim_handler_init(&last, e, NULL, "Last");
	last.handle = stops;
	weft_sim_schedule(&last, 3000, NULL);
	CHECK_INT(weft_sim_run(e), WEFT_SIM_OK);
	weft_sim_engine_close(e);
	CHECK_STR(heard(), "");
}

TEST(a_run_in_parts_is_judged_at_its_end)
{
	make(&quiet);
	talk_in_a_circle();
	CHECK_INT(weft_sim_run_until(e, 1000), WEFT_SIM_OK);
	CHECK_INT(weft_sim_run_until(e, 9000), WEFT_SIM_OK);
	CHECK_STR(heard(), "");
	weft_sim_finish(e);
	CHECK_STR(heard(), circle);
	weft_sim_engine_close(e);
	CHECK_STR(heard(), "");
}

static int
fails(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	(void)h;
	(void)ev;
	return 7;
}

TEST(an_error_of_a_handler_comes_first)
{
	static struct weft_sim_handler bad;

	make(&quiet);
	talk_in_a_circle();
	weft_sim_handler_init(&bad, e, NULL, "Bad");
	bad.handle = fails;
	weft_sim_schedule(&bad, 0, NULL);
	CHECK_INT(weft_sim_run(e), 7);
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_STUCK), 1);
	heard();
	weft_sim_engine_close(e);
}

/* Returns what the function writes to standard error. */
static const char *
printed(void (*fn)(void))
{
	static char text[4096];
	FILE *file = tmpfile();
	int old = dup(2);

	fflush(stderr);
	dup2(fileno(file), 2);
	fn();
	fflush(stderr);
	dup2(old, 2);
	close(old);
	rewind(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	return text;
}

static void
run_a_circle(void)
{
	make(NULL);
	talk_in_a_circle();
	weft_sim_run(e);
	weft_sim_engine_close(e);
}

TEST(without_a_function_it_is_printed)
{
	char want[600];

	snprintf(want, sizeof want, "weft: %s", strchr(circle, ':') + 1);
	CHECK_STR(printed(run_a_circle), want);
}

TEST_MAIN(RUN(components_that_wait_for_each_other_are_named),
	RUN(messages_that_nobody_takes_are_named),
	RUN(a_run_that_ends_well_says_nothing),
	RUN(a_run_that_is_stopped_says_nothing),
	RUN(a_run_in_parts_is_judged_at_its_end),
	RUN(an_error_of_a_handler_comes_first),
	RUN(without_a_function_it_is_printed))
