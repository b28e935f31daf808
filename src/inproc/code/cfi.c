/* SPDX-License-Identifier: MIT */
#include "inproc/code/cfi.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

enum {
	DW_REG_BP = 6,
	DW_REG_SP = 7,
	DW_REG_RA = 16,
	STATES = 8,
	EXPR_MAX = 32
};

/* Pointer encodings of .eh_frame. */
enum {
	PE_ABS = 0,
	PE_ULEB = 1,
	PE_UDATA2 = 2,
	PE_UDATA4 = 3,
	PE_UDATA8 = 4,
	PE_SLEB = 9,
	PE_SDATA2 = 10,
	PE_SDATA4 = 11,
	PE_SDATA8 = 12,
	PE_PCREL = 0x10,
	PE_DATAREL = 0x30,
	PE_OMIT = 0xff
};

struct cursor {
	const uint8_t *at, *end;
};

static uint64_t
take(struct cursor *c, unsigned bytes)
{
	uint64_t value = 0;

	if ((size_t)(c->end - c->at) < bytes) {
		c->at = c->end;
		return 0;
	}
	memcpy(&value, c->at, bytes);
	c->at += bytes;
	return value;
}

static uint64_t
take_uleb(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; c->at < c->end; shift += 7) {
		uint8_t byte = *c->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if ((byte & 0x80) == 0)
			break;
	}
	return value;
}

static int64_t
take_sleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte = 0;

	while (c->at < c->end) {
		byte = *c->at++;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if ((byte & 0x80) == 0)
			break;
	}
	if (shift < 64 && (byte & 0x40) != 0)
		value |= ~(uint64_t)0 << shift;
	return (int64_t)value;
}

static uint64_t
take_plain(struct cursor *c, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case PE_ABS:
	case PE_UDATA8:
	case PE_SDATA8:
		return take(c, 8);
	case PE_UDATA4:
		return take(c, 4);
	case PE_SDATA4:
		return (uint64_t)(int64_t)(int32_t)take(c, 4);
	case PE_UDATA2:
		return take(c, 2);
	case PE_SDATA2:
		return (uint64_t)(int64_t)(int16_t)take(c, 2);
	case PE_ULEB:
		return take_uleb(c);
	case PE_SLEB:
		return (uint64_t)take_sleb(c);
	default:
		c->at = c->end;
		return 0;
	}
}

static uint64_t
take_pointer(struct cursor *c, uint8_t encoding, uint64_t data)
{
	uint64_t here = (uint64_t)(uintptr_t)c->at;
	uint64_t value = take_plain(c, encoding);

	if ((encoding & 0x70) == PE_PCREL)
		value += here;
	else if ((encoding & 0x70) == PE_DATAREL)
		value += data;
	return value;
}

/* An FDE and the contents of its CIE. */
struct frame {
	struct cursor common, own; /* instructions */
	uint64_t lo, hi;
	uint64_t code_align;
	int64_t data_align;
	uint64_t return_reg;
	bool is_signal;
};

static struct cursor
entry_at(uint64_t address)
{
	struct cursor c = { (const uint8_t *)(uintptr_t)address, NULL };
	uint32_t length;

	memcpy(&length, c.at, 4);
	if (length == 0 || length == UINT32_MAX) /* terminator, or 64-bit
	                                          * DWARF */
		return (struct cursor){ NULL, NULL };
	c.at += 4;
	c.end = c.at + length;
	return c;
}

