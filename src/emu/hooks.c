/* SPDX-License-Identifier: MIT */
#include "emu/hooks.h"

#include "emu/state.h"

static hook_fn *
start_of(const struct model *m)
{
	return m->start;
}

static hook_fn *
end_of(const struct model *m)
{
	return m->end;
}

static hook_fn *
fini_of(const struct model *m)
{
	return m->fini;
}

/* Calls a hook of all enabled models, in their order; a function that several
 * models share is called once. */
static void
call(struct emu *emu, hook_fn *of(const struct model *m))
{
	const struct model *const *on = emu->enabled.model.at;

	for (int i = 0; i < emu->enabled.model.n; i++) {
		hook_fn *hook = of(on[i]);

		for (int j = 0; j < i && hook != NULL; j++)
			if (of(on[j]) == hook)
				hook = NULL;
		if (hook != NULL)
			hook(emu);
	}
}

void
hooks_start(struct emu *emu)
{
	call(emu, start_of);
}

void
hooks_end(struct emu *emu)
{
	call(emu, end_of);
}

void
hooks_fini(struct emu *emu)
{
	call(emu, fini_of);
}

void
hooks_cut(struct emu *emu)
{
	const struct binding *before = emu->binding;

	for (int i = 0; i < emu->enabled.model.n; i++) {
		const struct model *m = emu->enabled.model.at[i];
		const struct binding as = { .model = m,
			.slot = (uint16_t)i,
			.first_chan = (uint16_t)emu->enabled.first.at[i] };

		emu->binding = &as;
		if (m->cut != NULL)
			m->cut(emu);
	}
	emu->binding = before;
}
