/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - addresses of modules to places in code, each with a number.
 *
 * Files are opened when they are first needed. A place is a function with file
 * and line; equal places have one number, so that call paths that differ in
 * addresses only fall together. Where a call was inlined, an address has
 * several places, the innermost first.
 *
 * A file that is gone, or has another build id than the program ran, gives no
 * names: the place is the module then.
 */
#ifndef WEFT_MEM_DB_SYMBOLS_H
#define WEFT_MEM_DB_SYMBOLS_H

#include "base/intern.h"
#include "base/map.h"
#include "mem/structure/module.h"

struct symbols_file {
	const char *path, *name; /* name: without folders */
	uint8_t build[MODULE_BUILD_MAX];
	uint32_t build_bytes;
	bool tried;
	struct module *module; /* NULL: no names; why says so */
	const char *why;
	uint64_t asked, unnamed; /* places in it; ... without a function */
};

struct place {
	const char *function; /* never NULL */
	const char *file;     /* NULL: not known */
	int line;
	int module;    /* symbols_file, or -1 */
	bool is_named; /* function is one, not "prog+0x12f0" */
	bool is_inlined;
	uint64_t call; /* of allocations: one call of a line; 0: any */
};

/* Numbers of places, innermost first; at least one. */
struct places {
	const uint32_t *at;
	int n;
};

struct symbols {
	struct arena *arena;
	VEC(struct symbols_file) file;
	VEC(struct place) place;
	struct intern text; /* of keys */
	struct map code;    /* file and address: struct places * */
	struct map call;    /* likewise, of calls that are told apart */
	struct map number;  /* text of a place: its number + 1 */
};

void symbols_init(struct symbols *s, struct arena *a);

/* The number of a file. */
int symbols_add(struct symbols *s, const char *path, const uint8_t *build,
	uint32_t build_bytes);

/* Its ELF file, or NULL. */
struct module *symbols_module(struct symbols *s, int file);

/* What runs at an address of the file; -1: of no file, and the address says
 * only whether it is the kernel's. */
struct places symbols_code(struct symbols *s, int file, uint64_t address);

/* Likewise, but two calls on one line are two places. */
struct places symbols_call(struct symbols *s, int file, uint64_t address);

/* The number of a place that is no code: a variable, a placeholder. */
uint32_t symbols_place(struct symbols *s, const struct place *p);

void symbols_fini(struct symbols *s);

#endif
