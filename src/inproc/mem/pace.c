/* SPDX-License-Identifier: MIT */
#include "inproc/mem/pace.h"

#include "inproc/mem/replay.h"
#include "inproc/mem/sample.h"

enum {
	LINE = 64,
	LONGEST = 96, /* instructions of the longest loop that is examined */
	SAME = 4,     /* rounds with equal strides that suffice */
	TRIES = 16,
	/* Samples come in random order, so some are discounted from the start.
	 * The number is small, because otherwise the first waits of a loop
	 * would be missed. */
	FIRST_OWED = 4 * LINE,
	MOST_OWED = 16 * LINE
};

bool
pace_find_loop(
	const struct code *c, uint64_t ip, uint64_t *first, uint64_t *end)
{
	const struct instruction *i;
	uint64_t at = ip, jump;
	int left = LONGEST; /* instructions before the jump */

	for (; (jump = code_next_jump(c, at, c->hi)) != 0; left--) {
		uint64_t to;

		left -= code_count(c, at, jump);
		if (left <= 0 || (i = code_look(c, jump)) == NULL)
			break;
		to = code_jump(i);
		at = jump + i->is.length;
		if (to < c->lo || to > ip || !code_is_loop(c, to) ||
			i->is.mnemonic == ZYDIS_MNEMONIC_CALL)
			continue;
		*first = to;
		*end = at;
		return true;
	}
	return false;
}

/* Returns the base and index registers of the instruction's memory operand as
 * bits; 0 without such an operand, or if its base is the stack pointer. */
static uint32_t
address_set(const struct instruction *i)
{
	int n = code_memory(i), base, index;

	if (n < 0)
		return 0;
	base = code_register(i->operand[n].mem.base);
	index = code_register(i->operand[n].mem.index);
	if (base == REG_SP)
		return 0;
	return (base < 0 ? 0 : 1u << base) | (index < 0 ? 0 : 1u << index);
}

struct pace
pace_begin(const struct code *c, const struct instruction *load)
{
	struct pace p = { .owed = FIRST_OWED };
	uint32_t own = address_set(load), written = 0, set[LONGEST];
	const struct instruction *i;
	uint64_t at, end;
	int n = 0;

	if (own == 0 || !pace_find_loop(c, load->ip, &at, &end))
		return p;
	for (; n < LONGEST && at < end; n++, at += i->is.length) {
		i = code_look(c, at);
		if (i == NULL)
			break;
		set[n] = address_set(i);
		written |= replay_written(i);
	}
	while (n-- > 0)
		p.has_company |= set[n] != own && (set[n] & written) != 0;
	return p;
}

bool
pace_wants_stride(const struct pace *p)
{
	return p->has_company && p->same < SAME && p->tries < TRIES;
}

void
pace_note_stride(struct pace *p, int64_t stride)
{
	p->tries++;
	p->same = stride == p->stride ? p->same + 1 : 1;
	p->stride = stride;
}

static bool
is_small(int64_t stride)
{
	return stride != 0 && stride > -LINE && stride < LINE;
}

bool
pace_is_at_hand(struct pace *p, uint64_t address, unsigned bytes)
{
	uint64_t far = p->stride > 0 ? address + bytes - 1 : address;
	int32_t step = (int32_t)(p->stride > 0 ? p->stride : -p->stride);

	if (!p->has_company || p->same < SAME || !is_small(p->stride))
		return false;
	if (far / LINE == (far - (uint64_t)p->stride) / LINE) {
		p->owed += p->owed < MOST_OWED ? step : 0;
		return true;
	}
	if (p->owed < LINE - step)
		return false;
	p->owed -= LINE - step;
	return true;
}
