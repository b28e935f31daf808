/* SPDX-License-Identifier: MIT */
#include "cli/run/watch.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/document.h"
#include "base/file.h"
#include "base/now.h"
#include "trace/obs/wire.h"
#include "trace/trace.h"

#define BUFFER_BYTES \
	(16u << 10) /* buffer of a thread; when full it is written to \ the \
	             * file */
#define BUFFER_FIRST 256u

/* The number of bytes that watch_runs() may need: events of the thread, and the
 * stop event of another thread. */
#define SWITCH_BYTES 128u

/* Returns the node's name as the recorder forms it, so that both traces would
 * belong to one node. */
static const char *
loom_name(struct arena *a)
{
	char name[256] = "";

	if (gethostname(name, sizeof name - 1) != 0 || name[0] == '\0')
		return "node";
	name[strcspn(name, "./")] = '\0';
	return arena_strdup(a, name);
}

void
watch_init(struct watch *w, const char *folder, int64_t hz, uint64_t max)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	*w = (struct watch){ .hz = hz,
		.ncpus = n < 1 ? 1 : (int)n,
		.room = max > 0 ? max : UINT64_MAX };
	w->folder = arena_strdup(&w->arena, folder);
	w->loom = loom_name(&w->arena);
	w->cpu = ARENA_ARRAY(&w->arena, struct watch_cpu, w->ncpus);
	w->snap[0] = watch_snap();
}

void
watch_hold(struct watch *w, size_t n)
{
	w->hold = n;
}

bool
watch_place(struct watch *w, const char *folder)
{
	if (!w->has_file)
		w->folder = folder;
	return !w->has_file;
}

static uint64_t
key_of(int32_t pid, int32_t tid)
{
	return (uint64_t)(uint32_t)pid << 32 | (uint32_t)tid;
}

static const char *
path_of(struct watch *w, const struct watch_thread *th, const char *name)
{
	return arena_printf(&w->arena, "%s/loom.%s/proc.%d/thread.%d%s",
		w->folder, w->loom, th->pid, th->tid, name);
}

/* Counts the buffer of a thread among those that wait in memory. */
static void
hold(struct watch *w, struct watch_thread *th)
{
	size_t n = th->has_file ? 0 : th->cap;

	w->held += n - th->held;
	th->held = n;
}

/* Returns true if the thread's stream may stay in memory, or grow there. */
static bool
may_wait(const struct watch *w, const struct watch_thread *th)
{
	return !th->has_file && w->held + th->cap <= w->hold;
}

/* Writes the buffer. No file descriptor stays open, because a program may have
 * thousands of threads. */
static void
flush(struct watch *w, struct watch_thread *th)
{
	const struct obs_file_header h = { OBS_MAGIC, OBS_VERSION };
	const char *path = path_of(w, th, "/stream.obs");
	bool ok;
	int fd;

	if (w->err.kind != ERR_NONE || th->is_ours ||
		(!th->has_file && !file_mkdir(path_of(w, th, ""), &w->err)))
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	ok = fd >= 0;
	if (ok && !th->has_file)
		ok = write(fd, &h, sizeof h) == (ssize_t)sizeof h;
	if (ok)
		ok = write(fd, th->buf, th->n) == (ssize_t)th->n;
	if (!ok)
		err_set(&w->err, ERR_SYSTEM, "cannot write %s", path);
	if (fd >= 0 && close(fd) != 0 && ok)
		err_set(&w->err, ERR_SYSTEM, "cannot write %s", path);
	th->has_file = w->has_file = true;
	th->n = 0;
	hold(w, th);
}

