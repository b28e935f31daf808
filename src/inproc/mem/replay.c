/* SPDX-License-Identifier: MIT */
#include "inproc/mem/replay.h"

#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	RED_ZONE =
		128, /* bytes below the stack pointer that leaf functions use */
	FRAME = 16,  /* frame pointer and return address */
	LINE = 64,   /* bytes that are read at once */
	LINES = 32   /* lines kept during a sample */
};

static pid_t process;

void
replay_start(void)
{
	process = getpid();
}

uint32_t
replay_written(const struct instruction *i)
{
	uint32_t set = 0;

	for (int n = 0; n < i->is.operand_count; n++) {
		const ZydisDecodedOperand *o = &i->operand[n];
		int r;

		if (o->type != ZYDIS_OPERAND_TYPE_REGISTER ||
			(o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0)
			continue;
		r = code_register(o->reg.value);
		if (r >= 0)
			set |= 1u << r;
	}
	return set;
}

static bool
get(const struct replay *p, ZydisRegister name, uint64_t *value)
{
	int r = code_register(name);

	if (r < 0 || (p->known >> r & 1) == 0)
		return false;
	*value = p->r[r];
	return true;
}

bool
replay_address(const struct replay *p, const struct instruction *i,
	const ZydisDecodedOperand *o, uint64_t *address)
{
	uint64_t at = o->mem.disp.has_displacement ? (uint64_t)o->mem.disp.value
						   : 0,
		 value;

	if (o->mem.base == ZYDIS_REGISTER_RIP)
		at += i->ip + i->is.length;
	else if (o->mem.base != ZYDIS_REGISTER_NONE) {
		if (!get(p, o->mem.base, &value))
			return false;
		at += value;
	}
	/* a gather has many addresses: use the first */
	if (o->mem.index != ZYDIS_REGISTER_NONE &&
		code_register(o->mem.index) >= 0) {
		if (!get(p, o->mem.index, &value))
			return false;
		at += value * o->mem.scale;
	}
	if (o->mem.segment == ZYDIS_REGISTER_FS) {
		if (p->fs == 0)
			return false;
		at += p->fs;
	}
	*address = at;
	return true;
}

/* Reads the value that the replay has stored at the address. Returns false if
 * it stored none: read memory instead. *ok: the stored value is known. */
static bool
read_stored(const struct replay *p, uint64_t address, uint64_t *value,
	unsigned bytes, bool *ok)
{
	unsigned n = p->nstored < STORES ? p->nstored : STORES;

	for (unsigned back = 1; back <= n; back++) {
		const struct stored *s =
			&p->stored[(p->nstored - back) % STORES];

		if (address - s->address >= s->bytes &&
			s->address - address >= bytes)
			continue;
		*ok = s->is_known && s->address == address && bytes <= s->bytes;
		if (*ok)
			memcpy(value, &s->value, bytes);
		return true;
	}
	return false;
}

static bool
ask(uint64_t address, void *to, size_t bytes)
{
	struct iovec into = { to, bytes },
		     from = { (void *)(uintptr_t)address, bytes };

	return process_vm_readv(process, &into, 1, &from, 1, 0) ==
		(ssize_t)bytes;
}

/* Lines that were read: a system call takes longer than the rest of a sample,
 * and loops read the same memory again. */
static struct {
	uint64_t round;
	struct line {
		uint64_t number, round; /* sample number; 0: none */
		bool is_there;
		char bytes[LINE];
	} line[LINES];
} kept = { .round = 1 };

void
replay_begin(void)
{
	kept.round++;
}

static bool
read_now(uint64_t address, void *to, size_t bytes)
{
	uint64_t number = address / LINE;
	struct line *l = &kept.line[number % LINES];

	if (address % LINE + bytes > LINE)
		return ask(address, to, bytes);
	if (l->round != kept.round || l->number != number) {
		l->round = kept.round;
		l->number = number;
		l->is_there = ask(number * LINE, l->bytes, LINE);
	}
	if (l->is_there)
		memcpy(to, l->bytes + address % LINE, bytes);
	return l->is_there;
}

/* Returns true if memory below the copy of the stack may have been overwritten
 * by another function. */
static bool
is_overwritten(const struct stack *s, uint64_t address)
{
	char now[FRAME];

	return s->bytes != NULL && s->lo - address - 1 < RED_ZONE &&
		(s->hi - s->lo < FRAME || !read_now(s->lo, now, FRAME) ||
			memcmp(now, s->bytes, FRAME) != 0);
}

bool
replay_read(const struct replay *p, uint64_t address, uint64_t *value,
	unsigned bytes)
{
	const struct stack *s = &p->stack;
	bool ok;

	*value = 0;
	if (bytes > 8)
		return false;
	if (read_stored(p, address, value, bytes, &ok))
		return ok;
	if (s->bytes != NULL && address >= s->lo && address < s->hi &&
		bytes <= s->hi - address) {
		memcpy(value, (const char *)s->bytes + (address - s->lo),
			bytes);
		return true;
	}
	return !is_overwritten(s, address) && read_now(address, value, bytes);
}

/* Computes the value of a source operand. */
static bool
value_of(const struct replay *p, const struct instruction *i,
	const ZydisDecodedOperand *o, uint64_t *value)
{
	uint64_t address;

	switch (o->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		return get(p, o->reg.value, value);
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		*value = (uint64_t)o->imm.value.s;
		return true;
	case ZYDIS_OPERAND_TYPE_MEMORY:
		return replay_address(p, i, o, &address) &&
			replay_read(p, address, value, o->size / 8u);
	default:
		return false;
	}
}

static uint64_t
extended(uint64_t value, unsigned bits, bool is_signed)
{
	uint64_t mask = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;

	value &= mask;
	if (is_signed && bits < 64 && (value >> (bits - 1) & 1) != 0)
		value |= ~mask;
	return value;
}

/* Combines two operands, in the width of the first. */
static bool
combine(ZydisMnemonic how, uint64_t a, uint64_t b, unsigned bits, uint64_t *to)
{
	switch (how) {
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_INC:
		*to = a + b;
		return true;
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_DEC:
		*to = a - b;
		return true;
	case ZYDIS_MNEMONIC_IMUL:
		*to = a * b;
		return true;
	case ZYDIS_MNEMONIC_AND:
		*to = a & b;
		return true;
	case ZYDIS_MNEMONIC_OR:
		*to = a | b;
		return true;
	case ZYDIS_MNEMONIC_XOR:
		*to = a ^ b;
		return true;
	case ZYDIS_MNEMONIC_SHL:
		*to = a << (b & (bits - 1));
		return true;
	case ZYDIS_MNEMONIC_SHR:
		*to = extended(a, bits, false) >> (b & (bits - 1));
		return true;
	case ZYDIS_MNEMONIC_SAR:
		*to = (uint64_t)((int64_t)extended(a, bits, true) >>
			(b & (bits - 1)));
		return true;
	default:
		return false;
	}
}

static bool
sum(const struct replay *p, const struct instruction *i, uint64_t *value)
{
	const ZydisDecodedOperand *o = i->operand;
	int n = i->is.operand_count_visible; /* imul r, a, b has three
	                                      * operands */
	uint64_t a, b = 1;

	if (n == 1 && i->is.mnemonic == ZYDIS_MNEMONIC_IMUL)
		return false; /* uses rax, and writes two registers */
	return value_of(p, i, &o[n == 3], &a) &&
		(n < 2 || value_of(p, i, &o[n - 1], &b)) &&
		combine(i->is.mnemonic, a, b, o[0].size, value);
}

bool
replay_condition(const struct replay *p, ZydisMnemonic m, bool *is)
{
	unsigned bits = p->bits == 0 ? 64 : p->bits;
	uint64_t a = extended(p->left, bits, false);
	uint64_t b = extended(p->right, bits, false);
	int64_t sa = (int64_t)extended(p->left, bits, true);
	int64_t sb = (int64_t)extended(p->right, bits, true);
#define ROW(is, is_not, met) \
	{ ZYDIS_MNEMONIC_CMOV##is, ZYDIS_MNEMONIC_CMOV##is_not, met }, \
	{ \
		ZYDIS_MNEMONIC_J##is, ZYDIS_MNEMONIC_J##is_not, met \
	}
	const struct {
		ZydisMnemonic is, is_not;
		bool met;
	} table[] = {
		ROW(Z, NZ, a == b),
		ROW(B, NB, a < b),
		ROW(BE, NBE, a <= b),
		ROW(L, NL, sa < sb),
		ROW(LE, NLE, sa <= sb),
		ROW(S, NS, (int64_t)extended(a - b, bits, true) < 0),
	};
#undef ROW

	for (size_t n = 0; p->bits != 0 && n < sizeof(table) / sizeof(*table);
		n++) {
		if (m != table[n].is && m != table[n].is_not)
			continue;
		*is = table[n].met == (m == table[n].is);
		return true;
	}
	return false;
}

/* Remembers the operands of compares and subtractions, for conditional moves
 * and jumps. */
static void
note_flags(struct replay *p, const struct instruction *i)
{
	const ZydisDecodedOperand *o = i->operand;
	bool is_test = i->is.mnemonic == ZYDIS_MNEMONIC_TEST ||
		i->is.mnemonic == ZYDIS_MNEMONIC_AND;

	if (is_test || i->is.mnemonic == ZYDIS_MNEMONIC_CMP ||
		i->is.mnemonic == ZYDIS_MNEMONIC_SUB) {
		p->bits = 0;
		if (value_of(p, i, &o[0], &p->left) &&
			value_of(p, i, &o[1], &p->right))
			p->bits = o[0].size;
		if (is_test) {
			p->left &= p->right;
			p->right = 0;
		}
	} else if (i->is.cpu_flags != NULL &&
		(i->is.cpu_flags->modified | i->is.cpu_flags->set_0 |
			i->is.cpu_flags->set_1 | i->is.cpu_flags->undefined) !=
			0) {
		p->bits = 0;
	}
}

/* Computes the new value of the first operand, a register. */
static bool
result(const struct replay *p, const struct instruction *i, uint64_t *value)
{
	const ZydisDecodedOperand *o = i->operand;
	bool is;

	if (replay_condition(p, i->is.mnemonic, &is))
		return value_of(p, i, &o[is], value);
	switch (i->is.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		return value_of(p, i, &o[1], value);
	case ZYDIS_MNEMONIC_MOVZX:
		if (!value_of(p, i, &o[1], value))
			return false;
		*value = extended(*value, o[1].size, false);
		return true;
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVSXD:
		if (!value_of(p, i, &o[1], value))
			return false;
		*value = extended(*value, o[1].size, true);
		return true;
	case ZYDIS_MNEMONIC_LEA:
		return replay_address(p, i, &o[1], value);
	default:
		break;
	}
	*value = 0;
	if (i->is.mnemonic == ZYDIS_MNEMONIC_XOR &&
		o[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		o[1].reg.value == o[0].reg.value)
		return true; /* whatever the register held before */
	return sum(p, i, value);
}

static bool
sign_extends(const struct instruction *i)
{
	return i->is.mnemonic == ZYDIS_MNEMONIC_CDQE;
}

/* Remembers a store: loops with variables in memory read them again. */
static void
store(struct replay *p, const struct instruction *i)
{
	const ZydisDecodedOperand *o = &i->operand[0];
	struct stored s = { .bytes = o->size / 8u };

	if (!replay_address(p, i, o, &s.address))
		return;
	s.is_known = s.bytes <= 8 && result(p, i, &s.value);
	p->stored[p->nstored++ % STORES] = s;
}

void
replay_step(struct replay *p, const struct instruction *i)
{
	const ZydisDecodedOperand *o = &i->operand[0];
	uint64_t value = 0;
	bool ok = false;
	int r = -1;

	note_flags(p, i);
	if (sign_extends(i)) {
		if (p->known & 1)
			p->r[0] = extended(p->r[0], 32, true);
		return;
	}
	if (i->is.operand_count_visible > 0 &&
		o->type == ZYDIS_OPERAND_TYPE_MEMORY &&
		(o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
		store(p, i);
	else if (i->is.operand_count_visible > 0 &&
		o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->size >= 32 &&
		(r = code_register(o->reg.value)) >= 0)
		ok = result(p, i, &value);
	p->known &= ~replay_written(i);
	if (!ok || (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0)
		return;
	p->r[r] = extended(value, o->size, false);
	p->known |= 1u << r;
}

/* Splits a move or sum into a register and a constant added to it. Returns
 * false for other instructions. */
static bool
is_sum(const struct instruction *i, int *from, uint64_t *plus)
{
	const ZydisDecodedOperand *o = i->operand;
	bool is_immediate = i->is.operand_count_visible == 2 &&
		o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

	*from = code_register(o[0].reg.value);
	*plus = 0;
	switch (i->is.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		*from = o[1].type == ZYDIS_OPERAND_TYPE_REGISTER
			? code_register(o[1].reg.value)
			: -1;
		return *from >= 0;
	case ZYDIS_MNEMONIC_LEA:
		*from = code_register(o[1].mem.base);
		*plus = (uint64_t)o[1].mem.disp.value;
		return *from >= 0 && o[1].mem.index == ZYDIS_REGISTER_NONE;
	case ZYDIS_MNEMONIC_ADD:
		*plus = is_immediate ? (uint64_t)o[1].imm.value.s : 0;
		return is_immediate;
	case ZYDIS_MNEMONIC_SUB:
		*plus = is_immediate ? -(uint64_t)o[1].imm.value.s : 0;
		return is_immediate;
	default:
		return false;
	}
}

void
replay_undo(struct replay *p, const struct instruction *i)
{
	const ZydisDecodedOperand *o = i->operand;
	uint32_t written = replay_written(i);
	uint64_t plus, before = 0;
	int from = -1, to = -1;

	if (i->is.operand_count_visible > 0 && o[0].size == 64 &&
		o[0].type == ZYDIS_OPERAND_TYPE_REGISTER)
		to = code_register(o[0].reg.value);
	if (to < 0 || (p->known >> to & 1) == 0 || !is_sum(i, &from, &plus))
		from = -1;
	else
		before = p->r[to] - plus;
	p->known &= ~written;
	if (from < 0 || (p->known >> from & 1) != 0)
		return;
	p->r[from] = before;
	p->known |= 1u << from;
}
