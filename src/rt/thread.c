/* SPDX-License-Identifier: MIT */
#include "rt/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "rt/attr.h"
#include "rt/auto.h"
#include "rt/clock.h"
#include "rt/drain.h"
#include "rt/flight.h"
#include "rt/place.h"
#include "rt/pool.h"
#include "rt/proc.h"
#include "rt/record.h"
#include "rt/writer.h"

/* Where weft_self points as long as a thread has no ring: no room at all. */
static uint64_t none_head;
static const struct weft_line none_line;
static struct weft_ring none = { .head = &none_head, .line = &none_line };
WEFT_API __thread struct weft_ring *weft_self = &none;

/* What a thread has that there was no memory for: it records nothing. */
static struct thread nobody = {
	.ring = { .head = &none_head, .line = &none_line }, .tid = -1, .cpu = -1
};

static __thread struct thread *self;
static __thread enum thread_state state;

struct thread *
weft_rt_thread(void)
{
	/* a fork wipes the pages of its parent's threads */
	return self && self->tid != 0 ? self : NULL;
}

enum thread_state
weft_rt_thread_state(void)
{
	if (state == THREAD_READY && !weft_rt_thread())
		return THREAD_NEW;
	return state;
}

static void
stream_path(struct thread *th, const char *folder, const char *file)
{
	snprintf(th->path, sizeof(th->path), "%s/thread.%d%s%s", folder,
		th->tid, file[0] != '\0' ? "/" : "", file);
}

/* Opens the stream's file and says where it ends: the kernel gives the id of a
 * dead thread to a new one, which goes on behind it. */