static void
put(struct watch *w, struct watch_thread *th, const char *mcv,
	const void *payload, size_t n)
{
	struct obs_event_header h = { .flags = (uint8_t)(n > 0 ? n - 1 : 0) };

	if (th->is_ours)
		return;
	if (th->n + sizeof h + n > BUFFER_BYTES && !may_wait(w, th))
		flush(w, th);
	if (th->n + sizeof h + n > th->cap) {
		th->cap = th->cap == 0 ? BUFFER_FIRST : 2 * th->cap;
		th->buf = mem_resize(th->buf, th->cap, 1);
		hold(w, th);
	}
	memcpy(h.mcv, mcv, sizeof h.mcv);
	memcpy(h.clock, &th->last, sizeof h.clock);
	memcpy(th->buf + th->n, &h, sizeof h);
	if (n > 0)
		memcpy(th->buf + th->n + sizeof h, payload, n);
	th->n += sizeof h + n;
	w->room -= sizeof h + n < w->room ? sizeof h + n : w->room;
	w->events++;
}

static struct watch_thread *
find(const struct watch *w, int32_t pid, int32_t tid)
{
	uint64_t *at = map_get(&w->index, key_of(pid, tid));

	return at == NULL ? NULL : &w->threads.at[*at - 1];
}

static struct watch_thread *
find_or_add(struct watch *w, int32_t pid, int32_t tid)
{
	uint64_t *at = map_put(&w->index, key_of(pid, tid));
	struct watch_thread *th;

	if (*at != 0)
		return &w->threads.at[*at - 1];
	th = VEC_ADD(&w->threads, &w->arena);
	th->pid = pid;
	th->tid = tid;
	*at = (uint64_t)w->threads.n;
	*map_put(&w->tids, (uint32_t)tid) = *at;
	return th;
}

static void
set_time(struct watch_thread *th, int64_t time)
{
	if (time > th->last)
		th->last = time;
}

static void
start(struct watch *w, struct watch_thread *th, int32_t cpu)
{
	const struct {
		int32_t cpu, creator;
		uint64_t tag;
	} payload = { cpu, -1, 0 };

	put(w, th, "OHx", &payload, sizeof payload);
}

static void
resume(struct watch *w, struct watch_thread *th, int32_t cpu)
{
	if (cpu != th->cpu) {
		put(w, th, "OHw", NULL, 0);
		put(w, th, "OAs", &cpu, sizeof cpu);
	}
	put(w, th, "OHr", NULL, 0);
}

static void
stop(struct watch *w, struct watch_thread *th, int64_t time, bool preempted)
{
	const uint32_t why = TRACE_PREEMPTED;

	set_time(th, time);
	put(w, th, "OHp", &why, preempted ? sizeof why : 0);
	th->state = WATCH_STOPPED;
	w->cpu[th->cpu].free = th->last;
}

/*
 * Stops the thread that runs on the CPU, if its own stop was lost. Returns the
 * time from which the thread may run there: a time after that stop, so that no
 * order of reading the streams shows two threads there at once.
 */
static int64_t
take_cpu(struct watch *w, const struct watch_thread *th, int32_t cpu,
	int64_t time)
{
	struct watch_cpu *c = &w->cpu[cpu];
	int32_t mine = (int32_t)(th - w->threads.at) + 1;

	if (c->on > 0 && c->on != mine) {
		struct watch_thread *other = &w->threads.at[c->on - 1];

		if (other->state == WATCH_RUNS && other->cpu == cpu)
			stop(w, other, time, false);
		time = time > c->free ? time : c->free + 1;
	}
	c->on = mine;
	return time;
}

/* Returns true if the limit is reached: the event is lost. Recording ends for
 * all threads at once, because one end is better than many gaps. */
static bool
is_refused(struct watch *w, struct watch_thread *th, int64_t time)
{
	struct watch_lost *cut;

	if (w->room >= SWITCH_BYTES)
		return false;
	w->cut++;
	cut = th == NULL || th->state == WATCH_DEAD ? &w->unseen : &th->cut;
	if (cut->count++ == 0)
		cut->from = time;
	cut->to = time > cut->to ? time : cut->to;
	return true;
}

