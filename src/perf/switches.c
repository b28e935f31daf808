/* SPDX-License-Identifier: MIT */
#include "perf/switches.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "perf/alone.h"
#include "perf/tracepoint.h"

enum {
	RING_BYTES = 512 << 10, /* perf_event_mlock_kb allows as much per CPU */
	RING_LEAST = 16 << 10,
	RECORD_MAX = 128, /* size limit of the records that are used; COMM
	                   * records may be longer */
};

/* A comm record. */
struct name {
	struct perf_event_header header;
	uint32_t pid, tid;
	char text[16]; /* the kernel pads it with NULs, at least to 8 bytes */
};

/* The end of every record, as sample_type requests it. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, unused;
};

/* The beginning of a record of the tracepoint, as sample_type requests it, and
 * of the tracepoint's data. */
struct wake {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, unused;
	uint32_t size; /* bytes of the data */
	uint16_t type;
	uint8_t flags, preempt;
};

/* Flags of the data: the record comes from an interrupt, and not from the
 * thread that it interrupted. */
enum { FLAG_HARD_IRQ = 8, FLAG_SOFT_IRQ = 16, FLAG_NMI = 64 };

/* The beginning of fork and exit records. */
struct task {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
};

static int
open_event(int pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type =
			PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.disabled = 1,
		.enable_on_exec = 1,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.task = 1,
		.comm = 1,
		.comm_exec = 1,
		.context_switch = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	return (int)syscall(
		SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Opens the second event of a CPU, whose records go to the ring of the first.
 */
static int
open_wake(const struct tracepoint *t, int pid, int cpu, int ring)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = t->id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			PERF_SAMPLE_CPU | PERF_SAMPLE_RAW,
		.disabled = 1,
		.enable_on_exec = 1,
		.inherit = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	int fd = (int)syscall(
		SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Finds the tracepoint, and where its data have the woken thread. */
static bool
find_wakes(struct perf_switches *s, struct tracepoint *t)
{
	const char *root = weft_tracepoint_root();
	char folder[128];

	errno = EACCES;
	if (root == NULL)
		return false;
	snprintf(folder, sizeof(folder), "%s/events/sched/sched_waking", root);
	if (!weft_tracepoint_read(t, folder))
		return false;
	for (int i = 0; i < t->nfields; i++)
		if (strcmp(t->field[i].name, "pid") == 0 &&
			t->field[i].size == sizeof(uint32_t))
			s->wakee_at = t->field[i].offset;
	return s->wakee_at != 0;
}

static void
close_wakes(struct perf_switches *s)
{
	for (int i = 0; i < s->n; i++) {
		if (s->cpu[i].wake_fd >= 0)
			close(s->cpu[i].wake_fd);
		s->cpu[i].wake_fd = -1;
	}
	s->wakee_at = 0;
}

bool
perf_switches_add_wakes(struct perf_switches *s, int pid)
{
	struct tracepoint t;
	int error;

	if (!find_wakes(s, &t))
		return false;
	for (int i = 0; i < s->n; i++) {
		struct perf_cpu *c = &s->cpu[i];

		c->wake_fd = open_wake(&t, pid, c->number, c->fd);
		if (c->wake_fd >= 0)
			continue;
		error = errno;
		close_wakes(s);
		errno = error;
		return false;
	}
	return true;
}

/* Maps the ring; halves its size if less memory may be locked. */
static bool
map_ring(struct perf_switches *s, struct perf_cpu *c)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (;; s->bytes /= 2) {
		c->map = mmap(NULL, page + s->bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED, c->fd, 0);
		if (c->map != MAP_FAILED)
			return true;
		if ((errno != EPERM && errno != ENOMEM) || s->n > 0 ||
			s->bytes <= RING_LEAST)
			return false;
	}
}

bool
perf_switches_open(struct perf_switches *s, int pid)
{
	long ncpus = sysconf(_SC_NPROCESSORS_CONF);
	int error = ENODEV;

	s->n = 0;
	s->bytes = RING_BYTES;
	s->wakee_at = 0;
	for (int cpu = 0; cpu < ncpus && s->n < PERF_CPUS_MAX; cpu++) {
		struct perf_cpu *c = &s->cpu[s->n];

		c->number = cpu;
		c->wake_fd = -1;
		c->fd = open_event(pid, cpu);
		if (c->fd < 0 && errno == ENODEV)
			continue; /* the CPU is offline */
		if (c->fd >= 0 && map_ring(s, c)) {
			s->n++;
			continue;
		}
		error = errno;
		if (c->fd >= 0)
			close(c->fd);
		perf_switches_close(s);
		break;
	}
	errno = error;
	return s->n > 0;
}

/* Copies n bytes, which may wrap around the end of the ring. */
static void
copy_out(const struct perf_switches *s, const struct perf_cpu *c, uint64_t from,
	void *to, size_t n)
{
	const char *ring = (char *)c->map + sysconf(_SC_PAGESIZE);
	size_t at = from & (s->bytes - 1);
	size_t first = n < s->bytes - at ? n : s->bytes - at;

	memcpy(to, ring + at, first);
	memcpy((char *)to + first, ring, n - first);
}

static enum perf_kind
kind_of(const struct perf_event_header *h)
{
	switch (h->type) {
	case PERF_RECORD_FORK:
		return PERF_FORK;
	case PERF_RECORD_EXIT:
		return PERF_EXIT;
	case PERF_RECORD_COMM:
		return (h->misc & PERF_RECORD_MISC_COMM_EXEC) != 0 ? PERF_EXEC
								   : PERF_OURS;
	case PERF_RECORD_LOST:
		return PERF_LOST;
	default:
		return h->misc & PERF_RECORD_MISC_SWITCH_OUT ? PERF_OUT
							     : PERF_IN;
	}
}

static bool
is_ours(const struct perf_switches *s, const struct perf_event_header *h)
{
	return (h->type == PERF_RECORD_SAMPLE && s->wakee_at != 0) ||
		h->type == PERF_RECORD_SWITCH || h->type == PERF_RECORD_FORK ||
		h->type == PERF_RECORD_EXIT || h->type == PERF_RECORD_LOST ||
		h->type == PERF_RECORD_COMM;
}

/* Returns true if a record tells nothing: a thread took a name that no recorder
 * gives to its threads. */
static bool
is_other_name(const unsigned char *data, size_t size)
{
	struct name n = { 0 };

	memcpy(&n, data, size < sizeof n ? size : sizeof n);
	return n.header.type == PERF_RECORD_COMM &&
		(n.header.misc & PERF_RECORD_MISC_COMM_EXEC) == 0 &&
		strncmp(n.text, ALONE_WRITER, sizeof n.text) != 0 &&
		strncmp(n.text, ALONE_MEM, sizeof n.text) != 0;
}

/* Parses a record of the second event. */
static struct perf_switch
parse_wake(
	const struct perf_switches *s, const unsigned char *data, size_t size)
{
	size_t at = offsetof(struct wake, type) + s->wakee_at;
	struct perf_switch r = { .kind = PERF_WAKE };
	struct wake w = { 0 };
	uint32_t wakee = 0;

	memcpy(&w, data, size < sizeof(w) ? size : sizeof(w));
	if (at + sizeof(wakee) <= size)
		memcpy(&wakee, data + at, sizeof(wakee));
	r.time = (int64_t)w.time;
	r.cpu = (int32_t)w.cpu;
	r.by = wakee;
	if ((w.flags & (FLAG_HARD_IRQ | FLAG_SOFT_IRQ | FLAG_NMI)) == 0) {
		r.pid = (int32_t)w.pid;
		r.tid = (int32_t)w.tid;
	}
	return r;
}

/* Parses another record; data holds all of it. */
static struct perf_switch
parse(const unsigned char *data, size_t size)
{
	struct perf_switch r = { 0 };
	struct trailer end;
	struct task task;

	memcpy(&task, data, sizeof(task));
	memcpy(&end, data + size - sizeof(end), sizeof(end));
	r.kind = kind_of(&task.header);
	r.time = (int64_t)end.time;
	r.cpu = (int32_t)end.cpu;
	r.pid = (int32_t)end.pid;
	r.tid = (int32_t)end.tid;
	if (r.kind == PERF_OUT)
		r.by = (task.header.misc &
			       PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
	if (r.kind == PERF_FORK || r.kind == PERF_EXIT) {
		r.pid = (int32_t)task.pid;
		r.tid = (int32_t)task.tid;
		r.by = task.ptid;
	}
	if (r.kind == PERF_LOST) /* follows the id of the event */
		memcpy(&r.by, data + sizeof(task.header) + 8, sizeof(r.by));
	return r;
}

size_t
perf_switches_read(
	struct perf_switches *s, int i, struct perf_switch *to, size_t room)
{
	struct perf_cpu *c = &s->cpu[i];
	struct perf_event_mmap_page *page = c->map;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	size_t n = 0;

	while (tail < head && n < room) {
		unsigned char data[RECORD_MAX];
		struct perf_event_header h;

		copy_out(s, c, tail, &h, sizeof(h));
		if (is_ours(s, &h) && h.size <= sizeof(data) &&
			h.size >= sizeof(h) + sizeof(struct trailer)) {
			copy_out(s, c, tail, data, h.size);
			if (h.type == PERF_RECORD_SAMPLE)
				to[n++] = parse_wake(s, data, h.size);
			else if (!is_other_name(data, h.size))
				to[n++] = parse(data, h.size);
		}
		if (h.size < sizeof(h)) {
			tail = head; /* no kernel writes this */
			break;
		}
		tail += h.size;
	}
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
	return n;
}

void
perf_switches_close(struct perf_switches *s)
{
	close_wakes(s);
	for (int i = 0; i < s->n; i++) {
		munmap(s->cpu[i].map, (size_t)sysconf(_SC_PAGESIZE) + s->bytes);
		close(s->cpu[i].fd);
	}
	s->n = 0;
}
