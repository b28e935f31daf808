/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/life.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inproc/core/aside.h"
#include "inproc/core/assert.h"
#include "inproc/core/budget.h"
#include "inproc/core/clocks.h"
#include "inproc/core/directory.h"
#include "inproc/core/drain.h"
#include "inproc/core/ending.h"
#include "inproc/core/exit.h"
#include "inproc/core/gate.h"
#include "inproc/core/handler.h"
#include "inproc/core/held.h"
#include "inproc/core/hush.h"
#include "inproc/core/lost.h"
#include "inproc/core/pool.h"
#include "inproc/core/proc.h"
#include "inproc/core/reserve.h"
#include "inproc/core/slow.h"
#include "inproc/core/writer.h"
#include "inproc/ovni/auto.h"
#include "inproc/ovni/directory.h"
#include "inproc/ovni/process.h"
#include "inproc/ovni/record.h"
#include "inproc/ovni/thread.h"
/* How often the exit waits for a thread that still records. */
enum { EXIT_TURNS = 100 };

static const struct stream_format format;

static void
stream_path(struct thread *th, const char *folder, const char *file)
{
	snprintf(th->path, sizeof(th->path), "%s/thread.%d%s%s", folder,
		th->tid, file[0] != '\0' ? "/" : "", file);
}

static uint64_t
size_of(const struct stream *s, const unsigned char *record)
{
	(void)s;
	return record_size(record);
}

static uint64_t
time_of(const struct stream *s, const unsigned char *record)
{
	(void)s;
	return record_time(record);
}

static void
path_of(const struct stream *s, char path[STREAM_PATH])
{
	snprintf(path, STREAM_PATH, "%s/thread.%d/stream.obs",
		weft_rt_proc_directory(), ((const struct thread *)s)->tid);
}

static void
say_wait(struct stream *s, bool begins)
{
	weft_store(s->ring, weft_first(begins ? "OF[" : "OF]", 0), NULL, 0);
}

/* Opens the stream's file and returns where it ends: the kernel gives a dead
 * thread's id to a new thread, which continues the file. */
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
	stream_path(th, weft_rt_proc_directory(), "");
	if (!weft_rt_folder_make(th->path))
		return false;
	stream_path(th, weft_rt_proc_directory(), "stream.obs");
	fd = open(th->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return false;
	ok = fstat(fd, &st) == 0;
	*end = ok && st.st_size > 8 ? (uint64_t)st.st_size - 8 : 0;
	if (ok && st.st_size < 8)
		ok = weft_rt_hush_write(fd, head, sizeof(head), 0);
	close(fd);
	return ok;
}

static void
set_up(struct thread *th, uint64_t start)
{
	weft_rt_stream_set_up(&th->stream, th->tid, start);
	th->stream.at = 8 + start;
	weft_rt_meta_require(&th->meta, "ovni", "1.1.0");
	if (th->is_auto)
		weft_rt_auto_meta(&th->meta);
	stream_path(th, weft_rt_proc_directory(), "stream.json");
	if (start > 0) {
		th->meta.nsaved = META_OTHER;
		weft_rt_meta_before(&th->meta, th->path);
	}
	if (!weft_rt_life_save(th, false))
		th->stream.has_file = false;
}

/* Call under the process's lock. */
static void
set_teller(struct thread *th)
{
	WEFT_ASSERT(teller_is_set_under_the_lock, held_is(RANK_PROC));
	if (!weft_rt_proc->teller)
		__atomic_store_n(&weft_rt_proc->teller, th, __ATOMIC_RELAXED);
}

static void
unset_teller(const struct thread *th)
{
	const struct snap *snaps;

	if (weft_rt_proc->teller != th)
		return;
	weft_rt_proc->told = weft_rt_clocks_snaps(&snaps);
	__atomic_store_n(&weft_rt_proc->teller, NULL, __ATOMIC_RELAXED);
}

