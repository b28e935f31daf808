/* SPDX-License-Identifier: MIT */
#include "inproc/code/code.h"

#include <stddef.h>
#include <string.h>

#include "inproc/code/cfi.h"
#include "inproc/code/decoder.h"
#include "inproc/core/pages.h"

enum {
	KEPT = 8192,        /* functions, a power of two */
	BITMAPS = 20 << 20, /* bytes of all bitmaps; few are touched */
	NEAR = 4096,        /* code regions, a power of two */
	DECODED = 1024,
	LONGEST = ZYDIS_MAX_INSTRUCTION_LENGTH
};

static struct {
	struct decoder call;
	ZydisDecoder decoder;
	struct code *kept, *last; /* hashed by lo */
	struct code *near[NEAR];  /* last function found in a code region */
	unsigned nkept;
	char *bitmaps;
	size_t used;                 /* bytes of the bitmaps */
	struct instruction *decoded; /* cache: a loop's instructions come again
	                              * and again */
} code;

bool
code_init(void)
{
	if (!decoder_find(&code.call))
		return false;
	code.call.init(&code.decoder, ZYDIS_MACHINE_MODE_LONG_64,
		ZYDIS_STACK_WIDTH_64);
	code.decoded = room_map(DECODED * sizeof(*code.decoded));
	if (code.decoded != NULL)
		code.bitmaps = room_map(BITMAPS);
	if (code.bitmaps != NULL)
		code.kept = room_map(KEPT * sizeof(*code.kept));
	return code.kept != NULL;
}

static bool
test_bit(const uint64_t *bits, uint64_t at)
{
	return (bits[at / 64] >> at % 64 & 1) != 0;
}

static void
set_bit(uint64_t *bits, uint64_t at)
{
	bits[at / 64] |= (uint64_t)1 << at % 64;
}

static bool
decode_head(const struct code *c, uint64_t ip, struct instruction *to,
	ZydisDecoderContext *context)
{
	uint64_t left = c->hi - ip;

	to->ip = ip;
	return ZYAN_SUCCESS(code.call.head(&code.decoder, context,
		(const void *)(uintptr_t)ip, left < LONGEST ? left : LONGEST,
		&to->is));
}

/* Decodes only the existing operands: clearing the others takes longer. */
static bool
decode_operands(struct instruction *i, const ZydisDecoderContext *context)
{
	return ZYAN_SUCCESS(code.call.operands(&code.decoder, context, &i->is,
		i->operand, i->is.operand_count));
}

static bool
decode(const struct code *c, uint64_t ip, struct instruction *to)
{
	ZydisDecoderContext context;

	return decode_head(c, ip, to, &context) &&
		decode_operands(to, &context);
}

const struct instruction *
code_look(const struct code *c, uint64_t ip)
{
	struct instruction *i = &code.decoded[(ip ^ ip >> 8) % DECODED];

	if (ip < c->lo || ip >= c->hi)
		return NULL;
	if (i->ip != ip && !decode(c, ip, i)) {
		i->ip = 0;
		return NULL;
	}
	return i;
}

bool
code_decode(const struct code *c, uint64_t ip, struct instruction *to)
{
	const struct instruction *i = code_look(c, ip);

	if (i == NULL)
		return false;
	memcpy(to, i,
		offsetof(struct instruction, operand) +
			i->is.operand_count * sizeof(*i->operand));
	return true;
}

bool
code_ends(const struct instruction *i)
{
	return i->is.meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
		i->is.meta.category == ZYDIS_CATEGORY_RET ||
		i->is.mnemonic == ZYDIS_MNEMONIC_UD2 ||
		i->is.mnemonic == ZYDIS_MNEMONIC_HLT;
}

uint64_t
code_jump(const struct instruction *i)
{
	const ZydisDecodedOperand *o = &i->operand[0];

	if (i->is.operand_count_visible == 0 ||
		o->type != ZYDIS_OPERAND_TYPE_IMMEDIATE || !o->imm.is_relative)
		return 0;
	return i->ip + i->is.length + (uint64_t)o->imm.value.s;
}

/* Notes a jump through a table, unless an equal one is noted already. */
static void
note_table(struct code *c, const struct instruction *i)
{
	const ZydisDecodedOperandMem *o = &i->operand[0].mem, *other;
	struct instruction j;

	if (c->tables == CODE_TABLES ||
		i->is.meta.category != ZYDIS_CATEGORY_UNCOND_BR ||
		i->operand[0].type != ZYDIS_OPERAND_TYPE_MEMORY ||
		o->base == ZYDIS_REGISTER_RIP)
		return;
	for (int n = 0; n < c->tables; n++) {
		other = &j.operand[0].mem;
		if (code_decode(c, c->table[n], &j) && other->base == o->base &&
			other->index == o->index && other->scale == o->scale &&
			other->disp.value == o->disp.value)
			return;
	}
	c->table[c->tables++] = i->ip;
}

/* Decodes operands of branches only: they are half of the work. */
static bool
decode_branch(const struct code *c, uint64_t ip, struct instruction *to)
{
	ZydisDecoderContext context;

	if (!decode_head(c, ip, to, &context))
		return false;
	switch (to->is.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_CALL:
		return decode_operands(to, &context);
	default:
		to->is.operand_count_visible = 0;
		return true;
	}
}

static void
map(struct code *c)
{
	struct instruction i;
	uint64_t ip = c->lo;

	while (ip < c->hi) {
		uint64_t to;

		set_bit(c->start, ip - c->lo);
		if (!decode_branch(c, ip, &i)) {
			set_bit(c->jump, ip - c->lo); /* bytes that are no code
			                               * count as jumps */
			ip++; /* not code; decoding will synchronize again */
			continue;
		}
		to = code_jump(&i);
		if (to >= c->lo && to < c->hi) {
			set_bit(c->target, to - c->lo);
			set_bit(c->jump, ip - c->lo);
		}
		if (to >= c->lo && to <= ip)
			set_bit(c->loop, to - c->lo);
		note_table(c, &i);
		ip += i.is.length;
	}
}

