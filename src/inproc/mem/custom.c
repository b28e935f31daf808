/* SPDX-License-Identifier: MIT */
#include "inproc/mem/custom.h"

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inproc/mem/hook.h"
#include "inproc/mem/loader.h"
#include "inproc/mem/track.h"
#include "mem/wire.h"

enum { MOST = 16, ARGS = 6, TEXT = 4096 };

typedef uintptr_t any(
	uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

struct custom {
	const char *name;
	bool frees;
	int size, times; /* arguments, from 1; 0: none */
	any *real, *ours;
};

/* Set at the start; real is set once, under the drain's lock, before a table
 * entry of any module leads to ours. */
static struct custom list[MOST];
static int n;

static uintptr_t
call(const struct custom *c, const uintptr_t *a)
{
	return c->real(a[0], a[1], a[2], a[3], a[4], a[5]);
}

static SLOW uintptr_t
allocate(int i, const uintptr_t *a, const void *frame)
{
	const struct custom *c = &list[i];
	size_t size = a[c->size - 1];
	struct track_new t = { 0 };
	uintptr_t p;

	if (c->times != 0)
		size *= a[c->times - 1];
	if (!track_is_plain(size))
		track_begin(&t, size);
	p = call(c, a);
	if (t.self != NULL && p != 0)
		track_dead(track_dying(&track.pools, (const void *)p));
	track_end(&t, &track.pools, MEM_OBJECT_POOL, (const void *)p, size,
		frame);
	return p;
}

static SLOW uintptr_t
release(int i, const uintptr_t *a)
{
	const struct custom *c = &list[i];

	track_dead(track_dying(&track.pools, (const void *)a[c->size - 1]));
	return call(c, a);
}

/* The recorder's functions, one pair per index in the list. */
#define PAIR(i) \
	static uintptr_t alloc_##i(uintptr_t a, uintptr_t b, uintptr_t c, \
		uintptr_t d, uintptr_t e, uintptr_t f) \
	{ \
		return allocate( \
			i, (uintptr_t[ARGS]){ a, b, c, d, e, f }, HERE); \
	} \
	static uintptr_t free_##i(uintptr_t a, uintptr_t b, uintptr_t c, \
		uintptr_t d, uintptr_t e, uintptr_t f) \
	{ \
		return release(i, (uintptr_t[ARGS]){ a, b, c, d, e, f }); \
	}

PAIR(0)
PAIR(1)
PAIR(2)
PAIR(3)
PAIR(4)
PAIR(5)
PAIR(6)
PAIR(7)
PAIR(8)
PAIR(9)
PAIR(10)
PAIR(11)
PAIR(12)
PAIR(13)
PAIR(14)
PAIR(15)

static any *const ours[MOST][2] = { { alloc_0, free_0 }, { alloc_1, free_1 },
	{ alloc_2, free_2 }, { alloc_3, free_3 }, { alloc_4, free_4 },
	{ alloc_5, free_5 }, { alloc_6, free_6 }, { alloc_7, free_7 },
	{ alloc_8, free_8 }, { alloc_9, free_9 }, { alloc_10, free_10 },
	{ alloc_11, free_11 }, { alloc_12, free_12 }, { alloc_13, free_13 },
	{ alloc_14, free_14 }, { alloc_15, free_15 } };

/* Returns the next word of a line, ended with '\0'; NULL: none. */
static char *
word(char **at)
{
	char *w = *at + strspn(*at, " \t\r");
	size_t length = strcspn(w, " \t\r");

	if (*w == '\0' || *w == '#')
		return NULL;
	*at = w + length + (w[length] != '\0');
	w[length] = '\0';
	return w;
}

static int
argument(char **at)
{
	const char *w = word(at);
	long i = w == NULL ? 0 : strtol(w, NULL, 10);

	return i >= 1 && i <= ARGS ? (int)i : 0;
}

/* Parses a line of the list; ignores lines that it does not understand. */
static void
take_line(char *line)
{
	const char *kind = word(&line), *name = word(&line);
	struct custom c = { .name = name, .size = argument(&line) };

	c.times = argument(&line);
	if (name == NULL || c.size == 0 || n == MOST ||
		(strcmp(kind, "alloc") != 0 && strcmp(kind, "free") != 0))
		return;
	c.frees = strcmp(kind, "free") == 0;
	c.ours = ours[n][c.frees];
	list[n++] = c;
}

void
custom_load(const char *path)
{
	static char text[TEXT];
	int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	char *rest = text, *line;

	if (fd >= 0)
		close(fd);
	text[length < 0 ? 0 : length] = '\0';
	while ((line = strsep(&rest, "\n")) != NULL)
		take_line(line);
}

/* The dynamic-linking tables of a module. */
struct tables {
	uint64_t bias;
	const ElfW(Sym) * symbols;
	const char *names;
	const ElfW(Rela) * rela[2];
	size_t bytes[2];
};

static void
read_dynamic(struct tables *t, const ElfW(Dyn) * d)
{
	for (; d->d_tag != DT_NULL; d++)
		switch (d->d_tag) {
		case DT_SYMTAB:
			t->symbols = (const void *)d->d_un.d_ptr;
			break;
		case DT_STRTAB:
			t->names = (const void *)d->d_un.d_ptr;
			break;
		case DT_RELA:
			t->rela[0] = (const void *)d->d_un.d_ptr;
			break;
		case DT_RELASZ:
			t->bytes[0] = d->d_un.d_val;
			break;
		case DT_JMPREL:
			t->rela[1] = (const void *)d->d_un.d_ptr;
			break;
		case DT_PLTRELSZ:
			t->bytes[1] = d->d_un.d_val;
			break;
		default:
			break;
		}
}

static void
lead(uint64_t slot, const struct custom *c)
{
	uint64_t page = slot & ~(uint64_t)4095;
	any **at = (any **)(uintptr_t)slot;

	if (*at == c->ours ||
		mprotect((void *)(uintptr_t)page, 4096,
			PROT_READ | PROT_WRITE) != 0)
		return;
	/* The page stays writable: its former protection is unknown without the
	 * map. */
	__atomic_store_n(at, c->ours, __ATOMIC_RELEASE);
}

static void
lead_all(const struct tables *t, const ElfW(Rela) * r, size_t bytes)
{
	for (; bytes >= sizeof(*r); r++, bytes -= sizeof(*r)) {
		uint64_t type = ELF64_R_TYPE(r->r_info);
		const char *name =
			t->names + t->symbols[ELF64_R_SYM(r->r_info)].st_name;

		if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)
			continue;
		for (int i = 0; i < n; i++)
			if (list[i].real != NULL &&
				strcmp(name, list[i].name) == 0)
				lead(t->bias + r->r_offset, &list[i]);
	}
}

static int
hook_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct tables t = { .bias = info->dlpi_addr };

	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			read_dynamic(&t,
				(const void *)(info->dlpi_addr +
					info->dlpi_phdr[i].p_vaddr));
	/* The vdso's tables are not relocated, and it calls no functions. */
	if (t.symbols == NULL || t.names == NULL ||
		(uint64_t)(uintptr_t)t.symbols < info->dlpi_addr)
		return 0;
	for (int i = 0; i < 2; i++)
		if (t.rela[i] != NULL)
			lead_all(&t, t.rela[i], t.bytes[i]);
	return 0;
}

void
custom_hook(void)
{
	if (n == 0)
		return;
	for (int i = 0; i < n; i++)
		if (list[i].real == NULL)
			*(void **)&list[i].real = loader_find(list[i].name);
	dl_iterate_phdr(hook_module, NULL);
}
