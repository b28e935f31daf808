/* SPDX-License-Identifier: MIT */
#include "inproc/core/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inproc/core/aside.h"
#include "inproc/core/assert.h"
#include "inproc/core/budget.h"
#include "inproc/core/clock.h"
#include "inproc/core/config.h"
#include "inproc/core/futex.h"
#include "inproc/core/held.h"
#include "inproc/core/hush.h"
#include "inproc/core/proc.h"
#include "inproc/core/slow.h"
#include "inproc/core/stream.h"

#define RETRY 100000000u /* ns between two tries on a full disk */

#ifdef WEFT_ASSERTS
/* Returns true if the calling thread has the ring. */
static bool
is_drainer(const struct stream *s)
{
	return __atomic_load_n(&s->drainer, __ATOMIC_RELAXED) == gettid();
}
#endif

bool
weft_rt_drain_claim(struct stream *s, bool *is_me)
{
	int nobody = 0, me = (int)gettid();

	if (__atomic_compare_exchange_n(&s->drainer, &nobody, me, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return true;
	*is_me = nobody == me;
	return false;
}

/* Disables cancellation: a write is a cancellation point, and no other thread
 * could drain the ring of a cancelled thread. */
bool
weft_rt_drain_take(struct stream *s, bool *is_me)
{
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	weft_rt_proc_work(true);
	if (weft_rt_drain_claim(s, is_me)) {
		s->cancel = cancel;
		return true;
	}
	weft_rt_proc_work(false);
	pthread_setcancelstate(cancel, NULL);
	return false;
}

void
weft_rt_drain_give(struct stream *s)
{
	int cancel = s->cancel;

	/* the assert also allows a child of a handler that forked */
	WEFT_ASSERT(ring_is_given_back_by_its_drainer,
		is_drainer(s) ||
			__atomic_load_n(&s->drainer, __ATOMIC_RELAXED) == 0);
	__atomic_store_n(&s->drainer, 0, __ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&s->is_awaited, false, __ATOMIC_SEQ_CST))
		futex_wake(&s->drainer);
	weft_rt_proc_work(false);
	pthread_setcancelstate(cancel, NULL);
}

void
weft_rt_drain_wait(struct stream *s)
{
	int who;

	/* its drainer may need the lock to go on */
	WEFT_ASSERT(ring_is_not_awaited_under_the_lock, !held_is(RANK_PROC));
	__atomic_store_n(&s->is_awaited, true, __ATOMIC_SEQ_CST);
	who = __atomic_load_n(&s->drainer, __ATOMIC_SEQ_CST);
	if (who != 0)
		futex_wait(&s->drainer, who, NULL);
}

/* No descriptor stays open between two drains: a program may have thousands of
 * threads, or close all descriptors it did not open. */
static int
open_file(const struct stream *s)
{
	char path[STREAM_PATH];

	s->format->path(s, path);
	return open(path, O_WRONLY | O_CLOEXEC);
}

/* The second part may be empty, at NULL. */
static void
skip(struct iovec part[2], size_t n)
{
	for (int i = 0; i < 2 && n > 0; i++) {
		size_t of = part[i].iov_len < n ? part[i].iov_len : n;

		if (of > 0)
			part[i].iov_base = (char *)part[i].iov_base + of;
		part[i].iov_len -= of;
		n -= of;
	}
}

/* Writes both parts at a byte offset, or returns an errno; adds the bytes
 * written to *done. */
static int
write_all(int fd, struct iovec part[2], uint64_t at, uint64_t *done)
{
	struct hush limit;
	int error = 0;

	weft_rt_hush(&limit, SIGXFSZ);
	while (part[0].iov_len + part[1].iov_len > 0 && error == 0) {
		ssize_t w = pwritev(fd, part, 2, (off_t)(at + *done));

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0) {
			error = w < 0 ? errno : ENOSPC;
			break;
		}
		*done += (uint64_t)w;
		skip(part, (size_t)w);
	}
	weft_rt_unhush(&limit);
	return error;
}

static bool
is_written(const struct stream *s, int error)
{
	struct proc *p = weft_rt_proc;
	char path[STREAM_PATH];

	__atomic_store_n(&p->error, error, __ATOMIC_RELAXED);
	if (error == 0)
		return true;
	__atomic_store_n(
		&p->retry, weft_rt_clock_now() + RETRY, __ATOMIC_RELAXED);
	s->format->path(s, path);
	weft_rt_proc_trouble(error, path);
	return false;
}

