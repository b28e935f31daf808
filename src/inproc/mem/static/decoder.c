/* SPDX-License-Identifier: MIT */
/* decoder.c - brings Zydis into a static program. The build puts the
 * file of the shared library into the recorder; it needs no loader, because it
 * has no thread-local data and calls six functions of the C library. */
#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "inproc/code/decoder.h"

/* WEFT_DECODER_FILE: the path of the shared library at build time. */
__asm__(".pushsection .rodata\n"
	".balign 16\n"
	".hidden weft_decoder_file\n"
	".globl weft_decoder_file\n"
	"weft_decoder_file:\n"
	".incbin \"" WEFT_DECODER_FILE "\"\n"
	".popsection\n");
extern const uint8_t weft_decoder_file[];

enum { PAGE = 4096, RELR_BITS = 63 };

/* The library in memory. */
struct image {
	uint8_t *base;
	uint64_t bytes;
	const Elf64_Phdr *segment;
	int segments;
	const Elf64_Sym *symbol;
	const char *name;
	const uint32_t *hash; /* the table of DT_GNU_HASH */
	const Elf64_Rela *rela[2];
	uint64_t rela_bytes[2];
	const uint64_t *relr;
	uint64_t relr_bytes;
};

/* Zydis asserts only what its own tables promise. */
static _Noreturn void
failed_assert(void)
{
	__builtin_trap();
}

void __stack_chk_fail(void);

/* Returns a function that the library imports; NULL: there is none. */
static void *
import(const char *name)
{
	static const struct {
		const char *name;
		void *at;
	} list[] = {
		{ "memcpy", (void *)(uintptr_t)memcpy },
		{ "memmove", (void *)(uintptr_t)memmove },
		{ "memset", (void *)(uintptr_t)memset },
		{ "strlen", (void *)(uintptr_t)strlen },
		{ "__stack_chk_fail", (void *)(uintptr_t)__stack_chk_fail },
		{ "__assert_fail", (void *)(uintptr_t)failed_assert },
	};

	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
		if (strcmp(list[i].name, name) == 0)
			return list[i].at;
	return NULL;
}

static bool
map(struct image *m)
{
	const Elf64_Ehdr *h = (const void *)weft_decoder_file;
	void *p;

	m->segment = (const void *)(weft_decoder_file + h->e_phoff);
	m->segments = h->e_phnum;
	for (int i = 0; i < m->segments; i++) {
		const Elf64_Phdr *s = &m->segment[i];

		if (s->p_type == PT_TLS)
			return false;
		if (s->p_type == PT_LOAD && s->p_vaddr + s->p_memsz > m->bytes)
			m->bytes = s->p_vaddr + s->p_memsz;
	}
	p = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return false;
	m->base = p;
	for (int i = 0; i < m->segments; i++)
		if (m->segment[i].p_type == PT_LOAD)
			memcpy(m->base + m->segment[i].p_vaddr,
				weft_decoder_file + m->segment[i].p_offset,
				m->segment[i].p_filesz);
	return true;
}

static void
read_dynamic(struct image *m)
{
	const Elf64_Dyn *d = NULL;

	for (int i = 0; i < m->segments; i++)
		if (m->segment[i].p_type == PT_DYNAMIC)
			d = (const void *)(m->base + m->segment[i].p_vaddr);
	for (; d != NULL && d->d_tag != DT_NULL; d++) {
		const void *at = m->base + d->d_un.d_ptr;

		switch (d->d_tag) {
		case DT_SYMTAB:
			m->symbol = at;
			break;
		case DT_STRTAB:
			m->name = at;
			break;
		case DT_GNU_HASH:
			m->hash = at;
			break;
		case DT_RELA:
			m->rela[0] = at;
			break;
		case DT_RELASZ:
			m->rela_bytes[0] = d->d_un.d_val;
			break;
		case DT_JMPREL:
			m->rela[1] = at;
			break;
		case DT_PLTRELSZ:
			m->rela_bytes[1] = d->d_un.d_val;
			break;
		case DT_RELR:
			m->relr = at;
			break;
		case DT_RELRSZ:
			m->relr_bytes = d->d_un.d_val;
			break;
		default:
			break;
		}
	}
}

/* Finds the address of a relocation's symbol. Returns false if nothing defines
 * it. */
