/* SPDX-License-Identifier: MIT */
/*
 * wait_short.c - calls that were too short to be recorded one by one.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "emu/change.h"
#include "emu/models/models.h"
#include "emu/models/wait_names.h"
#include "emu/say.h"
#include "export/short_calls.h"

/* Returns the sum of a kind of calls from one place; site 0: not known. */
static struct short_calls_sum *
sum_of(struct emu *emu, uint32_t kind, uint32_t site)
{
	struct short_calls *all = emu->short_calls;
	uint64_t key =
		(uint64_t)(site == 0 ? 0 : wait_line(emu, site)) * SHORT_KINDS +
		kind;
	uint64_t *at = map_put(&all->at, key);

	if (*at == 0) {
		struct short_calls_sum one = {
			.kind = model_label(&model_wait, WAIT, kind),
			.line = site == 0
				? NULL
				: arena_strdup(all->arena,
					  wait_site_text(emu, site, "")),
		};

		VEC_PUSH(&all->sum, all->arena, one);
		*at = (uint64_t)all->sum.n;
	}
	return &all->sum.at[*at - 1];
}

/* Adds to the sums by kind and place, if anybody wants them. */
static void
add_kind(struct emu *emu)
{
	uint32_t kind = emu_arg_u32(emu, 0);
	struct short_calls_sum *sum;

	if (emu->short_calls == NULL || kind >= SHORT_KINDS)
		return;
	sum = sum_of(emu, kind, emu_arg_u32(emu, 1));
	sum->calls += emu_arg_u32(emu, 2);
	sum->time += (uint64_t)emu_arg(emu, 3);
}

void
wait_add_short(struct emu *emu, const struct event *ev)
{
	int chan = wait_chan(emu, SHORT);
	int64_t so_far = emu->thread->has.chan[chan].value, all;
	uint64_t ns = (uint64_t)emu_arg(emu, 3);

	(void)ev;
	add_kind(emu);
	if (__builtin_add_overflow(
		    so_far == VALUE_NONE ? 0 : so_far, ns, &all) ||
		all == VALUE_NONE)
		emu_finding(emu, FINDING_ERROR,
			"overflow: %" PRIu64 " ns in short calls, plus those "
			"before, leave 64 bits",
			ns);
	else
		emu_set(emu, chan, all);
}
