/* SPDX-License-Identifier: MIT */
/*
 * shadow.cc THREADS STEPS SEED MIN SMALL - calls every allocation function in
 * random order and counts what the recorder should count.
 *
 * Prints the address range of its own code that allocates, and a line for each
 * kind of block: its name, blocks and bytes allocated, blocks and bytes freed.
 * The line "small" has four more numbers: the variance of each count if one
 * byte in SMALL is sampled. By the addresses the test tells call paths of this
 * program from allocations that the C library makes for itself.
 */
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <memory_resource>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "weft/mem.h"

#define STEP __attribute__((noinline, noclone, section("steps")))
extern "C" char __start_steps[], __stop_steps[];

namespace
{

enum kind { HEAP, SMALL, MAP, BREAK, POOL, KINDS };
const char *const kind_name[KINDS] = { "heap", "small", "map", "break",
	"pool" };

/* Counts blocks and bytes, allocated and freed, and the variance of each count
 * under sampling. */
struct sums {
	double n[4], variance[4];
};

sums shared[KINDS];
std::mutex shared_lock;
size_t threshold, sampled;

struct counter {
	sums of[KINDS];

	void count(kind k, int from, double blocks, double bytes)
	{
		double weight = sampled == 0 || k != SMALL
			? 1
			: -1 / std::expm1(-bytes / double(sampled));

		if (k == SMALL && sampled == 0)
			return;
		of[k].n[from] += blocks;
		of[k].n[from + 1] += bytes;
		of[k].variance[from] += blocks * blocks * (weight - 1);
		of[k].variance[from + 1] += bytes * bytes * (weight - 1);
	}
	void heap(size_t size, bool is_freed)
	{
		if (size != 0)
			count(size < threshold ? SMALL : HEAP, is_freed * 2, 1,
				double(size));
	}
	~counter()
	{
		std::lock_guard<std::mutex> hold(shared_lock);

		for (int k = 0; k < KINDS; k++)
			for (int i = 0; i < 4; i++) {
				shared[k].n[i] += of[k].n[i];
				shared[k].variance[i] += of[k].variance[i];
			}
	}
};

struct random_numbers {
	uint64_t x;

