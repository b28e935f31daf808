/* SPDX-License-Identifier: MIT */
#include "emu/gap_learn.h"

#include "base/arena.h"
#include "emu/emu.h"
#include "export/sink.h"

static void
ignore(struct sink *s, const struct record *r)
{
	(void)s;
	(void)r;
}

bool
gap_learn(struct gap_notes *notes, struct source *source,
	const struct emu_options *options)
{
	static const struct sink_ops nowhere_ops = { .state = ignore };
	struct sink nowhere = { .ops = &nowhere_ops };
	struct emu_options learn = *options;
	struct arena scratch = { 0 };
	struct err err = { 0 };
	struct emu *emu;

	learn.learn = notes;
	learn.known = NULL;
	learn.mends = NULL;
	learn.short_calls = NULL;
	learn.breakdown = false;
	emu = emu_open(&scratch, source, &nowhere, &learn, &err);
	if (emu != NULL) {
		emu_run(emu, NULL);
		emu_close(emu);
	}
	arena_fini(&scratch);
	return emu != NULL;
}
