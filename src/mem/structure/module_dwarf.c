/* SPDX-License-Identifier: MIT */
#include "mem/structure/module_dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <elfutils/version.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "mem/structure/demangle.h"
#include "mem/structure/units.h"

/* Returns true if the debug file exists: beside the file, in .debug beside it,
 * or below /usr/lib/debug. */
static bool
has_debug_file(struct module *m, const char *link)
{
	static const char *const roots[] = { "", "", "/usr/lib/debug" };
	static const char *const folders[] = { "", ".debug/", "" };
	int n = (int)(file_name(m->path) - m->path);

	if (link == NULL)
		return false;
	if (link[0] == '/')
		return file_is_regular(link);
	for (int i = 0; i < 3; i++)
		if (file_is_regular(arena_printf(m->arena, "%s%.*s%s%s",
			    roots[i], n, m->path, folders[i], link)))
			return true;
	return false;
}

/* Finds debug files as libdw does, but asks a server only if the user has named
 * one: libdw takes 10 ms for each file to find that there is none. */
static int
find_debuginfo(/* its type is libdw's */
	Dwfl_Module *module, void **data, const char *name, GElf_Addr base,
	const char *path, const char *link, GElf_Word crc, char **found)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	int fd = dwfl_build_id_find_debuginfo(
		module, data, name, base, path, link, crc, found);

	if (fd >= 0 ||
		((servers == NULL || *servers == '\0') &&
			!has_debug_file(*data, link)))
		return fd;
	return dwfl_standard_find_debuginfo(
		module, data, name, base, path, link, crc, found);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static void
read_sections(struct module *m, Elf *elf)
{
	size_t names;
	Elf_Scn *scn = NULL;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		struct module_section *s;
		const char *name;
		GElf_Shdr h;

		if (gelf_getshdr(scn, &h) == NULL ||
			!(h.sh_flags & SHF_ALLOC) || (h.sh_flags & SHF_TLS))
			continue;
		name = elf_strptr(elf, names, h.sh_name);
		s = VEC_ADD(&m->section, m->arena);
		s->lo = h.sh_addr;
		s->hi = h.sh_addr + h.sh_size;
		s->is_code = (h.sh_flags & SHF_EXECINSTR) != 0;
		s->name = arena_strdup(m->arena, name == NULL ? "?" : name);
	}
}

/* Finds the image of thread-local storage. */
static void
read_local(struct module *m, Elf *elf)
{
	size_t n;

	if (elf_getphdrnum(elf, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr h;

		if (gelf_getphdr(elf, (int)i, &h) == NULL || h.p_type != PT_TLS)
			continue;
		m->dwfl->local_from = h.p_vaddr;
		m->dwfl->local_bytes = h.p_memsz;
	}
}

static void
read_build_id(struct module *m)
{
	const unsigned char *bits;
	GElf_Addr at;
	int n = dwfl_module_build_id(m->dwfl->module, &bits, &at);

	if (n <= 0)
		return;
	m->build_bytes =
		(uint32_t)(n < MODULE_BUILD_MAX ? n : MODULE_BUILD_MAX);
	memcpy(m->build, bits, m->build_bytes);
}

static void
add_variable(struct module *m, const char *name, const GElf_Sym *sym)
{
	bool is_local = GELF_ST_TYPE(sym->st_info) == STT_TLS;
	struct variables *list = is_local ? &m->local : &m->variable;
	struct variable *v = VEC_ADD(list, m->arena);

	v->address = sym->st_value;
	v->size = sym->st_size;
	v->name = arena_strdup(m->arena, name);
	v->section = is_local ? NULL : module_section_name(m, v->address);
	v->is_local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;
}

/* Ranks the symbols of one address: functions before labels, names visible to
 * other files before local ones, names without leading underscores first. */
static int
rank_of(const GElf_Sym *sym, const char *name)
{
	int bind = GELF_ST_BIND(sym->st_info);

	return (sym->st_size == 0) << 8 |
		(GELF_ST_TYPE(sym->st_info) == STT_NOTYPE) << 7 |
		(bind == STB_LOCAL ? 2 : bind != STB_GLOBAL) << 5 |
		(int)(strspn(name, "_") & 31);
}

static void
add_function(struct module *m, const char *name, const GElf_Sym *sym)
{
	code_symbols_add(&m->function, m->arena,
		&(struct code_symbol){ .address = sym->st_value,
			.end = sym->st_value + sym->st_size,
			.name = name,
			.rank = rank_of(sym, name) });
}

/* Returns true for a function or a label in code. */
static bool
is_code(const struct module *m, const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);

	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return sym->st_value != 0;
	return type == STT_NOTYPE && module_is_code(m, sym->st_value);
}

