/* SPDX-License-Identifier: MIT */
#include "emu/mark.h"

#include "base/arena.h"
#include "emu/change.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"

enum { VALUE, TYPE };

void
mark_add_chans(struct emu *emu, const struct model *model)
{
	const struct trace *t = emu->trace;

	for (int i = 0; i < MARK_TYPES; i++)
		emu->mark_chan[i] = TRACE_NONE;
	for (int i = 0; i < t->marks.n; i++) {
		const struct trace_mark *m = &t->marks.at[i];
		struct chan_def *def = ARENA_NEW(emu->arena, struct chan_def);

		*def = (struct chan_def){
			.key = arena_printf(
				emu->arena, "mark%lld", (long long)m->type),
			.title = m->title,
			.means = MEANS_TASK,
			.number = MARK_FIRST_NUMBER + m->type,
			.kind = m->stack ? CHAN_STACK : CHAN_SINGLE,
			.thread = TRACK_ACTIVE,
			.emission = SKIPDUPNULL,
			.dup = true,
			.plain = true,
		};
		emu->mark_chan[m->type] = emu_add_chan(emu, def, model, -1);
		emu->chans.at[emu->mark_chan[m->type]].mark = m;
	}
}

static void
declare_labels(struct emu *emu)
{
	const struct trace *t = emu->trace;

	for (int i = 0; i < t->marks.n; i++) {
		const struct trace_mark *m = &t->marks.at[i];

		for (int j = 0; j < m->labels.n; j++) {
			view_label(emu, emu->mark_chan[m->type],
				m->labels.at[j].value, m->labels.at[j].text);
		}
	}
}

/* Declares a view of all mark types, for the rows of a class. */
static void
declare_panel(struct emu *emu, const char *class, bool cpu)
{
	const struct trace *t = emu->trace;
	uint32_t *types = ARENA_ARRAY(emu->arena, uint32_t, t->marks.n);

	for (int i = 0; i < t->marks.n; i++) {
		const struct emu_chan *c =
			&emu->chans.at[emu->mark_chan[t->marks.at[i].type]];

		types[i] = cpu ? c->cpu_type : c->thread_type;
	}
	sink_panel(emu->sink,
		&(struct panel){ .class = class,
			.key = "ovni.marks",
			.title = "Marks of all types",
			.types = types,
			.ntypes = t->marks.n });
}

static void
declare_panels(struct emu *emu)
{
	if (emu->trace->marks.n < 2)
		return;
	declare_panel(emu, "thread", false);
	declare_panel(emu, "cpu", true);
}

void
mark_start(struct emu *emu)
{
	declare_labels(emu);
	declare_panels(emu);
}

/* Counters, which are set, may be 0; for the ovni tools 0 is not a value. */
static bool
is_value(const struct emu *emu, int64_t value, enum chan_kind kind)
{
	return value != VALUE_NONE &&
		(value != 0 || (kind == CHAN_SINGLE && !emu->strict));
}

/* Returns the channel of the event's mark type, or -1 if it is of another
 * kind. */
static int
chan_of(struct emu *emu, enum chan_kind kind)
{
	int64_t type = emu_arg(emu, TYPE);
	int chan = type < 0 || type >= MARK_TYPES ? TRACE_NONE
						  : emu->mark_chan[type];

	if (chan == TRACE_NONE) {
		emu_finding(emu, FINDING_ERROR,
			"mark type %lld is not declared in any stream.json",
			(long long)type);
		return TRACE_NONE;
	}
	if (emu->chans.at[chan].def->kind != kind) {
		emu_finding(emu, FINDING_ERROR,
			kind == CHAN_STACK
				? "mark type %lld is single: it cannot be "
				  "pushed "
				  "or popped"
				: "mark type %lld is a stack: it cannot be set",
			(long long)type);
		return TRACE_NONE;
	}
	if (!is_value(emu, emu_arg(emu, VALUE), kind)) {
		emu_finding(emu, FINDING_ERROR, "the value of a mark is %lld",
			(long long)emu_arg(emu, VALUE));
		return TRACE_NONE;
	}
	return chan;
}

void
mark_push(struct emu *emu, const struct event *ev)
{
	int chan = chan_of(emu, CHAN_STACK);

	(void)ev;
	if (chan != TRACE_NONE)
		emu_push(emu, chan, emu_arg(emu, VALUE));
}

void
mark_pop(struct emu *emu, const struct event *ev)
{
	int chan = chan_of(emu, CHAN_STACK);

	(void)ev;
	if (chan != TRACE_NONE)
		emu_pop(emu, chan, emu_arg(emu, VALUE));
}

void
mark_set(struct emu *emu, const struct event *ev)
{
	int chan = chan_of(emu, CHAN_SINGLE);

	(void)ev;
	if (chan != TRACE_NONE)
		emu_set(emu, chan, emu_arg(emu, VALUE));
}