/* Returns true if the augmentation is known. */
static bool
read_cie(uint64_t address, struct frame *f, uint8_t *encoding)
{
	struct cursor c = entry_at(address);
	const char *letters;
	const uint8_t *after = NULL;

	*encoding = PE_ABS;
	if (c.at == NULL || take(&c, 4) != 0)
		return false;
	take(&c, 1); /* version */
	letters = (const char *)c.at;
	c.at += strlen(letters) + 1;
	f->code_align = take_uleb(&c);
	f->data_align = take_sleb(&c);
	f->return_reg = take_uleb(&c);
	for (const char *l = letters; *l != '\0'; l++) {
		if (*l == 'z') {
			uint64_t bytes = take_uleb(&c);

			after = c.at + bytes;
		} else if (*l == 'R') {
			*encoding = (uint8_t)take(&c, 1);
		} else if (*l == 'P') {
			uint8_t of = (uint8_t)take(&c, 1);

			take_pointer(&c, of & 0x0f, 0);
		} else if (*l == 'L') {
			take(&c, 1);
		} else if (*l == 'S') {
			f->is_signal = true;
		} else {
			return false;
		}
	}
	if (after != NULL)
		c.at = after;
	f->common = c;
	return after != NULL || *letters == '\0';
}

static bool
read_fde(uint64_t address, struct frame *f)
{
	struct cursor c = entry_at(address);
	uint64_t cie;
	uint8_t encoding;

	if (c.at == NULL)
		return false;
	cie = (uint64_t)(uintptr_t)c.at;
	cie -= take(&c, 4);
	if (!read_cie(cie, f, &encoding))
		return false;
	f->lo = take_pointer(&c, encoding, 0);
	f->hi = f->lo + take_plain(&c, encoding & 0x0f);
	c.at += take_uleb(&c); /* augmentation data */
	f->own = c;
	return true;
}

struct fde_entry {
	int32_t start, fde; /* relative to .eh_frame_hdr */
};

/* Finds the last FDE that begins at or before ip. */
static bool
find_fde(const uint8_t *header, uint64_t ip, uint64_t *fde)
{
	uint64_t base = (uint64_t)(uintptr_t)header, n;
	struct cursor c = { header + 4, header + 4 + 32 };
	const struct fde_entry *rows;
	uint64_t lo = 0, hi;

	if (header[0] != 1 || header[2] == PE_OMIT ||
		header[3] != (PE_DATAREL | PE_SDATA4))
		return false;
	take_pointer(&c, header[1], base);
	n = take_pointer(&c, header[2], base);
	rows = (const struct fde_entry *)(const void *)c.at;
	if (n == 0 || (int64_t)(ip - base) < rows[0].start)
		return false;
	for (hi = n; hi - lo > 1;) {
		uint64_t middle = lo + (hi - lo) / 2;

		if (rows[middle].start <= (int64_t)(ip - base))
			lo = middle;
		else
			hi = middle;
	}
	*fde = base + (uint64_t)(int64_t)rows[lo].fde;
	return true;
}

static bool
find_frame(uint64_t ip, struct frame *f)
{
	struct dl_find_object module;
	uint64_t fde;

	*f = (struct frame){ 0 };
	return _dl_find_object((void *)(uintptr_t)ip, &module) == 0 &&
		module.dlfo_eh_frame != NULL &&
		find_fde(module.dlfo_eh_frame, ip, &fde) && read_fde(fde, f) &&
		ip >= f->lo && ip < f->hi;
}

/* The rules that a recipe needs, while the instructions are executed. */
struct rules {
	uint64_t reg; /* register of the CFA; EXPR: an expression */
	int64_t offset;
	struct cursor expr;
	int64_t bp; /* saved at CFA + bp; 0: unchanged */
	bool has_ra, bp_lost, ra_lost;
};

enum { EXPR = UINT8_MAX };

struct machine {
	const struct frame *f;
	uint64_t ip, at;
	struct rules now, first, saved[STATES];
	unsigned nsaved;
	bool is_bad;
};

static struct cursor
take_block(struct cursor *c)
{
	uint64_t bytes = take_uleb(c);
	struct cursor b = { c->at, c->at };

	if (bytes > (uint64_t)(c->end - c->at))
		bytes = (uint64_t)(c->end - c->at);
	c->at += bytes;
	b.end = c->at;
	return b;
}