static bool
open_stream(struct thread *th, uint64_t *end)
{
	static const unsigned char head[8] = { 'o', 'v', 'n', 'i', 1 };
	struct stat st;
	int fd;
	bool ok;

	stream_path(th, weft_rt_proc->folder, "");
	if (weft_rt_proc->temp[0] != '\0' && !weft_rt_folder_make(th->path))
		return false;
	stream_path(th, weft_rt_proc_place(), "");
	if (!weft_rt_folder_make(th->path))
		return false;
	stream_path(th, weft_rt_proc_place(), "stream.obs");
	fd = open(th->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return false;
	ok = fstat(fd, &st) == 0;
	*end = ok && st.st_size > 8 ? (uint64_t)st.st_size - 8 : 0;
	errno = ENOSPC; /* of a short write */
	if (ok && st.st_size < 8)
		ok = pwrite(fd, head, sizeof(head), 0) == sizeof(head);
	close(fd);
	return ok;
}

static void
set_up(struct thread *th, uint64_t start)
{
	struct ringfile *f = th->mem.file;

	weft_rt_ring_reset(&th->mem, weft_rt_proc->pid, th->tid, start);
	th->ring.res = start;
	th->ring.head = &f->head;
	th->ring.base = th->mem.data;
	th->ring.mask = f->size - 1;
	weft_rt_clock_attach(&th->ring);
	weft_rt_meta_require(&th->meta, "ovni", "1.1.0");
	if (th->is_auto)
		weft_rt_auto_meta(&th->meta);
	stream_path(th, weft_rt_proc_place(), "stream.json");
	if (start > 0)
		th->meta.earlier = weft_rt_attr_earlier(th->path);
	if (!weft_rt_thread_save(th, false))
		th->has_stream = false;
	th->ring.limit = 0; /* the first event asks for room */
}

static struct thread *
make(int tid, bool is_auto)
{
	struct thread *th = weft_rt_pool_take();
	uint64_t end = 0;

	if (!th)
		return NULL;
	th->tid = tid;
	th->is_auto = is_auto;
	th->ring.line = &none_line;
	th->ring.head = &none_head;
	if (!th->mem.file) {
		weft_rt_proc_trouble(errno, "memory for a ring");
		return th;
	}
	th->has_stream = open_stream(th, &end);
	if (th->has_stream)
		set_up(th, end);
	else
		weft_rt_proc_trouble(errno, weft_rt_proc_place());
	return th;
}

/* Under the process's lock. */
static struct thread *
start(int tid, bool is_auto)
{
	struct thread *th = make(tid, is_auto);

	if (th) {
		th->next = weft_rt_proc->threads;
		weft_rt_proc->threads = th;
	} else {
		weft_rt_proc_trouble(errno, "memory for a thread");
		th = &nobody;
	}
	self = th;
	state = THREAD_READY;
	__atomic_signal_fence(__ATOMIC_RELEASE);
	weft_self = &th->ring;
	return th;
}

struct thread *
weft_rt_thread_start(int tid)
{
	struct thread *th;
	sigset_t was;

	weft_rt_proc_lock(&was);
	th = start(tid, false);
	weft_rt_proc_unlock(&was);
	weft_rt_writer_avoid();
	return th;
}

struct thread *
weft_rt_thread_auto(void)
{
	struct thread *th = NULL;
	sigset_t was;

	if (weft_rt_thread_state() != THREAD_NEW)
		return NULL;
	weft_rt_proc_lock(&was);
	if (weft_rt_proc_auto()) {
		th = start((int)gettid(), true);
		if (th)
			weft_rt_auto_enter(th);
	}
	weft_rt_proc_unlock(&was);
	return th;
}

void
weft_rt_thread_put(struct thread *th, uint32_t first, uint64_t time,
	const void *data, uint64_t n)
{
	struct weft_ring *r = &th->ring;
	uint64_t pos = weft_reserve(&r->res, RECORD_HEAD + n);
	unsigned char *to = r->base + (pos & r->mask);

	memcpy(to, &first, 4);
	memcpy(to + 4, &time, 8);
	if (n > 0)
		memcpy(to + RECORD_HEAD, data, n);
	weft_publish(r, pos);
}

void
weft_rt_thread_count(struct thread *th, uint64_t time, bool *goes_on)
{
	struct ringfile *f = th->mem.file;
	struct ringfile_lost *last;

	if (!*goes_on && f->nlost < RINGFILE_LOST)
		f->lost[f->nlost++] = (struct ringfile_lost){ .from = time };
	*goes_on = true;
	last = &f->lost[f->nlost - 1];
	last->to = time;
	last->count++;
}

void
weft_rt_thread_lose(struct thread *th)
{
	__atomic_fetch_add(&weft_rt_proc->lost, 1, __ATOMIC_RELAXED);
	if (th->mem.file)
		weft_rt_thread_count(th, weft_rt_clock_now(), &th->is_losing);
}

/* What never got to the file is lost as well. */
static void
lose_rest(struct thread *th)
{
	struct ringfile *f = th->mem.file;
	struct ringfile_lost lost = { 0 };
	const unsigned char *record;

	for (uint64_t at = f->tail; at < f->head; at += record_size(record)) {
		record = th->mem.data + (at & (f->size - 1));
		lost.to = record_time(record);
		if (lost.count++ == 0)
			lost.from = lost.to;
	}
	__atomic_fetch_add(&weft_rt_proc->lost, lost.count, __ATOMIC_RELAXED);
	if (f->nlost < RINGFILE_LOST)
		f->lost[f->nlost++] = lost;
	else
		f->lost[f->nlost - 1].count += lost.count;
}

/* Half of the ring is the mark at which the writer should be at work. */
static bool
is_room(struct thread *th, uint64_t end)
{
	struct ringfile *f = th->mem.file;
	uint64_t tail = __atomic_load_n(&f->tail, __ATOMIC_ACQUIRE);
	uint64_t full = tail + f->size - RING_SLACK;

	if (end <= tail + f->size / 2) {
		th->ring.limit = tail + f->size / 2;
		return true;
	}
	weft_rt_writer_wake();
	if (end > full)
		return false;
	th->ring.limit = end + f->size / 16 < full ? end + f->size / 16 : full;
	return true;
}

void
weft_rt_thread_pause(unsigned turn)
{
	struct timespec t = { 0, 20000 };

	if (turn > 10)
		nanosleep(&t, NULL);
	else
		for (int i = 0; i < 100; i++)
			__builtin_ia32_pause();
}

/* A handler that came in while its thread makes room has the end of the ring,
 * but for what its own handlers may need. */
static bool
fits_slack(const struct thread *th, uint64_t end)
{
	const struct ringfile *f = th->mem.file;
	uint64_t tail = __atomic_load_n(&f->tail, __ATOMIC_ACQUIRE);

	return end <= tail + f->size - RING_SLACK / 8;
}

enum turn { TURN_DONE, TURN_FAILED, TURN_OTHER, TURN_MINE };

/* Does the writer's work, if nobody else does. Handlers have to wait: a write
 * takes long, and they have only the end of the ring meanwhile. */
static enum turn
drain_here(struct thread *th)
{
	enum turn turn = TURN_DONE;
	bool is_me = false;
	sigset_t all, was;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &was);
	if (!weft_rt_drain_take(th, &is_me)) {
		turn = is_me ? TURN_MINE : TURN_OTHER;
	} else {
		if (!weft_rt_drain(th))
			turn = TURN_FAILED;
		else if (th->mem.file->tail != *th->ring.head)
			turn = TURN_OTHER;
		weft_rt_drain_give(th);
	}
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	return turn;
}

/* The ring is full: waits for the writer, or does its work. A handler can't
 * wait for what it interrupted: a drain, or an event that is not whole. */
