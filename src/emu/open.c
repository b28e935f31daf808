/* SPDX-License-Identifier: MIT */
#include "emu/open.h"

#include <stdio.h>
#include <string.h>

#include "emu/say.h"
#include "emu/state.h"

const char *
open_stack(const struct emu *emu, const struct thread *th, int chan, char *to,
	size_t room)
{
	const struct chan *ch = &th->has.chan[chan];
	char value[OPEN_ROOM / 4];
	size_t n = 0;

	for (uint32_t i = 0; i < ch->depth && n < room; i++)
		n += (size_t)snprintf(to + n, room - n, "%s%s",
			i == 0 ? "" : " > ",
			emu_value_whole(
				emu, chan, ch->stack[i], value, sizeof value));
	if (n >= room)
		snprintf(to, room, "... > %s",
			emu_value_whole(emu, chan, ch->value, value, room - 6));
	return to;
}

bool
open_is(const struct emu *emu, const struct thread *th, int chan)
{
	return emu->chans.at[chan].def->kind == CHAN_STACK &&
		th->has.chan[chan].depth > 0;
}

const char *
open_text(const struct emu *emu, const struct thread *th, char *to, size_t room)
{
	char stack[200];
	size_t n = 0;

	*to = '\0';
	for (int i = 0; i < emu->chans.n && n + 1 < room; i++)
		if (open_is(emu, th, i))
			n += (size_t)snprintf(to + n, room - n, "%s%s: %s",
				n == 0 ? ", in " : ", ",
				emu->chans.at[i].def->title,
				open_stack(emu, th, i, stack, sizeof stack));
	return to;
}

/* Returns true for stacks of code sections; marks, flushes and the like may
 * stay open. */
static bool
is_section(const struct emu_chan *c)
{
	return c->def->kind == CHAN_STACK &&
		(strcmp(c->def->key, "subsystem") == 0 ||
			strcmp(c->def->key, "function") == 0);
}

static void
lint_thread(struct emu *emu, const struct thread *th)
{
	for (int i = 0; i < emu->chans.n; i++) {
		const struct emu_chan *c = &emu->chans.at[i];

		if (!is_section(c) || th->has.chan[i].depth == 0)
			continue;
		finding_add(emu->findings,
			(struct finding){ .severity = FINDING_ERROR,
				.file = emu->trace->path,
				.offset = FINDING_NOWHERE,
				.time = emu->now },
			"thread %lld ended with %u stacked %s %ss",
			(long long)th->tid, th->has.chan[i].depth,
			c->model->name, c->def->key);
	}
}

void
open_lint(struct emu *emu)
{
	for (int i = 0; i < emu->system.nthreads; i++)
		lint_thread(emu, &emu->system.threads[i]);
}