	uint64_t next(uint64_t below)
	{
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		return (x >> 11) % below;
	}
};

enum way {
	BY_FREE,
	BY_DELETE,
	BY_DELETE_ARRAY,
	BY_DELETE_ALIGNED,
	BY_DELETE_SIZED,
	BY_RESOURCE
};

struct block {
	void *p;
	size_t size, asked;
	way freed_by;
};

constexpr size_t ALIGN = 64;
constexpr int SLOTS = 200, MAPS = 16;
std::atomic<block *> exchange[8]; /* one thread allocates, another frees */
__thread counter *mine;

/* Returns the size that an aligned new requests: a multiple of the
 * alignment. */
size_t
aligned(size_t bytes, size_t align)
{
	return (bytes + align - 1) / align * align;
}

/* The memory resource below the pools; counts what they take from it. */
struct counting_resource : std::pmr::memory_resource {
	void *do_allocate(size_t bytes, size_t align) override
	{
		void *p =
			std::pmr::new_delete_resource()->allocate(bytes, align);

		mine->heap(aligned(bytes, align), false);
		return p;
	}
	void do_deallocate(void *p, size_t bytes, size_t align) override
	{
		mine->heap(aligned(bytes, align), true);
		std::pmr::new_delete_resource()->deallocate(p, bytes, align);
	}
	bool do_is_equal(const memory_resource &that) const noexcept override
	{
		return this == &that;
	}
};

size_t
some_size(random_numbers &r)
{
	const size_t near = threshold + r.next(3) - 1;

	switch (r.next(6)) {
	case 0:
		return 1 + r.next(64);
	case 1:
		return near == 0 ? 1 : near;
	case 2:
		return 1 + r.next(2 * threshold);
	case 3:
		return threshold + r.next(9000);
	case 4:
		return r.next(40) == 0 ? 200000 + r.next(100000) : 8;
	default:
		return 16 + r.next(threshold);
	}
}

STEP block
allocate(random_numbers &r)
{
	block b = { nullptr, some_size(r), 0, BY_FREE };
	size_t n = b.size;

	b.asked = n;
	switch (r.next(17)) {
	case 0:
	case 1:
		b.p = malloc(n);
		break;
	case 2:
		b.p = calloc(1, n);
		break;
	case 3:
		b.p = calloc(n, 3);
		b.size = n * 3;
		break;
	case 4:
		b.p = realloc(nullptr, n);
		break;
	case 5:
		b.p = reallocarray(nullptr, n, 2);
		b.size = n * 2;
		break;
	case 6:
		b.size = aligned(n, ALIGN);
		b.p = aligned_alloc(ALIGN, b.size);
		break;
	case 7:
		if (posix_memalign(&b.p, ALIGN, n) != 0)
			abort();
		break;
	case 8:
		b.p = memalign(32, n);
		break;
	case 9:
		b.p = valloc(n);
		break;
	case 10:
		b.p = ::operator new(n);
		b.freed_by = BY_DELETE;
		break;
	case 11:
		b.p = ::operator new[](n, std::nothrow);
		b.freed_by = BY_DELETE_ARRAY;
		break;
	case 12:
		b.p = ::operator new(n, std::nothrow);
		b.freed_by = BY_DELETE_SIZED;
		break;
	case 13:
		b.size = aligned(n, ALIGN);
		b.p = ::operator new(n, std::align_val_t(ALIGN));
		b.freed_by = BY_DELETE_ALIGNED;
		break;
	case 14:
		b.p = ::operator new[](n);
		b.freed_by = BY_DELETE_ARRAY;
		break;
	case 15:
		b.size = aligned(n, 8);
		b.p = std::pmr::new_delete_resource()->allocate(n, 8);
		b.freed_by = BY_RESOURCE;
		break;
	default:
		b.p = pvalloc(n); /* the recorder counts the requested size */
		break;
	}
	if (b.p == nullptr)
		abort();
	mine->heap(b.size, false);
	return b;
}

STEP void
release(const block &b)
{
	mine->heap(b.size, true);
	switch (b.freed_by) {
	case BY_FREE:
		free(b.p);
		break;
	case BY_DELETE:
		::operator delete(b.p);
		break;
	case BY_DELETE_ARRAY:
		::operator delete[](b.p);
		break;
	case BY_DELETE_SIZED:
		::operator delete(b.p, b.size);
		break;
	case BY_DELETE_ALIGNED:
		::operator delete(b.p, std::align_val_t(ALIGN));
		break;
	case BY_RESOURCE:
		std::pmr::new_delete_resource()->deallocate(b.p, b.asked, 8);
		break;
	}
}

/* Reallocates a block to more, to less and to zero bytes, and to a size that
 * malloc refuses. */
STEP void
change(random_numbers &r, block &b)
{
	volatile size_t most = SIZE_MAX / 4;
	size_t n = some_size(r);
	uint64_t how = r.next(12);
	void *p;

	if (b.freed_by != BY_FREE)
		return;
	if (how == 0) {
		if (realloc(b.p, most) != nullptr)
			abort();
		return;
	}
	if (how == 1) {
		if (reallocarray(b.p, most, 8) != nullptr)
			abort();
		return;
	}
	mine->heap(b.size, true);
	if (how == 2) {
		b.p = realloc(b.p, 0);
		b.size = 0;
		return;
	}
	p = how < 6 ? reallocarray(b.p, n, 1) : realloc(b.p, n);
	if (p == nullptr)
		abort();
	b.p = p;
	b.size = n;
	mine->heap(n, false);
}

/* Makes a pool of the C++ library, allocates from it and destroys it. */
STEP void
use_resource(random_numbers &r)
{
	counting_resource counting;

	if (r.next(2) == 0) {
		std::pmr::monotonic_buffer_resource pool(
			some_size(r), &counting);

		for (int i = 0; i < 20; i++)
			(void)pool.allocate(1 + r.next(300), 8);
	} else {
		std::pmr::unsynchronized_pool_resource pool(&counting);
		void *p[20];
		size_t n[20];

		for (int i = 0; i < 20; i++)
			p[i] = pool.allocate(n[i] = 1 + r.next(5000), 16);
		for (int i = 0; i < 20; i++)
			pool.deallocate(p[i], n[i], 16);
	}
}

constexpr size_t PAGE = 4096;

struct map {
	char *p;
	size_t pages;
};

char *
map_pages(char *at, size_t pages, int flags)
{
	void *p = mmap(at, pages * PAGE - 17, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED)
		abort();
	mine->count(MAP, 0, 1, double(pages * PAGE));
	return static_cast<char *>(p);
}

/* Unmaps pages of a mapping: at an end the mapping shrinks, in the middle it
 * becomes two, and with its last page it disappears. */
STEP void
unmap(map &m, size_t from, size_t pages, map &rest)
{
	char *p = m.p + from * PAGE;
	size_t behind = m.pages - from - pages;

	mine->count(MAP, 2, pages == m.pages, double(pages * PAGE));
	if (from > 0 && behind > 0)
		mine->count(MAP, 0, 1, 0);
	if (munmap(p, pages * PAGE) != 0)
		abort();
	rest = from > 0 && behind > 0 ? map{ p + pages * PAGE, behind }
				      : map{ nullptr, 0 };
	if (from == 0)
		m = behind == 0 ? map{ nullptr, 0 }
				: map{ p + pages * PAGE, behind };
	else
		m.pages = from;
}

STEP void
remap(random_numbers &r, map &m)
{
	size_t pages = 1 + r.next(30);
	void *p = mremap(m.p, m.pages * PAGE, pages * PAGE, MREMAP_MAYMOVE);

	if (p == MAP_FAILED)
		abort();
	mine->count(MAP, 2, 1, double(m.pages * PAGE));
	mine->count(MAP, 0, 1, double(pages * PAGE));
	m = { static_cast<char *>(p), pages };
	if (mremap(m.p, m.pages * PAGE, SIZE_MAX / 4, MREMAP_MAYMOVE) !=
		MAP_FAILED)
		abort();
}

/* Moves a part of the mapping; the rest keeps its address. */
STEP void
remap_part(map &m)
{
	void *p = mremap(m.p, PAGE, 2 * PAGE, MREMAP_MAYMOVE);

	if (p == MAP_FAILED)
		abort();
	mine->count(MAP, 2, 0, double(PAGE));
	mine->count(MAP, 0, 1, double(2 * PAGE));
	m = { m.p + PAGE, m.pages - 1 };
	mine->count(MAP, 2, 1, double(2 * PAGE));
	munmap(p, 2 * PAGE);
}

STEP void
map_step(random_numbers &r, map *maps)
{
	map &m = maps[r.next(MAPS - 1)], &spare = maps[MAPS - 1];
	map rest = { nullptr, 0 };

	if (m.p == nullptr) {
		m = { nullptr, 1 + r.next(30) };
		m.p = map_pages(nullptr, m.pages, 0);
		return;
	}
	switch (r.next(4)) {
	case 0:
		unmap(m, 0, m.pages, rest);
		break;
	case 1:
		if (m.pages > 3 && spare.p == nullptr)
			unmap(m, r.next(2), 2, spare);
		break;
	case 2:
		remap(r, m);
		break;
	default:
		if (m.pages > 2)
			remap_part(m);
		else /* maps new pages over the old ones */
			mine->count(MAP, 2, 1, double(m.pages * PAGE)),
				map_pages(m.p, m.pages, MAP_FIXED);
		break;
	}
	if (spare.p != nullptr)
		unmap(spare, 0, spare.pages, rest);
}

/* Moves the program break, but only while no malloc() of another thread
 * does. */
STEP void
break_step(random_numbers &r)
{
	intptr_t by = intptr_t(1 + r.next(9)) * 4096;
	char *p = static_cast<char *>(sbrk(by));

	mine->count(BREAK, 0, 1, double(by));
	if (static_cast<char *>(sbrk(0)) != p + by || r.next(2) == 0)
		return;
	sbrk(-4096);
	mine->count(BREAK, 2, by == 4096, 4096);
}

STEP void
pool_step(random_numbers &r, char *pool)
{
	char *part = pool + 128 * r.next(8);
	static __thread size_t is_in[8];
	size_t i = size_t(part - pool) / 128;

	if (is_in[i] != 0)
		mine->count(POOL, 2, 1, double(is_in[i]));
	is_in[i] = 0;
	if (r.next(3) == 0) {
		weft_mem_unregister(part);
		return;
	}
	is_in[i] = 1 + r.next(128);
	weft_mem_register(part, is_in[i], "part");
	mine->count(POOL, 0, 1, double(is_in[i]));
}

struct job {
	random_numbers r;
	long steps;
	bool is_alone;
};

/* Leaves a block for the next thread, and frees the block that it finds. */
void
swap_one(random_numbers &r, block &b)
{
	static block room[8][64];
	static std::atomic<unsigned> used[8];
	size_t i = r.next(8);
	unsigned at = used[i].fetch_add(1) % 64;
	static std::mutex lock;
	std::lock_guard<std::mutex> hold(lock);
	block *there = exchange[i].load();

	if (there != nullptr)
		release(*there);
	room[i][at] = b;
	exchange[i].store(&room[i][at]);
	b = { nullptr, 0, 0, BY_FREE };
}

void
step(job &j, block *blocks, map *maps, char *pool)
{
	random_numbers &r = j.r;
	block &b = blocks[r.next(SLOTS)];
	uint64_t what = r.next(100);

	if (what < 4)
		map_step(r, maps);
	else if (what < 6)
		pool_step(r, pool);
	else if (what < 7 && j.is_alone)
		break_step(r);
	else if (what < 8)
		use_resource(r);
	else if (b.p == nullptr)
		b = allocate(r);
	else if (what < 45)
		change(r, b);
	else if (what < 50)
		swap_one(r, b);
	else
		release(b), b = { nullptr, 0, 0, BY_FREE };
}

void *
work(void *arg)
{
	static __thread block blocks[SLOTS];
	static __thread map maps[MAPS];
	static __thread char pool[1024];
	job &j = *static_cast<job *>(arg);
	counter c = {};

	mine = &c;
	for (long i = 0; i < j.steps; i++)
		step(j, blocks, maps, pool);
	return nullptr;
}

} // namespace

