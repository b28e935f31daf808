/* SPDX-License-Identifier: MIT */
/*
 * module.h - the variables, functions and source lines at the addresses of an
 * ELF file.
 *
 * All addresses are addresses in the file; the caller subtracts the bias of the
 * mapping.
 *
 *	struct module *m = module_open(&arena, "/usr/bin/prog", &err);
 *	const struct variable *v = module_variable(m, address);
 *	struct frames f = module_code(m, address);
 *	module_close(m);
 *
 * Symbols come from the file's symbol table, else from a separate debug file
 * with the same build id, else from the dynamic symbols. Lines and inlined
 * calls come from DWARF, if present. All results live in the arena.
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
struct outline;

#define MODULE_BUILD_MAX \
	32 /* bytes of a build id that are kept; the rest is \
	    * ignored */

#define MODULE_FINDINGS 20

/* The section of a program into which the memory recorder is linked. */
#define MODULE_RECORDER ".note.weft"

/* A variable at a fixed address. */
struct variable {
	uint64_t address, size;
	const char *name;    /* demangled */
	const char *file;    /* source file of the declaration; NULL: unknown */
	int line;            /* 0: unknown */
	const char *section; /* ".data", ".bss", ...; NULL: thread-local */
	bool is_local;       /* not visible to other files */
};

struct module_section {
	uint64_t lo, hi;
	const char *name;
	bool is_code;
};

/* A function at an address. An address may have several frames: the innermost
 * function first, then the functions into which it was inlined. */
struct frame {
	const char *function; /* demangled; NULL: no symbol */
	const char *file;     /* NULL: unknown */
	int line;
	bool is_inlined; /* the function was inlined into the next frame */
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
	bool has_symbols; /* has local symbols, not only dynamic ones */
	bool has_lines;   /* DWARF */
	/* Sorted by address, which is unique. `local` has thread-local
	 * variables by their offset in the module's block of thread-local
	 * storage. */
	struct variables variable, local;
	struct code_symbols function;
	VEC(struct module_section) section;
	VEC(const char *)
	finding;                  /* the first MODULE_FINDINGS defects of the
	                           * file and of its debug files */
	int findings;             /* all defects */
	struct outline *outline;  /* code, for a module that was read from a
	                           * structure file; else NULL */
	struct module_dwfl *dwfl; /* owned; NULL with an outline */
};

/* Reads a file. Returns NULL and sets err if it is unreadable, no ELF file, or
 * this build has no libdw. */
struct module *module_open(struct arena *a, const char *path, struct err *err);

/* Returns the variable that contains an address, or NULL. */
const struct variable *module_variable(
	const struct module *m, uint64_t address);

/* Returns the thread-local variable at an offset in the module's block, or
 * NULL. */
const struct variable *module_local(const struct module *m, uint64_t offset);

/* Returns the name of the section at an address, such as ".data", or NULL. */
const char *module_section_name(const struct module *m, uint64_t address);

/* Returns true for a program that contains its libraries. */
bool module_is_static(const struct module *m);

/* Returns the functions at an address. */
struct frames module_code(struct module *m, uint64_t address);

/* Returns a number, never 0, that tells the call at an address from other calls
 * of its function. It is the same in another build of the program if the code
 * of the function is. */
uint64_t module_call(const struct module *m, uint64_t address);

/* Adds files and lines to all variables. Reads all of DWARF; repeated calls do
 * nothing. */
void module_declare(struct module *m);

/* Closes the file; m may be NULL. */
void module_close(struct module *m);

/* Returns the library that reads DWARF, "libdw 0.188", or "" in a build without
 * one. */
const char *module_library(void);

#endif
