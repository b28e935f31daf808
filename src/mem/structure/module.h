/* SPDX-License-Identifier: MIT */
/*
 * module.h - what an ELF file says of its addresses: which variable, which
 * function, which line.
 *
 * All addresses are those of the file; a program adds the bias of its mapping.
 *
 *	struct module *m = module_open(&arena, "/usr/bin/prog", &err);
 *	const struct variable *v = module_variable(m, address);
 *	struct frames f = module_code(m, address);
 *	module_close(m);
 *
 * Symbols come from the symbol table, else from that of a separate debug file
 * of the same build id, else from the dynamic symbols; lines and inlined calls
 * from DWARF, where present. Everything that is returned lies in the arena.
 */
#ifndef WEFT_MEM_STRUCTURE_MODULE_H
#define WEFT_MEM_STRUCTURE_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "mem/structure/code_symbols.h"

struct arena;
struct module_dwfl;

#define MODULE_BUILD_MAX 32 /* bytes of a build id that are kept */

/* A variable with an address of its own, from its first byte on. */
struct variable {
	uint64_t address, size;
	const char *name;    /* demangled */
	const char *file;    /* where it is declared, or NULL */
	int line;            /* 0: not known */
	const char *section; /* ".data", ".bss", ...; NULL: thread-local */
	bool is_local;       /* not seen by other files */
};

struct module_section {
	uint64_t lo, hi;
	const char *name;
	bool is_code;
};

/* A function at an address: the innermost frame first, then those that it was
 * inlined into. */
struct frame {
	const char *function; /* demangled; NULL: no symbol */
	const char *file;     /* NULL: not known */
	int line;
	bool is_inlined; /* into the next frame */
};

struct frames {
	const struct frame *at;
	int n; /* at least 1 */
};

struct variables {
	struct variable *at;
	int n, cap;
};

struct module {
	struct arena *arena;
	const char *path;
	uint8_t build[MODULE_BUILD_MAX];
	uint32_t build_bytes;
	bool has_symbols; /* more than dynamic ones */
	bool has_lines;   /* DWARF */
	/* By address; no two have the same. Those of threads: by offset in the
	 * module's block of thread-local storage. */
	struct variables variable, local;
	struct code_symbols function;
	VEC(struct module_section) section;
	struct module_dwfl *dwfl; /* owned */
};

/* Reads a file. NULL with err: unreadable, not ELF, or this build cannot. */
struct module *module_open(struct arena *a, const char *path, struct err *err);

/* The variable that an address lies in, or NULL. */
const struct variable *module_variable(
	const struct module *m, uint64_t address);

/* The thread-local variable at an offset in the module's block, or NULL. */
const struct variable *module_local(const struct module *m, uint64_t offset);

/* The name of the section of an address: ".data", ".text", or NULL. */
const char *module_section_name(const struct module *m, uint64_t address);

/* What runs at an address. */
struct frames module_code(struct module *m, uint64_t address);

/* Files and lines of all variables: reads all of DWARF, once. */
void module_declare(struct module *m);

/* NULL is fine. */
void module_close(struct module *m);

/* The libraries that do it, "libdw 0.188"; "" in a build without. */
const char *module_library(void);

#endif
