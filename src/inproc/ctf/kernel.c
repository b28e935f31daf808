/* SPDX-License-Identifier: MIT */
#include "inproc/ctf/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "inproc/core/held.h"
#include "inproc/core/hush.h"
#include "inproc/core/proc.h"
#include "inproc/core/reserve.h"
#include "inproc/core/say.h"
#include "inproc/ctf/ctf.h"
#include "inproc/ctf/kernel_list.h"
#include "inproc/ctf/wire.h"

enum {
	RING = 1 << 20,
	RING_LEAST = 16 << 10,
	MOST = 16 << 10, /* bytes of a record */
	HEAD = 10,       /* id, time */
	KERNEL_PATH = sizeof(((struct kernel *)0)->folder) + 32
};

/* Written under the process's lock at the start, and by the thread that set
 * busy; the struct belongs to that thread. */
static struct kernel *kernel; /* atomic */
static int busy;              /* atomic, RANK_KERNEL: a thread drains */

static bool
read_list(struct kernel *k)
{
	const char *words = getenv("WEFT_KERNEL");
	const char *file = getenv("WEFT_KERNEL_FILE");
	char line[256];
	FILE *f = file && file[0] != '\0' ? fopen(file, "re") : NULL;

	if (file && file[0] != '\0' && !f)
		weft_rt_warn("WEFT_KERNEL_FILE=%s:", file);
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "#\n")] = '\0';
		weft_rt_kernel_list(k, line);
	}
	if (f)
		fclose(f);
	if (words)
		weft_rt_kernel_list(k, words);
	for (int i = 0; i < k->npoints; i++)
		k->index[k->point[i].id] = (uint16_t)(i + 1);
	return k->npoints > 0;
}

/* Each CPU needs a descriptor for each event. */
static void
allow_descriptors(const struct kernel *k, int nevents)
{
	rlim_t want = (rlim_t)nevents * (rlim_t)k->ncpus + 256;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= want)
		return;
	limit.rlim_cur = want;
	if (limit.rlim_max < want)
		limit.rlim_max = want;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Adds an event to a CPU: the first event has the perf ring, the others write
 * to it. Descriptors stay open until the process ends. */
static bool
add_event(struct kernel_cpu *c, int fd)
{
	bool ok;

	if (fd < 0)
		return false;
	if (c->ring.map)
		ok = ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, c->fd) == 0;
	else
		ok = weft_perf_ring_map(&c->ring, fd, RING, RING_LEAST);
	if (!ok) {
		close(fd);
		return false;
	}
	if (c->ring.map && c->fd < 0)
		c->fd = fd;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	return true;
}

static bool
open_cpu(struct kernel *k, struct kernel_cpu *c)
{
	c->fd = -1;
	for (int i = 0; i < k->npoints; i++)
		if (!add_event(c,
			    k->is_own ? weft_tracepoint_open_switches(0, c->id)
				      : weft_tracepoint_open(
						&k->point[i], c->id)))
			return false;
	return true;
}

static bool
open_all(struct kernel *k)
{
	allow_descriptors(k, k->npoints);
	for (int i = 0; i < k->ncpus; i++)
		if (!open_cpu(k, &k->cpu[i]))
			return false;
	return true;
}

static void
close_all(struct kernel *k)
{
	for (int i = 0; i < k->ncpus; i++)
		weft_perf_ring_unmap(&k->cpu[i].ring);
}

/* The format of the events that are recorded without privileges. */
static const char own_format[] =
	"name: sched_switch\nID: 1\n"
	"\tfield:pid_t prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:pid_t next_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:int preempted;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:20;\tsize:16;\tsigned:0;\n";

/* Adds the thread on all CPUs. Returns false with errno; ESRCH: it has
 * ended. */
static bool
open_thread(struct kernel *k, int tid)
{
	for (int i = 0; i < k->ncpus; i++)
		if (!add_event(&k->cpu[i],
			    weft_tracepoint_open_switches(tid, k->cpu[i].id)))
			return false;
	return true;
}

/* Returns the number of threads; with a function, the number that it fails
 * for. */
