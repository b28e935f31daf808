/* SPDX-License-Identifier: MIT */
#include "inproc/collect/build_id.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static const unsigned char *
find_in(const unsigned char *at, size_t size, size_t *n)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		ElfW(Nhdr) note;
		size_t name, whole;

		memcpy(&note, at, sizeof note);
		name = (note.n_namesz + 3u) & ~(size_t)3;
		whole = sizeof note + name +
			((note.n_descsz + 3u) & ~(size_t)3);
		if (whole > size)
			return NULL;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			memcmp(at + sizeof note, "GNU", 4) == 0) {
			*n = note.n_descsz;
			return at + sizeof note + name;
		}
		at += whole;
		size -= whole;
	}
	return NULL;
}

/* The notes lie in the first segment, which has the program headers, too. */
static const unsigned char *
find(const unsigned char *start, size_t *n)
{
	ElfW(Ehdr) head;
	ElfW(Phdr) part;
	const unsigned char *id = NULL;
	size_t first = 0;

	memcpy(&head, start, sizeof head);
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
		head.e_phentsize != sizeof part)
		return NULL;
	for (unsigned i = 0; i < head.e_phnum && id == NULL; i++) {
		memcpy(&part, start + head.e_phoff + i * sizeof part,
			sizeof part);
		if (part.p_type == PT_LOAD && part.p_offset == 0)
			first = part.p_filesz;
		else if (part.p_type == PT_NOTE &&
			(first == 0 || part.p_offset + part.p_filesz <= first))
			id = find_in(start + part.p_offset, part.p_filesz, n);
	}
	return id;
}

size_t
build_id_text(const void *start, char *to, size_t room)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0, len = 0;
	const unsigned char *id = find(start, &n);

	if (id == NULL || n == 0) {
		memcpy(to, "-", 2);
		return 1;
	}
	for (size_t i = 0; i < n && len + 3 <= room; i++) {
		to[len++] = digits[id[i] >> 4];
		to[len++] = digits[id[i] & 15];
	}
	to[len] = '\0';
	return len;
}
