/* SPDX-License-Identifier: MIT */
/*
 * cluster.h - a simulated cluster: clocks that drift, round trips and messages
 * between them, and the truth.
 *
 * Rates of clocks are uniform within 50 ppm; each frequency walks at random by
 * 2e-9 for each square root of a second, and swings by 5e-8 in 200 to 400 s. A
 * message takes 1.5 us, 0.3 us more or less by its receiver, and a random time
 * of 0.5 us on average; 2 % take much longer. Each node sends to four others
 * each second, and makes a burst of round trips with a reference.
 */
#ifndef WEFT_TESTS_CLUSTER_H
#define WEFT_TESTS_CLUSTER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "trace/align/align.h"

enum { CLUSTER_TRIPS = 32 /* round trips of a burst */ };

struct cluster {
	/* set by the caller */
	int nodes, seconds;
	int every;      /* s between two bursts; 0: only at the start and end */
	int levels;     /* 1: all nodes probe node 0; 2: sqrt(nodes) leaders do,
	                 * and the others probe their leader */
	int trips;      /* round trips that become messages too: 0 to
	                 * CLUSTER_TRIPS */
	double latency; /* us, more than the usual 1.5 */
	bool slews;  /* 5 % of the nodes run 20 ppm faster or slower for 30 s */
	bool wrong;  /* one message of 10000 is matched with another one */
	bool silent; /* node 5 is silent for 300 s */
	bool suspends; /* node 7's clock stands still for 20 s */
	bool one_way;  /* no message goes to a node with a smaller number */
	bool no_probes;
	uint64_t random;
	void (*deliver)(const struct align_message *m);
	/* used by cluster.h only */
	int64_t *clock; /* [node][second] */
	double *skew;   /* what is added to the latency to the node, us */
	uint64_t sent;
};

static inline double
cluster_random(struct cluster *c)
{
	c->random ^= c->random << 13;
	c->random ^= c->random >> 7;
	c->random ^= c->random << 17;
	return ((double)(c->random >> 11) + 0.5) * 0x1p-53;
}

/* Returns a number with a normal distribution, by twelve uniform ones. */
static inline double
cluster_normal(struct cluster *c)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += cluster_random(c);
	return sum;
}

static inline void
cluster_make_clock(struct cluster *c, int node)
{
	double rate = (cluster_random(c) - 0.5) * 1e-4, walk = 0;
	double period = 200 + 200 * cluster_random(c);
	double phase = 6.28 * cluster_random(c);
	bool slewed = c->slews && cluster_random(c) < 0.05;
	int from = (int)(cluster_random(c) * (c->seconds - 30));
	double by = cluster_random(c) < 0.5 ? 2e-5 : -2e-5;
	int64_t *clock = &c->clock[(int64_t)node * (c->seconds + 2)];
	double left = 0; /* parts of a ns */

	clock[0] = (int64_t)((cluster_random(c) - 0.5) * 2e12) + 2000000000000;
	for (int s = 0; s <= c->seconds; s++) {
		double f =
			rate + walk + 5e-8 * sin(6.28318 * s / period + phase);
		bool stands = c->suspends && node == 7 && s >= 200 && s < 220;

		if (slewed && s >= from && s < from + 30)
			f += by;
		left += stands ? 0 : 1e9 * (1 + f);
		clock[s + 1] = clock[s] + (int64_t)left;
		left -= floor(left);
		walk += 2e-9 * cluster_normal(c);
	}
}

static inline void
cluster_init(struct cluster *c, struct arena *a)
{
	c->clock =
		ARENA_ARRAY(a, int64_t, (int64_t)c->nodes * (c->seconds + 2));
	c->skew = ARENA_ARRAY(a, double, c->nodes);
	for (int i = 0; i < c->nodes; i++) {
		cluster_make_clock(c, i);
		c->skew[i] = (cluster_random(c) - 0.5) * 0.6;
	}
}

/* Returns a node's clock at a true time, ns from the start. */
static inline int64_t
cluster_clock(const struct cluster *c, int node, double ns)
{
	int64_t s = (int64_t)(ns / 1e9);
	const int64_t *clock;

	s = s < 0 ? 0 : s > c->seconds ? c->seconds : s;
	clock = &c->clock[(int64_t)node * (c->seconds + 2) + s];
	return clock[0] +
		(int64_t)((double)(clock[1] - clock[0]) *
			(ns / 1e9 - (double)s));
}

static inline double
cluster_latency(struct cluster *c, int to)
{
	double us =
		1.5 + c->latency + c->skew[to] - 0.5 * log(cluster_random(c));

	if (cluster_random(c) < 0.02)
		us += 20 * (pow(cluster_random(c), -1 / 1.5) - 1);
	return us * 1000;
}

static inline int
cluster_reference(const struct cluster *c, int node)
{
	int group = (int)ceil(sqrt(c->nodes));

	return c->levels == 1 || node % group == 0 ? 0 : node - node % group;
}