static struct thread *
make(int tid, bool is_auto)
{
	struct thread *th =
		(struct thread *)weft_rt_pool_take(weft_rt_proc_directory());
	uint64_t end = 0;

	if (!th)
		return NULL;
	th->tid = tid;
	th->is_auto = is_auto;
	th->stream.format = &format;
	weft_rt_thread_none(th);
	if (!th->stream.mem.file) {
		weft_rt_proc_trouble(errno, "memory for a ring");
		return th;
	}
	th->stream.has_file = open_stream(th, &end);
	if (th->stream.has_file && weft_rt_proc->told == 0)
		set_teller(th);
	if (th->stream.has_file)
		set_up(th, end);
	else
		weft_rt_proc_trouble(errno, weft_rt_proc_directory());
	return th;
}

/* Makes a thread that is in no list and has only its id. */
static struct thread *
make_late(int tid)
{
	struct thread *th = (struct thread *)weft_rt_pool_bare();

	if (!th)
		return &weft_rt_thread_nobody;
	th->is_late = true;
	th->tid = tid;
	weft_rt_thread_none(th);
	return th;
}

/* Call under the process's lock. */
static struct thread *
start(int tid, bool is_auto)
{
	struct thread *th = make(tid, is_auto);

	if (!th) {
		weft_rt_proc_trouble(errno, "memory for a thread");
		return weft_rt_thread_attach(&weft_rt_thread_nobody);
	}
	weft_rt_stream_list(&th->stream);
	return weft_rt_thread_attach(th);
}

struct begin {
	int tid; /* 0: started by its first event */
	struct thread *thread;
};

static void
begin(void *arg)
{
	struct begin *b = arg;
	sigset_t was;

	if (weft_rt_thread_state() == THREAD_READY) {
		b->thread = weft_rt_thread(); /* a handler has just started
		                               * it */
		return;
	}
	if (!weft_rt_proc_enter(&was)) {
		b->thread = weft_rt_thread_attach(
			make_late(b->tid != 0 ? b->tid : (int)gettid()));
		weft_rt_ending_watch();
		return;
	}
	if (b->tid != 0) {
		b->thread = start(b->tid, false);
	} else if (weft_rt_proc_auto()) {
		b->thread = start((int)gettid(), true);
		weft_rt_auto_enter(b->thread);
	}
	weft_rt_proc_unlock(&was);
}

struct thread *
weft_rt_life_start(int tid)
{
	struct begin b = { .tid = tid };

	weft_rt_slow(begin, &b);
	weft_rt_writer_offer();
	weft_rt_writer_avoid();
	return b.thread;
}

struct thread *
weft_rt_life_auto(void)
{
	struct begin b = { .tid = 0 };

	weft_rt_load();
	if (weft_rt_thread_state() == THREAD_NEW)
		weft_rt_slow(begin, &b);
	weft_rt_writer_offer();
	/* or a handler has started it since the caller looked */
	return b.thread ? b.thread : weft_rt_thread();
}

struct save {
	struct thread *thread;
	bool is_finished, ok;
};

static bool
save_aside(void *data)
{
	struct save *s = data;
	struct thread *th = s->thread;

	const struct meta_of of = weft_rt_thread_meta(th);

	return weft_rt_meta_save(&th->meta, &of, s->is_finished, th->path);
}

static void
save(void *arg)
{
	struct save *s = arg;
	struct thread *th = s->thread;

	stream_path(th, weft_rt_proc_directory(), "stream.json");
	s->ok = weft_rt_aside(save_aside, s);
	if (!s->ok)
		weft_rt_proc_trouble(errno, th->path);
}

bool
weft_rt_life_save(struct thread *th, bool is_finished)
{
	struct save s = { .thread = th, .is_finished = is_finished };

	if (th->stream.has_file)
		weft_rt_slow(save, &s);
	return s.ok;
}

struct change {
	struct thread *thread;
	void (*change)(void *);
	void *arg;
	bool ok;
};

static void
change(void *arg)
{
	struct change *c = arg;
	sigset_t was;

	if (c->thread->is_late) {
		if (c->change)
			c->change(c->arg);
		return;
	}
	weft_rt_proc_lock(&was);
	c->ok = !weft_rt_proc_is_closing();
	if (c->ok && c->change)
		c->change(c->arg);
	if (c->ok)
		weft_rt_life_save(c->thread, false);
	else
		weft_rt_ring_close(&c->thread->ring);
	weft_rt_proc_unlock(&was);
}

