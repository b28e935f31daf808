/* SPDX-License-Identifier: MIT */
/*
 * chan.h - a channel holds one state over time.
 *
 * A single channel is set; a stack channel shows the value pushed last. A
 * disabled channel changes as usual but is not shown. This file has only the
 * values and their rules; view.h decides which rows show a channel and when it
 * becomes a record.
 */
#ifndef WEFT_EMU_CHAN_H
#define WEFT_EMU_CHAN_H

#include <stdint.h>

#include "emu/model.h"

struct arena;

struct chan {
	int64_t value;  /* shown when enabled: the top of the stack, or the
	                 * value set */
	int64_t *stack; /* bottom first; NULL until the first push */
	uint32_t depth, cap;
	uint8_t lost;  /* enum chan_lost */
	bool disabled; /* changes are stored but not shown */
	bool noted;    /* in the list of channels that the current event
	                * changed */
};

/* Whether lost events may have changed the value of the channel, or only the
 * values below the top of its stack. */
enum chan_lost {
	CHAN_KNOWN,
	CHAN_LOST,      /* shown as VALUE_LOST */
	CHAN_LOST_BARE, /* shown as VALUE_NONE: quantities have no lost value */
};

/* Why an update breaks the rules of its channel, which is then unchanged. */
enum chan_fault {
	CHAN_OK,
	CHAN_SAME,  /* the channel already has this value */
	CHAN_EMPTY, /* pop of an empty stack */
	CHAN_OTHER, /* pop of a value that is not on top */
	CHAN_FLOOR, /* pop of a value that was pushed by a lost event: no
	             * fault */
};

/* Sets the start value, and enables or disables the channel, as defined. */
void chan_init(struct chan *ch, const struct chan_def *def);

/* Enable or disable the channel. Return false if it already was. */
bool chan_enable(struct chan *ch);
bool chan_disable(struct chan *ch);

/* Makes room for one more value on the stack, which grows in the arena without
 * a limit. */
void chan_grow(struct chan *ch, struct arena *a);

/* Returns what an empty stack shows. */
static inline int64_t
chan_floor(const struct chan *ch)
{
	return ch->lost == CHAN_LOST ? VALUE_LOST : VALUE_NONE;
}

/* Sets the value of a single channel; VALUE_NONE clears it. */
static inline enum chan_fault
chan_set(struct chan *ch, const struct chan_def *def, int64_t value)
{
	if (value == ch->value && !def->dup)
		return CHAN_SAME;
	ch->value = value;
	ch->lost = CHAN_KNOWN;
	return CHAN_OK;
}

/* Pushes a value without checking the rules of the channel. */
static inline void
chan_enter(struct chan *ch, struct arena *a, int64_t value)
{
	if (ch->depth == ch->cap)
		chan_grow(ch, a);
	ch->stack[ch->depth++] = value;
	ch->value = value;
}

/* Push or pop a value on a stack channel. */
static inline enum chan_fault
chan_push(struct chan *ch, const struct chan_def *def, struct arena *a,
	int64_t value)
{
	if (__builtin_expect(value == ch->value, 0) && !def->dup &&
		(def->repeat == 0 || value != def->repeat))
		return CHAN_SAME;
	if (__builtin_expect(ch->depth == ch->cap, 0))
		chan_grow(ch, a);
	ch->stack[ch->depth++] = value;
	ch->value = value;
	return CHAN_OK;
}

static inline enum chan_fault
chan_pop(struct chan *ch, int64_t value)
{
	if (ch->depth == 0)
		return ch->lost != CHAN_KNOWN ? CHAN_FLOOR : CHAN_EMPTY;
	if (ch->value != value)
		return CHAN_OTHER;
	ch->depth--;
	ch->value = ch->depth == 0 ? chan_floor(ch) : ch->stack[ch->depth - 1];
	return CHAN_OK;
}

#endif
