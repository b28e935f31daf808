/* SPDX-License-Identifier: MIT */
#include "inproc/mem/perf_source.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "inproc/core/assert.h"
#include "inproc/core/held.h"
#include "inproc/core/pages.h"
#include "inproc/mem/events.h"
#include "inproc/mem/skid.h"
#include "inproc/mem/take.h"
#include "perf/perf_ring.h"

enum {
	CPUS = 1024,
	RINGS = CPUS * EVENTS_MAX,
	PAGE = 4096,
	/* A ring holds HOLDS ns of samples, as far as the limit of locked
	 * memory allows; its pages are the largest cost of starting a process.
	 * With the usual period faults are rare. Recording all faults writes 30
	 * MB per second. */
	HOLDS = 60000000, /* ns */
	FAULT = 1500,     /* ns that the kernel needs for a fault, at least */
	BYTES_MOST = 512 << 10,
	BYTES_EXACT = 2 << 20,
	BYTES_LEAST = 64 << 10,
	RECORD = 65536,
	ONCE_BYTES = 2 * PAGE /* bytes of a ring for a single sample */
};

/* The kernel's bits PERF_REG_X86_AX to FLAGS, and R8 to R15. */
enum { MASK = 0x3ff | 0xff << 16 };

/* Used by the drain only. */
static struct {
	int n;
	unsigned percent; /* fill level of the fullest ring, at the last look */
	uint64_t lost, throttled;
	struct ring {
		int fd, event;
		struct weft_perf_ring perf;
	} ring[RINGS];
} rings;

/* Returns true if every page fault is recorded: then samples are minimal. */
static bool
is_exact(const struct event *e)
{
	return e->kind == MEM_EVENT_FAULT && e->period == 1;
}

/* Returns the shortest distance of samples in ns. */
static uint64_t
step_ns(const struct event *e)
{
	return e->kind == MEM_EVENT_FAULT ? e->period * FAULT : e->period;
}

/* Returns a power of two. The usual period for faults gets the smallest ring:
 * otherwise each process would pay for a ring that holds a burst. */
static uint64_t
ring_bytes(const struct event *e)
{
	bool is_fault = e->kind == MEM_EVENT_FAULT;
	uint64_t bytes = BYTES_LEAST;

	if (is_exact(e))
		return BYTES_EXACT;
	if (is_fault && e->period >= EVENT_FAULTS_USUAL)
		return BYTES_LEAST;
	while (bytes < BYTES_MOST &&
		bytes / (EVENTS_STACK + 256) < HOLDS / step_ns(e))
		bytes *= 2;
	return bytes;
}