static void
saved_at(struct machine *m, uint64_t reg, int64_t offset)
{
	if (reg == DW_REG_BP) {
		m->now.bp = offset;
		m->now.bp_lost = false;
	} else if (reg == DW_REG_RA) {
		m->now.ra_lost = offset != -8;
		m->now.has_ra = true;
	}
}

static void
lost(struct machine *m, uint64_t reg)
{
	if (reg == DW_REG_BP)
		m->now.bp_lost = true;
	else if (reg == DW_REG_RA)
		m->now.ra_lost = true;
}

static void
unchanged(struct machine *m, uint64_t reg)
{
	if (reg == DW_REG_BP) {
		m->now.bp = 0;
		m->now.bp_lost = false;
	}
}

static void
restore(struct machine *m, uint64_t reg)
{
	if (reg == DW_REG_BP) {
		m->now.bp = m->first.bp;
		m->now.bp_lost = m->first.bp_lost;
	} else if (reg == DW_REG_RA) {
		m->now.has_ra = m->first.has_ra;
		m->now.ra_lost = m->first.ra_lost;
	}
}

static void
remember(struct machine *m)
{
	if (m->nsaved < STATES)
		m->saved[m->nsaved++] = m->now;
	else
		m->is_bad = true;
}

static void
recall(struct machine *m)
{
	if (m->nsaved > 0)
		m->now = m->saved[--m->nsaved];
	else
		m->is_bad = true;
}

/* Instructions 0x02 to 0x04: the following ones are for later addresses. */
static void
advance(struct machine *m, uint64_t delta)
{
	m->at += delta * m->f->code_align;
}

static void
define(struct machine *m, uint64_t reg, int64_t offset)
{
	m->now.reg = reg;
	m->now.offset = offset;
}

/* Executes rules of the CFA. Returns false if op is no such rule. */
static bool
run_cfa(struct machine *m, struct cursor *c, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case 0x0c: /* def_cfa */
		reg = take_uleb(c);
		define(m, reg, (int64_t)take_uleb(c));
		return true;
	case 0x0d: /* def_cfa_register */
		m->now.reg = take_uleb(c);
		return true;
	case 0x0e: /* def_cfa_offset */
		m->now.offset = (int64_t)take_uleb(c);
		return true;
	case 0x12: /* def_cfa_sf */
		reg = take_uleb(c);
		define(m, reg, take_sleb(c) * m->f->data_align);
		return true;
	case 0x13: /* def_cfa_offset_sf */
		m->now.offset = take_sleb(c) * m->f->data_align;
		return true;
	case 0x0f: /* def_cfa_expression */
		m->now.reg = EXPR;
		m->now.expr = take_block(c);
		return true;
	default:
		return false;
	}
}

/* Executes rules of registers. */
static void
run_register(struct machine *m, struct cursor *c, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case 0x05: /* offset_extended */
		reg = take_uleb(c);
		saved_at(m, reg, (int64_t)take_uleb(c) * m->f->data_align);
		break;
	case 0x11: /* offset_extended_sf */
		reg = take_uleb(c);
		saved_at(m, reg, take_sleb(c) * m->f->data_align);
		break;
	case 0x06: /* restore_extended */
		restore(m, take_uleb(c));
		break;
	case 0x07: /* undefined */
		lost(m, take_uleb(c));
		break;
	case 0x08: /* same_value */
		unchanged(m, take_uleb(c));
		break;
	case 0x09: /* register */
	case 0x14: /* val_offset */
		lost(m, take_uleb(c));
		take_uleb(c);
		break;
	case 0x10: /* expression */
	case 0x16: /* val_expression */
		lost(m, take_uleb(c));
		take_block(c);
		break;
	default:
		m->is_bad = true;
	}
}