bool
weft_rt_life_change(struct thread *th, void (*how)(void *), void *arg)
{
	struct change c = { .thread = th, .change = how, .arg = arg };

	weft_rt_slow(change, &c);
	return c.ok;
}

struct require {
	struct thread *thread;
	const char *model, *version;
};

static void
require(void *arg)
{
	struct require *r = arg;

	weft_rt_meta_require(&r->thread->meta, r->model, r->version);
	weft_rt_gate_required(r->model);
}

void
weft_rt_life_require(struct thread *th, const char *model, const char *version)
{
	struct require r = { th, model, version };

	weft_rt_life_change(th, require, &r);
}

static void
move(void *th)
{
	weft_rt_directory_move(((struct thread *)th)->tid);
}

static void
move_back(void *th)
{
	weft_rt_directory_move_back(((struct thread *)th)->tid);
}

/* is_still: the thread records nothing more. */
static void
finish(struct thread *th, bool is_whole, bool is_still)
{
	if (th->stream.has_file) {
		bool is_put =
			is_still && th->is_auto && weft_rt_auto_put_end(th);

		weft_rt_stream_drain_last(&th->stream);
		__atomic_store_n(
			&th->stream.is_emptied, true, __ATOMIC_RELAXED);
		/* a thread that lost its last events did not end regularly,
		 * unless we can write its end */
		if (th->is_auto)
			is_whole = weft_rt_auto_end(th, is_put);
		else if (weft_rt_lost_is_last(&th->stream))
			is_whole = false;
		weft_rt_budget_give(&th->stream);
		if (weft_rt_thread_tells(th))
			weft_rt_clocks_snap();
		weft_rt_life_save(th, is_whole);
		if (weft_rt_proc->temp[0] != '\0')
			weft_rt_slow(move, th);
	}
}

static void
tell_if_last(struct thread *th)
{
	sigset_t was;

	if (!weft_rt_proc_enter(&was))
		return;
	if (weft_rt_proc->streams == &th->stream && !th->stream.next &&
		weft_rt_clocks_are_old())
		set_teller(th);
	weft_rt_proc_unlock(&was);
}

/* Closes the ring and drains it until it stays empty: a thread that still runs
 * stops at its next event, but may fill its room until then. */
static void
stop(struct thread *th)
{
	const struct ringfile *f = th->stream.mem.file;

	for (int turn = 0; turn < EXIT_TURNS; turn++) {
		weft_rt_ring_close(&th->ring);
		weft_rt_stream_drain(&th->stream);
		weft_rt_stream_pause(0);
		if (__atomic_load_n(&weft_rt_proc->error, __ATOMIC_RELAXED) !=
				0 ||
			f->tail == __atomic_load_n(&f->head, __ATOMIC_ACQUIRE))
			return;
	}
}

/* The thread whose metadata has the clocks may have ended without handing them
 * over. */
static void
tell_at_exit(struct thread *th)
{
	const struct thread *teller;
	sigset_t was;

	weft_rt_proc_lock(&was);
	teller = weft_rt_proc->teller;
	if (teller &&
		__atomic_load_n(&teller->stream.is_ended, __ATOMIC_RELAXED) &&
		weft_rt_clocks_are_old())
		unset_teller(teller);
	set_teller(th);
	weft_rt_proc_unlock(&was);
}

static void
end_with_process(struct stream *s)
{
	struct thread *th = (struct thread *)s;
	enum thread_left left = __atomic_load_n(&th->left, __ATOMIC_ACQUIRE);

	if (!s->has_file)
		return;
	tell_at_exit(th);
	if (left == LEFT_NOT)
		stop(th);
	finish(th, left == LEFT_WHOLE, left != LEFT_NOT);
}

/* Returns true for the library's own records: waits, and the start of a thread
 * that its first event started. The bridge writes a start again. */
