/* SPDX-License-Identifier: MIT */
/* Streams of CPUs, of the leader, of external threads: weft_ctf_*. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/about.h"
#include "inproc/core/assert.h"
#include "inproc/core/begin.h"
#include "inproc/core/clock.h"
#include "inproc/core/drain.h"
#include "inproc/core/ending.h"
#include "inproc/core/exit.h"
#include "inproc/core/hush.h"
#include "inproc/core/lost.h"
#include "inproc/core/pool.h"
#include "inproc/core/proc.h"
#include "inproc/core/reserve.h"
#include "inproc/core/say.h"
#include "inproc/core/slow.h"
#include "inproc/core/writer.h"
#include "inproc/ctf/ctf.h"
#include "inproc/ctf/hwc.h"
#include "inproc/ctf/kernel.h"
#include "inproc/ctf/start.h"
#include "inproc/ctf/totals.h"
#include "inproc/ctf/tracepoints.h"
#include "inproc/ctf/wire.h"

#define JOIN_TURNS 1000 /* turns to wait for a thread that joins two losses */

static uint64_t none_head;
static struct weft_ctf_ring none = { .ring = { .head = &none_head,
					     .line = &weft_rt_clock_none } };
WEFT_API __thread struct weft_ctf_ring *weft_ctf_self = &none;

/* The calling thread's own stream; a fork wipes the parent's. */
static __thread struct ctf_stream *own;

static struct ctf_stream *
stream_of(struct weft_ctf_ring *ring)
{
	return (struct ctf_stream *)(void *)((char *)ring -
		offsetof(struct ctf_stream, ring));
}

static uint64_t
size_of(const struct stream *s, const unsigned char *record)
{
	const struct weft_ctf_ring *r = &((const struct ctf_stream *)s)->ring;
	const struct ctf_event *e = &weft_rt_ctf->event[*record];
	uint64_t head = WEFT_CTF_HEAD + (r->tid != 0 ? 4 : 0);

	/* no event: an earlier one was recorded with undeclared fields */
	if (!e->point)
		return head;
	if (e->point->event[e->which].counters & r->counters)
		head += 8 * (uint64_t)weft_rt_ctf->ncounters;
	return head + weft_rt_ctf_fields(e, record + head);
}

/* Returns the time since the trace began. */
static uint64_t
since_start(const unsigned char *record)
{
	uint64_t time;

	memcpy(&time, record + 1, 8);
	return time;
}

static uint64_t
time_of(const struct stream *s, const unsigned char *record)
{
	return since_start(record) + ((const struct ctf_stream *)s)->ring.start;
}

static void
path_of(const struct stream *s, char path[STREAM_PATH])
{
	snprintf(path, STREAM_PATH, "%s/channel_%d", weft_rt_ctf->folder,
		((const struct ctf_stream *)s)->number);
}

static void
ring_path(const struct stream *s, char path[STREAM_PATH])
{
	snprintf(path, STREAM_PATH, "%s/.channel_%d.ring", weft_rt_ctf->folder,
		((const struct ctf_stream *)s)->number);
}

/* Counts the last packet as written if the file has grown beyond it. */
static void
settle(struct ctf_stream *s)
{
	if (s->stream.at <= s->tried.at)
		return;
	s->written = s->tried;
	__atomic_store_n(&s->stream.lost.told, s->written.begin + s->ring.start,
		__ATOMIC_RELAXED);
}

/* Returns what was lost before a time, and when the next loss begins. Returns
 * false if the producer takes long to join two losses. */
static bool
lost_before(const struct stream *s, uint64_t time, uint64_t *n, uint64_t *next)
{
	for (unsigned i = 0; i < JOIN_TURNS; i++) {
		if (weft_rt_lost_before(s, time, n, next))
			return true;
		weft_rt_stream_pause(i);
	}
	return false;
}

/* Ends a packet where the next loss lies: a packet contains no loss. */
static uint64_t
cut(const struct stream *s, uint64_t from, uint64_t to)
{
	uint64_t first = time_of(s, weft_rt_stream_record(s, from));
	uint64_t n, next;

	if (!lost_before(s, first, &n, &next) || next == UINT64_MAX)
		return to;
	while (from < to) {
		const unsigned char *record = weft_rt_stream_record(s, from);

		if (time_of(s, record) > next)
			return from;
		from += size_of(s, record);
	}
	return to;
}

/* Returns what was lost before a packet begins. */
static uint64_t
count_lost(const struct ctf_stream *s, uint64_t begin)
{
	uint64_t n, next;

	/* not known now: the next packet says it */
	if (!lost_before(&s->stream, begin, &n, &next))
		return s->written.lost;
	return n > s->written.lost ? n : s->written.lost;
}