void
watch_runs(struct watch *w, int32_t pid, int32_t tid, int32_t cpu, int64_t time)
{
	struct watch_thread *th;

	if (is_refused(w, find(w, pid, tid), time))
		return;
	th = find_or_add(w, pid, tid);
	if (cpu < 0 || cpu >= w->ncpus ||
		(th->state == WATCH_RUNS && th->cpu == cpu))
		return;
	set_time(th, take_cpu(w, th, cpu, time));
	if (th->state == WATCH_DEAD) {
		start(w, th, cpu);
	} else {
		/* The thread's stop was lost. */
		if (th->state == WATCH_RUNS)
			stop(w, th, th->last, false);
		resume(w, th, cpu);
	}
	th->cpu = cpu;
	th->state = WATCH_RUNS;
}

static void
stop_known(
	struct watch *w, int32_t pid, int32_t tid, int64_t time, bool preempted)
{
	struct watch_thread *th = find(w, pid, tid);

	if (th != NULL && th->state == WATCH_RUNS && !is_refused(w, th, time))
		stop(w, th, time, preempted);
}

void
watch_stops(struct watch *w, int32_t pid, int32_t tid, int64_t time)
{
	stop_known(w, pid, tid, time, false);
}

void
watch_preempted(struct watch *w, int32_t pid, int32_t tid, int64_t time)
{
	stop_known(w, pid, tid, time, true);
}

void
watch_woken(struct watch *w, int32_t tid, int32_t waker, int64_t time)
{
	const uint64_t *at = map_get(&w->tids, (uint32_t)tid);
	struct watch_thread *th = at == NULL ? NULL : &w->threads.at[*at - 1];

	if (th == NULL || th->state != WATCH_STOPPED || is_refused(w, th, time))
		return;
	set_time(th, time);
	put(w, th, "WHk", &waker, sizeof waker);
	w->has_wakes = true;
}

/* Writes the stream of a thread that has ended, and frees its buffer. */
static void
finish(struct watch *w, struct watch_thread *th)
{
	flush(w, th);
	mem_free(th->buf);
	th->buf = NULL;
	th->cap = 0;
	hold(w, th);
}

static void
end(struct watch *w, struct watch_thread *th, int64_t time)
{
	if (th->state == WATCH_DEAD)
		return;
	set_time(th, time);
	/* A thread that ends must be running, but its CPU may already run
	 * another thread. */
	if (th->state == WATCH_STOPPED)
		resume(w, th, th->cpu < 0 ? 0 : -1);
	else
		w->cpu[th->cpu].free = th->last;
	put(w, th, "OHe", NULL, 0);
	th->state = WATCH_DEAD;
	if (!may_wait(w, th))
		finish(w, th);
}

void
watch_is_ours(struct watch *w, int32_t pid, int32_t tid)
{
	struct watch_thread *th = find(w, pid, tid);

	/* what is in the file already stays */
	if (th != NULL)
		th->is_ours = !th->has_file;
}

void
watch_ends(struct watch *w, int32_t pid, int32_t tid, int64_t time)
{
	struct watch_thread *th = find(w, pid, tid);

	if (th != NULL)
		end(w, th, time);
}

void
watch_lost(struct watch *w, int64_t from, int64_t to, uint64_t count)
{
	if (w->gaps.n < WATCH_LOST_MAX) {
		VEC_PUSH(&w->gaps, &w->arena,
			((struct watch_lost){ from, to, count }));
	} else {
		struct watch_lost *last = &w->gaps.at[w->gaps.n - 1];

		last->to = to > last->to ? to : last->to;
		last->count += count;
	}
	w->lost += count;
}

bool
watch_is_on(const struct watch *w, int32_t pid, int32_t tid, int32_t cpu)
{
	const struct watch_thread *th = find(w, pid, tid);

	return th != NULL && th->state == WATCH_RUNS && th->cpu == cpu;
}

static void
put_cpus(struct doc *d, int n)
{
	doc_begin(d, "loom_cpus", '[');
	for (int i = 0; i < n; i++) {
		doc_begin(d, NULL, '{');
		doc_i64(d, "index", i);
		doc_i64(d, "phyid", i);
		doc_end(d, '}');
	}
	doc_end(d, ']');
}

