/* SPDX-License-Identifier: MIT */
/*
 * networks [COUNT] - random networks give the same bytes and the same answers
 * with any number of threads, delay no message for ever, and report what is
 * unfinished. COUNT is 40 by default.
 */
#include "network.h"

static uint64_t count = 40;

/* The results of a run. */
struct result {
	int returned;
	uint64_t heard, faults, messages, open, unfair;
	uint64_t asleep; /* components that sleep although a message for them
	                  * has come */
	char *trace, *log, *said;
	bool circle; /* components wait for room in a circle */
};

static struct node *
owner(struct weft_sim_port *p)
{
	return (struct node *)p->owner;
}

/* Returns true if `n` waits for room in `first`, directly or through other
 * components that wait. */
static bool
waits_for(struct network *net, struct node *n, struct node *first, int depth)
{
	for (int i = 0; i < n->nports && depth <= net->nnodes; i++) {
		struct weft_sim_msg *m = weft_sim_peek(&n->port[i].port.out);

		if (m != NULL && owner(m->dst) != n &&
			(owner(m->dst) == first ||
				waits_for(
					net, owner(m->dst), first, depth + 1)))
			return true;
	}
	return false;
}

static void
look(struct network *net, struct result *r)
{
	for (int i = 0; i < net->nnodes; i++) {
		struct node *n = &net->node[i];

		r->heard = r->heard * 31 + n->heard;
		for (int k = 0; k < n->nports; k++) {
			struct weft_sim_port *p = &n->port[k].port;

			r->messages += p->in.size + p->out.size;
			r->asleep += !n->selfish && n->nanswers < 8 &&
				p->in.size >= needed(n, p);
		}
		r->circle |= waits_for(net, n, n, 0);
	}
	for (int i = 0; i < net->npulses; i++)
		r->heard = r->heard * 31 + net->pulse[i].heard;
}

/* Returns the text of the fault that lists unfinished work, or "". */
static char *
what_is_said(struct weft_sim_engine *e)
{
	const char *text;

	for (size_t i = 0; (text = weft_sim_fault_text(e, i)) != NULL; i++)
		if (strncmp(text, "the run ended", 13) == 0)
			return strdup(text);
	return strdup("");
}

static struct result
run(uint64_t seed, int threads, bool spread)
{
	struct network *net = network_open(seed, threads, spread);
	struct result r = { .returned = weft_sim_run(net->e) };

	look(net, &r);
	r.faults = weft_sim_faults(net->e, WEFT_SIM_OK);
	r.said = what_is_said(net->e);
	r.open = net->scribe.open;
	r.unfair = net->unfair;
	r.trace = strndup(net->scribe.n ? net->scribe.text : "", net->scribe.n);
	fflush(net->log_file);
	r.log = strndup(net->log, net->log_size);
	network_close(net);
	return r;
}

static void
forget(struct result *r)
{
	free(r->trace);
	free(r->log);
	free(r->said);
}

/* Checks that the network gives the same results with this many threads. */
static void
compare(uint64_t seed, int threads, bool spread, const struct result *one)
{
	struct result r = run(seed, threads, spread);

	if (r.heard != one->heard)
		printf("# seed %llu, %d threads\n", (unsigned long long)seed,
			threads);
	CHECK(r.heard == one->heard);
	CHECK(strcmp(r.trace, one->trace) == 0);
	CHECK(strcmp(r.log, one->log) == 0);
	CHECK_INT(r.faults, one->faults);
	CHECK_INT(r.returned, one->returned);
	CHECK_STR(r.said, one->said);
	forget(&r);
}

TEST(threads_give_the_same_bytes_and_answers)
{
	for (uint64_t seed = 1; seed <= count; seed++) {
		struct result one = run(seed, 1, false);

		compare(seed, 2, true, &one);
		compare(seed, 8, true, &one);
		compare(seed, 2, false, &one);
		forget(&one);
	}
}

TEST(nobody_waits_for_more_than_one_of_each_other)
{
	for (uint64_t seed = 1; seed <= count; seed++) {
		struct result r = run(seed, 1, false);

		CHECK_INT(r.unfair, 0);
		forget(&r);
	}
}

TEST(nobody_sleeps_with_what_it_waits_for)
{
	for (uint64_t seed = 1; seed <= count; seed++) {
		struct result r = run(seed, 1, false);

		CHECK_INT(r.asleep, 0);
		forget(&r);
	}
}

TEST(what_is_left_is_said)
{
	uint64_t stuck = 0, circles = 0, bytes = 0;
	char text[100];

	for (uint64_t seed = 1; seed <= count; seed++) {
		struct result r = run(seed, 1, false);
		bool left = r.messages > 0 || r.open > 0;

		CHECK_INT(r.returned, left ? WEFT_SIM_STUCK : WEFT_SIM_OK);
		CHECK_INT(r.said[0] != '\0', left);
		snprintf(text, sizeof text, " %llu message",
			(unsigned long long)r.messages);
		CHECK_INT(strstr(r.said, text) != NULL, r.messages > 0);
		snprintf(text, sizeof text, " %llu task",
			(unsigned long long)r.open);
		CHECK_INT(strstr(r.said, text) != NULL, r.open > 0);
		if (r.circle)
			CHECK(strstr(r.said, "wait for each other") != NULL);
		stuck += left;
		bytes += strlen(r.trace) + strlen(r.log);
		circles += r.circle;
		forget(&r);
	}
	/* The networks test both outcomes: some hang, some do not. */
	CHECK(stuck > count / 10 && stuck < count && circles > 0);
	printf("# %llu of %llu networks leave something, %llu a circle; "
	       "traces have %llu KiB\n",
		(unsigned long long)stuck, (unsigned long long)count,
		(unsigned long long)circles, (unsigned long long)bytes / 1024);
}

int
main(int argc, char *argv[])
{
	static const struct test tests[] = {
		RUN(threads_give_the_same_bytes_and_answers),
		RUN(nobody_waits_for_more_than_one_of_each_other),
		RUN(nobody_sleeps_with_what_it_waits_for),
		RUN(what_is_left_is_said),
	};

	if (argc > 1)
		count = strtoull(argv[1], NULL, 10);
	return test_run_all(tests, (int)(sizeof tests / sizeof *tests));
}