static void
read_symbols(struct module *m)
{
	int n = dwfl_module_getsymtab(m->dwfl->module);

	for (int i = 0; i < n; i++) {
		GElf_Sym sym;
		GElf_Word section = 0;
		const char *name;

		/* Takes the symbol's own value, an address in the file without
		 * bias. */
		name = dwfl_module_getsym(m->dwfl->module, i, &sym, &section);
		if (name == NULL || *name == '\0' || sym.st_shndx == SHN_UNDEF)
			continue;
		if (is_code(m, &sym))
			add_function(m, name, &sym);
		if (sym.st_size == 0)
			continue;
		if (GELF_ST_TYPE(sym.st_info) == STT_TLS ||
			(GELF_ST_TYPE(sym.st_info) == STT_OBJECT &&
				sym.st_value != 0))
			add_variable(m, name, &sym);
		if (GELF_ST_BIND(sym.st_info) == STB_LOCAL)
			m->has_symbols = true;
	}
	module_sort(m);
	code_symbols_sort(&m->function);
}

static bool
open_file(struct module *m, struct err *err)
{
	struct module_dwfl *d = m->dwfl;
	GElf_Addr bias;
	void **data;
	Elf *elf;
	int fd = open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return err_set(err, ERR_SYSTEM, "%s", m->path);
	if (!file_is_regular(m->path)) {
		close(fd);
		return err_set(
			err, ERR_INPUT, "%s: not a regular file", m->path);
	}
	d->dwfl = dwfl_begin(&callbacks);
	dwfl_report_begin(d->dwfl);
	d->module = dwfl_report_elf(
		d->dwfl, file_name(m->path), m->path, fd, 0, true);
	if (d->module == NULL)
		close(fd); /* if successful, libdwfl closes it */
	dwfl_report_end(d->dwfl, NULL, NULL);
	if (d->module != NULL) {
		dwfl_module_info(
			d->module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
		*data = m;
	}
	elf = d->module == NULL ? NULL : dwfl_module_getelf(d->module, &bias);
	if (elf == NULL)
		return err_set(err, ERR_INPUT, "%s: not an ELF file (%s)",
			m->path, dwfl_errmsg(-1));
	read_sections(m, elf);
	read_local(m, elf);
	return true;
}

/* Adds a finding if the file has, or refers to, debug information that cannot
 * be read. */
static void
check_debug(struct module *m)
{
	const char *why = dwfl_errmsg(-1);
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(m->dwfl->module, &bias);
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0)
		return;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr h;
		const char *name = gelf_getshdr(scn, &h) == NULL
			? NULL
			: elf_strptr(elf, names, h.sh_name);
		Elf_Data *data;

		if (name == NULL || h.sh_type == SHT_NOBITS)
			continue;
		if (strcmp(name, ".debug_info") == 0)
			module_finding(m, "DWARF cannot be read: %s", why);
		if (strcmp(name, ".gnu_debuglink") != 0)
			continue;
		data = elf_rawdata(scn, NULL);
		if (data != NULL && data->d_buf != NULL && data->d_size > 0)
			module_finding(m,
				"its debug file %.*s is missing, or belongs to "
				"another build",
				(int)strnlen(data->d_buf, data->d_size),
				(const char *)data->d_buf);
	}
}

struct module *
module_open(struct arena *a, const char *path, struct err *err)
{
	struct module *m = ARENA_NEW(a, struct module);
	Dwarf_Addr bias;

	m->arena = a;
	m->path = arena_strdup(a, path);
	m->dwfl = ARENA_NEW(a, struct module_dwfl);
	m->dwfl->units.arena = a;
	if (!open_file(m, err)) {
		module_close(m);
		return NULL;
	}
	read_build_id(m);
	read_symbols(m);
	m->has_lines = dwfl_module_getdwarf(m->dwfl->module, &bias) != NULL;
	if (!m->has_lines)
		check_debug(m);
	return m;
}

void
module_close(struct module *m)
{
	if (m == NULL || m->dwfl == NULL || m->dwfl->dwfl == NULL)
		return;
	dwfl_end(m->dwfl->dwfl);
	m->dwfl->dwfl = NULL;
}

const char *
module_die_file(struct arena *a, Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word index;
	const char *name;
	Dwarf_Die cu;

	if (dwarf_attr_integrate(die, attribute, &attr) == NULL ||
		dwarf_formudata(&attr, &index) != 0 ||
		dwarf_diecu(die, &cu, NULL, NULL) == NULL ||
		dwarf_getsrcfiles(&cu, &files, NULL) != 0)
		return NULL;
	name = dwarf_filesrc(files, index, NULL, NULL);
	return name == NULL ? NULL : arena_strdup(a, name);
}

int
module_die_number(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (dwarf_attr_integrate(die, attribute, &attr) == NULL ||
		dwarf_formudata(&attr, &value) != 0)
		return 0;
	return (int)value;
}

const char *
module_die_name(struct arena *a, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) != NULL)
		name = dwarf_formstring(&attr);
	if (name == NULL)
		name = dwarf_diename(die);
	return name == NULL ? NULL : names_demangle(a, arena_strdup(a, name));
}

