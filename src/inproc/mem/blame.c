/* SPDX-License-Identifier: MIT */
#include "inproc/mem/blame.h"

#include <stddef.h>
#include <string.h>

#include "inproc/code/code.h"
#include "inproc/mem/arrive.h"
#include "inproc/mem/pace.h"
#include "inproc/mem/replay.h"
#include "inproc/mem/twins.h"
#include "mem/wire.h"

enum {
	BACK = 24,  /* instructions to go back to load a base register again */
	AHEAD = 96, /* most instructions until the same one is reached again */
	JUMPS = 12, /* undecided jumps on the way */
	PLANS = 16384,
	LOOPS = 256, /* loads of loops with known twins */
	/* registers that functions preserve: bx, sp, bp, r12 to r15 */
	KEPT = 1 << 3 | 1 << REG_SP | 1 << REG_BP | 0xf << 12,
	/* The flag RF: the instruction at ip has raised a fault, such as that
	 * of the first access to a page, and is executed again. */
	FLAG_RESUME = 1 << 16,
	NULLS = 65536 /* a pointer below this address ends a chain: the loop
	               * makes no further round */
};

/* What to do for an interrupted address; computed once. */
struct plan {
	uint64_t at;
	uint64_t ip;
	uint8_t access;
	uint8_t operand;   /* operand of the instruction at ip */
	bool is_pending;   /* the instruction at `at` has not completed */
	bool is_clobbered; /* the instruction overwrote a register of its
	                    * operand */
	bool is_stack;     /* the address is sp + offset */
	bool is_target;    /* a jump may lead here */
	bool is_loop;      /* blame ip unless a loop jumped here */
	bool is_case;      /* blame a jump, unless a table's entry led here */
	int8_t offset;
	struct pace pace;
};

/* Accessed under the drain's lock. */
static struct plan plans[PLANS];
static struct twins twins[LOOPS];
static bool has_code;

bool
blame_init(void)
{
	replay_start();
	has_code = code_init();
	return has_code;
}

void
blame_forget(void)
{
	code_forget();
	for (int i = 0; i < PLANS; i++)
		plans[i].at = 0;
	for (int i = 0; i < LOOPS; i++)
		twins[i].of = 0;
}