/* Returns the last end of a record up to a position: only complete records
 * count as written, the rest of the next record is written again. */
static uint64_t
whole(const struct stream *s, uint64_t from, uint64_t to)
{
	uint64_t end = from;

	while (end <= to) {
		from = end;
		if (from == to)
			break;
		end += s->format->size(s, weft_rt_stream_record(s, from));
		WEFT_ASSERT(record_has_a_size, end > from);
	}
	return from;
}

/* Writes records from tail to *to after one head. On failure moves *to back to
 * the last record written. */
static int
write_records(struct stream *s, int fd, uint64_t tail, uint64_t *to)
{
	unsigned char head[STREAM_HEAD];
	uint64_t n = 0, done = 0;
	struct iovec part[2] = { { head, 0 },
		{ s->mem.data + (tail & (s->mem.file->size - 1)),
			*to - tail } };
	int error;

	if (s->format->head)
		part[0].iov_len = n = s->format->head(s, tail, *to, head);
	weft_rt_budget_spend(n);
	error = write_all(fd, part, s->at, &done);
	if (error == 0) {
		s->at += done;
		return 0;
	}
	*to = whole(s, tail, tail + (done > n ? done - n : 0));
	if (*to == tail)
		return error;
	/* the head announced more records than were written: write it again */
	done = 0;
	part[1].iov_len = 0;
	if (n > 0) {
		n = s->format->head(s, tail, *to, head);
		part[0] = (struct iovec){ head, n };
		if (write_all(fd, part, s->at, &done) != 0) {
			*to = tail;
			return error;
		}
	}
	s->at += n + *to - tail;
	return error;
}

/* Writes records from the tail on, with a head for each part. */
static int
write_tail(struct stream *s, int fd, uint64_t *to)
{
	uint64_t at = s->mem.file->tail, end = *to;
	int error = 0;

	while (error == 0 && at != end) {
		uint64_t part = end;

		if (s->format->cut)
			part = s->format->cut(s, at, end);
		error = write_records(s, fd, at, &part);
		at = part;
	}
	*to = at;
	return error;
}

struct work {
	struct stream *s;
	uint64_t to;
	const struct iovec *part; /* an event that is not in the ring */
	int error;
	int tid;        /* thread whose work it is; the child has another id */
	bool is_open;   /* the file could be opened; then `to` is the end of
	                 * the bytes that were written */
	bool is_beyond; /* that event does not count as written */
	bool is_handed; /* handed to the writer, which will report the result */
};

/* Returns true if the program has no descriptor left but the writer has its
 * own. */
static bool
is_for_writer(const struct work *w)
{
	int writer = __atomic_load_n(&weft_rt_proc->writer, __ATOMIC_RELAXED);

	if (writer == 0 || writer == w->tid || w->s->is_last ||
		weft_rt_config.full == FULL_OVERWRITE)
		return false;
	weft_rt_proc_wake();
	return true;
}

/* Closes the file and sets errno. */
static bool
end_work(struct work *w, int fd, int error)
{
	if (fd >= 0)
		close(fd);
	errno = w->error = error;
	return error == 0;
}

static bool
write_ring(void *data)
{
	struct work *w = data;
	int fd = open_file(w->s), error;

	if (fd < 0 && (errno == EMFILE || errno == ENFILE) &&
		is_for_writer(w)) {
		w->is_handed = true;
		return true;
	}
	error = fd < 0 ? errno : write_tail(w->s, fd, &w->to);
	w->is_open = fd >= 0;
	return end_work(w, fd, error);
}

