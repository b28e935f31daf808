/* SPDX-License-Identifier: MIT */
#include "inproc/mem/regions.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/pages.h"
#include "inproc/mem/arenas.h"
#include "inproc/mem/real.h"
#include "inproc/mem/ticks.h"

enum {
	LINES = 65536,
	NAMES = 4 << 20,
	READ = 16384,
	COST = 50 /* reading takes 1/COST of the time */
};

struct line {
	uint64_t lo, hi, offset;
	const char *name;
	uint32_t number;
	uint32_t bytes; /* bytes of `name` */
	uint8_t area, protection;
};

/* Used by the drain only. */
static struct {
	struct line *line, *old;
	char *names, *old_names;
	int n, nold;
	size_t used; /* bytes used of `names` */
	uint32_t number;
	uint64_t may_read; /* ns */
	bool is_fresh;
	uint64_t heap_lo, heap_hi; /* range that brk has covered so far */
} regions;

static bool
begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

static enum mem_area
place_of(const struct line *l, bool is_shared)
{
	static const struct {
		const char *prefix;
		enum mem_area area;
	} names[] = { { "[heap]", MEM_AREA_SMALL },
		{ "[stack", MEM_AREA_STACK }, { "[v", MEM_AREA_VDSO },
		{ "/dev/shm/", MEM_AREA_SHARED }, { "/SYSV", MEM_AREA_SHARED },
		{ "/memfd:", MEM_AREA_SHARED },
		{ "/dev/zero", MEM_AREA_SHARED }, { "[anon", MEM_AREA_ANON },
		{ "/", MEM_AREA_FILE } };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (begins(l->name, names[i].prefix))
			return names[i].area;
	return is_shared ? MEM_AREA_SHARED : MEM_AREA_ANON;
}

static uint64_t
hex(const char **at)
{
	uint64_t value = 0;

	for (;; (*at)++) {
		char c = **at;

		if (c >= '0' && c <= '9')
			value = value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uint64_t)(c - 'a' + 10);
		else
			return value;
	}
}

/* Parses "lo-hi rwxp offset device inode name". */
static void
parse(const char *text)
{
	struct line *l = &regions.line[regions.n];
	bool is_shared;
	size_t n;

	*l = (struct line){ .lo = hex(&text) };
	text += *text == '-';
	l->hi = hex(&text);
	if (strlen(text) < 6)
		return;
	l->protection = (uint8_t)((text[1] == 'r') | (text[2] == 'w') << 1 |
		(text[3] == 'x') << 2);
	is_shared = text[4] == 's';
	text += 6;
	l->offset = hex(&text);
	text += strcspn(text + (*text == ' '), " ") + 1; /* device */
	text += strspn(text, " ");
	text += strcspn(text, " "); /* inode */
	text += strspn(text, " ");
	n = strlen(text);
	if (regions.used + n + 1 > NAMES)
		return;
	memcpy(regions.names + regions.used, text, n + 1);
	l->name = regions.names + regions.used;
	l->bytes = (uint32_t)n;
	regions.used += n + 1;
	l->area = (uint8_t)place_of(l, is_shared);
	regions.n++;
}

static int
parse_all(char *text, size_t n)
{
	char *at = text, *end;

	while ((end = memchr(at, '\n', n - (size_t)(at - text))) != NULL) {
		*end = '\0';
		if (regions.n < LINES)
			parse(at);
		at = end + 1;
	}
	return (int)(at - text);
}

static void
read_map(void)
{
	static char text[READ];
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t have = 0;
	ssize_t n;

	if (fd < 0)
		return;
	while ((n = read(fd, text + have, sizeof(text) - have)) > 0) {
		size_t done;

		have += (size_t)n;
		done = (size_t)parse_all(text, have);
		memmove(text, text + done, have - done);
		have -= done;
		if (have == sizeof(text))
			break; /* no line is that long */
	}
	close(fd);
}

static struct line *
find(struct line *line, int n, uint64_t address)
{
	int lo = 0, hi = n;

	while (lo < hi) {
		int middle = lo + (hi - lo) / 2;

		if (address < line[middle].lo)
			hi = middle;
		else if (address >= line[middle].hi)
			lo = middle + 1;
		else
			return &line[middle];
	}
	return NULL;
}