/* A packet without events says what was lost until now. */
static uint64_t
head_of(const struct stream *stream, uint64_t from, uint64_t to,
	unsigned char head[STREAM_HEAD])
{
	struct ctf_stream *s = (struct ctf_stream *)(uintptr_t)stream;
	const struct ctf *c = weft_rt_ctf;
	uint64_t bits = 8 * (sizeof(struct ctfwire_head) + to - from);
	struct ctfwire_head h = {
		.magic = CTFWIRE_MAGIC,
		.stream = s->ring.tid != 0 ? CTFWIRE_THREAD : CTFWIRE_WORKER,
		.cpu = (uint16_t)(s->number < c->last_cpu + 2
				? s->number
				: c->last_cpu + 2),
		.packet_bits = bits,
		.content_bits = bits,
	};
	const unsigned char *last = NULL;

	settle(s);
	if (from == to)
		h.begin = h.end = weft_ctf_now();
	else
		h.begin = since_start(weft_rt_stream_record(stream, from));
	while (from < to) {
		last = weft_rt_stream_record(stream, from);
		from += size_of(stream, last);
	}
	if (last)
		h.end = since_start(last);
	h.discarded =
		count_lost(s, last ? h.begin + s->ring.start : UINT64_MAX);
	s->tried = (struct ctf_packet){ s->stream.at, h.begin, s->written.end,
		h.end, h.discarded };
	memcpy(head, &h, sizeof(h));
	return sizeof(h);
}

/* Records how long the wait took, when it ends. */
static void
say_wait(struct stream *stream, bool begins)
{
	struct ctf_stream *s = (struct ctf_stream *)stream;
	uint8_t id = weft_rt_ctf->does[WEFT_CTF_FLUSH];
	uint64_t range[2] = { s->waits_since, weft_ctf_now() };

	if (begins)
		s->waits_since = range[1];
	else if (id != 0)
		weft_ctf_store(&s->ring, id, range, sizeof(range));
}

/* Without room for another packet: adds the later losses to the last head, and
 * begins it where the packet before ends, as any part of it may be lost. */
static void
mend_last(struct ctf_stream *s)
{
	const size_t changed = offsetof(struct ctfwire_head, begin);
	struct ctfwire_head h = {
		.begin = s->written.before,
		.end = weft_ctf_now(),
		.discarded = weft_rt_stream_lost(&s->stream),
	};
	char path[STREAM_PATH];
	int fd;

	path_of(&s->stream, path);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (s->stream.at > 0 &&
		!weft_rt_hush_write(fd, (char *)&h + changed,
			sizeof(h) - changed, (off_t)(s->written.at + changed)))
		__atomic_store_n(&weft_rt_proc->error, errno, __ATOMIC_RELAXED);
	close(fd);
}

/* Writes what was lost since the last packet, at the end of the stream. */
static void
say_lost(struct ctf_stream *s)
{
	settle(s);
	if (weft_rt_stream_lost(&s->stream) == s->written.lost ||
		weft_rt_drain_head(&s->stream))
		return;
	weft_rt_drain_trim(&s->stream);
	mend_last(s);
}

/* Ends the stream's files: readers no longer need the ring. */
static void
end_files(void *stream)
{
	struct ctf_stream *s = stream;
	char path[STREAM_PATH];

	say_lost(s);
	ring_path(&s->stream, path);
	unlink(path);
}

static void
finish(struct ctf_stream *s)
{
	__atomic_store_n(&s->stream.is_emptied, true, __ATOMIC_RELAXED);
	weft_rt_ring_close(&s->ring.ring);
	if (!s->stream.has_file) {
		__atomic_fetch_add(&weft_rt_ctf->lost,
			weft_rt_stream_lost(&s->stream), __ATOMIC_RELAXED);
		return;
	}
	weft_rt_stream_drain_last(&s->stream);
	weft_rt_slow(end_files, s);
}

static void
end_with_process(struct stream *s)
{
	finish((struct ctf_stream *)s);
}

static const struct stream_format format = {
	.size = size_of,
	.time = time_of,
	.path = path_of,
	.cut = cut,
	.head = head_of,
	.wait = say_wait,
	.wait_size = WEFT_CTF_HEAD + 4 + 16,
	.end = end_with_process,
};

