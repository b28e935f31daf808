/* SPDX-License-Identifier: MIT */
#include "cli/run/sanitizer.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first match counts: programs with AddressSanitizer also have the
 * functions of the leak and the undefined-behaviour sanitizers. */
static const struct row {
	struct sanitizer is;
	const char *library; /* a part of the library's name */
	const char *symbol;  /* the beginning of a symbol */
} rows[] = {
	{ { "AddressSanitizer", "address", true }, "libasan.", "__asan_init" },
	{ { "AddressSanitizer", "address", true }, "rt.asan", "__asan_init" },
	{ { "HWAddressSanitizer", "hwaddress", true }, "libhwasan.",
		"__hwasan_init" },
	{ { "ThreadSanitizer", "thread", true }, "libtsan.", "__tsan_init" },
	{ { "MemorySanitizer", "memory", true }, "rt.msan", "__msan_init" },
	{ { "LeakSanitizer", "leak", true }, "liblsan.", "__lsan_init" },
	{ { "UndefinedBehaviorSanitizer", "undefined", false }, "libubsan.",
		"__ubsan_handle_" },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

struct file {
	const char *bytes;
	size_t n;
	Elf64_Ehdr head;
};

/* Copies bytes of the file. Returns false if they reach beyond its end. */
static bool
copy(const struct file *f, void *to, uint64_t at, size_t n)
{
	if (at > f->n || f->n - at < n)
		return false;
	memcpy(to, f->bytes + at, n);
	return true;
}

static bool
section(const struct file *f, uint64_t i, Elf64_Shdr *s)
{
	return i < f->head.e_shnum && f->head.e_shoff <= f->n &&
		copy(f, s, f->head.e_shoff + i * sizeof(*s), sizeof(*s)) &&
		(s->sh_type == SHT_NOBITS ||
			(s->sh_offset <= f->n &&
				s->sh_size <= f->n - s->sh_offset));
}

/* Returns a string of a string table, or "" if the string does not end in
 * it. */
static const char *
string(const struct file *f, const Elf64_Shdr *table, uint64_t at)
{
	const char *text = f->bytes + table->sh_offset + at;

	if (table->sh_type != SHT_STRTAB || at >= table->sh_size ||
		memchr(text, '\0', table->sh_size - at) == NULL)
		return "";
	return text;
}

static int
row_of_library(const char *name)
{
	for (int i = 0; i < ROWS; i++)
		if (strstr(name, rows[i].library) != NULL)
			return i;
	return ROWS;
}

static int
row_of_symbol(const char *name)
{
	if (name[0] != '_' || name[1] != '_')
		return ROWS;
	for (int i = 0; i < ROWS; i++)
		if (strncmp(name, rows[i].symbol, strlen(rows[i].symbol)) == 0)
			return i;
	return ROWS;
}

static int
least(int a, int b)
{
	return a < b ? a : b;
}

static int
look_at_libraries(
	const struct file *f, const Elf64_Shdr *s, const Elf64_Shdr *names)
{
	int found = ROWS;

	for (uint64_t at = 0; s->sh_size - at >= sizeof(Elf64_Dyn);
		at += sizeof(Elf64_Dyn)) {
		Elf64_Dyn d;

		memcpy(&d, f->bytes + s->sh_offset + at, sizeof(d));
		if (d.d_tag == DT_NULL)
			break;
		if (d.d_tag == DT_NEEDED)
			found = least(found,
				row_of_library(string(f, names, d.d_un.d_val)));
	}
	return found;
}

/* Returns true for a name that the program only asks for, as the recorder that
 * is linked into it does (inproc/core/sanitized.h). */
static bool
is_question(const Elf64_Sym *y)
{
	return y->st_shndx == SHN_UNDEF &&
		ELF64_ST_BIND(y->st_info) == STB_WEAK;
}

static int
look_at_symbols(
	const struct file *f, const Elf64_Shdr *s, const Elf64_Shdr *names)
{
	int found = ROWS;

	for (uint64_t at = 0; s->sh_size - at >= sizeof(Elf64_Sym);
		at += sizeof(Elf64_Sym)) {
		Elf64_Sym y;

		memcpy(&y, f->bytes + s->sh_offset + at, sizeof(y));
		if (!is_question(&y))
			found = least(found,
				row_of_symbol(string(f, names, y.st_name)));
	}
	return found;
}

static const struct sanitizer *
look(const struct file *f)
{
	int found = ROWS;
	Elf64_Shdr s, names;

	if (f->head.e_shentsize != sizeof(s))
		return NULL;
	for (uint64_t i = 0; i < f->head.e_shnum; i++) {
		if (!section(f, i, &s) || !section(f, s.sh_link, &names))
			continue;
		if (s.sh_type == SHT_DYNAMIC)
			found = least(found, look_at_libraries(f, &s, &names));
		else if (s.sh_type == SHT_SYMTAB || s.sh_type == SHT_DYNSYM)
			found = least(found, look_at_symbols(f, &s, &names));
	}
	return found == ROWS ? NULL : &rows[found].is;
}

const struct sanitizer *
sanitizer_of(const char *path)
{
	const struct sanitizer *found = NULL;
	struct file f = { .bytes = NULL };
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *p;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		st.st_size > (off_t)sizeof(f.head)) {
		f.n = (size_t)st.st_size;
		p = mmap(NULL, f.n, PROT_READ, MAP_PRIVATE, fd, 0);
		f.bytes = p == MAP_FAILED ? NULL : p;
	}
	close(fd);
	if (f.bytes == NULL)
		return NULL;
	memcpy(&f.head, f.bytes, sizeof(f.head));
	if (memcmp(f.head.e_ident, ELFMAG, SELFMAG) == 0 &&
		f.head.e_ident[EI_CLASS] == ELFCLASS64)
		found = look(&f);
	munmap((void *)(uintptr_t)f.bytes, f.n);
	return found;
}