static struct perf_event_attr
attributes(const struct event *e)
{
	bool is_fault = e->kind == MEM_EVENT_FAULT;
	uint64_t registers = is_exact(e)
		? 0
		: PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = is_fault ? PERF_COUNT_SW_PAGE_FAULTS
				   : PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = e->period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
			registers,
		.sample_regs_user = registers ? MASK : 0,
		.sample_stack_user = registers ? EVENTS_STACK : 0,
		.disabled = 1,
		.inherit = 1,
		.inherit_thread = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

static int
open_event(struct perf_event_attr *a, int tid, int cpu)
{
	return (int)syscall(
		SYS_perf_event_open, a, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Includes page faults in system calls where the kernel allows that. */
static int
open_best(const struct event *e, int tid, int cpu)
{
	struct perf_event_attr a = attributes(e);
	int fd = -1;

	if (e->kind == MEM_EVENT_FAULT) {
		a.exclude_kernel = 0;
		fd = open_event(&a, tid, cpu);
		a.exclude_kernel = 1;
	}
	return fd >= 0 ? fd : open_event(&a, tid, cpu);
}

static void
close_from(int n)
{
	while (rings.n > n) {
		struct ring *r = &rings.ring[--rings.n];

		weft_perf_ring_unmap(&r->perf);
		close(r->fd);
	}
}

/* Opens the event on all CPUs, or on none. Called by our own thread, whose
 * mappings the hooks ignore. */
static void
open_all(int number, int tid)
{
	struct event *e = &events.event[number];
	long ncpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t most = ring_bytes(e);
	int before = rings.n, error = ENODEV;

	for (int cpu = 0; cpu < ncpus && rings.n < RINGS; cpu++) {
		struct ring *r = &rings.ring[rings.n];

		r->event = number;
		r->fd = open_best(e, tid, cpu);
		if (r->fd < 0 && errno == ENODEV)
			continue; /* the CPU is offline */
		if (r->fd >= 0 &&
			weft_perf_ring_map(
				&r->perf, r->fd, most, BYTES_LEAST)) {
			most = r->perf.bytes;
			rings.n++;
			continue;
		}
		error = errno;
		if (r->fd >= 0)
			close(r->fd);
		close_from(before);
		break;
	}
	e->source = rings.n > before ? MEM_SOURCE_RING : MEM_SOURCE_NONE;
	e->error = rings.n > before ? 0 : error;
}

void
ring_open(int main_tid)
{
	rings.n = 0;
	for (int i = 0; i < events.n; i++)
		open_all(i, main_tid);
	for (int i = 0; i < rings.n; i++)
		syscall(SYS_ioctl, rings.ring[i].fd, PERF_EVENT_IOC_ENABLE, 0);
}

struct reader {
	const unsigned char *at, *end;
};

static uint64_t
take(struct reader *r)
{
	uint64_t value = 0;

	if (r->end - r->at >= 8) {
		memcpy(&value, r->at, 8);
		r->at += 8;
	}
	return value;
}

/* Takes registers in the order of the mask: ax bx cx dx si di bp sp ip flags
 * r8... */
static void
take_registers(struct reader *r, struct sample *s)
{
	static const uint8_t order[8] = { 0, 3, 1, 2, 6, 7, 5, 4 };

	if (take(r) == PERF_SAMPLE_REGS_ABI_NONE)
		return;
	for (int i = 0; i < 8; i++)
		s->at.r[order[i]] = take(r);
	s->at.ip = take(r);
	s->at.flags = take(r);
	for (int i = 8; i < 16; i++)
		s->at.r[i] = take(r);
	s->has_registers = true;
}

static void
take_stack(struct reader *r, struct sample *s)
{
	uint64_t size = take(r), used;
	const unsigned char *bytes = r->at;

	if (size == 0 || size > (uint64_t)(r->end - r->at))
		return;
	r->at += size;
	used = take(r);
	s->stack = (struct stack){ s->at.r[REG_SP],
		s->at.r[REG_SP] + (used < size ? used : size), bytes };
}

/* Parses a sample. ran: set to the ns since the event began; NULL: samples
 * of this event lack that field. */
static struct sample
read_sample(int event, struct reader r, uint64_t *ran)
{
	const struct event *e = &events.event[event];
	struct sample s = { .event = event, .count = 1 };
	uint64_t ip = take(&r), task = take(&r), kernel = ip >> 63;

	s.tid = (int)(task >> 32);
	s.time = take(&r);
	s.address = take(&r);
	s.cpu = (uint16_t)take(&r);
	if (ran != NULL)
		*ran = take(&r);
	if (!is_exact(e)) {
		take_registers(&r, &s);
		take_stack(&r, &s);
	}
	if (!kernel || is_exact(e))
		s.at.ip = ip;
	return s;
}

static void
take_record(const struct ring *ring, const struct perf_event_header *h,
	const unsigned char *data)
{
	struct reader r = { data + sizeof(*h), data + h->size };

	struct sample s;

	if (h->type == PERF_RECORD_SAMPLE) {
		s = read_sample(ring->event, r, NULL);
		take_sample(&s);
	} else if (h->type == PERF_RECORD_LOST) {
		take(&r); /* the event's id */
		rings.lost += take(&r);
	} else if (h->type == PERF_RECORD_THROTTLE) {
		rings.throttled++;
	}
}

/* Returns a pointer into the ring, or a copy if the record wraps around.
 * Copying every record would fetch its stack from another processor's cache,
 * and most of the stack is not read. */
static const unsigned char *
record_at(const struct weft_perf_ring *r, uint64_t from, size_t n)
{
	static _Alignas(8) unsigned char data[RECORD];
	const unsigned char *at = weft_perf_ring_at(r, from, n);

	if (at != NULL)
		return at;
	weft_perf_ring_copy(r, from, data, n);
	return data;
}

/* A sample begins with ip, task and time. */
static bool
is_after(const struct perf_event_header *h, const unsigned char *data,
	uint64_t until)
{
	uint64_t time;

	if (h->type != PERF_RECORD_SAMPLE)
		return false;
	memcpy(&time, data + sizeof(*h) + 16, sizeof(time));
	return time > until;
}

static void
drain_one(struct ring *r, uint64_t until)
{
	struct perf_event_mmap_page *page = r->perf.map;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	unsigned percent = (unsigned)((head - tail) * 100 / r->perf.bytes);

	WEFT_ASSERT(kernels_rings_are_read_by_the_drain, held_is(RANK_DRAIN));
	WEFT_ASSERT(kernels_ring_holds_what_is_between,
		head - tail <= r->perf.bytes);
	if (percent > rings.percent)
		rings.percent = percent;
	while (tail < head) {
		struct perf_event_header h;
		const unsigned char *data;

		weft_perf_ring_copy(&r->perf, tail, &h, sizeof(h));
		if (h.size < sizeof(h)) {
			tail = head; /* no kernel writes this */
			break;
		}
		data = record_at(&r->perf, tail, h.size);
		if (is_after(&h, data, until))
			break;
		take_record(r, &h, data);
		tail += h.size;
		/* early, because the kernel may need the room */
		__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

unsigned
ring_drain(uint64_t until)
{
	struct event *faults = events_find(MEM_EVENT_FAULT);

	rings.percent = 0;
	for (int i = 0; i < rings.n; i++)
		drain_one(&rings.ring[i], until);
	return faults != NULL && is_exact(faults) ? 100 : rings.percent;
}

uint64_t
ring_lost(void)
{
	return rings.lost;
}

uint64_t
ring_throttled(void)
{
	return rings.throttled;
}

void *
ring_once_open(int event, uint64_t after)
{
	struct perf_event_attr a = attributes(&events.event[event]);
	long at = -1;
	int fd, error = errno;

	a.sample_period = after;
	a.sample_type |= PERF_SAMPLE_READ;
	a.inherit = a.inherit_thread = 0;
	fd = open_event(&a, 0, -1);
	if (fd >= 0) {
		/* the mapping keeps the event open */
		at = syscall(SYS_mmap, NULL, PAGE + ONCE_BYTES,
			PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (at != -1)
			syscall(SYS_ioctl, fd, PERF_EVENT_IOC_REFRESH, 1);
		close(fd);
	}
	errno = error;
	return at == -1 ? NULL : (void *)at;
}

/* If the period ended in the kernel, the kernel writes no sample for it, and
 * the next sample is from another moment than the one drawn: drops that
 * sample. */
void
ring_once_close(void *ring, int event, uint64_t after, uint32_t count)
{
	const struct perf_event_mmap_page *page = ring;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	const struct perf_event_header *h =
		(const void *)((const char *)ring + PAGE);
	uint64_t ran = 0;

	if (count > 0 && head >= sizeof(*h) && h->size <= head &&
		h->type == PERF_RECORD_SAMPLE) {
		const unsigned char *data = (const unsigned char *)h;
		struct sample s = read_sample(event,
			(struct reader){ data + sizeof(*h), data + h->size },
			&ran);

		s.count = count;
		if (ran < 2 * after)
			take_sample(&s);
	}
	syscall(SYS_munmap, ring, PAGE + ONCE_BYTES);
}

static struct ring test;

bool
ring_test_begin(uint64_t ns)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(a),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = ns,
		.sample_type = PERF_SAMPLE_IP,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	test.fd = (int)syscall(
		SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (test.fd >= 0 &&
		weft_perf_ring_map(
			&test.perf, test.fd, BYTES_LEAST, BYTES_LEAST))
		return true;
	if (test.fd >= 0)
		close(test.fd);
	return false;
}

void
ring_test_end(void)
{
	uint64_t head, tail;

	syscall(SYS_ioctl, test.fd, PERF_EVENT_IOC_DISABLE, 0);
	weft_perf_ring_look(&test.perf);
	head = test.perf.until;
	for (tail = 0; tail < head;) {
		struct {
			struct perf_event_header h;
			uint64_t ip;
		} sample;

		weft_perf_ring_copy(&test.perf, tail, &sample, sizeof(sample));
		if (sample.h.type == PERF_RECORD_SAMPLE)
			skid_note(sample.ip);
		if (sample.h.size == 0)
			break;
		tail += sample.h.size;
	}
	weft_perf_ring_unmap(&test.perf);
	close(test.fd);
}

/* Mappings are not inherited, and the descriptors belong to the parent's
 * drain. */
void
ring_forked(void)
{
	rings.n = 0;
	rings.lost = rings.throttled = 0;
}