/* Writes a gap. why: the reason why events were left out, or NULL. */
static void
put_gap(struct doc *d, const struct watch_lost *gap, const char *why)
{
	if (gap->count == 0)
		return;
	doc_begin(d, NULL, '[');
	doc_i64(d, NULL, gap->from);
	doc_i64(d, NULL, gap->to);
	doc_u64(d, NULL, gap->count);
	if (why != NULL)
		doc_word(d, NULL, why);
	doc_end(d, ']');
}

/* Writes the gaps of a thread. The first thread also gets the gaps whose
 * threads are unknown. */
static void
put_lost(struct doc *d, const struct watch *w, const struct watch_thread *th,
	bool is_first)
{
	bool has_unseen = is_first && (w->gaps.n > 0 || w->unseen.count > 0);

	if (!has_unseen && th->cut.count == 0)
		return;
	doc_begin(d, "lost", '[');
	for (int i = 0; is_first && i < w->gaps.n; i++)
		put_gap(d, &w->gaps.at[i], NULL);
	if (is_first)
		put_gap(d, &w->unseen, "limit");
	put_gap(d, &th->cut, "limit");
	doc_end(d, ']');
}

static void
put_ovni(struct doc *d, const struct watch *w, const struct watch_thread *th,
	bool is_first)
{
	doc_begin(d, "ovni", '{');
	doc_begin(d, "lib", '{');
	doc_word(d, "version", "1.14.0");
	doc_word(d, "commit", "weft " WEFT_VERSION);
	doc_end(d, '}');
	doc_word(d, "part", "thread");
	doc_i64(d, "tid", th->tid);
	doc_i64(d, "pid", th->pid);
	doc_word(d, "loom", w->loom);
	doc_i64(d, "app_id", 1);
	doc_begin(d, "require", '{');
	doc_word(d, "ovni", "1.1.0");
	if (w->has_wakes)
		doc_word(d, "wait", "1.0.0");
	doc_end(d, '}');
	if (is_first)
		put_cpus(d, w->ncpus);
	doc_i64(d, "finished", 1);
	doc_end(d, '}');
}

static bool
write_meta(struct watch *w, const struct watch_thread *th, bool is_first,
	struct err *err)
{
	struct outfile file;
	struct doc d = { 0 };

	if (!outfile_open(&file, &w->arena, path_of(w, th, "/stream.json"),
		    BUFFER_BYTES, err))
		return false;
	out_open_memory(&d.out);
	doc_begin(&d, NULL, '{');
	doc_i64(&d, "version", 3);
	put_ovni(&d, w, th, is_first);
	doc_begin(&d, "weft", '{');
	if (w->hz > 0)
		doc_i64(&d, "sampled", w->hz);
	else
		doc_bare(&d, "switches", "true");
	put_lost(&d, w, th, is_first);
	if (is_first)
		watch_put_clocks(&d, w->snap, WATCH_SNAPS, w->hz == 0);
	doc_end(&d, '}');
	doc_end(&d, '}');
	out_puts(&d.out, "\n");
	outfile_write(&file, d.out.buf, (size_t)(d.out.at - d.out.buf));
	out_close(&d.out);
	return outfile_close(&file, err);
}

bool
watch_close(struct watch *w, int64_t time, struct err *err)
{
	bool is_first = true;

	w->snap[WATCH_SNAPS - 1] = watch_snap();
	for (int i = 0; i < w->threads.n; i++)
		end(w, &w->threads.at[i], time);
	for (int i = 0; i < w->threads.n; i++)
		if (w->threads.at[i].held > 0)
			finish(w, &w->threads.at[i]);
	for (int i = 0; i < w->threads.n && w->err.kind == ERR_NONE; i++) {
		if (!w->threads.at[i].has_file)
			continue;
		write_meta(w, &w->threads.at[i], is_first, &w->err);
		is_first = false;
	}
	*err = w->err;
	return err->kind == ERR_NONE;
}

void
watch_fini(struct watch *w)
{
	for (int i = 0; i < w->threads.n; i++)
		mem_free(w->threads.at[i].buf);
	map_fini(&w->index);
	map_fini(&w->tids);
	arena_fini(&w->arena);
}