static void
run_other(struct machine *m, struct cursor *c, uint8_t op)
{
	switch (op) {
	case 0x00: /* nop */
		break;
	case 0x01: /* set_loc */
		m->at = take(c, 8);
		break;
	case 0x02:
		advance(m, take(c, 1));
		break;
	case 0x03:
		advance(m, take(c, 2));
		break;
	case 0x04:
		advance(m, take(c, 4));
		break;
	case 0x0a:
		remember(m);
		break;
	case 0x0b:
		recall(m);
		break;
	case 0x2e: /* GNU_args_size */
		take_uleb(c);
		break;
	default:
		if (!run_cfa(m, c, op))
			run_register(m, c, op);
	}
}

static void
run(struct machine *m, struct cursor c)
{
	while (c.at < c.end && m->at <= m->ip && !m->is_bad) {
		struct rules before = m->now;
		uint8_t op = *c.at++;

		switch (op >> 6) {
		case 1: /* advance_loc */
			advance(m, op & 0x3f);
			break;
		case 2: /* offset */
			saved_at(m, op & 0x3f,
				(int64_t)take_uleb(&c) * m->f->data_align);
			break;
		case 3:
			restore(m, op & 0x3f);
			break;
		default:
			run_other(m, &c, op);
		}
		if (m->at > m->ip)
			m->now = before;
	}
}

/* Matches sp + 8 + ((ip & 15) >= 11) * 8, which linkers write for their PLT. */
static bool
is_plt(struct cursor c, uint64_t ip, struct recipe *r)
{
	static const uint8_t plt[] = { 0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a, 0x3b,
		0x2a, 0x33, 0x24, 0x22 };

	if (c.end - c.at != sizeof(plt) ||
		(memcmp(c.at, plt, 6) != 0 || c.at[7] != plt[7]))
		return false;
	r->kind = RECIPE_SP;
	r->offset = 8 + ((ip & 15) >= (uint64_t)(c.at[6] - 0x30) ? 8 : 0);
	return true;
}

/* Matches *(bp + n). */
static bool
is_deref(struct cursor c, struct recipe *r)
{
	if (c.at == c.end || *c.at++ != 0x76)
		return false;
	r->kind = RECIPE_DEREF_BP;
	r->offset = (int32_t)take_sleb(&c);
	return c.at + 1 == c.end && *c.at == 0x06;
}

static struct recipe
make_recipe(const struct machine *m)
{
	const struct rules *w = &m->now;
	struct recipe r = { .offset = (int32_t)w->offset };
	const struct recipe none = { .kind = RECIPE_NONE };

	if (m->f->is_signal)
		return (struct recipe){ .kind = RECIPE_SIGNAL };
	if (m->is_bad || m->f->return_reg != DW_REG_RA)
		return none;
	if (w->ra_lost)
		return (struct recipe){ .kind = RECIPE_END };
	if (!w->bp_lost && w->bp >= INT16_MIN && w->bp <= 0)
		r.bp = (int16_t)w->bp;
	if (w->reg == DW_REG_SP)
		r.kind = RECIPE_SP;
	else if (w->reg == DW_REG_BP)
		r.kind = RECIPE_BP;
	else if (w->reg != EXPR ||
		(!is_plt(w->expr, m->ip, &r) && !is_deref(w->expr, &r)))
		return none;
	return r;
}

struct recipe
cfi_recipe(uint64_t ip)
{
	struct frame f;
	struct machine m = { .f = &f, .ip = ip };

	if (!find_frame(ip, &f))
		return (struct recipe){ .kind = RECIPE_NONE };
	m.at = f.lo;
	run(&m, f.common);
	m.first = m.now;
	m.at = f.lo;
	run(&m, f.own);
	return make_recipe(&m);
}

bool
cfi_function(uint64_t ip, uint64_t *lo, uint64_t *hi)
{
	struct frame f;

	if (!find_frame(ip, &f))
		return false;
	*lo = f.lo;
	*hi = f.hi;
	return true;
}
