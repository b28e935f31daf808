/* SPDX-License-Identifier: MIT */
/*
 * struct_file.h - structure files: variables, functions and lines of a module
 * as XML, for reports on machines where the module itself no longer exists.
 *
 *	<WeftStructure version="1">
 *	<LM i="1" n="/path/prog" v="{[0x0-0x5000)}" build="0ab1...">
 *	 <F i="2" n="/path/prog.c">
 *	  <V i="3" n="count" l="7" v="{[0x4040-0x4044)}" t="int" k="static"/>
 *	  <P i="4" n="main" l="12" v="{[0x1040-0x10a2)}">
 *	   <V i="5" n="x" l="13" v="{[-0x20--0x18)}" t="double" k="local"/>
 *	   <A i="6" n="add" f="/path/prog.c" l="14" v="{[0x1050-0x1060)}"/>
 *	   <L i="7" l="14" v="{[0x1048-0x1070)}"/>
 *	   <S i="8" l="14" v="{[0x1044-0x1050) [0x1060-0x1070)}"/>
 *
 * docs/dev/struct-format.md describes elements and attributes.
 */
#ifndef WEFT_MEM_STRUCTURE_STRUCT_FILE_H
#define WEFT_MEM_STRUCTURE_STRUCT_FILE_H

#include "mem/structure/module.h"
#include "mem/structure/xml.h"

#define STRUCT_VERSION 1
#define STRUCT_UNKNOWN_FILE "<unknown file>"

struct struct_modules {
	VEC(struct module *) list;
};

/* Writes the structure of a module. Defects of its debug information are added
 * to the module's findings. */
void struct_write(struct module *m, struct xml_writer *w);

/*
 * Reads a structure file: adds a module for each LM element. They answer as
 * modules of ELF files do. Returns false and sets err, which names file and
 * line, if the file is unreadable, no structure file, of another version, or
 * damaged.
 */
bool struct_read(struct struct_modules *to, struct arena *a, const char *path,
	struct err *err);

#endif
