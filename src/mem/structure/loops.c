/* SPDX-License-Identifier: MIT */
#include "mem/structure/loops.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#if HAVE_ZYDIS
#include <Zydis/Zydis.h>

#define STEPS_MOST (1 << 23) /* instructions visited for one function */

/* What follows an instruction. */
enum flow { FLOW_NEXT, FLOW_BRANCH, FLOW_JUMP, FLOW_END };

struct step {
	uint64_t address;
	int target; /* index of the instruction jumped to; -1: none in this
	             * function */
	uint64_t to;
	enum flow flow;
	bool is_target;
};

struct code {
	struct arena *arena;
	VEC(struct step) step;
	uint64_t end;
	uint8_t *seen; /* by step */
	int *todo;
};

static enum flow
flow_of(const ZydisDecodedInstruction *is)
{
	switch (is->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return FLOW_BRANCH;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return FLOW_JUMP;
	case ZYDIS_CATEGORY_RET:
		return FLOW_END;
	default:
		return is->mnemonic == ZYDIS_MNEMONIC_UD2 ||
				is->mnemonic == ZYDIS_MNEMONIC_HLT
			? FLOW_END
			: FLOW_NEXT;
	}
}

static void
decode(struct code *c, const uint8_t *bytes, uint64_t address, size_t size)
{
	ZydisDecodedInstruction is;
	ZydisDecoder decoder;
	size_t at = 0;

	ZydisDecoderInit(
		&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	while (at < size &&
		ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
			&decoder, NULL, bytes + at, size - at, &is))) {
		struct step *s = VEC_ADD(&c->step, c->arena);

		s->address = address + at;
		s->target = -1;
		s->flow = flow_of(&is);
		at += is.length;
		if (is.raw.imm[0].is_relative &&
			(s->flow == FLOW_BRANCH || s->flow == FLOW_JUMP))
			s->to = address + at + (uint64_t)is.raw.imm[0].value.s;
	}
	c->end = address + at;
}