static int
count_threads(struct kernel *k, bool (*open)(struct kernel *k, int tid))
{
	DIR *dir = opendir("/proc/self/task");
	const struct dirent *d;
	int n = 0, error = 0;

	while (dir && (d = readdir(dir)) != NULL) {
		int tid = (int)strtol(d->d_name, NULL, 10);

		if (tid <= 0 || (open && tid == (int)gettid()) ||
			(open && ((open)(k, tid) || errno == ESRCH)))
			continue;
		error = errno;
		n++;
	}
	if (dir)
		closedir(dir);
	errno = error;
	return n;
}

/* Adds the threads that exist already; their children are recorded with them. A
 * thread that is created meanwhile may be recorded twice: own_switch() drops
 * repeated events. */
static void
open_threads(struct kernel *k)
{
	int missed;

	allow_descriptors(k, count_threads(k, NULL) + 8);
	missed = count_threads(k, open_thread);
	if (missed > 0)
		weft_rt_warn("weft: WEFT_KERNEL: switches of %d threads that "
			     "exist already are not recorded:",
			missed);
}

static bool
open_own(struct kernel *k)
{
	char text[sizeof(own_format)];

	memcpy(text, own_format, sizeof(text));
	close_all(k);
	k->is_own = true;
	k->npoints = 1;
	if (!weft_tracepoint_parse(&k->point[0], text))
		return false;
	weft_rt_kernel_defs(k);
	if (!open_all(k))
		return false;
	open_threads(k);
	return true;
}

static bool
open_any(struct kernel *k)
{
	int error = EACCES;

	if (weft_tracepoint_root()) {
		if (!read_list(k))
			return false;
		/* takes a tenth of a second: do it before recording begins */
		weft_rt_kernel_defs(k);
		if (open_all(k))
			return true;
		error = errno;
	}
	errno = error;
	weft_rt_warn("weft: WEFT_KERNEL: tracepoints cannot be recorded, only "
		     "switches of this process's threads:");
	if (open_own(k))
		return true;
	weft_rt_warn("weft: WEFT_KERNEL: switches cannot be recorded either:");
	return false;
}

