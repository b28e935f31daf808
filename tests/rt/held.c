/* SPDX-License-Identifier: MIT */
/*
 * held.c - a signal arrives while an event with its caller's clock waits for
 * room.
 *
 * This program replaces syscall(), by which the library writes: each write
 * sends a signal to its own thread, whose handler records an event. There is no
 * writer thread, so an event that finds the ring full writes it out itself.
 */
#include <pthread.h>
#include <signal.h>

#include "inproc/ovni/record.h"
#include "ovni.h"
#include "rt/run.h"
#include "rt/syscalls.h"
#include "test.h"
#include "weft/trace.h"

enum { EVENTS = 20000, PART = 1000 };

static bool is_sending;
static int nsent, nhandled;

static bool
before_syscall(long number, long a[6])
{
	(void)a;
	if (is_sending && number == SYS_pwritev) {
		nsent++;
		pthread_kill(pthread_self(), SIGUSR1);
	}
	return true;
}

static void
on_signal(int sig)
{
	(void)sig;
	weft_ev("OB]");
	nhandled++;
}

static void
emit(bool is_jumbo)
{
	const uint8_t data[PART] = { 0 };
	struct ovni_ev ev = { 0 };

	ovni_ev_set_clock(&ev, ovni_clock_now());
	ovni_ev_set_mcv(&ev, "OB.");
	if (is_jumbo)
		ovni_ev_jumbo_emit(&ev, data, PART);
	else
		ovni_ev_emit(&ev);
}

/* Records; exits with 0, or with the number of the failed check. */
static void
record(bool is_jumbo)
{
	struct sigaction act = { .sa_handler = on_signal };

	sigaction(SIGUSR1, &act, NULL);
	ovni_proc_init(1, "node.1", 1);
	ovni_thread_init(1);
	is_sending = true;
	for (int i = 0; i < (is_jumbo ? EVENTS / PART * 10 : EVENTS); i++)
		emit(is_jumbo);
	is_sending = false;
	ovni_thread_free();
	ovni_proc_fini();
	_exit(nsent == 0 ? 1 : nhandled == 0 ? 2 : weft_lost() != 0 ? 3 : 0);
}

static void
check_order(const char *word)
{
	int backward = 0, pairs = 0, handled = 0;
	struct stream s;
	uint64_t last = 0, time;

	setenv("WEFT_RING_KB", "64", 1);
	setenv("WEFT_WRITER", "inline", 1);
	run_fresh();
	CHECK_INT(run_again(word), 0);
	s = stream_read();
	for (size_t at = 0; at < s.n; at += record_size(s.data + at)) {
		time = record_time(s.data + at);
		backward += time < last;
		last = time;
		pairs += memcmp(s.data + at + 1, "OF[", 3) == 0;
		handled += memcmp(s.data + at + 1, "OB]", 3) == 0;
	}
	free(s.data);
	CHECK(pairs > 0);
	CHECK(handled > 0);
	CHECK_INT(backward, 0);
}

TEST(signals_while_an_event_waits_are_recorded_behind_it)
{
	check_order("event");
}

TEST(signals_while_a_jumbo_event_waits_are_recorded_behind_it)
{
	check_order("jumbo");
}

int
main(int argc, char **argv)
{
	static const struct test all[] = {
		RUN(signals_while_an_event_waits_are_recorded_behind_it),
		RUN(signals_while_a_jumbo_event_waits_are_recorded_behind_it)
	};

	if (argc > 1)
		record(strcmp(argv[1], "jumbo") == 0);
	return test_run_all(all, 2);
}