static int
index_of(const struct code *c, uint64_t address)
{
	int lo = 0, hi = c->step.n;

	while (lo < hi) {
		int middle = lo + (hi - lo) / 2;

		if (c->step.at[middle].address < address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < c->step.n && c->step.at[lo].address == address ? lo : -1;
}

static void
link_jumps(struct code *c)
{
	for (int i = 0; i < c->step.n; i++) {
		struct step *s = &c->step.at[i];

		if (s->to != 0)
			s->target = index_of(c, s->to);
		if (s->target >= 0)
			c->step.at[s->target].is_target = true;
	}
}

static void
visit(struct code *c, int step, int avoid, int *n)
{
	if (step < 0 || step >= c->step.n || step == avoid || c->seen[step])
		return;
	c->seen[step] = 1;
	c->todo[(*n)++] = step;
}

/* Returns true if code starts at the step in a way that the jumps do not show:
 * the function's entry, and the cases of a switch. */
static bool
is_entry(const struct code *c, int step)
{
	return step == 0 ||
		(!c->step.at[step].is_target &&
			(c->step.at[step - 1].flow == FLOW_JUMP ||
				c->step.at[step - 1].flow == FLOW_END));
}

/* Goes on from the n steps in c->todo. Returns true if they lead to a step
 * without passing another one. */
static bool
leads_to(struct code *c, int n, int step, int avoid)
{
	while (n > 0) {
		int at = c->todo[--n];
		const struct step *s = &c->step.at[at];

		if (at == step)
			return true;
		if (s->flow == FLOW_NEXT || s->flow == FLOW_BRANCH)
			visit(c, at + 1, avoid, &n);
		if (s->flow == FLOW_BRANCH || s->flow == FLOW_JUMP)
			visit(c, s->target, avoid, &n);
	}
	return false;
}

/* Returns true if every way to the step passes another one. */
static bool
is_dominated(struct code *c, int step, int by)
{
	int n = 0;

	memset(c->seen, 0, (size_t)c->step.n);
	for (int i = 0; i < c->step.n; i++)
		if (is_entry(c, i))
			visit(c, i, by, &n);
	return step == by || !leads_to(c, n, step, by);
}

/* Returns true if a step leads to the next one. */
static bool
goes_on(const struct step *s)
{
	return s->flow == FLOW_NEXT || s->flow == FLOW_BRANCH;
}

/* Returns the step from first to last that a step enters from outside, or that
 * is entered in a way that jumps do not show; -1: none. */
static int
entered_by(const struct code *c, int step, int first, int last)
{
	const struct step *s = &c->step.at[step];

	if (step >= first && step <= last)
		return is_entry(c, step) ? step : -1;
	return s->target >= first && s->target <= last ? s->target : -1;
}

/* Returns the only step from first to last that is entered from outside; -1:
 * there are several, or none. */
static int
only_entry(const struct code *c, int first, int last)
{
	bool is_first = first > 0 && goes_on(&c->step.at[first - 1]);
	int entry = is_first ? first : -1;

	for (int i = 0; i < c->step.n; i++) {
		int to = entered_by(c, i, first, last);

		if (to >= 0 && entry >= 0 && to != entry)
			return -1;
		if (to >= 0)
			entry = to;
	}
	return entry;
}

/* Returns true if a jump back makes a loop: all ways to the jump lead through
 * its target; or the code between the two has one entry, as where a compiler
 * puts the condition of a loop behind its body and begins there. */
static bool
is_loop(struct code *c, int target, int jump)
{
	int n = 0;

	if (is_dominated(c, jump, target))
		return true;
	if (only_entry(c, target, jump) < 0)
		return false;
	memset(c->seen, 0, (size_t)c->step.n);
	visit(c, target, -1, &n);
	return leads_to(c, n, jump, -1);
}

static uint64_t
end_of(const struct code *c, int step)
{
	return step + 1 < c->step.n ? c->step.at[step + 1].address : c->end;
}

static int
by_lo(const void *pa, const void *pb)
{
	const struct loop *a = pa, *b = pb;

	if (a->lo != b->lo)
		return a->lo < b->lo ? -1 : 1;
	return (a->hi < b->hi) - (a->hi > b->hi);
}

/* Keeps one loop for each first instruction, and extends an outer loop to the
 * end of the loops that begin in it. */
static void
nest(struct loops *to, int from)
{
	int n = from;

	if (to->list.n > from)
		qsort(to->list.at + from, (size_t)(to->list.n - from),
			sizeof *to->list.at, by_lo);
	for (int i = from; i < to->list.n; i++)
		if (n == from || to->list.at[n - 1].lo != to->list.at[i].lo)
			to->list.at[n++] = to->list.at[i];
	to->list.n = n;
	for (int i = n - 1; i > from; i--)
		for (int o = i - 1; o >= from; o--)
			if (to->list.at[o].hi > to->list.at[i].lo &&
				to->list.at[o].hi < to->list.at[i].hi)
				to->list.at[o].hi = to->list.at[i].hi;
}

void
loops_find(struct loops *to, struct arena *a, const uint8_t *bytes,
	uint64_t address, size_t size)
{
	struct code c = { .arena = a };
	int64_t steps = 0;
	int from = to->list.n;

	decode(&c, bytes, address, size);
	link_jumps(&c);
	if (c.step.n == 0)
		return;
	c.seen = ARENA_ARRAY(a, uint8_t, c.step.n);
	c.todo = ARENA_ARRAY(a, int, c.step.n);
	for (int i = 0; i < c.step.n && steps < STEPS_MOST; i++) {
		int target = c.step.at[i].target;

		if (target < 0 || target > i)
			continue;
		steps += c.step.n;
		if (is_loop(&c, target, i))
			VEC_PUSH(&to->list, a,
				((struct loop){ c.step.at[target].address,
					end_of(&c, i), c.step.at[i].address }));
	}
	nest(to, from);
}

#else

void
loops_find(struct loops *to, struct arena *a, const uint8_t *bytes,
	uint64_t address, size_t size)
{
	(void)to;
	(void)a;
	(void)bytes;
	(void)address;
	(void)size;
}

#endif
