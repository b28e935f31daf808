/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - numbers the code locations at the addresses of modules.
 *
 * A code location is a function with file and line. Equal locations have one
 * number, so call paths with the same locations become one, even if their
 * addresses differ. An inlined call gives an address several locations, the
 * innermost first. Files are opened on first use.
 *
 * A file that is missing, or has another build id than the program that ran,
 * has the names of a structure file if there is one for its build id (or for
 * its path, if it has none). Else the location is the module.
 */
#ifndef WEFT_MEM_DB_SYMBOLS_H
#define WEFT_MEM_DB_SYMBOLS_H

#include "base/intern.h"
#include "base/map.h"
#include "mem/structure/struct_file.h"

struct symbols_file {
	const char *path, *name; /* name: without directories */
	uint8_t build[MODULE_BUILD_MAX];
	uint32_t build_bytes;
	bool tried;
	bool is_static;        /* a program that contains its libraries */
	struct module *module; /* NULL: no names, `why` says the reason */
	const char *why;
	uint64_t asked, unnamed; /* locations looked up; locations found without
	                          * a function */
};

struct code_location {
	const char *function; /* never NULL */
	const char *file;     /* NULL: unknown */
	int line;
	int module;    /* index of the symbols_file, or -1 */
	bool is_named; /* function is a name, not "prog+0x12f0" */
	bool is_inlined;
	uint64_t call;  /* tells apart calls on one line, see module_call();
	                 * 0: any call */
	int of_library; /* 0: not known yet; else 1 no, 2 yes (charge.c) */
};

/* Numbers of locations, innermost first; at least one. */
struct code_locations {
	const uint32_t *at;
	int n;
};

struct symbols {
	struct arena *arena;
	VEC(struct symbols_file) file;
	struct struct_modules spare; /* modules of structure files, used for
	                              * files that are missing */
	VEC(struct code_location) location;
	struct intern text; /* functions, files and names of variables */
	bool by_name;    /* files of one name, without directories, are the same
	                  * in code locations: another build, another host */
	struct map code; /* file and address: struct code_entry * */
	struct map number; /* hash of a location: its number + 1 */
};

void symbols_init(struct symbols *s, struct arena *a);

/* Returns the index of a file, which is added if it is new. */
int symbols_add(struct symbols *s, const char *path, const uint8_t *build,
	uint32_t build_bytes);

/* Returns the file that stands for a file in code locations: itself, or with
 * by_name the first one of its name. */
int symbols_same(const struct symbols *s, int file);

/* Returns the file's module, or NULL. */
struct module *symbols_module(struct symbols *s, int file);

/* Returns the locations at an address of the file. file -1: the address belongs
 * to no file; the result only says whether it is the kernel's. */
struct code_locations symbols_code(
	struct symbols *s, int file, uint64_t address);

/* Does the same, but tells two calls on one line apart. */
struct code_locations symbols_call(
	struct symbols *s, int file, uint64_t address);

/* Returns the number of a location that is not code: a variable, a
 * placeholder. */
uint32_t symbols_location(struct symbols *s, const struct code_location *p);

void symbols_fini(struct symbols *s);

#endif
