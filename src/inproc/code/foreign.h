/* SPDX-License-Identifier: MIT */
/*
 * foreign.h - programs that cannot load a library of this build, because they
 * have 32 bits, are for another processor, or use another C library. The loader
 * complains of LD_PRELOAD in such a program; that of musl ends it.
 */
#ifndef WEFT_INPROC_CODE_FOREIGN_H
#define WEFT_INPROC_CODE_FOREIGN_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Bytes at the beginning of a file that foreign_why() wants. */
enum { FOREIGN_BYTES = 4096 };

/* Returns the name of the loader in the program's first n bytes, NULL: none is
 * there. */
static inline const char *
foreign_loader(const char *bytes, size_t n)
{
	Elf64_Ehdr h;
	Elf64_Phdr p;

	memcpy(&h, bytes, sizeof h);
	for (size_t i = 0; i < h.e_phnum; i++) {
		if (h.e_phoff > n || (i + 1) * sizeof p > n - h.e_phoff)
			break;
		memcpy(&p, bytes + h.e_phoff + i * sizeof p, sizeof p);
		if (p.p_type == PT_INTERP)
			return p.p_offset < n &&
					memchr(bytes + p.p_offset, '\0',
						n - p.p_offset) != NULL
				? bytes + p.p_offset
				: NULL;
	}
	return NULL;
}

/* Returns why the program that begins with these n bytes cannot load a library
 * of this build, as "is a 32-bit program", or NULL. */
static inline const char *
foreign_why(const char *bytes, size_t n)
{
	static const char *const others[] = { "/ld-musl-", "/ld64-uClibc",
		"/linker64" };
	const char *loader;
	Elf64_Ehdr h;

	if (n < sizeof h || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return NULL;
	memcpy(&h, bytes, sizeof h);
	if (h.e_ident[EI_CLASS] != ELFCLASS64)
		return "is a 32-bit program";
#ifdef __x86_64__
	if (h.e_machine != EM_X86_64)
		return "is a program for another processor";
#endif
	loader = foreign_loader(bytes, n);
	for (size_t i = 0; loader && i < sizeof others / sizeof *others; i++)
		if (strstr(loader, others[i]) != NULL)
			return "uses another C library than the GNU one";
	return NULL;
}

#endif