/* Returns zeroed bitmaps for a function; NULL: all are used. */
static uint64_t *
take_bitmaps(size_t words)
{
	size_t bytes = 4 * words * sizeof(uint64_t);
	char *at = code.bitmaps + code.used;

	if (bytes > BITMAPS - code.used)
		return NULL;
	code.used += bytes;
	return memset(at, 0, bytes);
}

/* Returns the entry of the function that begins at lo, or a free one. */
static struct code *
slot_of(uint64_t lo)
{
	uint64_t at = (lo * 0x9e3779b97f4a7c15) >> 40;

	while (code.kept[at % KEPT].lo != 0 && code.kept[at % KEPT].lo != lo)
		at++;
	return &code.kept[at % KEPT];
}

static struct code *
keep(uint64_t lo, uint64_t hi)
{
	size_t words = (hi - lo + 63) / 64;
	uint64_t *bits = code.nkept < KEPT / 2 ? take_bitmaps(words) : NULL;
	struct code *c;

	if (bits == NULL) { /* the bitmaps are used up: forget all functions */
		code_forget();
		bits = take_bitmaps(words);
	}
	if (bits == NULL)
		return NULL;
	c = slot_of(lo);
	*c = (struct code){ .lo = lo,
		.hi = hi,
		.start = bits,
		.target = bits + words,
		.loop = bits + 2 * words,
		.jump = bits + 3 * words };
	code.nkept++;
	map(c);
	return c;
}

static bool
is_in(const struct code *c, uint64_t ip)
{
	return c != NULL && ip >= c->lo && ip < c->hi;
}

const struct code *
code_at(uint64_t ip)
{
	struct code **near = &code.near[ip / 256 % NEAR];
	uint64_t lo, hi;

	if (code.kept == NULL)
		return NULL;
	if (is_in(code.last, ip))
		return code.last;
	if (is_in(*near, ip))
		return code.last = *near;
	if (!cfi_function(ip, &lo, &hi))
		return NULL;
	if (hi - lo > CODE_BYTES)
		hi = lo + CODE_BYTES;
	if (ip >= hi || lo == 0)
		return NULL;
	code.last = slot_of(lo);
	if (code.last->lo != lo || code.last->hi != hi)
		code.last = keep(lo, hi);
	return *near = code.last;
}

void
code_forget(void)
{
	code.last = NULL;
	if (code.nkept == 0)
		return;
	memset(code.kept, 0, KEPT * sizeof(*code.kept));
	memset(code.near, 0, sizeof(code.near));
	for (int i = 0; i < DECODED; i++)
		code.decoded[i].ip = 0;
	code.nkept = 0;
	code.used = 0;
}

uint64_t
code_before(const struct code *c, uint64_t ip)
{
	for (uint64_t at = ip - c->lo; at-- > 0;)
		if (test_bit(c->start, at))
			return c->lo + at;
	return 0;
}

/* Returns the bitmap word that has the bit of `from`, reduced to the bits from
 * `from` up to but not including `to`. */
static uint64_t
bits_between(const uint64_t *bits, uint64_t from, uint64_t to)
{
	uint64_t word = bits[from / 64] & UINT64_MAX << from % 64;

	return to / 64 > from / 64 ? word
				   : word & (((uint64_t)1 << to % 64) - 1);
}

int
code_count(const struct code *c, uint64_t from, uint64_t to)
{
	uint64_t at = from - c->lo, end = to - c->lo;
	int n = 0;

	for (; at < end; at = (at | 63) + 1)
		n += __builtin_popcountll(bits_between(c->start, at, end));
	return n;
}

uint64_t
code_next_jump(const struct code *c, uint64_t from, uint64_t to)
{
	uint64_t at = from - c->lo, end = to - c->lo;

	for (; at < end; at = (at | 63) + 1) {
		uint64_t bits = bits_between(c->jump, at, end);

		if (bits != 0)
			return c->lo + (at & ~(uint64_t)63) +
				(uint64_t)__builtin_ctzll(bits);
	}
	return 0;
}

bool
code_starts(const struct code *c, uint64_t ip)
{
	return ip >= c->lo && ip < c->hi && test_bit(c->start, ip - c->lo);
}

bool
code_is_target(const struct code *c, uint64_t ip)
{
	return test_bit(c->target, ip - c->lo);
}

bool
code_is_loop(const struct code *c, uint64_t ip)
{
	return test_bit(c->loop, ip - c->lo);
}

int
code_register(ZydisRegister r)
{
	ZydisRegister whole =
		code.call.enclosing(ZYDIS_MACHINE_MODE_LONG_64, r);

	return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15
		? (int)(whole - ZYDIS_REGISTER_RAX)
		: -1;
}

int
code_memory(const struct instruction *i)
{
	if (i->is.mnemonic == ZYDIS_MNEMONIC_NOP ||
		i->is.meta.category == ZYDIS_CATEGORY_PREFETCH ||
		i->is.meta.category == ZYDIS_CATEGORY_WIDENOP)
		return -1;
	for (int n = 0; n < i->is.operand_count; n++)
		if (i->operand[n].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			i->operand[n].mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
			(i->operand[n].actions &
				ZYDIS_OPERAND_ACTION_MASK_READ) != 0)
			return n;
	for (int n = 0; n < i->is.operand_count; n++)
		if (i->operand[n].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			i->operand[n].mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
			i->operand[n].actions != 0)
			return n;
	return -1;
}