int
main(int argc, char **argv)
{
	job jobs[8];
	pthread_t threads[8];
	char text[256];
	int n = argc > 5 ? atoi(argv[1]) : 0;

	if (n < 1 || n > 8)
		return 2;
	threshold = strtoul(argv[4], nullptr, 10);
	sampled = strtoul(argv[5], nullptr, 10);
	for (int i = 0; i < n; i++)
		jobs[i] = { { strtoull(argv[3], nullptr, 10) * 8 + 1 +
				    uint64_t(i) },
			atol(argv[2]) / n, n == 1 };
	if (n == 1)
		work(jobs);
	for (int i = 0; n > 1 && i < n; i++)
		pthread_create(&threads[i], nullptr, work, &jobs[i]);
	for (int i = 0; n > 1 && i < n; i++)
		pthread_join(threads[i], nullptr);
	dprintf(1, "code %lu %lu\n", (unsigned long)__start_steps,
		(unsigned long)__stop_steps);
	for (int k = 0; k < KINDS; k++) {
		const double *v = shared[k].n, *u = shared[k].variance;

		snprintf(text, sizeof(text),
			"%s %.0f %.0f %.0f %.0f %g %g %g %g\n", kind_name[k],
			v[0], v[1], v[2], v[3], u[0], u[1], u[2], u[3]);
		dprintf(1, "%s", text);
	}
	return 0;
}
