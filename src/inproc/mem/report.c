/* SPDX-License-Identifier: MIT */
#include "inproc/mem/report.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "inproc/code/paths.h"
#include "inproc/mem/events.h"
#include "inproc/mem/skid.h"
#include "inproc/mem/ticks.h"
#include "inproc/mem/track.h"

enum { LOST_KINDS = MEM_LOST_SHORT + 1, ARGUMENTS = 4096 };

/* Used by the drain only, except unsampled and its error, which are atomic: any
 * thread. */
static struct {
	const struct path *last; /* last path that was written */
	uint64_t lost[LOST_KINDS];
	uint64_t unsampled, write_lost;
	uint64_t lost_then; /* o->lost when losses were last written */
	uint64_t too_short; /* ns */
	int unsampled_error;
} report;

static char rank[12]; /* MPI rank in decimal, or empty */

static bool
is_rank(const char *text)
{
	size_t n = text == NULL ? 0 : strlen(text);

	return n > 0 && n < sizeof(rank) - 1 && strspn(text, "0123456789") == n;
}

/* The variable of the batch system comes last: the rank that a launcher inside
 * the batch job sets is more precise. */
void
report_find_rank(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK",
		"PMIX_RANK", "PMI_RANK", "SLURM_PROCID" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *text = getenv(names[i]);

		if (is_rank(text)) {
			snprintf(rank, sizeof(rank), "%s", text);
			return;
		}
	}
}

static void
add_text(struct outbuf *o, enum mem_key key, const char *text)
{
	struct mem_text r = { .key = key, .bytes = (uint32_t)strlen(text) };

	out_add(o, MEM_TEXT, &r, offsetof(struct mem_text, text), text,
		r.bytes);
}

static void
add_arguments(struct outbuf *o)
{
	char text[ARGUMENTS];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n < 0 ? 0 : n] = '\0';
	for (char *at = text; n > 0 && at < text + n; at += strlen(at) + 1)
		add_text(o, MEM_KEY_ARGUMENT, at);
}

static void
add_program(struct outbuf *o)
{
	char text[PATH_MAX + 16];
	ssize_t n = readlink("/proc/self/exe", text, PATH_MAX);
	struct utsname u;

	text[n < 0 ? 0 : n] = '\0';
	add_text(o, MEM_KEY_PROGRAM, text);
	if (uname(&u) == 0) {
		snprintf(text, sizeof(text), "%s %s %s", u.sysname, u.release,
			u.machine);
		add_text(o, MEM_KEY_HOST, text);
		add_text(o, MEM_KEY_NODE, u.nodename);
	}
}

void
report_setup(struct outbuf *o)
{
	struct mem_setup r = { .min_bytes = track.min_bytes,
		.small_bytes = track.small_bytes,
		.unwinder = 1,
		.stack_bytes = EVENTS_STACK };

	skid_write(&r);
	OUT_ADD(o, MEM_SETUP, r);
	events_write(o);
}

void
report_begin(struct outbuf *o)
{
	add_text(o, MEM_KEY_VERSION, WEFT_VERSION);
	add_program(o);
	add_arguments(o);
	if (rank[0] != '\0')
		add_text(o, MEM_KEY_RANK, rank);
	report_setup(o);
}

/* Two threads may have had one id: the later one gets a numbered name. */
static void
choose_file(struct self *s)
{
	char path[PATH_MAX + 64];

	snprintf(s->file, sizeof(s->file), "thread-%d.mem", s->tid);
	for (int i = 2; i < INT_MAX; i++) {
		snprintf(path, sizeof(path), "%s/%s", out_folder(), s->file);
		if (out_folder()[0] == '\0' || access(path, F_OK) != 0)
			break;
		snprintf(s->file, sizeof(s->file), "thread-%d-%d.mem", s->tid,
			i);
	}
}

static void
read_name(int tid, char to[16])
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, to, 15);
	if (fd >= 0)
		close(fd);
	if (n > 0 && to[n - 1] == '\n')
		to[n - 1] = '\0';
}

void
report_thread(struct outbuf *o, struct self *s)
{
	struct mem_thread r = { .tid = s->tid,
		.is_main = s->is_main,
		.time = s->begun,
		.stack_lo = s->stack_lo,
		.stack_hi = s->stack_hi,
		.tls_lo = s->tls_lo,
		.tls_hi = s->tls_hi,
		.pointer = s->thread };

	choose_file(s);
	read_name(s->tid, r.name);
	memcpy(r.file, s->file, sizeof(r.file));
	OUT_ADD(o, MEM_THREAD, r);
	s->is_told = true;
}

