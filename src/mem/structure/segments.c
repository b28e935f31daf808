/* SPDX-License-Identifier: MIT */
#include "mem/structure/segments.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#define PAGE 4096u
#define HEADERS_MOST 256

static void
add(struct segments *s, const Elf64_Phdr *p)
{
	uint64_t end = p->p_vaddr + p->p_memsz;

	if (p->p_type != PT_LOAD || s->n == SEGMENTS_MOST)
		return;
	s->at[s->n++] = (struct segment){ p->p_offset, p->p_filesz, p->p_vaddr,
		(p->p_flags & PF_X) != 0 };
	s->lo = p->p_vaddr < s->lo ? p->p_vaddr : s->lo;
	s->hi = end > s->hi ? end : s->hi;
}

static bool
read_headers(int fd, struct segments *s)
{
	Elf64_Ehdr e;
	Elf64_Phdr p;

	if (file_pread(fd, &e, sizeof e, 0) != sizeof e ||
		memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 ||
		e.e_ident[EI_CLASS] != ELFCLASS64 ||
		e.e_ident[EI_DATA] != ELFDATA2LSB ||
		e.e_phentsize != sizeof p || e.e_phnum > HEADERS_MOST ||
		e.e_phoff > INT64_MAX / 2)
		return false;
	for (unsigned i = 0; i < e.e_phnum; i++) {
		if (file_pread(fd, &p, sizeof p,
			    (int64_t)(e.e_phoff + i * sizeof p)) != sizeof p)
			return false;
		add(s, &p);
	}
	s->lo &= ~(uint64_t)(PAGE - 1);
	return s->n > 0 && s->lo < s->hi;
}

bool
segments_read(const char *path, struct segments *s)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is;

	*s = (struct segments){ .lo = UINT64_MAX };
	if (fd < 0)
		return false;
	is = file_is_regular(path) && read_headers(fd, s);
	close(fd);
	return is;
}

bool
segments_bias(const struct segments *s, uint64_t address, uint64_t offset,
	uint64_t *bias)
{
	for (int i = 0; i < s->n; i++) {
		const struct segment *at = &s->at[i];
		uint64_t begin = at->offset & ~(uint64_t)(PAGE - 1);

		if (!at->is_code || offset < begin ||
			offset - begin >= at->size + (at->offset - begin))
			continue;
		*bias = address - offset + at->offset - at->address;
		return true;
	}
	return false;
}