/* A burst at a true time. With `a`, its shortest round trip is a probe; with
 * is_messages, some of them are messages. */
static inline void
cluster_burst(struct cluster *c, int node, double ns, struct align *a,
	bool is_messages)
{
	int r = cluster_reference(c, node);
	struct align_probe best = { .delay = INT64_MAX };

	for (int i = 0; i < CLUSTER_TRIPS; i++) {
		double there = cluster_latency(c, r);
		double back = cluster_latency(c, node);
		int64_t t1 = cluster_clock(c, node, ns);
		int64_t t2 = cluster_clock(c, r, ns + there);
		int64_t t3 = cluster_clock(c, r, ns + there + 50);
		int64_t t4 = cluster_clock(c, node, ns + there + 50 + back);
		int64_t local = t1 + (t4 - t1) / 2;
		int64_t delay = t4 - t1 - (t3 - t2);

		ns += there + back + 1000;
		if (delay < best.delay)
			best = (struct align_probe){ node, r, local,
				t2 + (t3 - t2) / 2 - local, delay };
		if (!is_messages || i >= c->trips)
			continue;
		c->deliver(&(struct align_message){ node, r, t1, t2 });
		c->deliver(&(struct align_message){ r, node, t3, t4 });
	}
	if (a != NULL)
		align_probe(a, &best);
}

static inline void
cluster_bursts(struct cluster *c, struct align *a, bool is_messages)
{
	int every = c->every > 0 ? c->every : c->seconds - 1;

	for (int s = 0; !c->no_probes && s < c->seconds; s += every)
		for (int i = 1; i < c->nodes; i++) {
			bool is_silent =
				c->silent && i == 5 && s >= 150 && s < 450;

			if (!is_silent)
				cluster_burst(c, i, s * 1e9 + i * 5e3, a,
					is_messages);
		}
}

static inline void
cluster_message(struct cluster *c, int from, int to, double ns)
{
	struct align_message m = { .from = from, .to = to };
	double when = ns;

	if (c->wrong && cluster_random(c) < 1e-4)
		when = ns + 2e9 * (cluster_random(c) - 0.5);
	m.sent = cluster_clock(c, from, ns);
	m.received = cluster_clock(c, to, when + cluster_latency(c, to));
	c->sent++;
	c->deliver(&m);
}

/* All messages, and the round trips that are messages too. */
static inline void
cluster_messages(struct cluster *c)
{
	static const int step[] = { 1, -1, 32, -32 };

	if (c->trips > 0)
		cluster_bursts(c, NULL, true);
	for (int s = 0; s < c->seconds; s++)
		for (int i = 0; i < c->nodes; i++)
			for (int k = 0; k < 4; k++) {
				int to = i + step[k];
				bool is_silent = c->silent && s >= 150 &&
					s < 450 && (i == 5 || to == 5);

				if (to < 0 || to >= c->nodes || is_silent ||
					(c->one_way && to < i))
					continue;
				cluster_message(c, i, to,
					(s + cluster_random(c)) * 1e9);
			}
}

struct cluster_error {
	double median, p99, most; /* us */
	double bar;               /* median, us */
	double covered;           /* share of times at which the bar holds */
	double unknown;           /* share of times without a bar */
};

static inline int
cluster_by_size(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* Compares the lines with the truth, each 0.77 s at each node. */
static inline struct cluster_error
cluster_compare(
	const struct cluster *c, const struct align *a, struct arena *arena)
{
	int each = (int)(c->seconds / 0.77), n = 0, nbars = 0, good = 0;
	int64_t most = (int64_t)each * c->nodes;
	double *error = ARENA_ARRAY(arena, double, most);
	double *bar = ARENA_ARRAY(arena, double, most);

	for (int node = 1; node < c->nodes; node++) {
		const struct clock_line *l = align_line(a, node);

		for (int i = 0, at = 0; i < each; i++) {
			double ns = i * 0.77e9;
			int64_t local = cluster_clock(c, node, ns);
			int64_t says = clock_line_error(l, local, &at);
			int64_t off = local + clock_line_offset(l, local, &at) -
				cluster_clock(c, 0, ns);

			error[n++] = fabs((double)off) / 1000;
			if (says < 0)
				continue;
			bar[nbars++] = (double)says / 1000;
			good += fabs((double)off) <= (double)says + 2;
		}
	}
	qsort(error, (size_t)n, sizeof *error, cluster_by_size);
	qsort(bar, (size_t)nbars, sizeof *bar, cluster_by_size);
	return (struct cluster_error){ error[n / 2], error[n - 1 - n / 100],
		error[n - 1], nbars > 0 ? bar[nbars / 2] : -1,
		nbars > 0 ? (double)good / nbars : 0, 1 - (double)nbars / n };
}

#endif