static bool
is_ours(const struct thread *th, const unsigned char *record)
{
	if (record[1] != 'O')
		return false;
	return record[2] == 'F' ||
		(th->is_auto && record[2] == 'H' && record[3] == 'x');
}

static bool
pass(struct stream *s, const unsigned char *record, bool is_written)
{
	struct thread *th = (struct thread *)s;

	weft_rt_resume_pass(&th->resume, record, is_written);
	return is_ours(th, record);
}

static bool
bridge(struct stream *s)
{
	return weft_rt_resume_bridge(&((struct thread *)s)->resume, s);
}

/* Returns true if the metadata can be written: only the exit may write
 * attributes in a handler. */
static bool
may_save(const struct meta *m)
{
	return !(m->attr || m->earlier || m->before) ||
		!weft_rt_handler_may_be();
}

/* Ends the file. A whole one needs no ring any more: whoever looks for rings of
 * dead processes finds an unused one. */
static void
replace(struct thread *th, bool is_whole)
{
	bool ends = is_whole && th->is_auto && weft_rt_auto_end_beyond(th);

	if (weft_rt_thread_tells(th))
		weft_rt_clocks_snap();
	if (!weft_rt_life_save(th, ends)) {
		weft_rt_drain_trim(&th->stream);
	} else if (ends) {
		th->ring_id = th->stream.mem.file->id;
		th->stream.mem.file->id = 0;
		if (weft_rt_proc->temp[0] != '\0')
			weft_rt_slow(move, th);
	}
}

/* The exec failed. If the metadata cannot be written, that is reported, and it
 * is written again at the thread's end. */
static void
go_on(struct thread *th)
{
	if (th->ring_id != 0) {
		th->stream.mem.file->id = th->ring_id;
		if (weft_rt_proc->temp[0] != '\0')
			weft_rt_slow(move_back, th);
	}
	th->ring_id = 0;
	weft_rt_life_save(th, false);
}

static void
replace_stream(struct stream *s, bool begins, bool is_whole)
{
	struct thread *th = (struct thread *)s;

	if (!may_save(&th->meta))
		return;
	if (begins)
		replace(th, is_whole);
	else
		go_on(th);
}

static const struct stream_format format = {
	.size = size_of,
	.time = time_of,
	.path = path_of,
	.wait = say_wait,
	.wait_size = RECORD_HEAD,
	.pass = pass,
	.bridge = bridge,
	.replace = replace_stream,
	.end = end_with_process,
};

void
weft_rt_life_end(bool is_whole)
{
	struct thread *th = weft_rt_thread();
	sigset_t was;

	if (!th)
		return;
	if (!th->is_late)
		tell_if_last(th);
	weft_rt_thread_detach();
	if (th->is_late) {
		weft_rt_meta_free(&th->meta);
		weft_rt_pool_free(&th->stream);
		return;
	}
	if (!weft_rt_exit_may_end(&th->stream)) {
		__atomic_store_n(&th->left, is_whole ? LEFT_WHOLE : LEFT_CUT,
			__ATOMIC_RELEASE);
		return;
	}
	/* not under the lock: may write megabytes */
	finish(th, is_whole, true);
	weft_rt_exit_has_ended(&th->stream);
	weft_rt_meta_free(&th->meta);
	if (!weft_rt_proc_enter(&was))
		return; /* it stays in the list, which only the exit walks
		         * now */
	weft_rt_stream_unlist(&th->stream);
	unset_teller(th);
	if (th != &weft_rt_thread_nobody)
		weft_rt_pool_give(&th->stream);
	weft_rt_proc_unlock(&was);
}

static struct stream *
stream_of_thread(void)
{
	struct thread *th = weft_rt_thread();

	return th ? &th->stream : NULL;
}

/* A thread that its first event started ends regularly here; whether other
 * threads did is not known. */
static void
end_thread(void)
{
	struct thread *th = weft_rt_thread();

	weft_rt_life_end(th && th->is_auto);
}

const struct part weft_rt_life_part = {
	.stream = stream_of_thread,
	.thread_end = end_thread,
	.forget = weft_rt_auto_forget,
	.end = weft_rt_directory_clean,
};
