/* SPDX-License-Identifier: MIT */
#include "emu/away.h"

#include "emu/say.h"
#include "emu/state.h"

void
away_look(struct emu *emu, const struct holder *of)
{
	bool away = false;

	for (int i = 0; i < emu->chans.n && of->thread != NULL; i++) {
		int64_t value = of->chan[i].value;

		away |= emu->chans.at[i].def->away && value != VALUE_NONE &&
			value != VALUE_LOST;
	}
	if (of->thread == NULL)
		return;
	of->thread->lacks &= (uint8_t)~NEED_ON_CPU;
	if (away)
		of->thread->lacks |= NEED_ON_CPU;
}

void
away_refuse(struct emu *emu)
{
	if (emu->strict)
		emu_finding(emu, FINDING_ERROR,
			"current thread %lld out of CPU",
			(long long)emu->thread->tid);
	else
		emu_finding(emu, FINDING_ERROR,
			"the thread is switched out; only threads on a CPU "
			"emit this event");
}