void
report_threads(struct outbuf *o)
{
	for (struct self *s = self_all(); s != NULL; s = s->next)
		if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) >=
				SELF_ALIVE &&
			!s->is_told)
			report_thread(o, s);
}

static bool
samples_time(void)
{
	return events_find(MEM_EVENT_DATA) != NULL ||
		events_find(MEM_EVENT_TIME) != NULL;
}

void
report_thread_end(struct outbuf *o, struct self *s)
{
	struct mem_thread_end r = {
		.tid = s->tid, .time = s->ended, .cpu = s->cpu
	};

	if (!s->is_told)
		report_thread(o, s);
	if (!s->is_sampled && s->has_no_chance && samples_time())
		report.too_short += s->cpu;
	OUT_ADD(o, MEM_THREAD_END, r);
	s->is_told = false;
	if (s->has_file)
		report.write_lost += s->out->lost;
	s->has_file = false;
	__atomic_store_n(&s->state, SELF_FREE, __ATOMIC_RELEASE);
}

void
report_paths(struct outbuf *o)
{
	const struct path *p;

	while ((p = paths_after(report.last)) != NULL) {
		struct mem_path r = { .path = p->number,
			.epoch = p->epoch,
			.n = p->n,
			.flags = p->is_cut ? MEM_PATH_CUT : 0 };

		out_add(o, MEM_PATH, &r, offsetof(struct mem_path, address),
			p->address, p->n * sizeof(p->address[0]));
		report.last = p;
	}
}

static void
loss(struct outbuf *o, enum mem_lost kind, uint64_t count, int error)
{
	struct mem_loss r = { .kind = kind,
		.error = (uint32_t)error,
		.time = ticks_ns(),
		.count = count };

	if (count == report.lost[kind])
		return;
	report.lost[kind] = count;
	OUT_ADD(o, MEM_LOSS, r);
}

void
report_losses(struct outbuf *o, struct report_losses of)
{
	uint64_t nested = 0, memory = 0, path = 0,
		 bytes = report.write_lost + o->lost;

	for (struct self *s = self_all(); s != NULL; s = s->next) {
		nested += __atomic_load_n(&s->nested, __ATOMIC_RELAXED);
		memory += __atomic_load_n(&s->no_memory, __ATOMIC_RELAXED);
		path += __atomic_load_n(&s->no_path, __ATOMIC_RELAXED);
		bytes += s->has_file ? s->out->lost : 0;
	}
	if (o->lost != report.lost_then) /* the records of these losses could
	                                  * not be written either */
		memset(report.lost, 0, sizeof(report.lost));
	report.lost_then = o->lost;
	loss(o, MEM_LOST_RING, of.ring, 0);
	loss(o, MEM_LOST_THROTTLE, of.throttled, 0);
	loss(o, MEM_LOST_TOOL, of.in_tool, 0);
	loss(o, MEM_LOST_THREAD,
		__atomic_load_n(&report.unsampled, __ATOMIC_RELAXED),
		__atomic_load_n(&report.unsampled_error, __ATOMIC_RELAXED));
	loss(o, MEM_LOST_NESTED, nested, 0);
	loss(o, MEM_LOST_MEMORY, memory, 0);
	loss(o, MEM_LOST_PATH, path, 0);
	loss(o, MEM_LOST_WRITE, bytes, 0);
	loss(o, MEM_LOST_SHORT, report.too_short / 1000000, 0);
}

/* Returns ns of CPU time of a running thread; 0: unknown. */
static uint64_t
cpu_of(int tid)
{
	struct timespec used = { 0, 0 };
	/* the kernel's encoding of that clock */
	clockid_t clock = (clockid_t)((~(unsigned)tid << 3) | 6);

	if (weft_kernel_clock(clock, &used) != 0)
		return 0;
	return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

/* Writes the end of threads that still run: they end with the process. */
static void
end_rest(struct outbuf *o, uint64_t now)
{
	for (struct self *s = self_all(); s != NULL; s = s->next) {
		struct mem_thread_end r = { .tid = s->tid, .time = now };

		if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) !=
				SELF_ALIVE ||
			!s->is_told)
			continue;
		r.cpu = cpu_of(s->tid);
		OUT_ADD(o, MEM_THREAD_END, r);
	}
}

void
report_end(struct outbuf *o)
{
	struct mem_end r = { .time = ticks_ns() };

	end_rest(o, r.time);
	report_paths(o);
	OUT_ADD(o, MEM_END, r);
}

void
report_unsampled(int error)
{
	__atomic_store_n(&report.unsampled_error, error, __ATOMIC_RELAXED);
	__atomic_fetch_add(&report.unsampled, 1, __ATOMIC_RELAXED);
}

void
report_forked(void)
{
	memset(&report, 0, sizeof(report));
}