/* Appends a frame. Its line is where the previous frame was called. */
static void
add_frame(struct module *m, struct frame *f, int *n, Dwarf_Die *die)
{
	bool is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;

	f[*n].function = module_die_name(m->arena, die);
	f[*n].is_inlined = is_inlined;
	(*n)++;
	if (is_inlined) {
		f[*n].file = module_die_file(m->arena, die, DW_AT_call_file);
		f[*n].line = module_die_number(die, DW_AT_call_line);
	}
}

Dwarf_Die *
module_unit_at(struct module *m, uint64_t address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(m->dwfl->module, address, bias);

	if (unit == NULL) {
		unit = units_at(&m->dwfl->units, m->dwfl->module, address);
		*bias = m->dwfl->units.bias;
	}
	return unit;
}

enum { NESTED_MOST = 16 }; /* namespaces and types in each other */

/* Finds the function around an address among those in namespaces and types,
 * where Rust has them all and libdw does not look. */
static bool
find_nested(Dwarf_Die *of, Dwarf_Addr address, int depth, Dwarf_Die *to)
{
	Dwarf_Die die;

	if (depth == NESTED_MOST || dwarf_child(of, &die) != 0)
		return false;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			if (depth == 0 || dwarf_haspc(&die, address) <= 0)
				continue;
			*to = die;
			return true;
		case DW_TAG_namespace:
		case DW_TAG_structure_type:
		case DW_TAG_enumeration_type:
		case DW_TAG_union_type:
			if (find_nested(&die, address, depth + 1, to))
				return true;
			continue;
		default:
			continue;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

/* Goes from a function to the innermost block or inlined call around an
 * address. */
static void
go_inside(Dwarf_Die *scope, Dwarf_Addr address)
{
	Dwarf_Die die;
	int more = dwarf_child(scope, &die);

	while (more == 0) {
		int tag = dwarf_tag(&die);

		if ((tag == DW_TAG_lexical_block ||
			    tag == DW_TAG_inlined_subroutine) &&
			dwarf_haspc(&die, address) > 0) {
			*scope = die;
			more = dwarf_child(scope, &die);
		} else {
			more = dwarf_siblingof(&die, &die);
		}
	}
}

/* Returns the innermost scope around an address. */
static bool
innermost(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die *to)
{
	Dwarf_Die *scopes = NULL;
	int n = dwarf_getscopes(unit, address, &scopes);

	if (n > 0)
		*to = scopes[0];
	mem_free(scopes);
	if (n > 0 && to->addr != unit->addr)
		return true;
	if (!find_nested(unit, address, 0, to))
		return n > 0;
	go_inside(to, address);
	return true;
}

int
module_scopes_at(struct module *m, uint64_t address, Dwarf_Die **chain)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = module_unit_at(m, address, &bias);
	Dwarf_Die scope, split;
	int depth = 0;

	*chain = NULL;
	if (unit == NULL)
		return 0;
	if (units_split(unit, &split))
		unit = &split;
	if (innermost(unit, address - bias, &scope))
		depth = dwarf_getscopes_die(&scope, chain);
	return depth < 0 ? 0 : depth;
}

/* Appends the functions around an address, from the nested scopes of DWARF. */
static int
add_scopes(struct module *m, struct frame *f, uint64_t address)
{
	Dwarf_Die *chain;
	int n = 0, depth = module_scopes_at(m, address, &chain);

	for (int i = 0; i < depth && n < MODULE_DEPTH - 1; i++) {
		int tag = dwarf_tag(&chain[i]);

		if (tag == DW_TAG_inlined_subroutine ||
			tag == DW_TAG_subprogram)
			add_frame(m, f, &n, &chain[i]);
		if (tag == DW_TAG_subprogram)
			break;
	}
	mem_free(chain);
	return n;
}

static void
add_line(struct module *m, struct frame *f, uint64_t address)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = module_unit_at(m, address, &bias);
	Dwarf_Line *line;
	const char *file;
	int number = 0;

	line = unit == NULL ? NULL : dwarf_getsrc_die(unit, address - bias);
	if (line == NULL)
		return;
	file = dwarf_linesrc(line, NULL, NULL);
	dwarf_lineno(line, &number);
	f->file = file == NULL ? NULL : arena_strdup(m->arena, file);
	f->line = number;
}

struct frames
module_dwarf_code(struct module *m, uint64_t address)
{
	struct frame f[MODULE_DEPTH + 1] = { 0 };
	struct frame *copy;
	int n;

	add_line(m, f, address);
	n = m->has_lines ? add_scopes(m, f, address) : 0;
	if (n == 0 || f[n - 1].is_inlined)
		f[n++].function = module_symbol_name(m, address);
	copy = ARENA_ARRAY(m->arena, struct frame, n);
	memcpy(copy, f, (size_t)n * sizeof *copy);
	return (struct frames){ copy, n };
}

const char *
module_library(void)
{
	static char text[32];

	snprintf(text, sizeof text, "libdw %s", dwfl_version(NULL));
	return text;
}
