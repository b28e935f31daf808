/* SPDX-License-Identifier: MIT */
/*
 * chan.h - a channel holds one state over time.
 *
 * A single channel is set; a stack channel shows what was pushed last. While
 * it is disabled, all that happens as ever and is not shown. This is only the
 * store with its rules: who owns a channel, when it is shown and how it becomes
 * a record is the business of view.h.
 */
#ifndef WEFT_EMU_CHAN_H
#define WEFT_EMU_CHAN_H

#include <stdint.h>

#include "emu/model.h"

struct arena;

struct chan {
	int64_t value;  /* shown when enabled: the top of a stack, or set */
	int64_t *stack; /* bottom first; NULL until the first push */
	uint32_t depth, cap;
	uint8_t lost;  /* enum chan_lost */
	bool disabled; /* by an event: changes are kept, and shown later */
};

/* Whether events were lost that would tell what the channel held, or what lies
 * below all that is on its stack. */
enum chan_lost {
	CHAN_KNOWN,
	CHAN_LOST,      /* shown as VALUE_LOST */
	CHAN_LOST_BARE, /* shown as VALUE_NONE: a quantity has no such value */
};

/* Why an update breaks the rules of its channel; nothing changed then. */
enum chan_fault {
	CHAN_OK,
	CHAN_SAME,  /* the value that it has already */
	CHAN_EMPTY, /* pop of an empty stack */
	CHAN_OTHER, /* pop of a value that is not on top */
	CHAN_FLOOR, /* pop of what was pushed when nobody saw it: no fault */
};

/* As its definition has it: with a first value, enabled or not. */
void chan_init(struct chan *ch, const struct chan_def *def);

/* Switches it on or off; false if it is so already. */
bool chan_enable(struct chan *ch);
bool chan_disable(struct chan *ch);

/* Sets a single channel; VALUE_NONE for nothing. */
enum chan_fault chan_set(
	struct chan *ch, const struct chan_def *def, int64_t value);

/* Room for one more value on the stack, which grows in the arena without a
 * limit. */
void chan_grow(struct chan *ch, struct arena *a);

/* What an empty stack shows. */
static inline int64_t
chan_floor(const struct chan *ch)
{
	return ch->lost == CHAN_LOST ? VALUE_LOST : VALUE_NONE;
}

/* Pushes a value, whatever the rules. */
static inline void
chan_enter(struct chan *ch, struct arena *a, int64_t value)
{
	if (ch->depth == ch->cap)
		chan_grow(ch, a);
	ch->stack[ch->depth++] = value;
	ch->value = value;
}

/* Stack channels. */
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
