/* SPDX-License-Identifier: MIT */
#include "rt/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rt/clock.h"
#include "rt/hush.h"
#include "rt/proc.h"
#include "rt/record.h"
#include "rt/thread.h"
#include "rt/writer.h"

#define RETRY 100000000u /* ns between two tries on a full disk */

bool
weft_rt_drain_take(struct thread *th, bool *is_me)
{
	int nobody = 0, me = (int)gettid();

	if (__atomic_compare_exchange_n(&th->drainer, &nobody, me, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return true;
	*is_me = nobody == me;
	return false;
}

void
weft_rt_drain_give(struct thread *th)
{
	__atomic_store_n(&th->drainer, 0, __ATOMIC_RELEASE);
}

/* No descriptor stays open between two drains: a program may have thousands of
 * threads, or close all descriptors it did not open. */
static int
open_stream(const struct thread *th)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/thread.%d/stream.obs",
		weft_rt_proc_place(), th->tid);
	return open(path, O_WRONLY | O_CLOEXEC);
}

/* Writes all, or says why not; done grows by what was written. */
static int
write_all(int fd, const unsigned char *data, uint64_t n, uint64_t offset,
	uint64_t *done)
{
	struct hush limit;
	int error = 0;

	weft_rt_hush(&limit, SIGXFSZ);
	for (*done = 0; *done < n && error == 0;) {
		ssize_t w = pwrite(
			fd, data + *done, n - *done, (off_t)(offset + *done));

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			error = w < 0 ? errno : ENOSPC;
		else
			*done += (uint64_t)w;
	}
	weft_rt_unhush(&limit);
	__atomic_fetch_add(&weft_rt_proc->written, *done, __ATOMIC_RELAXED);
	return error;
}

static bool
is_written(int error)
{
	struct proc *p = weft_rt_proc;

	__atomic_store_n(&p->error, error, __ATOMIC_RELAXED);
	if (error == 0)
		return true;
	__atomic_store_n(
		&p->retry, weft_rt_clock_now() + RETRY, __ATOMIC_RELAXED);
	weft_rt_proc_trouble(error, "stream.obs");
	return false;
}

/* The last end of a record up to a position: only whole records count as
 * written, what went out of the next one is written again. */
static uint64_t
whole(const struct thread *th, uint64_t from, uint64_t to)
{
	const struct ringfile *f = th->mem.file;
	uint64_t end = from;

	while (end <= to) {
		from = end;
		if (from == to)
			break;
		end += record_size(th->mem.data + (from & (f->size - 1)));
	}
	return from;
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
weft_rt_drain(struct thread *th)
{
	struct ringfile *f = th->mem.file;
	struct proc *p = weft_rt_proc;
	uint64_t head = __atomic_load_n(&f->head, __ATOMIC_ACQUIRE);
	uint64_t tail = f->tail, done = 0;
	int fd, error;

	if (head == tail)
		return true;
	if (__atomic_load_n(&p->error, __ATOMIC_RELAXED) != 0 &&
		weft_rt_clock_now() <
			__atomic_load_n(&p->retry, __ATOMIC_RELAXED))
		return false;
	fd = open_stream(th);
	if (fd < 0 && is_for_writer(errno))
		return true;
	error = fd < 0 ? errno
		       : write_all(fd, th->mem.data + (tail & (f->size - 1)),
				 head - tail, 8 + tail - f->skip, &done);
	if (fd >= 0)
		close(fd);
	tail = error == 0 ? head : whole(th, tail, tail + done);
	__atomic_store_n(&f->tail, tail, __ATOMIC_RELEASE);
	return is_written(error);
}

bool
weft_rt_drain_direct(struct thread *th, const void *head, uint64_t nhead,
	const void *data, uint64_t n)
{
	struct ringfile *f = th->mem.file;
	uint64_t at = 8 + f->tail - f->skip, done = 0;
	int fd = open_stream(th), error;

	error = fd < 0 ? errno : write_all(fd, head, nhead, at, &done);
	if (error == 0)
		error = write_all(fd, data, n, at + nhead, &done);
	if (error == 0)
		__atomic_store_n(
			&f->tail, f->tail + nhead + n, __ATOMIC_RELEASE);
	else if (fd >= 0 && ftruncate(fd, (off_t)at) != 0)
		error = errno;
	if (fd >= 0)
		close(fd);
	return is_written(error);
}

void
weft_rt_drain_trim(struct thread *th)
{
	struct ringfile *f = th->mem.file;
	int fd = open_stream(th);

	if (fd < 0)
		return;
	/* if even that fails, a reader finds a record that is cut short */
	if (ftruncate(fd, (off_t)(8 + f->tail - f->skip)) != 0)
		weft_rt_proc->error = errno;
	close(fd);
}
