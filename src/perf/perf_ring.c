/* SPDX-License-Identifier: MIT */
#include "perf/perf_ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t
page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

bool
weft_perf_ring_map(struct weft_perf_ring *r, int fd, size_t bytes, size_t least)
{
	for (r->bytes = bytes; r->bytes >= least; r->bytes /= 2) {
		r->map = mmap(NULL, page_bytes() + r->bytes,
			PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (r->map != MAP_FAILED)
			return true;
		if (errno != EPERM && errno != ENOMEM)
			break;
	}
	r->map = NULL;
	return false;
}

const unsigned char *
weft_perf_ring_at(const struct weft_perf_ring *r, uint64_t from, size_t n)
{
	size_t at = from & (r->bytes - 1);

	return at + n > r->bytes
		? NULL
		: (const unsigned char *)r->map + page_bytes() + at;
}

void
weft_perf_ring_copy(
	const struct weft_perf_ring *r, uint64_t from, void *to, size_t n)
{
	const char *ring = (char *)r->map + page_bytes();
	size_t at = from & (r->bytes - 1);
	size_t first = n < r->bytes - at ? n : r->bytes - at;

	memcpy(to, ring + at, first);
	memcpy((char *)to + first, ring, n - first);
}

void
weft_perf_ring_look(struct weft_perf_ring *r)
{
	const struct perf_event_mmap_page *page = r->map;

	r->until = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
}

size_t
weft_perf_ring_next(
	struct weft_perf_ring *r, struct perf_event_header *to, size_t room)
{
	struct perf_event_mmap_page *page = r->map;
	uint64_t head = r->until, tail = page->data_tail;
	struct perf_event_header h;

	if (head <= tail || head - tail < sizeof(h))
		return 0;
	weft_perf_ring_copy(r, tail, &h, sizeof(h));
	if (h.size < sizeof(h)) { /* no kernel writes this */
		__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
		return 0;
	}
	weft_perf_ring_copy(r, tail, to, h.size < room ? h.size : room);
	__atomic_store_n(&page->data_tail, tail + h.size, __ATOMIC_RELEASE);
	return h.size;
}

void
weft_perf_ring_unmap(struct weft_perf_ring *r)
{
	if (r->map)
		munmap(r->map, page_bytes() + r->bytes);
	r->map = NULL;
}
