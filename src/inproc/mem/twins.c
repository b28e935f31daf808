/* SPDX-License-Identifier: MIT */
#include "inproc/mem/twins.h"

#include "inproc/mem/pace.h"

enum { KNOWN = 16 /* samples until spans are compared */ };

/* The properties that twins share, and the registers in use. */
struct pattern {
	int index;
	uint8_t scale;
	uint16_t bits;
	uint32_t bases; /* bases of twins, a bit each */
};

static int
base_of(const ZydisDecodedOperand *o)
{
	return code_register(o->mem.base);
}

static bool
is_like(const struct pattern *p, const ZydisDecodedOperand *o)
{
	return o->actions == ZYDIS_OPERAND_ACTION_READ &&
		o->mem.segment != ZYDIS_REGISTER_FS &&
		o->mem.scale == p->scale && o->size == p->bits &&
		code_register(o->mem.index) == p->index && base_of(o) >= 0 &&
		base_of(o) != p->index;
}

static uint32_t
written_in(const struct code *c, uint64_t at, uint64_t end)
{
	struct instruction i;
	uint32_t written = 0;

	for (; at < end && code_decode(c, at, &i); at += i.is.length)
		written |= i.is.mnemonic == ZYDIS_MNEMONIC_CALL
			? UINT32_MAX
			: replay_written(&i);
	return written;
}

/* Returns true if the load's round or straight path ends at i: i changes the
 * index, jumps, calls, or is the target of a jump. */
static bool
is_border(const struct pattern *p, const struct code *c,
	const struct instruction *i)
{
	return (replay_written(i) >> p->index & 1) != 0 || code_ends(i) ||
		i->is.meta.category == ZYDIS_CATEGORY_COND_BR ||
		i->is.mnemonic == ZYDIS_MNEMONIC_CALL ||
		code_is_target(c, i->ip);
}

static void
add(struct twins *t, struct pattern *p, const struct instruction *i,
	uint32_t written)
{
	int n = code_memory(i), base;

	if (n < 0 || t->n == TWINS || !is_like(p, &i->operand[n]))
		return;
	base = base_of(&i->operand[n]);
	if (((p->bases | written) >> base & 1) != 0)
		return;
	p->bases |= 1u << base;
	t->twin[t->n++] = (struct twin){
		.ip = i->ip, .lo = UINT64_MAX, .operand = (uint8_t)n
	};
}

static bool
has(const struct twins *t, uint64_t ip)
{
	for (int i = 0; i < t->n; i++)
		if (t->twin[i].ip == ip)
			return true;
	return false;
}

void
twins_find(struct twins *t, const struct code *c,
	const struct instruction *load, uint8_t operand)
{
	const ZydisDecodedOperand *o = &load->operand[operand];
	struct pattern p = { .index = code_register(o->mem.index),
		.scale = o->mem.scale,
		.bits = o->size };
	struct instruction i;
	uint64_t at, end;
	uint32_t written;

	*t = (struct twins){ .of = load->ip };
	if (p.index < 0 || !is_like(&p, o) ||
		!pace_find_loop(c, load->ip, &at, &end))
		return;
	written = written_in(c, at, end);
	for (; at < end && code_decode(c, at, &i); at += i.is.length) {
		bool ends = is_border(&p, c, &i);

		if (ends && has(t, load->ip))
			break;
		if (ends) {
			t->n = 0;
			p.bases = 0;
		}
		if ((replay_written(&i) >> p.index & 1) == 0)
			add(t, &p, &i, written);
	}
	if (!has(t, load->ip))
		t->n = 0;
}

static bool
look(struct twins *t, const struct code *c, const struct replay *now,
	uint64_t at[TWINS])
{
	struct instruction i;

	for (int n = 0; n < t->n; n++) {
		struct twin *w = &t->twin[n];

		if (!code_decode(c, w->ip, &i) ||
			!replay_address(
				now, &i, &i.operand[w->operand], &at[n]))
			return false;
		w->lo = at[n] < w->lo ? at[n] : w->lo;
		w->hi = at[n] > w->hi ? at[n] : w->hi;
	}
	return true;
}

/* Returns true if the spans are equal within an eighth. */
static bool
is_alike(const struct twin *a, const struct twin *b)
{
	uint64_t x = a->hi - a->lo, y = b->hi - b->lo;

	return (x < y ? y - x : x - y) <= (x < y ? y : x) / 8;
}

bool
twins_next(struct twins *t, const struct code *c, const struct replay *now,
	uint64_t *ip, uint64_t *address)
{
	const struct twin *own = NULL;
	uint64_t at[TWINS];

	if (t->n < 2 || !look(t, c, now, at) || t->seen++ < KNOWN)
		return false;
	for (int n = 0; n < t->n; n++)
		if (t->twin[n].ip == t->of)
			own = &t->twin[n];
	for (int tries = 0; own != NULL && tries < t->n; tries++) {
		int n = (int)(t->turn++ % (unsigned)t->n);

		if (!is_alike(&t->twin[n], own))
			continue;
		*ip = t->twin[n].ip;
		*address = at[n];
		return true;
	}
	return false;
}