/* Makes streams only for CPUs of this machine: a runtime may have more. */
static struct kernel *
make(const struct ctf *c)
{
	long there = sysconf(_SC_NPROCESSORS_CONF);
	size_t n = sizeof(struct kernel) +
		(size_t)c->ncpus * sizeof(struct kernel_cpu);
	struct kernel *k = mmap(NULL, n, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (k == MAP_FAILED)
		return NULL;
	madvise(k, n, MADV_DONTFORK);
	k->bytes = n;
	for (int i = 0; i < c->ncpus; i++)
		if (c->cpu[i].id < there)
			k->cpu[k->ncpus++].id = c->cpu[i].id;
	if (k->ncpus < c->ncpus)
		weft_rt_warn(
			"weft: WEFT_KERNEL: %d of the runtime's %d CPUs do "
			"not exist on this machine; no kernel events are "
			"recorded for them",
			c->ncpus - k->ncpus, c->ncpus);
	snprintf(k->folder, sizeof(k->folder), "%.*s/kernel",
		(int)(strlen(c->folder) - strlen("/user")), c->folder);
	return k;
}

void
weft_rt_kernel_start(void)
{
	const char *words = getenv("WEFT_KERNEL");
	const char *file = getenv("WEFT_KERNEL_FILE");
	struct kernel *k;

	/* after fork it may be the parent's */
	__atomic_store_n(&kernel, NULL, __ATOMIC_RELAXED);
	busy = 0;
	if (!(words && words[0] != '\0') && !(file && file[0] != '\0'))
		return;
	k = make(weft_rt_ctf);
	if (!k)
		return;
	if (k->ncpus > 0 && open_any(k)) {
		weft_rt_kernel_meta(k);
		__atomic_store_n(&kernel, k, __ATOMIC_RELEASE);
		weft_rt_proc_wake(); /* the writer may sleep for long */
	} else {
		close_all(k);
		munmap(k, k->bytes);
	}
}

/* Converts a switch of one of our own threads to a raw record. Returns the size
 * of the record; 0: the event repeats the last one. */
static size_t
own_switch(struct kernel_cpu *c, const struct perf_event_header *h,
	uint8_t raw[64])
{
	bool is_out = (h->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
	int32_t value[3] = { 0, 0,
		(h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0 };
	int32_t tid;

	memcpy(&tid, (const char *)(h + 1) + 4, 4);
	if (c->seen == tid && c->is_out == is_out)
		return 0;
	c->seen = value[is_out ? 0 : 1] = tid;
	c->is_out = is_out;
	memset(raw, 0, 64);
	raw[0] = 1;
	memcpy(raw + 8, value, sizeof(value));
	/* not empty: babeltrace2 would repeat the previous event's text */
	snprintf((char *)raw + 20, 16, "%s",
		is_out ? "other" : program_invocation_short_name);
	return 36;
}

/* Converts a record to an event of the packet. Returns its size; 0: no
 * event. */
static size_t
convert(const struct kernel *k, struct kernel_cpu *c,
	const struct perf_event_header *h, uint64_t *time, uint8_t *to,
	size_t room)
{
	const uint8_t *at = (const uint8_t *)(h + 1), *raw = at + 12;
	uint8_t own[64];
	uint32_t size = 0;
	uint16_t id, index;
	size_t n;

	if (h->type == PERF_RECORD_SWITCH && k->is_own) {
		size = (uint32_t)own_switch(c, h, own);
		raw = own;
		at += 8; /* skip process and thread */
	} else if (h->type == PERF_RECORD_SAMPLE && !k->is_own) {
		memcpy(&size, at + 8, 4);
		if (sizeof(*h) + 12 + size > h->size)
			return 0;
	}
	memcpy(time, at, 8);
	if (size < 8 || room < HEAD)
		return 0;
	memcpy(&id, raw, 2);
	index = k->is_own ? 1 : k->index[id];
	if (index == 0)
		return 0;
	n = weft_tracepoint_copy(
		&k->point[index - 1], raw, size, to + HEAD, room - HEAD);
	id = weft_rt_kernel_id(k, id, raw);
	memcpy(to, &id, 2);
	return n == 0 || id == 0 ? 0 : HEAD + n;
}

static int
open_file(const struct kernel *k, const struct kernel_cpu *c,
	char path[KERNEL_PATH])
{
	snprintf(path, KERNEL_PATH, "%s/channel_%d", k->folder, c->id);
	return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
}

/* Returns false if the packet could not be written, for instance on a full
 * disk. */
static bool
write_packet(struct kernel *k, struct kernel_cpu *c, size_t n, uint64_t begin)
{
	struct ctfwire_head h = {
		.magic = CTFWIRE_MAGIC,
		.stream = CTFWIRE_KERNEL,
		.cpu = (uint16_t)c->id,
		.packet_bits = 8 * n,
		.content_bits = 8 * n,
		.begin = begin,
		.end = c->last,
		.discarded = c->discarded,
	};
	char path[KERNEL_PATH];
	struct hush limit;
	int fd = open_file(k, c, path);
	bool ok;

	memcpy(k->packet, &h, sizeof(h));
	weft_rt_hush(&limit, SIGXFSZ);
	if (fd >= 0) /* a short write does not set errno */
		errno = ENOSPC;
	ok = fd >= 0 && pwrite(fd, k->packet, n, (off_t)c->at) == (ssize_t)n;
	if (!ok)
		weft_rt_proc_trouble(errno, path);
	if (!ok && fd >= 0 && ftruncate(fd, (off_t)c->at) != 0)
		weft_rt_proc_trouble(errno, path);
	weft_rt_unhush(&limit);
	if (fd >= 0)
		close(fd);
	if (!ok)
		return false;
	c->packet = c->at;
	c->said = h.discarded;
	c->at += n;
	return true;
}

/* Changes the last packet in the file to say what was lost after it, as for the
 * program's own streams. */
static void
mend_last(const struct kernel *k, const struct kernel_cpu *c)
{
	const size_t changed = offsetof(struct ctfwire_head, end);
	struct ctfwire_head h = {
		.end = weft_ctf_now(),
		.discarded = c->discarded,
	};
	char path[KERNEL_PATH];
	int fd;

	if (c->said == c->discarded || c->at == 0)
		return;
	fd = open_file(k, c, path);
	if (fd < 0)
		return;
	if (!weft_rt_hush_write(fd, (char *)&h + changed, sizeof(h) - changed,
		    (off_t)(c->packet + changed)))
		weft_rt_proc_trouble(errno, path);
	close(fd);
}

static void
lose(struct kernel_cpu *c, const struct perf_event_header *h)
{
	uint64_t n;

	memcpy(&n, (const char *)(h + 1) + 8, 8); /* follows the event's id */
	c->discarded += n;
}

/* Returns the time of an event since the trace began. An interrupt may record
 * an event between the moment when another event takes its time and the moment
 * when it is stored: the latter then gets the interrupt's time. */
static uint64_t
time_of(struct kernel_cpu *c, uint64_t ns)
{
	uint64_t start = weft_rt_ctf->start;
	uint64_t time = ns > start ? ns - start : 0;

	c->last = time > c->last ? time : c->last;
	return c->last;
}

/* Appends the next record to the packet of n bytes, if it is an event. Returns
 * false if there is no record. */
static bool
take_record(struct kernel *k, struct kernel_cpu *c, size_t *n)
{
	_Alignas(8) uint8_t data[MOST];
	struct perf_event_header *h = (struct perf_event_header *)data;
	uint8_t *to = k->packet + *n;
	uint64_t time;
	size_t size = 0;

	if (weft_perf_ring_next(&c->ring, h, sizeof(data)) == 0)
		return false;
	if (h->type == PERF_RECORD_LOST)
		lose(c, h);
	if (h->size <= sizeof(data))
		size = convert(k, c, h, &time, to, sizeof(k->packet) - *n);
	if (size > 0) {
		time = time_of(c, time);
		memcpy(to + 2, &time, 8);
		*n += size;
	}
	return true;
}

/* Writes one packet. Returns false if there was nothing to write or no room. */
static bool
drain_cpu(struct kernel *k, struct kernel_cpu *c)
{
	uint64_t begin = c->last, nevents = 0;
	size_t n = sizeof(struct ctfwire_head);

	for (size_t before = n;
		n + MOST <= sizeof(k->packet) && take_record(k, c, &n);
		before = n)
		if (n > before && nevents++ == 0)
			memcpy(&begin, k->packet + before + 2, 8);
	if (nevents == 0 && c->said == c->discarded)
		return false;
	if (write_packet(k, c, n, begin))
		return true;
	c->discarded += nevents;
	return false;
}

static void
take_turn(void)
{
	held_before(RANK_KERNEL);
	while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
		weft_rt_stream_pause(0);
	held_take(RANK_KERNEL);
}

static void
give_turn(void)
{
	held_give(RANK_KERNEL);
	__atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

static void
drain(struct kernel *k)
{
	for (int i = 0; k && i < k->ncpus; i++) {
		weft_perf_ring_look(&k->cpu[i].ring);
		while (drain_cpu(k, &k->cpu[i]))
			;
	}
}

static bool
drain_all(void)
{
	if (!__atomic_load_n(&kernel, __ATOMIC_ACQUIRE))
		return false;
	take_turn();
	drain(kernel);
	give_turn();
	return true;
}

static void
forget(void)
{
	__atomic_store_n(&kernel, NULL, __ATOMIC_RELEASE);
	__atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

void
weft_rt_kernel_end(void)
{
	static const struct timespec soon = { 0, 2000000 };
	struct kernel *k;

	if (!__atomic_load_n(&kernel, __ATOMIC_ACQUIRE))
		return;
	take_turn();
	k = kernel; /* another thread may have ended it */
	if (!k) {
		give_turn();
		return;
	}
	drain(k);
	/* the kernel tells how many events were lost only with the next
	 * event */
	nanosleep(&soon, NULL);
	drain(k);
	for (int i = 0; i < k->ncpus; i++)
		mend_last(k, &k->cpu[i]);
	__atomic_store_n(&kernel, NULL, __ATOMIC_RELEASE);
	give_turn();
	close_all(k);
	munmap(k, k->bytes);
}

const struct part weft_rt_kernel_part = {
	.forget = forget,
	.drain = drain_all,
	.stop = weft_rt_kernel_end,
};
