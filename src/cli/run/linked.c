/* SPDX-License-Identifier: MIT */
#include "cli/run/linked.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "mem/wire.h"
#include "mem/wrapped.h"

static bool
read_at(int fd, uint64_t at, void *to, size_t n)
{
	return at <= INT64_MAX && pread(fd, to, n, (off_t)at) == (ssize_t)n;
}

static size_t
whole_words(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

/* Looks for the note among some. */
static enum linked
look(const char *at, size_t n)
{
	while (n >= sizeof(Elf64_Nhdr)) {
		size_t name, all;
		Elf64_Nhdr h;
		uint32_t version;

		memcpy(&h, at, sizeof h);
		name = whole_words(h.n_namesz);
		all = sizeof h + name + whole_words(h.n_descsz);
		if (h.n_namesz > n || h.n_descsz > n || all > n)
			break;
		if (h.n_type == MEM_NOTE && h.n_descsz == sizeof version &&
			h.n_namesz == sizeof MEM_NOTE_OWNER &&
			memcmp(at + sizeof h, MEM_NOTE_OWNER, h.n_namesz) ==
				0) {
			memcpy(&version, at + sizeof h + name, sizeof version);
			return version == MEM_VERSION ? LINKED_YES
						      : LINKED_OTHER;
		}
		at += all;
		n -= all;
	}
	return LINKED_NOT;
}

static enum linked
look_in_segment(int fd, const Elf64_Phdr *p)
{
	char notes[4096];

	if (p->p_type != PT_NOTE || p->p_filesz > sizeof notes ||
		!read_at(fd, p->p_offset, notes, p->p_filesz))
		return LINKED_NOT;
	return look(notes, p->p_filesz);
}

enum linked
linked_recorder(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum linked linked = LINKED_NOT;
	Elf64_Ehdr h;
	Elf64_Phdr p;

	if (fd < 0)
		return LINKED_NOT;
	if (read_at(fd, 0, &h, sizeof h) &&
		memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 &&
		h.e_ident[EI_CLASS] == ELFCLASS64 && h.e_phentsize == sizeof p)
		for (unsigned i = 0; linked == LINKED_NOT && i < h.e_phnum; i++)
			if (read_at(fd, h.e_phoff + i * sizeof p, &p, sizeof p))
				linked = look_in_segment(fd, &p);
	close(fd);
	return linked;
}