static bool
drain(struct stream *s)
{
	struct ringfile *f = s->mem.file;
	struct proc *p = weft_rt_proc;
	uint64_t head = __atomic_load_n(&f->head, __ATOMIC_ACQUIRE);
	struct work w = { .s = s, .to = head, .tid = (int)gettid() };

	WEFT_ASSERT(ring_is_drained_by_its_drainer, is_drainer(s));
	WEFT_ASSERT(tail_is_at_most_a_ring_behind_the_head,
		head - f->tail <= f->size);
	if (head == f->tail)
		return true;
	if (__atomic_load_n(&p->error, __ATOMIC_RELAXED) != 0 &&
		weft_rt_clock_now() <
			__atomic_load_n(&p->retry, __ATOMIC_RELAXED))
		return false;
	weft_rt_aside(write_ring, &w);
	if (w.is_handed)
		return true;
	WEFT_ASSERT(drain_stays_between_tail_and_head,
		w.to - f->tail <= head - f->tail);
	if (w.is_open)
		__atomic_store_n(&f->tail, w.to, __ATOMIC_RELEASE);
	return is_written(s, w.error);
}

static bool
write_head(void *data)
{
	struct work *w = data;
	uint64_t to = w->s->mem.file->tail;
	int fd = open_file(w->s);

	return end_work(
		w, fd, fd < 0 ? errno : write_records(w->s, fd, to, &to));
}

static bool
drain_head(struct stream *s)
{
	struct work w = { .s = s };

	return weft_rt_aside(write_head, &w);
}

static bool
write_event(void *data)
{
	struct work *w = data;
	struct stream *s = w->s;
	struct iovec part[2] = { w->part[0], w->part[1] };
	uint64_t done = 0;
	int fd = open_file(s);
	int error = fd < 0 ? errno : write_all(fd, part, s->at, &done);

	if (error == 0)
		s->at += w->is_beyond ? 0 : done;
	else if (fd >= 0 && ftruncate(fd, (off_t)s->at) != 0)
		error = errno;
	return end_work(w, fd, error);
}

/* Arguments of a function that call() calls on a stack with room for paths. */
struct call {
	bool (*one)(struct stream *s); /* NULL: drain_event() */
	struct stream *stream;
	struct iovec part[2]; /* of that event */
	bool is_beyond, ok;
	int error;
};

static bool
drain_event(const struct call *c)
{
	struct stream *s = c->stream;
	struct ringfile *f = s->mem.file;
	struct work w = { .s = s, .part = c->part, .is_beyond = c->is_beyond };
	bool ok;

	WEFT_ASSERT(event_is_written_by_the_drainer, is_drainer(s));
	ok = weft_rt_aside(write_event, &w);
	if (c->is_beyond)
		return ok;
	if (ok)
		__atomic_store_n(&f->tail,
			f->tail + c->part[0].iov_len + c->part[1].iov_len,
			__ATOMIC_RELEASE);
	return is_written(s, w.error);
}

static bool
cut_file(void *data)
{
	struct work *w = data;
	int fd = open_file(w->s);

	/* if even that fails, readers find a truncated record */
	return end_work(w, fd,
		fd < 0 || ftruncate(fd, (off_t)w->s->at) != 0 ? errno : 0);
}

static bool
trim(struct stream *s)
{
	struct work w = { .s = s };

	if (weft_rt_aside(cut_file, &w))
		return true;
	__atomic_store_n(&weft_rt_proc->error, w.error, __ATOMIC_RELAXED);
	return false;
}

static void
call(void *arg)
{
	struct call *c = arg;

	c->ok = c->one != NULL ? c->one(c->stream) : drain_event(c);
	c->error = errno;
}

static bool
call_slow(struct call *c)
{
	weft_rt_slow(call, c);
	errno = c->error;
	return c->ok;
}

static bool
call_one(bool (*one)(struct stream *s), struct stream *s)
{
	struct call c = { .one = one, .stream = s };

	return call_slow(&c);
}

bool
weft_rt_drain(struct stream *s)
{
	return call_one(drain, s);
}

bool
weft_rt_drain_head(struct stream *s)
{
	return call_one(drain_head, s);
}

void
weft_rt_drain_trim(struct stream *s)
{
	call_one(trim, s);
}

bool
weft_rt_drain_direct(struct stream *s, const void *head, uint64_t nhead,
	const void *data, uint64_t n)
{
	struct call c = { .stream = s,
		.part = { { (void *)(uintptr_t)head, nhead },
			{ (void *)(uintptr_t)data, n } } };

	return call_slow(&c);
}

bool
weft_rt_drain_beyond(struct stream *s, const void *event, uint64_t n)
{
	struct call c = { .stream = s,
		.part = { { (void *)(uintptr_t)event, n }, { NULL, 0 } },
		.is_beyond = true };

	return call_slow(&c);
}