static uint8_t
access_of(const ZydisDecodedOperand *o)
{
	bool reads = (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
	bool writes = (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;

	return reads && writes ? MEM_ACCESS_MODIFY
		: writes       ? MEM_ACCESS_STORE
			       : MEM_ACCESS_LOAD;
}

static bool
is_repeating(const struct instruction *i)
{
	return (i->is.attributes &
		       (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
			       ZYDIS_ATTRIB_HAS_REPNE)) != 0 &&
		i->is.meta.category == ZYDIS_CATEGORY_STRINGOP;
}

static bool
is_conditional(const struct instruction *i)
{
	return i->is.meta.category == ZYDIS_CATEGORY_COND_BR;
}

/* Plans for push, pop and leave: they access the stack at the stack pointer,
 * which they have already changed. */
static bool
plan_stack(struct plan *p, const struct instruction *i)
{
	switch (i->is.mnemonic) {
	case ZYDIS_MNEMONIC_PUSH:
		p->access = MEM_ACCESS_STORE;
		p->offset = 0;
		break;
	case ZYDIS_MNEMONIC_POP:
	case ZYDIS_MNEMONIC_LEAVE:
	case ZYDIS_MNEMONIC_CALL: /* the callee's ret was executed last */
		p->access = MEM_ACCESS_LOAD;
		p->offset = -8;
		break;
	default:
		return false;
	}
	p->is_stack = true;
	return true;
}

static void
plan_operand(struct plan *p, const struct code *c, const struct instruction *i)
{
	int n = code_memory(i);
	uint32_t used = 0;
	int r;

	p->ip = i->ip;
	if (plan_stack(p, i))
		return;
	if (n < 0) {
		p->access = MEM_ACCESS_COMPUTE;
		return;
	}
	p->access = access_of(&i->operand[n]);
	p->operand = (uint8_t)n;
	r = code_register(i->operand[n].mem.base);
	used |= r >= 0 ? 1u << r : 0;
	r = code_register(i->operand[n].mem.index);
	used |= r >= 0 ? 1u << r : 0;
	p->is_clobbered = (used & replay_written(i)) != 0;
	if (p->access == MEM_ACCESS_LOAD && !p->is_clobbered)
		p->pace = pace_begin(c, i);
}

/* Plans for an instruction that has not completed: its registers are those that
 * it uses. */
static void
plan_pending(struct plan *p, const struct code *c, const struct instruction *i)
{
	plan_operand(p, c, i);
	p->is_clobbered = false;
	switch (i->is.mnemonic) {
	case ZYDIS_MNEMONIC_PUSH:
	case ZYDIS_MNEMONIC_CALL:
		p->access = MEM_ACCESS_STORE;
		p->offset = -8;
		break;
	case ZYDIS_MNEMONIC_POP:
	case ZYDIS_MNEMONIC_RET:
		p->access = MEM_ACCESS_LOAD;
		p->offset = 0;
		break;
	case ZYDIS_MNEMONIC_LEAVE: /* its address is in bp */
		p->access = MEM_ACCESS_AMBIGUOUS;
		return;
	default:
		return;
	}
	p->is_stack = true;
}

/* A compare and the jump after it are one instruction to the processor. */
static void
plan_fused(struct plan *p, const struct code *c, const struct instruction *jump)
{
	struct instruction i;
	uint64_t ip = code_before(c, jump->ip);

	p->ip = jump->ip;
	p->access = MEM_ACCESS_COMPUTE;
	if (ip == 0 || code_is_target(c, jump->ip) || !code_decode(c, ip, &i) ||
		(i.is.mnemonic != ZYDIS_MNEMONIC_CMP &&
			i.is.mnemonic != ZYDIS_MNEMONIC_TEST))
		return;
	plan_operand(p, c, &i);
}

/* Plans for the instruction that was executed last. */
static void
plan_last(struct plan *p, const struct code *c, const struct instruction *last)
{
	if (is_conditional(last))
		plan_fused(p, c, last);
	else if (code_ends(last))
		p->access = MEM_ACCESS_COMPUTE; /* a jump */
	else
		plan_operand(p, c, last);
}

/* A call has stored its return address. */
static void
plan_called(struct plan *p)
{
	p->access = MEM_ACCESS_STORE;
	p->is_stack = true;
}

/* Returns true for a PLT stub, by which programs call functions in
 * libraries. */
static bool
is_stub(const struct instruction *i)
{
	return i->is.meta.category == ZYDIS_CATEGORY_UNCOND_BR &&
		i->operand[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		i->operand[0].mem.base == ZYDIS_REGISTER_RIP;
}

/* Plans for an interruption at ip, which follows `last` unless a jump led
 * here. */
static void
plan_before(struct plan *p, const struct code *c, uint64_t ip,
	const struct instruction *last)
{
	struct instruction i;

	p->is_target = code_is_target(c, ip);
	if (!code_ends(last)) {
		plan_last(p, c, last);
		/* A thread that jumped here did not wait for memory, so blame
		 * the instruction above. But the backward jump of a loop, which
		 * comes much more often, is decided for each sample.
		 */
		p->is_loop =
			code_is_loop(c, ip) && p->access != MEM_ACCESS_COMPUTE;
		return;
	}
	p->access = MEM_ACCESS_COMPUTE; /* a jump came here: no access */
	if (p->is_target)
		return;
	if (code_decode(c, ip, &i) && is_stub(&i))
		plan_called(p);
	else
		p->is_case = c->tables > 0;
}

static void
make_plan(struct plan *p, uint64_t ip, bool is_pending)
{
	const struct code *c = has_code ? code_at(ip) : NULL;
	struct instruction i;
	uint64_t before;

	*p = (struct plan){ .at = ip,
		.ip = ip,
		.access = MEM_ACCESS_AMBIGUOUS,
		.is_pending = is_pending };
	if (c == NULL || !code_starts(c, ip))
		return;
	if (code_decode(c, ip, &i) && (is_repeating(&i) || is_pending)) {
		plan_pending(p, c, &i);
		return;
	}
	if (ip == c->lo) {
		plan_called(p);
		return;
	}
	before = code_before(c, ip);
	if (before == 0 || !code_decode(c, before, &i) ||
		before + i.is.length != ip)
		return;
	plan_before(p, c, ip, &i);
}

/* Executes the instructions from `from` up to the one to blame, and computes
 * its address. */
static bool
replay_from(const struct code *c, const struct plan *p, uint64_t from,
	struct replay r, uint64_t *address)
{
	const struct instruction *i;

	for (uint64_t ip = from; ip < p->ip; ip += i->is.length) {
		i = code_look(c, ip);
		if (i == NULL)
			return false;
		replay_step(&r, i);
	}
	i = code_look(c, p->ip);
	return i != NULL &&
		replay_address(&r, i, &i->operand[p->operand], address);
}

/* Computes a base register that was set by the instructions just before: undoes
 * as few of these instructions as necessary and executes them again. */
static bool
reload(const struct code *c, const struct plan *p, const struct replay *now,
	uint64_t *address)
{
	struct replay r = *now;
	struct instruction i;
	uint64_t ip = p->ip;

	if (!code_decode(c, ip, &i))
		return false;
	r.known &= ~replay_written(&i);
	for (int n = 0; n < BACK && !code_is_target(c, ip); n++) {
		ip = code_before(c, ip);
		if (ip == 0 || !code_decode(c, ip, &i) || code_ends(&i) ||
			i.is.mnemonic == ZYDIS_MNEMONIC_CALL)
			return false;
		replay_undo(&r, &i);
		if (replay_from(c, p, ip, r, address))
			return true;
	}
	return false;
}

/* A path through the code; each undecided conditional jump is one bit. */
struct way {
	uint32_t taken;
	int jumps; /* jumps decided so far */
};

/* Executes an instruction and returns the next one; 0: unknown. */
static uint64_t
one_further(struct replay *r, struct way *w, const struct instruction *i)
{
	uint64_t next = i->ip + i->is.length;
	bool is_taken;

	if (i->is.mnemonic == ZYDIS_MNEMONIC_CALL) {
		r->known &= KEPT;
		r->bits = 0;
		return next;
	}
	if (is_conditional(i)) {
		if (replay_condition(r, i->is.mnemonic, &is_taken))
			return is_taken ? code_jump(i) : next;
		if (w->jumps == JUMPS)
			return 0;
		return w->taken >> w->jumps++ & 1 ? code_jump(i) : next;
	}
	if (code_ends(i))
		return code_jump(i);
	replay_step(r, i);
	return next;
}

/* The state before the n-th instruction on the way. */
struct fork {
	struct replay r;
	uint64_t ip;
	int n;
};

/* Executes until the same instruction is reached again, and saves the state
 * before each jump that w decides. Returns false if the way does not lead
 * there. */
static bool
follow(const struct code *c, const struct plan *p, struct fork *at,
	struct way *w, struct fork before[JUMPS])
{
	for (; at->n < AHEAD && at->ip != p->ip; at->n++) {
		const struct instruction *i = code_look(c, at->ip);
		int jumps = w->jumps;
		uint64_t next;

		if (i == NULL)
			return false;
		next = one_further(&at->r, w, i);
		if (w->jumps > jumps)
			before[jumps] = *at;
		at->ip = next;
	}
	return at->ip == p->ip;
}

/* Chooses the next way: the same up to the last jump, which is now decided the
 * other way. */
static bool
next_way(struct way *w)
{
	while (w->jumps > 0 && (w->taken >> (w->jumps - 1) & 1) == 0)
		w->jumps--;
	if (w->jumps <= 0 || w->jumps > JUMPS)
		return false;
	w->taken &= ((uint32_t)1 << (w->jumps - 1)) - 1;
	w->taken |= UINT32_MAX << w->jumps;
	return true;
}

static bool
next_round(const struct code *c, const struct plan *p, const struct replay *now,
	uint64_t *address)
{
	struct way w = { UINT32_MAX, 0 }; /* first try: loops jump back */
	struct fork at = { *now, p->at, 0 }, before[JUMPS];

	for (int tries = 0; tries < 64; tries++) {
		if (follow(c, p, &at, &w, before)) {
			const struct instruction *i = code_look(c, p->ip);

			return i != NULL &&
				replay_address(&at.r, i,
					&i->operand[p->operand], address);
		}
		if (!next_way(&w))
			return false;
		at = before[--w.jumps]; /* up to that jump the ways are equal */
	}
	return false;
}

/* Returns true if the load only shows the loop's pace (pace.h). */
static bool
is_at_hand(struct plan *p, const struct code *c, const struct replay *now,
	uint64_t address, const struct instruction *i)
{
	uint64_t next;

	if (pace_wants_stride(&p->pace) && next_round(c, p, now, &next))
		pace_note_stride(&p->pace, (int64_t)(next - address));
	return pace_is_at_hand(
		&p->pace, address, i->operand[p->operand].size / 8u);
}

/* Charges loads that wait together in turn. */
static void
share(const struct plan *p, const struct code *c, const struct replay *now,
	const struct instruction *i, struct blame *b)
{
	struct twins *t = &twins[(p->ip ^ p->ip >> 8) % LOOPS];

	if (t->of != p->ip)
		twins_find(t, c, i, p->operand);
	twins_next(t, c, now, &b->ip, &b->address);
}

static void
find_address(
	struct plan *p, const struct replay *now, bool faults, struct blame *b)
{
	const struct code *c = code_at(p->ip);
	struct instruction i;

	if (c == NULL || !code_decode(c, p->ip, &i))
		return;
	if (!p->is_clobbered &&
		replay_address(now, &i, &i.operand[p->operand], &b->address))
		b->derived = MEM_DERIVED_OPERAND;
	else if (reload(c, p, now, &b->address))
		b->derived = MEM_DERIVED_RELOADED;
	else if (next_round(c, p, now, &b->address) && b->address >= NULLS)
		b->derived = MEM_DERIVED_NEXT;
	else
		*b = (struct blame){
			.ip = b->ip, .skid = b->skid, .access = MEM_ACCESS_LOST
		};
	if (b->derived != MEM_DERIVED_OPERAND || faults)
		return;
	if (is_at_hand(p, c, now, b->address, &i))
		*b = (struct blame){
			.ip = b->ip, .skid = b->skid, .access = MEM_ACCESS_HAND
		};
	else if (b->access == MEM_ACCESS_LOAD)
		share(p, c, now, &i, b);
}

/* Decides how this sample reached the beginning of a loop. */
static void
settle_loop(struct plan *p, const struct replay *now, uint64_t flags)
{
	const struct code *c = code_at(p->at);
	enum arrival way = c == NULL ? ARRIVED_SOMEHOW
				     : arrive_at_loop(c, p->at, now, flags);
	struct instruction i;

	if (way == ARRIVED_FROM_ABOVE)
		return;
	p->ip = p->at;
	p->is_stack = false;
	p->access = MEM_ACCESS_AMBIGUOUS;
	if (way != ARRIVED_BY_JUMP)
		return;
	p->access = MEM_ACCESS_COMPUTE;
	if (code_decode(c, arrive_jump(c, p->at), &i))
		plan_last(p, c, &i);
}

static void
settle_case(struct plan *p, const struct replay *now, struct blame *b)
{
	const struct code *c = code_at(p->at);
	uint64_t ip = c == NULL ? 0 : arrive_table(c, p->at, now, &b->address);

	if (ip == 0)
		return;
	p->ip = ip;
	p->access = MEM_ACCESS_LOAD;
	b->derived = MEM_DERIVED_OPERAND;
}

static bool
is_access(uint8_t access)
{
	return access == MEM_ACCESS_LOAD || access == MEM_ACCESS_STORE ||
		access == MEM_ACCESS_MODIFY;
}

static uint8_t
skid(uint64_t at, uint64_t ip)
{
	return at - ip > UINT8_MAX ? 0 : (uint8_t)(at - ip);
}

static struct plan *
find_plan(uint64_t ip, bool is_pending)
{
	uint64_t slot = ip ^ ip >> 12 ^ (is_pending ? (uint64_t)PLANS / 2 : 0);
	struct plan *p = &plans[slot % PLANS];

	if (p->at != ip || p->is_pending != is_pending)
		make_plan(p, ip, is_pending);
	return p;
}

struct blame
blame(const struct registers *at, const struct stack *stack, uint64_t fs,
	bool has_skid)
{
	bool faults = (at->flags & FLAG_RESUME) != 0;
	struct plan *p = find_plan(at->ip, faults || !has_skid), settled;
	struct replay now = { .known = 0xffff, .fs = fs, .stack = *stack };
	struct blame b = { .ip = at->ip, .is_certain = true };

	replay_begin();
	memcpy(now.r, at->r, sizeof(now.r));
	if (p->is_loop || p->is_case) {
		settled = *p;
		p = &settled;
	}
	if (p->is_loop)
		settle_loop(p, &now, at->flags);
	else if (p->is_case)
		settle_case(p, &now, &b);
	b.ip = p->ip;
	b.skid = skid(at->ip, p->ip);
	b.access = p->access;
	if (p->is_stack && is_access(p->access)) {
		b.address = at->r[REG_SP] + (uint64_t)(int64_t)p->offset;
		b.derived = MEM_DERIVED_OPERAND;
	} else if (is_access(p->access) && b.derived == MEM_DERIVED_NOT) {
		find_address(p, &now, faults, &b);
		b.is_certain =
			b.derived == MEM_DERIVED_OPERAND && !p->is_target;
	}
	/* A jump skipped the code above this label, because the pointer was
	 * null. */
	if (p->is_target && b.derived == MEM_DERIVED_OPERAND &&
		b.address < NULLS)
		b = (struct blame){ .ip = at->ip,
			.access = MEM_ACCESS_COMPUTE };
	return b;
}
