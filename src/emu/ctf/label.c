/* SPDX-License-Identifier: MIT */
#include "emu/ctf/label.h"

#include "base/arena.h"
#include "emu/change.h"
#include "emu/ctf/ctf.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"

enum { NUMBER, TEXT };

struct task_type *
ctf_type(struct emu *emu, uint32_t number)
{
	struct process *p = emu->system.process_of[emu->event->stream];
	uint64_t *at = map_put(&p->types, number);
	struct task_type *type;

	if (*at != 0)
		return (struct task_type *)(uintptr_t)*at;
	type = ARENA_NEW(emu->arena, struct task_type);
	type->gid = type->source = number;
	*at = (uint64_t)(uintptr_t)type;
	return type;
}

/* Returns the value of a name: its number, unless that is taken. */
static int64_t
value_of(struct emu *emu, struct ctf_names *names, int64_t number,
	const char *text)
{
	uint32_t known, at;
	uint64_t *owner;

	if (names->texts.arena == NULL)
		intern_init(&names->texts, emu->arena);
	known = names->texts.n;
	at = intern_add(&names->texts, text);
	owner = map_put(&names->text, (uint64_t)number);
	if (*owner != 0 && *owner != (uint64_t)at + 1) {
		if (at < known)
			return names->value.at[at];
		number = names->last + 1;
		owner = map_put(&names->text, (uint64_t)number);
	}
	*owner = (uint64_t)at + 1;
	if (at == known)
		VEC_PUSH(&names->value, emu->arena, number);
	if (number > names->last)
		names->last = number;
	return number;
}

/* Returns the text in the event, or NULL with a finding. */
static const char *
text_of(struct emu *emu, const struct event *ev)
{
	const char *text = bind_str(emu->binding, ev, TEXT);

	if (text == NULL)
		emu_finding(emu, FINDING_ERROR, "the label has no end");
	return text;
}

static uint32_t
name_value(struct emu *emu, struct ctf_names *names, int chan, uint32_t number,
	const char *text)
{
	int64_t value = value_of(emu, names, number, text);

	view_label(emu, ctf_chan(emu, chan), value, text);
	return (uint32_t)value;
}

void
ctf_label_type(struct emu *emu, const struct event *ev, int chan)
{
	uint32_t number = emu_arg_u32(emu, NUMBER);
	const char *text = text_of(emu, ev);

	if (text != NULL)
		ctf_type(emu, number)->gid = name_value(
			emu, &ctf_of(emu)->labels, chan, number, text);
}

void
ctf_label(struct emu *emu, const struct event *ev)
{
	ctf_label_type(emu, ev, ctf_chans.label);
}

void
ctf_source(struct emu *emu, const struct event *ev)
{
	uint32_t number = emu_arg_u32(emu, NUMBER);
	const char *text = text_of(emu, ev);

	if (text != NULL)
		ctf_type(emu, number)->source = name_value(emu,
			&ctf_of(emu)->sources, ctf_chans.source, number, text);
}

static int64_t
section(const struct emu *emu)
{
	return ctf_chans.debug + emu_arg(emu, NUMBER);
}

void
ctf_debug_register(struct emu *emu, const struct event *ev)
{
	const char *text = text_of(emu, ev);

	if (text != NULL)
		view_label(emu, ctf_chan(emu, ctf_chans.subsystem),
			section(emu),
			arena_printf(emu->arena, "Debug: %s", text));
}

void
ctf_debug_enter(struct emu *emu, const struct event *ev)
{
	(void)ev;
	emu_push(emu, ctf_chan(emu, ctf_chans.subsystem), section(emu));
}

void
ctf_debug_exit(struct emu *emu, const struct event *ev)
{
	int chan = ctf_chan(emu, ctf_chans.subsystem);

	(void)ev;
	emu_pop(emu, chan, emu->thread->has.chan[chan].value);
}

void
ctf_debug_transition(struct emu *emu, const struct event *ev)
{
	ctf_debug_exit(emu, ev);
	ctf_debug_enter(emu, ev);
}
