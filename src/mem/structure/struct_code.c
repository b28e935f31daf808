/* SPDX-License-Identifier: MIT */
/* Writes the lines and loops of functions. */
#include <dwarf.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mem/structure/loops.h"
#include "mem/structure/module_dwarf.h"
#include "mem/structure/struct_unit.h"

void
struct_unit_lines(struct struct_unit *u, Dwarf_Die *unit)
{
	Dwarf_Lines *lines;
	size_t n;

	memset(&u->line, 0, sizeof u->line);
	if (dwarf_getsrclines(unit, &lines, &n) != 0) {
		if (dwarf_hasattr(unit, DW_AT_stmt_list))
			module_finding(u->module,
				"the lines of the unit at 0x%" PRIx64
				" are damaged: %s",
				(uint64_t)dwarf_dieoffset(unit),
				dwarf_errmsg(-1));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		struct struct_line *new = VEC_ADD(&u->line, u->arena);
		bool is_end = true;

		dwarf_lineaddr(line, &new->address);
		dwarf_lineendsequence(line, &is_end);
		dwarf_lineno(line, &new->line);
		if (!is_end)
			new->file = dwarf_linesrc(line, NULL, NULL);
	}
}

/* A piece of code that came from one line. */
struct piece {
	const char *file;
	int line;
	uint64_t lo, hi;
};

static int
by_line(const void *pa, const void *pb)
{
	const struct piece *a = pa, *b = pb;
	int order = a->file == b->file ? 0 : strcmp(a->file, b->file);

	if (order != 0)
		return order;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->lo > b->lo) - (a->lo < b->lo);
}

/* Returns the index of the last line at or before an address, or -1. */
static int
line_at(const struct struct_unit *u, uint64_t address)
{
	int lo = 0, hi = u->line.n;

	while (lo < hi) {
		int middle = lo + (hi - lo) / 2;

		if (u->line.at[middle].address <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo - 1;
}

struct pieces {
	VEC(struct piece) list;
};

/* Cuts a range of code into the pieces of its lines. */
static void
add_pieces(struct struct_unit *u, struct pieces *to, uint64_t lo, uint64_t hi)
{
	int first = line_at(u, lo);

	for (int i = first < 0 ? 0 : first; i < u->line.n; i++) {
		const struct struct_line *l = &u->line.at[i];
		uint64_t begin = l->address > lo ? l->address : lo;
		uint64_t end = i + 1 < u->line.n ? l[1].address : hi;

		if (begin >= hi)
			break;
		if (end > hi)
			end = hi;
		if (begin < end && l->file != NULL)
			VEC_PUSH(&to->list, u->arena,
				((struct piece){
					l->file, l->line, begin, end }));
	}
}

static void
write_lines(struct struct_unit *u, const struct struct_ranges *function)
{
	struct pieces p = { 0 };

	for (int i = 0; i < function->list.n; i++)
		add_pieces(u, &p, (uint64_t)function->list.at[i].lo,
			(uint64_t)function->list.at[i].hi);
	if (p.list.n > 0)
		qsort(p.list.at, (size_t)p.list.n, sizeof *p.list.at, by_line);
	for (int i = 0; i < p.list.n;) {
		const struct piece *first = &p.list.at[i];
		struct struct_ranges range = { 0 };

		for (; i < p.list.n && p.list.at[i].line == first->line &&
			strcmp(p.list.at[i].file, first->file) == 0;
			i++)
			struct_add_range(&range, u->arena,
				(int64_t)p.list.at[i].lo,
				p.list.at[i].hi - p.list.at[i].lo);
		struct_join(&range);
		struct_begin(&u->out,
			&(struct struct_element){ .tag = "S",
				.file = first->file,
				.line = first->line,
				.range = &range });
		struct_end(&u->out, "S");
	}
}

/* Returns the bytes of code from lo to hi, or NULL if the file does not have
 * them: a separate debug file. */
static const uint8_t *
code_of(const struct module *m, uint64_t lo, uint64_t hi)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(m->dwfl->module, &bias);
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr h;

	while (elf != NULL && (scn = elf_nextscn(elf, scn)) != NULL) {
		if (gelf_getshdr(scn, &h) == NULL ||
			!(h.sh_flags & SHF_EXECINSTR) ||
			h.sh_type == SHT_NOBITS || lo < h.sh_addr ||
			hi > h.sh_addr + h.sh_size)
			continue;
		data = elf_rawdata(scn, NULL);
		return data == NULL || data->d_size < h.sh_size
			? NULL
			: (const uint8_t *)data->d_buf + (lo - h.sh_addr);
	}
	return NULL;
}

/* Returns the line of a loop, that of its head: the jump back belongs to the
 * head of a for loop, the first instruction to that of an endless loop. */
static const struct struct_line *
line_of(const struct struct_unit *u, const struct loop *l)
{
	int first = line_at(u, l->lo), jump = line_at(u, l->jump);
	const struct struct_line *a, *b;

	if (first < 0 || jump < 0)
		return NULL;
	a = &u->line.at[first];
	b = &u->line.at[jump];
	if (a->file == NULL || a->line == 0)
		return NULL;
	return b->file == a->file && b->line > 0 && b->line < a->line ? b : a;
}

static void
write_loop(struct struct_unit *u, const struct loop *l)
{
	const struct struct_line *line = line_of(u, l);
	struct struct_ranges range = { 0 };

	struct_add_range(&range, u->arena, (int64_t)l->lo, l->hi - l->lo);
	struct_begin(&u->out,
		&(struct struct_element){ .tag = "L",
			.file = line == NULL ? NULL : line->file,
			.line = line == NULL ? 0 : line->line,
			.range = &range });
}

/* Writes the loops of a range of code. Those without a line are left out. */
static void
write_loops(struct struct_unit *u, uint64_t lo, uint64_t hi)
{
	const uint8_t *bytes = code_of(u->module, lo, hi);
	struct loops loops = { 0 };
	VEC(uint64_t) open = { 0 }; /* ends of the loops that are open */

	if (bytes != NULL)
		loops_find(&loops, u->arena, bytes, lo, hi - lo);
	for (int i = 0; i < loops.list.n; i++) {
		const struct loop *l = &loops.list.at[i];

		for (; open.n > 0 && open.at[open.n - 1] <= l->lo; open.n--)
			struct_end(&u->out, "L");
		if (line_of(u, l) == NULL)
			continue;
		write_loop(u, l);
		VEC_PUSH(&open, u->arena, l->hi);
	}
	for (; open.n > 0; open.n--)
		struct_end(&u->out, "L");
}

void
struct_unit_code(struct struct_unit *u, const struct struct_ranges *function)
{
	for (int i = 0; i < function->list.n; i++)
		write_loops(u, (uint64_t)function->list.at[i].lo,
			(uint64_t)function->list.at[i].hi);
	write_lines(u, function);
}
