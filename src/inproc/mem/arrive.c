/* SPDX-License-Identifier: MIT */
#include "inproc/mem/arrive.h"

#include <stddef.h>

enum { BACK = 12, AHEAD = 256 };

/* Returns the start of the straight code that ends at ip. */
static uint64_t
straight_from(const struct code *c, uint64_t ip, uint32_t *written)
{
	struct instruction i;

	*written = 0;
	for (int n = 0; n < BACK; n++) {
		uint64_t before = code_before(c, ip);

		if (before == 0 || !code_decode(c, before, &i) ||
			before + i.is.length != ip || code_ends(&i) ||
			i.is.mnemonic == ZYDIS_MNEMONIC_CALL)
			break;
		*written |= replay_written(&i);
		ip = before;
		if (code_is_target(c, ip))
			break;
	}
	return ip;
}

/* Returns true if the registers agree with what the straight code that ends at
 * ip would leave in them. */
static bool
may_be_from_above(const struct code *c, uint64_t ip, const struct replay *now)
{
	struct replay r = *now;
	struct instruction i;
	uint32_t written;
	uint64_t at = straight_from(c, ip, &written);

	r.known &= ~written;
	for (; at < ip && code_decode(c, at, &i); at += i.is.length)
		replay_step(&r, &i);
	for (int n = 0; n < REGS; n++)
		if ((r.known & written) >> n & 1 && r.r[n] != now->r[n])
			return false;
	return true;
}

/* Returns true if a conditional jump is taken with these flags. */
static bool
is_taken(ZydisMnemonic m, uint64_t flags)
{
	bool carry = flags & 1, parity = flags >> 2 & 1, zero = flags >> 6 & 1,
	     sign = flags >> 7 & 1, overflow = flags >> 11 & 1;
	const struct {
		ZydisMnemonic is, is_not;
		bool met;
	} table[] = {
		{ ZYDIS_MNEMONIC_JZ, ZYDIS_MNEMONIC_JNZ, zero },
		{ ZYDIS_MNEMONIC_JB, ZYDIS_MNEMONIC_JNB, carry },
		{ ZYDIS_MNEMONIC_JBE, ZYDIS_MNEMONIC_JNBE, carry || zero },
		{ ZYDIS_MNEMONIC_JS, ZYDIS_MNEMONIC_JNS, sign },
		{ ZYDIS_MNEMONIC_JP, ZYDIS_MNEMONIC_JNP, parity },
		{ ZYDIS_MNEMONIC_JO, ZYDIS_MNEMONIC_JNO, overflow },
		{ ZYDIS_MNEMONIC_JL, ZYDIS_MNEMONIC_JNL, sign != overflow },
		{ ZYDIS_MNEMONIC_JLE, ZYDIS_MNEMONIC_JNLE,
			zero || sign != overflow },
	};

	for (size_t n = 0; n < sizeof(table) / sizeof(*table); n++)
		if (m == table[n].is || m == table[n].is_not)
			return table[n].met == (m == table[n].is);
	return true; /* unconditional, or depends on a register */
}

uint64_t
arrive_jump(const struct code *c, uint64_t ip)
{
	struct instruction i;
	uint64_t at = ip, jump;
	int left = AHEAD;

	for (; (jump = code_next_jump(c, at, c->hi)) != 0; left--) {
		left -= code_count(c, at, jump);
		if (left <= 0 || !code_decode(c, jump, &i))
			break;
		if (code_jump(&i) == ip && i.is.mnemonic != ZYDIS_MNEMONIC_CALL)
			return jump;
		at = jump + i.is.length;
	}
	return 0;
}

/* Returns true if no jump of the function to ip is taken with these flags. */
static bool
is_none_taken(const struct code *c, uint64_t ip, uint64_t flags)
{
	struct instruction i;
	uint64_t at = c->lo;

	if (code_count(c, c->lo, c->hi) > AHEAD)
		return false;
	while ((at = code_next_jump(c, at, c->hi)) != 0) {
		if (!code_decode(c, at, &i) ||
			(code_jump(&i) == ip && is_taken(i.is.mnemonic, flags)))
			return false;
		at += i.is.length;
	}
	return true;
}

enum arrival
arrive_at_loop(const struct code *c, uint64_t ip, const struct replay *now,
	uint64_t flags)
{
	if (!may_be_from_above(c, ip, now))
		return ARRIVED_BY_JUMP;
	if (is_none_taken(c, ip, flags))
		return ARRIVED_FROM_ABOVE;
	return ARRIVED_SOMEHOW;
}

uint64_t
arrive_table(const struct code *c, uint64_t ip, const struct replay *now,
	uint64_t *address)
{
	struct instruction i;
	uint64_t at, to;

	for (int n = 0; n < c->tables; n++) {
		if (!code_decode(c, c->table[n], &i) ||
			!replay_address(now, &i, &i.operand[0], &at) ||
			!replay_read(now, at, &to, sizeof(to)) || to != ip)
			continue;
		*address = at;
		return c->table[n];
	}
	return 0;
}