static bool
find_symbol(const struct image *m, uint64_t number, uint64_t *address)
{
	const Elf64_Sym *s = &m->symbol[number];

	if (s->st_shndx != SHN_UNDEF)
		*address = (uint64_t)(uintptr_t)m->base + s->st_value;
	else
		*address = (uint64_t)(uintptr_t)import(m->name + s->st_name);
	return *address != 0 || ELF64_ST_BIND(s->st_info) == STB_WEAK;
}

static bool
relocate(const struct image *m, const Elf64_Rela *r)
{
	uint64_t value = (uint64_t)(uintptr_t)m->base;

	switch (ELF64_R_TYPE(r->r_info)) {
	case R_X86_64_NONE:
		return true;
	case R_X86_64_RELATIVE:
		break;
	case R_X86_64_64:
	case R_X86_64_GLOB_DAT:
	case R_X86_64_JUMP_SLOT:
		if (!find_symbol(m, ELF64_R_SYM(r->r_info), &value))
			return false;
		break;
	default:
		return false;
	}
	value += (uint64_t)r->r_addend;
	memcpy(m->base + r->r_offset, &value, sizeof value);
	return true;
}

/* Adds the base to a word. */
static void
shift(const struct image *m, uint64_t at)
{
	uint64_t value;

	memcpy(&value, m->base + at, sizeof value);
	value += (uint64_t)(uintptr_t)m->base;
	memcpy(m->base + at, &value, sizeof value);
}

/* Shifts the words of a compact table: an even entry is the offset of a word,
 * an odd one has a bit for each of the words after the last one. */
static void
shift_all(const struct image *m)
{
	uint64_t at = 0;

	for (uint64_t i = 0; i < m->relr_bytes / sizeof *m->relr; i++) {
		uint64_t entry = m->relr[i];

		if ((entry & 1) == 0) {
			shift(m, entry);
			at = entry + 8;
			continue;
		}
		for (uint64_t bit = 0; entry >> (bit + 1) != 0; bit++)
			if ((entry >> (bit + 1) & 1) != 0)
				shift(m, at + 8 * bit);
		at += 8 * RELR_BITS;
	}
}

static bool
relocate_all(const struct image *m)
{
	for (int t = 0; t < 2; t++)
		for (uint64_t i = 0; i < m->rela_bytes[t] / sizeof(Elf64_Rela);
			i++)
			if (!relocate(m, &m->rela[t][i]))
				return false;
	shift_all(m);
	return true;
}

static bool
protect(const struct image *m)
{
	for (int i = 0; i < m->segments; i++) {
		const Elf64_Phdr *s = &m->segment[i];
		uint64_t lo = s->p_vaddr & ~(uint64_t)(PAGE - 1);

		if (s->p_type == PT_LOAD && (s->p_flags & PF_W) == 0 &&
			mprotect(m->base + lo, s->p_vaddr + s->p_memsz - lo,
				PROT_READ |
					((s->p_flags & PF_X) ? PROT_EXEC
							     : 0)) != 0)
			return false;
	}
	return true;
}

static uint32_t
hash_of(const char *name)
{
	uint32_t h = 5381;

	for (; *name != '\0'; name++)
		h = h * 33 + (uint8_t)*name;
	return h;
}

/* Looks the symbol up in the hash table: a header of four words, a filter, the
 * first symbol of each bucket, and the hash of each symbol, of which the lowest
 * bit ends a bucket. */
static void *
exported(void *image, const char *name)
{
	const struct image *m = image;
	uint32_t buckets = m->hash[0], first = m->hash[1];
	const uint32_t *bucket = m->hash + 4 + 2 * (uint64_t)m->hash[2];
	const uint32_t *chain = bucket + buckets;
	uint32_t hash = hash_of(name), i = bucket[hash % buckets];

	for (; i >= first; i++) {
		const Elf64_Sym *s = &m->symbol[i];

		if ((chain[i - first] | 1) == (hash | 1) &&
			strcmp(m->name + s->st_name, name) == 0)
			return m->base + s->st_value;
		if (chain[i - first] & 1)
			break;
	}
	return NULL;
}

bool
decoder_find(struct decoder *d)
{
	struct image m = { 0 };

	if (!map(&m))
		return false;
	read_dynamic(&m);
	if (m.symbol == NULL || m.name == NULL || m.hash == NULL ||
		!relocate_all(&m) || !protect(&m) ||
		!decoder_fill(d, exported, &m)) {
		munmap(m.base, m.bytes);
		return false;
	}
	return true;
}
