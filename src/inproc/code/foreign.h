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

enum {
	FOREIGN_BYTES = 4096, /* of a file's beginning, for foreign_why() */
	FOREIGN_NAME = 128    /* of a loader, for foreign_loader() */
};

static inline bool
foreign_is_elf(const Elf64_Ehdr *h)
{
	return memcmp(h->e_ident, ELFMAG, SELFMAG) == 0;
}

/* Returns why a program with this header cannot load a library of this build,
 * as "is a 32-bit program", or NULL. */
static inline const char *
foreign_head(const Elf64_Ehdr *h)
{
	if (h->e_ident[EI_CLASS] != ELFCLASS64)
		return "is a 32-bit program";
#ifdef __x86_64__
	if (h->e_machine != EM_X86_64)
		return "is a program for another processor";
#endif
	return NULL;
}

/* Does so by the path of its loader. */
static inline const char *
foreign_loader(const char *path)
{
	static const char *const others[] = { "/ld-musl-", "/ld64-uClibc",
		"/linker64" };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strstr(path, others[i]) != NULL)
			return "uses another C library than the GNU one";
	return NULL;
}

/* Does so by the first n bytes of its file; NULL also for other files. */
static inline const char *
foreign_why(const char *bytes, size_t n)
{
	Elf64_Ehdr h;
	Elf64_Phdr p;

	if (n < sizeof h)
		return NULL;
	memcpy(&h, bytes, sizeof h);
	if (!foreign_is_elf(&h) || foreign_head(&h) != NULL)
		return foreign_is_elf(&h) ? foreign_head(&h) : NULL;
	for (size_t i = 0; i < h.e_phnum; i++) {
		if (h.e_phoff > n || (i + 1) * sizeof p > n - h.e_phoff)
			break;
		memcpy(&p, bytes + h.e_phoff + i * sizeof p, sizeof p);
		if (p.p_type == PT_INTERP)
			return p.p_offset < n &&
					memchr(bytes + p.p_offset, '\0',
						n - p.p_offset) != NULL
				? foreign_loader(bytes + p.p_offset)
				: NULL;
	}
	return NULL;
}

#endif