/* Lines that did not change keep their numbers. */
static void
keep_numbers(void)
{
	for (int i = 0; i < regions.n; i++) {
		struct line *l = &regions.line[i],
			    *was = find(regions.old, regions.nold, l->lo);

		if (was != NULL && was->lo == l->lo && was->hi == l->hi &&
			was->area == l->area && strcmp(was->name, l->name) == 0)
			l->number = was->number;
	}
}

static bool
make_room(void)
{
	if (regions.line == NULL) {
		regions.line = room_map(LINES * sizeof(*regions.line));
		regions.old = room_map(LINES * sizeof(*regions.line));
		regions.names = room_map(NAMES);
		regions.old_names = room_map(NAMES);
	}
	return regions.line != NULL && regions.old != NULL &&
		regions.names != NULL && regions.old_names != NULL;
}

static void
read_again(void)
{
	uint64_t begin = ticks_ns(), end;
	struct line *line = regions.old;
	char *names = regions.old_names;

	if (!make_room())
		return;
	if (line == NULL) {
		line = regions.old;
		names = regions.old_names;
	}
	regions.old = regions.line;
	regions.old_names = regions.names;
	regions.nold = regions.n;
	regions.line = line;
	regions.names = names;
	regions.n = 0;
	regions.used = 0;
	read_map();
	keep_numbers();
	end = ticks_ns();
	regions.may_read = end + COST * (end - begin);
	regions.is_fresh = true;
}

static void
write_region(struct outbuf *o, struct line *l)
{
	struct mem_region r = { .region = ++regions.number,
		.area = l->area,
		.time = ticks_ns(),
		.lo = l->lo,
		.hi = l->hi,
		.offset = l->offset,
		.protection = l->protection,
		.bytes = l->bytes };

	l->number = r.region;
	out_add(o, MEM_REGION, &r, offsetof(struct mem_region, name), l->name,
		l->bytes);
}

static struct line *
find_now(uint64_t address)
{
	return find(regions.line, regions.n, address);
}

/* Returns true for heaps of threads: they grow into a reserve that was perhaps
 * not accessible when the map was read. Mappings of the program are objects. */
static bool
is_heap(const struct line *l, uint64_t address)
{
	return l->area == MEM_AREA_ANON &&
		(l->protection == 3 || l->protection == 0) &&
		arenas_have(address);
}

static void
look_at_heap(void)
{
	uint64_t end = (uint64_t)(uintptr_t)real.sbrk(0); /* makes no system
	                                                   * call */

	if (regions.heap_lo == 0)
		regions.heap_lo = end;
	if (end > regions.heap_hi)
		regions.heap_hi = end;
}

/* Returns true for a heap of the C library that is newer than the map, or
 * gone. */
static bool
is_new_heap(uint64_t address)
{
	look_at_heap();
	return (address >= regions.heap_lo && address < regions.heap_hi) ||
		arenas_have(address);
}

/* Looks an address up that is not in the map: in a new map, or, for memory that
 * was unmapped since its sample, in the previous map. */
static struct line *
find_new(uint64_t address)
{
	struct line *l = NULL;

	if (!regions.is_fresh && ticks_ns() >= regions.may_read) {
		read_again();
		l = find_now(address);
	}
	return l != NULL ? l : find(regions.old, regions.nold, address);
}

struct region_hit
regions_at(struct outbuf *o, uint64_t address)
{
	struct line *l = find_now(address);

	if (l == NULL && is_new_heap(address))
		return (struct region_hit){ MEM_AREA_SMALL, 0 };
	if (l == NULL && (l = find_new(address)) == NULL)
		return (struct region_hit){ MEM_AREA_UNKNOWN, 0 };
	if (l->area == MEM_AREA_SMALL || is_heap(l, address))
		return (struct region_hit){ MEM_AREA_SMALL, 0 };
	if (l->number == 0)
		write_region(o, l);
	return (struct region_hit){ l->area, l->number };
}

bool
regions_are_one(uint64_t address, uint64_t other)
{
	const struct line *l = find_now(address);

	return l != NULL && l == find_now(other);
}

void
regions_tick(void)
{
	regions.is_fresh = false;
	look_at_heap();
	arenas_forget();
}

void
regions_forked(void)
{
	regions.n = 0;
	regions.nold = 0;
	regions.number = 0;
	arenas_forget();
}