static bool
wait_for_room(struct thread *th, uint64_t size)
{
	for (unsigned n = 0; !weft_rt_proc->is_closing; n++) {
		enum turn turn = drain_here(th);

		if (is_room(th, th->ring.res + size))
			return true;
		if (turn == TURN_FAILED)
			return false;
		if (turn != TURN_OTHER)
			return fits_slack(th, th->ring.res + size);
		weft_rt_thread_pause(n);
	}
	return false;
}

/* Tells the timeline that the thread stood still, and that it knows. */
static bool
block(struct thread *th, uint64_t size)
{
	bool is_said = *th->ring.head == th->ring.res &&
		__atomic_load_n(&weft_rt_proc->error, __ATOMIC_RELAXED) == 0 &&
		fits_slack(th, th->ring.res + 2 * RECORD_HEAD);
	bool ok;

	if (is_said)
		weft_store(&th->ring, weft_first("OF[", 0), NULL, 0);
	ok = wait_for_room(th, size + RECORD_HEAD);
	if (is_said)
		weft_store(&th->ring, weft_first("OF]", 0), NULL, 0);
	return ok;
}

bool
weft_rt_thread_is_over(void)
{
	return weft_rt_config.max_bytes != 0 &&
		weft_rt_proc->written >= weft_rt_config.max_bytes;
}

/* Who drops events drops them because the writer is late, not for want of
 * one. */
static bool
does_wait(void)
{
	return weft_rt_config.full == FULL_BLOCK || !weft_rt_config.has_writer;
}

bool
weft_rt_thread_room(struct thread *th, uint64_t size)
{
	uint64_t end = th->ring.res + size;
	bool ok;

	if (weft_rt_proc->is_closing)
		return false; /* the trace has ended */
	if (!th->has_stream) {
		__atomic_fetch_add(&weft_rt_proc->lost, 1, __ATOMIC_RELAXED);
		return false;
	}
	if (weft_rt_config.full == FULL_OVERWRITE)
		ok = weft_rt_flight_room(th, end);
	else if (weft_rt_thread_is_over())
		ok = false;
	else
		ok = is_room(th, end) || (does_wait() && block(th, size));
	if (ok)
		th->is_losing = false;
	else if (!weft_rt_proc->is_closing)
		weft_rt_thread_lose(th);
	return ok;
}

bool
weft_rt_thread_save(struct thread *th, bool is_finished)
{
	if (!th->has_stream)
		return false;
	stream_path(th, weft_rt_proc_place(), "stream.json");
	if (weft_rt_meta_save(&th->meta, th, is_finished, th->path))
		return true;
	weft_rt_proc_trouble(errno, th->path);
	return false;
}

/* Writes what is left; a disk that is full now may have had room made. */
static void
drain_last(struct thread *th)
{
	bool is_me = false;

	for (unsigned turn = 0; !weft_rt_drain_take(th, &is_me) && !is_me;
		turn++)
		weft_rt_thread_pause(turn);
	__atomic_store_n(&weft_rt_proc->retry, 0, __ATOMIC_RELAXED);
	if (weft_rt_config.full == FULL_OVERWRITE)
		weft_rt_flight_drain(th);
	else
		weft_rt_drain(th);
	if (th->mem.file->tail != th->mem.file->head) {
		weft_rt_drain_trim(th);
		lose_rest(th);
		th->is_losing = true;
	}
}

static void
unlist(struct thread *th)
{
	struct thread **at = &weft_rt_proc->threads;

	while (*at && *at != th)
		at = &(*at)->next;
	if (*at)
		*at = th->next;
}

static void
finish(struct thread *th, bool is_whole)
{
	if (th->has_stream) {
		drain_last(th);
		th->is_emptied = true;
		/* who lost its last events did not end as it should */
		if (th->is_auto)
			is_whole = weft_rt_auto_end(th);
		weft_rt_thread_save(th, is_whole && !th->is_losing);
		if (weft_rt_proc->temp[0] != '\0')
			weft_rt_place_move(th->tid);
	}
}

void
weft_rt_thread_end(bool is_whole)
{
	struct thread *th = weft_rt_thread();
	sigset_t was;

	if (!th)
		return;
	weft_rt_proc_lock(&was);
	weft_self = &none;
	state = THREAD_FINISHED;
	self = NULL;
	weft_rt_proc_unlock(&was);
	/* not under the lock: this may write megabytes */
	finish(th, is_whole);
	weft_rt_proc_lock(&was);
	unlist(th);
	weft_rt_meta_free(&th->meta);
	if (th != &nobody)
		weft_rt_pool_give(th);
	weft_rt_proc_unlock(&was);
}
