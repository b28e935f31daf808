/* SPDX-License-Identifier: MIT */
#include "inproc/mem/modules.h"

#include <limits.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inproc/code/walk.h"
#include "inproc/core/assert.h"
#include "inproc/core/held.h"
#include "inproc/mem/custom.h"
#include "inproc/mem/ticks.h"
#include "inproc/mem/track.h"

enum {
	MODULES = 4096,        /* modules at one time; more are not recorded */
	LOOK_AGAIN = 10000000, /* ns */
	LOCALS =
		64 /* most TLS blocks of a thread outside static TLS to write */
};

/* Accessed under the drain's lock. */
static struct {
	unsigned long long adds, subs;
	uint32_t number;
	int n;
	struct module {
		uint64_t bias, lo, hi;
		const void *headers;
		uint32_t number;
		bool is_here;
		uint64_t tls; /* number of its TLS block, if not in static
		               * TLS */
	} module[MODULES];
	int locals; /* modules with such a block so far */
	struct outbuf *to;
} modules;

static struct module *
find(const struct dl_phdr_info *info)
{
	for (int i = 0; i < modules.n; i++)
		if (modules.module[i].headers == info->dlpi_phdr &&
			modules.module[i].bias == info->dlpi_addr)
			return &modules.module[i];
	return NULL;
}

static uint32_t
build_id(const char *at, size_t n, uint8_t to[32])
{
	while (n >= sizeof(ElfW(Nhdr))) {
		ElfW(Nhdr) h;
		size_t name, size;

		memcpy(&h, at, sizeof(h));
		name = (h.n_namesz + 3u) & ~3u;
		size = sizeof(h) + name + ((h.n_descsz + 3u) & ~3u);
		if (size > n)
			break;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
			memcmp(at + sizeof(h), "GNU", 4) == 0 &&
			h.n_descsz <= 32) {
			memcpy(to, at + sizeof(h) + name, h.n_descsz);
			return h.n_descsz;
		}
		at += size;
		n -= size;
	}
	return 0;
}

/* Returns an absolute name: reports are made in another directory. */
static const char *
absolute(const char *name, char *room)
{
	size_t n;

	if (name[0] == '/' || getcwd(room, PATH_MAX) == NULL)
		return name;
	n = strlen(room);
	if (n + 1 + strlen(name) >= PATH_MAX)
		return name;
	room[n] = '/';
	memcpy(room + n + 1, name, strlen(name) + 1);
	return room;
}

static const char *
name_of(const struct dl_phdr_info *info, const struct module *m, char *room)
{
	ssize_t n;

	if (m->lo == getauxval(AT_SYSINFO_EHDR))
		return "[vdso]";
	if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0')
		return absolute(info->dlpi_name, room);
	n = readlink("/proc/self/exe", room, PATH_MAX - 1);
	room[n < 0 ? 0 : n] = '\0';
	return room;
}

static void
write_module(const struct dl_phdr_info *info, struct module *m)
{
	struct mem_module r = { .module = m->number,
		.epoch = track.epoch,
		.time = ticks_ns(),
		.bias = m->bias,
		.tls = info->dlpi_tls_modid,
		.tls_below = self_tls_below(info->dlpi_tls_data) };
	char room[PATH_MAX];
	const char *name;

	m->lo = UINT64_MAX;
	m->hi = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD) {
			m->lo = at < m->lo ? at : m->lo;
			m->hi = at + p->p_memsz > m->hi ? at + p->p_memsz
							: m->hi;
		} else if (p->p_type == PT_NOTE && r.build_bytes == 0) {
			r.build_bytes = build_id((const char *)(uintptr_t)at,
				p->p_memsz, r.build);
		}
	}
	if (r.tls != 0 && r.tls_below == 0) {
		m->tls = r.tls;
		modules.locals++;
	}
	r.lo = m->lo;
	r.hi = m->hi;
	name = name_of(info, m, room);
	r.path_bytes = (uint32_t)strlen(name);
	out_add(modules.to, MEM_MODULE, &r, offsetof(struct mem_module, path),
		name, r.path_bytes);
}

static int
mark_known(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct module *m = find(info);

	(void)size;
	(void)unused;
	modules.adds = info->dlpi_adds;
	modules.subs = info->dlpi_subs;
	if (m != NULL)
		m->is_here = true;
	return 0;
}

