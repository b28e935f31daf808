/* SPDX-License-Identifier: MIT */
#include "emu/burst.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/log.h"
#include "emu/say.h"
#include "emu/state.h"

#define PROBES 100
#define SLOW_NS 100

struct burst {
	int n; /* probes so far */
	int64_t last;
	int64_t gap[PROBES - 1];
};

static int
by_size(const void *pa, const void *pb)
{
	int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;

	return (a > b) - (a < b);
}

static void
tell(struct emu *emu, struct burst *b)
{
	const char *node = emu->thread->process->node->name;
	const int n = PROBES - 1, middle = n / 2;
	double sum = 0, median;

	for (int i = 0; i < n; i++)
		sum += (double)b->gap[i];
	qsort(b->gap, (size_t)n, sizeof *b->gap, by_size);
	median = (double)b->gap[middle];
	if (log_has_old_words())
		emu_finding(emu,
			median > SLOW_NS ? FINDING_WARNING : FINDING_NOTE,
			"%s burst stats: median/avg/max = %3.0f/%3.0f/%3.0f "
			"ns",
			node, median, sum / n, (double)b->gap[n - 1]);
	else if (median > SLOW_NS)
		emu_finding(emu, FINDING_WARNING,
			"%s: recording was slow: an event took %.0f ns, more "
			"than %d (median of a burst of test events; mean %.0f "
			"ns, longest %.0f ns)",
			node, median, SLOW_NS, sum / n, (double)b->gap[n - 1]);
	else
		emu_aside(emu,
			"%s: recording was quick: an event took %.0f ns "
			"(median of a burst of test events; mean %.0f ns, "
			"longest %.0f ns)",
			node, median, sum / n, (double)b->gap[n - 1]);
}

void
burst_probe(struct emu *emu, const struct event *ev)
{
	struct burst *b = emu->thread->burst;

	if (b == NULL)
		b = emu->thread->burst = ARENA_NEW(emu->arena, struct burst);
	if (b->n > 0)
		b->gap[b->n - 1] = ev->time - b->last;
	b->last = ev->time;
	if (++b->n < PROBES)
		return;
	tell(emu, b);
	b->n = 0;
}
