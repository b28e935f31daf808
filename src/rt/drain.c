/* SPDX-License-Identifier: MIT */
#include "rt/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rt/clock.h"
#include "rt/hush.h"
#include "rt/proc.h"
#include "rt/stream.h"
#include "rt/writer.h"

#define RETRY 100000000u /* ns between two tries on a full disk */

bool
weft_rt_drain_take(struct stream *s, bool *is_me)
{
	int nobody = 0, me = (int)gettid();

	if (__atomic_compare_exchange_n(&s->drainer, &nobody, me, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return true;
	*is_me = nobody == me;
	return false;
}

void
weft_rt_drain_give(struct stream *s)
{
	__atomic_store_n(&s->drainer, 0, __ATOMIC_RELEASE);
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

/* Writes both, or says why not; done grows by what was written. */
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
		for (int i = 0; i < 2; i++) {
			size_t n = part[i].iov_len < (size_t)w ? part[i].iov_len
							       : (size_t)w;

			part[i].iov_base = (char *)part[i].iov_base + n;
			part[i].iov_len -= n;
			w -= (ssize_t)n;
		}
	}
	weft_rt_unhush(&limit);
	__atomic_fetch_add(&weft_rt_proc->written, *done, __ATOMIC_RELAXED);
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

/* The last end of a record up to a position: only whole records count as
 * written, what went out of the next one is written again. */
static uint64_t
whole(const struct stream *s, uint64_t from, uint64_t to)
{
	uint64_t end = from;

	while (end <= to) {
		from = end;
		if (from == to)
			break;
		end += s->format->size(s, weft_rt_stream_record(s, from));
	}
	return from;
}

/* Writes records from the tail up to a position, or as many as there is room
 * for: to moves back. */
static int
write_records(struct stream *s, int fd, uint64_t *to)
{
	unsigned char head[STREAM_HEAD];
	uint64_t tail = s->mem.file->tail, n = 0, done = 0;
	struct iovec part[2] = { { head, 0 },
		{ s->mem.data + (tail & (s->mem.file->size - 1)),
			*to - tail } };
	int error;

	if (s->format->head)
		part[0].iov_len = n = s->format->head(s, tail, *to, head);
	error = write_all(fd, part, s->at, &done);
	if (error == 0) {
		s->at += done;
		return 0;
	}
	*to = whole(s, tail, tail + (done > n ? done - n : 0));
	if (*to == tail)
		return error;
	/* the head said more than is there */
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

/* The program has no descriptor left, and the writer has its own. */
static bool
is_for_writer(int error)
{
	int writer = __atomic_load_n(&weft_rt_proc->writer, __ATOMIC_RELAXED);

	if ((error != EMFILE && error != ENFILE) || writer == 0 ||
		writer == (int)gettid() ||
		weft_rt_config.full == FULL_OVERWRITE)
		return false;
	weft_rt_writer_wake();
	return true;
}

bool
weft_rt_drain(struct stream *s)
{
	struct ringfile *f = s->mem.file;
	struct proc *p = weft_rt_proc;
	uint64_t head = __atomic_load_n(&f->head, __ATOMIC_ACQUIRE);
	int fd, error;

	if (head == f->tail)
		return true;
	if (__atomic_load_n(&p->error, __ATOMIC_RELAXED) != 0 &&
		weft_rt_clock_now() <
			__atomic_load_n(&p->retry, __ATOMIC_RELAXED))
		return false;
	fd = open_file(s);
	if (fd < 0 && is_for_writer(errno))
		return true;
	if (fd < 0)
		return is_written(s, errno);
	error = write_records(s, fd, &head);
	close(fd);
	__atomic_store_n(&f->tail, head, __ATOMIC_RELEASE);
	return is_written(s, error);
}

bool
weft_rt_drain_head(struct stream *s)
{
	uint64_t to = s->mem.file->tail;
	int fd = open_file(s), error;

	if (fd < 0)
		return false;
	error = write_records(s, fd, &to);
	close(fd);
	errno = error;
	return error == 0;
}

bool
weft_rt_drain_direct(struct stream *s, const void *head, uint64_t nhead,
	const void *data, uint64_t n)
{
	struct ringfile *f = s->mem.file;
	struct iovec part[2] = { { (void *)(uintptr_t)head, nhead },
		{ (void *)(uintptr_t)data, n } };
	uint64_t done = 0;
	int fd = open_file(s), error;

	error = fd < 0 ? errno : write_all(fd, part, s->at, &done);
	if (error == 0) {
		s->at += done;
		__atomic_store_n(
			&f->tail, f->tail + nhead + n, __ATOMIC_RELEASE);
	} else if (fd >= 0 && ftruncate(fd, (off_t)s->at) != 0) {
		error = errno;
	}
	if (fd >= 0)
		close(fd);
	return is_written(s, error);
}

void
weft_rt_drain_trim(struct stream *s)
{
	int fd = open_file(s);

	if (fd < 0)
		return;
	/* if even that fails, a reader finds a record that is cut short */
	if (ftruncate(fd, (off_t)s->at) != 0)
		weft_rt_proc->error = errno;
	close(fd);
}
