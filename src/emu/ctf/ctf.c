/* SPDX-License-Identifier: MIT */
#include "emu/ctf/ctf.h"

#include "base/arena.h"
#include "emu/change.h"
#include "emu/say.h"
#include "emu/state.h"

struct ctf *
ctf_of(struct emu *emu)
{
	if (emu->ctf == NULL)
		emu->ctf = ARENA_NEW(emu->arena, struct ctf);
	return emu->ctf;
}

int
ctf_chan(const struct emu *emu, int local)
{
	return emu->binding->first_chan + local;
}

static bool
has_section(const struct chan *ch, int64_t section)
{
	for (uint32_t i = ch->depth; i > 0; i--)
		if (ch->stack[i - 1] == section)
			return true;
	return false;
}

void
ctf_leave(struct emu *emu, int64_t section)
{
	int chan = ctf_chan(emu, ctf_chans.subsystem);
	const struct chan *ch = &emu->thread->has.chan[chan];
	struct ctf *c = ctf_of(emu);
	char text[64];

	if (has_section(ch, section) && ch->value != section && !c->said_open) {
		c->said_open = true;
		emu_finding(emu, FINDING_WARNING,
			"no event leaves %s, so it is ended here; reported "
			"once",
			emu_value_text(emu, chan, ch->value, text));
	}
	while (ch->depth > 0 && ch->value != section &&
		(ch->lost || has_section(ch, section)))
		emu_pop(emu, chan, ch->value);
	emu_pop(emu, chan, section);
}

const char *
ctf_thread_name(const struct emu *emu, const char *kind, int64_t tid)
{
	return arena_printf(emu->arena, "%s %d.%lld", kind,
		emu->system.process_of[emu->event->stream]->node->index,
		(long long)tid);
}