/* Creates an empty stream, and the file that leads to its ring. */
static bool
make_files(struct ctf_stream *s)
{
	char path[STREAM_PATH], temp[STREAM_PATH + 8], scratch[1024];
	struct text text;
	bool ok;
	int fd;

	path_of(&s->stream, path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return false;
	close(fd);
	/* the head of an empty packet tells readers which stream it is */
	if (!weft_rt_drain_head(&s->stream))
		return false;
	text = weft_rt_about_ring(&s->stream, scratch, sizeof(scratch));
	ring_path(&s->stream, path);
	ok = !text.failed && weft_rt_text_save(text.at, text.n, path, temp);
	weft_rt_text_free(&text);
	return ok;
}

/* Takes a stream; without tmpfs its ring lies in the parent directory, because
 * every visible file beside the streams is a stream. */
static struct ctf_stream *
take(void)
{
	char beside[PATH_MAX];

	snprintf(beside, sizeof(beside), "%.*s",
		(int)(strlen(weft_rt_ctf->folder) - strlen("/user")),
		weft_rt_ctf->folder);
	return (struct ctf_stream *)weft_rt_pool_take(beside);
}

/* Makes a stream, in the list. Call under the lock. NULL: no memory. */
static struct ctf_stream *
make_stream(int number, int tid)
{
	struct ctf *c = weft_rt_ctf;
	struct ctf_stream *s = take();

	if (!s || !s->stream.mem.file) {
		weft_rt_proc_trouble(errno, "memory for a ring");
		return NULL;
	}
	s->stream.format = &format;
	s->stream.ring = &s->ring.ring;
	s->number = number;
	s->ring.start = c->start;
	s->ring.tid = (uint32_t)tid;
	if (tid == 0 && c->ncounters > 0)
		s->ring.counters = WEFT_CTF_TASK | WEFT_CTF_RUNTIME;
	weft_rt_stream_set_up(&s->stream, number, 0);
	s->stream.has_file = make_files(s);
	if (!s->stream.has_file)
		weft_rt_proc_trouble(errno, c->folder);
	weft_rt_stream_list(&s->stream);
	return s;
}

/* Records an event of the library's own. */
static void
put(struct ctf_stream *s, enum weft_ctf_does does)
{
	uint8_t id = weft_rt_ctf->does[does];

	if (id != 0 && weft_rt_stream_keep(&s->stream, WEFT_CTF_HEAD + 4 + 4))
		weft_ctf_store(&s->ring, id, &s->ring.tid, 4);
}

static void
begin_thread(struct ctf_stream *s)
{
	__atomic_store_n(&s->owner, (int)gettid(), __ATOMIC_RELAXED);
	weft_ctf_self = &s->ring;
	put(s, WEFT_CTF_EXTERNAL_CREATE);
	put(s, WEFT_CTF_EXTERNAL_RESUME);
}

/* Begins the stream of a thread that owns no CPU, at its first event. */
static void
begin_external(void *none_)
{
	struct ctf *c = weft_rt_ctf;
	sigset_t was;

	(void)none_;
	if (own || !weft_rt_proc_enter(&was))
		return; /* a handler made the stream, or the process ends */
	own = make_stream(c->last_cpu + 2 + c->nexternal++, (int)gettid());
	if (own) {
		weft_rt_ending_watch();
		begin_thread(own);
	}
	weft_rt_proc_unlock(&was);
}

/* Returns the CPU's stream or the thread's own; NULL: nothing is recorded. */
static struct ctf_stream *
current(void)
{
	struct ctf_stream *s = stream_of(weft_ctf_self);

	if (!weft_rt_ctf_records())
		return NULL;
	if (weft_ctf_self != &none && s->stream.ring)
		return s;
	if (own && !own->stream.ring)
		own = NULL; /* a stream of the parent process */
	if (!own)
		weft_rt_slow(begin_external, NULL);
	else
		weft_ctf_self = &own->ring;
	return own;
}

static void
forget(void)
{
	weft_ctf_self = &none;
	own = NULL;
}

static struct stream *
stream_of_thread(void)
{
	return weft_ctf_self == &none ? NULL
				      : &stream_of(weft_ctf_self)->stream;
}

int
weft_rt_ctf_owner(void)
{
	return weft_ctf_self == &none ? 0 : stream_of(weft_ctf_self)->owner;
}

int
weft_ctf_room(uint64_t size, int layout)
{
	int error = errno, ok;
	struct ctf_stream *s;

	if (layout != WEFT_CTF_LAYOUT)
		weft_rt_die("weft_ctf",
			"compiled with layout %d of weft/ctf.h, but this "
			"libovni.so.1 has layout %d; compile again",
			layout, WEFT_CTF_LAYOUT);
	s = current();
	ok = s && weft_rt_stream_room(&s->stream, size);
	errno = error;
	return ok;
}

static struct ctf_stream **
place_of(int index)
{
	struct ctf *c = weft_rt_ctf;

	return index == WEFT_CTF_LEADER ? &c->leader : &c->cpu[index].stream;
}

static void
make_of_cpu(void *number)
{
	struct ctf *c = weft_rt_ctf;
	const int *index = number;
	bool is_leader = *index == WEFT_CTF_LEADER;
	struct ctf_stream **at = place_of(*index), *s;
	sigset_t was;

	if (!weft_rt_proc_enter(&was))
		return;
	if (!*at && !weft_rt_ctf_has_ended()) {
		s = make_stream(is_leader ? c->last_cpu + 1 : c->cpu[*index].id,
			is_leader ? (int)gettid() : 0);
		__atomic_store_n(at, s, __ATOMIC_RELEASE);
	}
	weft_rt_proc_unlock(&was);
}

/* Returns the stream of a CPU, made when it is first owned. */
static struct ctf_stream *
of_cpu(int index)
{
	struct ctf_stream **at = place_of(index);
	struct ctf_stream *s = __atomic_load_n(at, __ATOMIC_ACQUIRE);

	if (s)
		return s;
	weft_rt_slow(make_of_cpu, &index);
	weft_rt_writer_avoid();
	return *at;
}

void
weft_ctf_own(int index, int is_checked)
{
	struct ctf_stream *s;
	int owner;

	if (!weft_rt_ctf_records())
		return;
	if (index < WEFT_CTF_LEADER || index >= weft_rt_ctf->ncpus)
		weft_rt_die("weft_ctf_cpu",
			"there is no CPU %d: weft_ctf_start() declared %d",
			index, weft_rt_ctf->ncpus);
	s = of_cpu(index);
	if (!s)
		return;
	owner = __atomic_load_n(&s->owner, __ATOMIC_ACQUIRE);
	if (is_checked && owner != 0 && owner != (int)gettid())
		weft_rt_die("weft_ctf_cpu",
			"CPU %d belongs to thread %d, which has not left it",
			index, owner);
	if (index == WEFT_CTF_LEADER && owner == 0)
		begin_thread(s);
	__atomic_store_n(&s->owner, (int)gettid(), __ATOMIC_RELAXED);
	weft_ctf_self = &s->ring;
	weft_rt_hwc_open();
}

void
weft_ctf_leave(void)
{
	struct ctf_stream *s = stream_of(weft_ctf_self);

	if (weft_ctf_self == &none || !s->stream.ring || s == own)
		return;
	if (s == __atomic_load_n(&weft_rt_ctf->leader, __ATOMIC_RELAXED))
		put(s, WEFT_CTF_EXTERNAL_SHUTDOWN);
	weft_ctf_self = &none;
	__atomic_store_n(&s->owner, 0, __ATOMIC_RELEASE);
}

static void
end_thread(void)
{
	struct ctf_stream *s = own;
	sigset_t was;

	weft_ctf_leave();
	weft_rt_hwc_thread_end();
	weft_rt_totals_thread_end();
	weft_ctf_self = &none;
	own = NULL;
	if (!s || !s->stream.ring)
		return;
	WEFT_ASSERT(stream_of_a_thread_ends_with_it,
		__atomic_load_n(&s->owner, __ATOMIC_RELAXED) == gettid());
	put(s, WEFT_CTF_EXTERNAL_SHUTDOWN);
	if (!weft_rt_exit_may_end(&s->stream))
		return;
	finish(s);
	weft_rt_exit_has_ended(&s->stream);
	if (!weft_rt_proc_enter(&was))
		return;
	weft_rt_stream_unlist(&s->stream);
	weft_rt_pool_give(&s->stream);
	weft_rt_proc_unlock(&was);
}

/* Returns a stream of the trace that has not ended. */
static struct ctf_stream *
find_any(void)
{
	struct stream *s;
	sigset_t was;

	weft_rt_proc_lock(&was);
	s = weft_rt_proc->streams;
	while (s &&
		(s->format != &format ||
			__atomic_load_n(&s->is_emptied, __ATOMIC_RELAXED)))
		s = s->next;
	weft_rt_proc_unlock(&was);
	return (struct ctf_stream *)s;
}

/* Ends a stream but keeps its memory: threads may still ask for room in it. */
static void
retire(struct ctf_stream *s)
{
	sigset_t was;

	finish(s);
	weft_rt_proc_lock(&was);
	weft_rt_stream_unlist(&s->stream);
	weft_rt_ring_drop(&s->stream.mem);
	s->stream.ring = NULL;
	weft_rt_proc_unlock(&was);
}

void
weft_ctf_stop(void)
{
	struct ctf_stream *s;

	if (!weft_rt_ctf_records())
		return;
	end_thread();
	weft_rt_ctf_exit();
	while ((s = find_any()) != NULL)
		retire(s);
	if (__atomic_load_n(&weft_rt_ctf->lost, __ATOMIC_RELAXED) > 0)
		weft_rt_ctf_meta();
	weft_rt_rest();
	weft_rt_kernel_end();
}

const struct part weft_rt_ctf_part = {
	.stream = stream_of_thread,
	.thread_end = end_thread,
	.forget = forget,
	.end = weft_rt_ctf_exit,
	.turn = weft_rt_ctf_switch,
};