static int
add_new(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct module *m;

	(void)size;
	(void)unused;
	if (find(info) != NULL || modules.n == MODULES)
		return 0;
	m = &modules.module[modules.n++];
	*m = (struct module){ .bias = info->dlpi_addr,
		.headers = info->dlpi_phdr,
		.number = ++modules.number };
	write_module(info, m);
	return 0;
}

static int
look_for_change(struct dl_phdr_info *info, size_t size, void *changed)
{
	(void)size;
	*(bool *)changed = info->dlpi_adds != modules.adds ||
		info->dlpi_subs != modules.subs;
	return 1;
}

/* Removes unloaded modules; modules at their addresses get a new epoch. */
static void
drop_gone(void)
{
	uint32_t epoch = track.epoch + 1;

	for (int i = 0; i < modules.n; i++) {
		struct module *m = &modules.module[i];
		struct mem_unload r = {
			.module = m->number, .epoch = epoch, .time = ticks_ns()
		};

		if (m->is_here)
			continue;
		OUT_ADD(modules.to, MEM_UNLOAD, r);
		*m = modules.module[--modules.n];
		i--;
		__atomic_store_n(&track.epoch, epoch, __ATOMIC_RELEASE);
	}
}

void
modules_look(struct outbuf *o)
{
	bool changed = false;

	WEFT_ASSERT(modules_are_looked_at_under_the_lock, held_is(RANK_DRAIN));
	dl_iterate_phdr(look_for_change, &changed);
	if (!changed)
		return;
	modules.to = o;
	for (int i = 0; i < modules.n; i++)
		modules.module[i].is_here = false;
	dl_iterate_phdr(mark_known, NULL);
	drop_gone();
	dl_iterate_phdr(add_new, NULL);
	custom_hook();
	walk_forget();
}

uint32_t
modules_at(uint64_t address)
{
	for (int i = 0; i < modules.n; i++)
		if (address >= modules.module[i].lo &&
			address < modules.module[i].hi)
			return modules.module[i].number;
	return 0;
}

/* Reads with a system call: the thread may move or free the memory
 * meanwhile. */
static uint64_t
word_at(uint64_t address)
{
	uint64_t word = 0;
	struct iovec to = { &word, sizeof(word) };
	struct iovec from = { (void *)(uintptr_t)address, sizeof(word) };

	if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != sizeof(word))
		return 0;
	return word;
}

/*
 * The second word at a thread's pointer leads to its vector of TLS blocks, with
 * two words per module number, the address first, and the number of entries
 * before it. The ABI of thread-local storage for x86-64 defines this.
 */
static int
read_locals(const struct self *s, uint64_t now, struct mem_local list[LOCALS])
{
	uint64_t vector = word_at(s->thread + 8);
	uint64_t most = vector == 0 ? 0 : word_at(vector - 16);
	int n = 0;

	for (int i = 0; i < modules.n && n < LOCALS; i++) {
		const struct module *m = &modules.module[i];
		uint64_t lo;

		if (m->tls == 0 || m->tls > most)
			continue;
		lo = word_at(vector + 16 * m->tls);
		if (lo == 0 || lo == UINT64_MAX)
			continue;
		list[n++] = (struct mem_local){ .tid = s->tid,
			.module = m->number,
			.time = now,
			.lo = lo };
	}
	return n;
}

void
modules_locals(struct outbuf *o, struct self *s)
{
	struct mem_local list[LOCALS];
	uint64_t now, check = 0;
	int n;

	if (modules.locals == 0 || s->thread == 0 || s->state != SELF_ALIVE)
		return;
	now = ticks_ns();
	if (now - s->locals_at < LOOK_AGAIN)
		return;
	s->locals_at = now;
	n = read_locals(s, now, list);
	for (int i = 0; i < n; i++) {
		uint64_t words[] = { list[i].lo,
			(uint64_t)list[i].module << 32 | (uint32_t)s->tid };

		check = mem_check(words, sizeof(words), check);
	}
	for (int i = 0; i < n && check != s->locals_check; i++)
		OUT_ADD(o, MEM_LOCAL, list[i]);
	s->locals_check = check;
}

void
modules_forked(void)
{
	modules.n = 0;
	modules.locals = 0;
	modules.adds = 0;
	modules.number = 0;
}
