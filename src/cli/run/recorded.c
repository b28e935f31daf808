/* SPDX-License-Identifier: MIT */
#include "cli/run/recorded.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/copy.h"
#include "cli/run/glob_folders.h"
#include "cli/run/room.h"
#include "trace/obs/salvage.h"
#include "trace/source.h"

static bool
move_file(struct arena *a, const char *from, const char *to, struct err *err)
{
	if (rename(from, to) == 0)
		return true;
	if (!copy_file(a, from, to, err))
		return false;
	unlink(from);
	return true;
}

/* Moves the files of a thread's directory from OVNI_TMPDIR to the trace. */
static bool
bring(struct arena *a, const char *temp, const char *home, struct err *err)
{
	static const char *const name[] = { "stream.obs", "stream.json" };

	for (int i = 0; i < 2; i++) {
		const char *from = arena_printf(a, "%s/%s", temp, name[i]);

		if (file_is_regular(from) &&
			!move_file(a, from,
				arena_printf(a, "%s/%s", home, name[i]), err))
			return false;
	}
	rmdir(temp);
	return true;
}

/* Moves the files of all threads. The recorder creates the directories of the
 * trace at once and moves the files at the end. */
static bool
bring_all(struct arena *a, const char *folder, struct err *err)
{
	const char *temp = getenv("OVNI_TMPDIR");
	size_t n = strlen(folder);
	glob_t found;
	bool ok = true;

	if (temp == NULL || *temp == '\0' ||
		!glob_folders(a, folder, "/loom.*/proc.*/thread.*", &found))
		return true;
	for (size_t i = 0; ok && i < found.gl_pathc; i++)
		ok = bring(a,
			arena_printf(a, "%s%s", temp, found.gl_pathv[i] + n),
			found.gl_pathv[i], err);
	globfree(&found);
	return ok;
}

/* Removes unused ring buffers, on tmpfs and, where there is no tmpfs, beside
 * the streams. */
static void
drop_spares(struct arena *a, const char *folder)
{
	const char *rings = getenv("WEFT_RING_DIR");
	glob_t found;

	if (rings == NULL || *rings == '\0')
		rings = "/dev/shm";
	if (!glob_folders(a, folder, "/loom.*/proc.*", &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];
		int pid = (int)strtol(strrchr(path, '.') + 1, NULL, 10);

		/* the recorder adds a multiple of 2^22 where another process
		 * had used the directory */
		pid &= (1 << 22) - 1;
		if (pid <= 0)
			continue;
		obs_salvage_spares(a, rings, pid);
		obs_salvage_spares(a, path, pid);
	}
	globfree(&found);
}

/* Removes the unused ring buffers of a trace whose directories do not name
 * processes. */
static void
drop_spares_of(struct arena *a, const struct trace *t)
{
	const char *rings = getenv("WEFT_RING_DIR");

	if (rings == NULL || *rings == '\0')
		rings = "/dev/shm";
	for (int i = 0; i < t->processes.n; i++)
		if (t->parts.n > 0 && t->processes.at[i].pid > 0)
			obs_salvage_spares(
				a, rings, (int)t->processes.at[i].pid);
}

static struct source *
open_trace(struct arena *a, const char *folder)
{
	const struct source_options options = { .unmerged = true };
	struct findings *quiet = ARENA_NEW(a, struct findings);
	struct err err = { 0 };

	findings_init(quiet, a, 0);
	return sources_open(a, folder, &options, quiet, &err);
}

static bool
salvage(const char *folder, struct recorded *to, struct err *err)
{
	struct arena a = { 0 };
	struct salvage done = { 0 };
	struct source *source;
	bool ok = bring_all(&a, folder, err);

	source = open_trace(&a, folder);
	if (source != NULL) {
		if (source->ops->salvage != NULL)
			ok = source->ops->salvage(source, &done, err) && ok;
		drop_spares_of(&a, &source->trace);
		source_close(source);
	}
	drop_spares(&a, folder);
	to->running = done.running;
	to->cut = done.streams + done.running;
	to->salvaged = done.bytes;
	arena_fini(&a);
	return ok;
}

static void
count_stream(const struct stream *s, struct recorded *to, uint64_t *bytes)
{
	struct stat st;

	if (stat(s->file, &st) == 0)
		*bytes += (uint64_t)st.st_size;
	for (int i = 0; i < s->lost.n; i++)
		to->lost += (uint64_t)s->lost.at[i].count;
}

/* Counts the threads that did not end regularly. A process either ended its
 * streams or left their ring buffers behind, unless it was killed right at its
 * start. */
static void
count_ends(const struct trace *t, int salvaged, struct recorded *to)
{
	int no_ring = 0;

	to->cut = 0;
	for (int i = 0; i < t->threads.n; i++) {
		const struct trace_thread *th = &t->threads.at[i];

		to->confined += th->confined;
		if (th->finished || th->replaced || th->confined)
			continue;
		to->cut++;
		no_ring += t->streams.at[th->stream].ring == NULL;
	}
	to->stopped = no_ring > salvaged ? no_ring - salvaged : 0;
}

/* Counts processes; streams of no thread count as one process. */
static void
count_processes(struct arena *a, const struct trace *t, struct recorded *to)
{
	int n = t->processes.n + 1;
	uint64_t *bytes = ARENA_ARRAY(a, uint64_t, n);
	int *threads = ARENA_ARRAY(a, int, n);

	for (int i = 0; i < t->streams.n; i++) {
		const struct stream *s = &t->streams.at[i];
		int p = s->thread == TRACE_NONE
			? n - 1
			: t->threads.at[s->thread].process;

		count_stream(s, to, &bytes[p]);
		threads[p]++;
	}
	for (int i = 0; i < n; i++) {
		to->bytes += bytes[i];
		if (bytes[i] > to->most_bytes)
			to->most_bytes = bytes[i];
		if (threads[i] > to->most_threads)
			to->most_threads = threads[i];
	}
}

static void
count(const char *folder, struct recorded *to)
{
	struct arena a = { 0 };
	struct source *source = open_trace(&a, folder);
	struct event ev;

	if (source != NULL) {
		const struct trace *t = &source->trace;

		to->processes = t->processes.n;
		to->threads = t->threads.n;
		if (t->threads.n > 0)
			count_ends(t, to->cut - to->running, to);
		else
			to->streams = t->streams.n;
		while (source_next(source, &ev) == SOURCE_EVENT)
			to->events++;
		count_processes(&a, t, to);
		source_close(source);
	}
	arena_fini(&a);
}

static void
add(struct recorded *to, const struct recorded *one)
{
	to->processes += one->processes;
	to->threads += one->threads;
	to->streams += one->streams;
	to->cut += one->cut;
	to->running += one->running;
	to->confined += one->confined;
	to->stopped += one->stopped;
	to->events += one->events;
	to->lost += one->lost;
	to->bytes += one->bytes;
	to->salvaged += one->salvaged;
	if (one->most_threads > to->most_threads)
		to->most_threads = one->most_threads;
	if (one->most_bytes > to->most_bytes)
		to->most_bytes = one->most_bytes;
}

bool
recorded_take(const char *folder, struct recorded *to, struct err *err)
{
	struct recorded one = { 0 };
	bool ok = salvage(folder, &one, err);

	count(folder, &one);
	add(to, &one);
	return ok;
}

/* Prints how the threads or streams ended. */
static void
say_ends(const struct recorded *r, const char *what)
{
	if (r->running > 0)
		log_note("%d %s%s still run%s: the trace is still growing",
			r->running, what, text_plural((unsigned)r->running),
			r->running == 1 ? "s" : "");
	if (r->cut > r->running)
		log_note("%d %s%s did not end regularly", r->cut - r->running,
			what, text_plural((unsigned)(r->cut - r->running)));
	if (r->confined > 0)
		log_note("%d %s%s entered seccomp, which forbids the "
			 "recorder's system calls: nothing later is recorded "
			 "of %s",
			r->confined, what, text_plural((unsigned)r->confined),
			r->confined == 1 ? "it" : "them");
}

/* Prints the counts. */
static void
say_counts(struct arena *a, const struct recorded *r, bool is_known)
{
	bool both = r->streams > 0 && r->threads > 0;
	const char *what = r->streams > 0 && !both ? "stream" : "thread";
	int n = r->streams > 0 && !both ? r->streams : r->threads;
	const char *and = !both ? ""
				: arena_printf(a, ", %d stream%s", r->streams,
					  text_plural((unsigned)r->streams));
	const char *lost = !is_known && r->lost == 0
		? "an unknown number"
		: arena_printf(a, "%s%" PRIu64, is_known ? "" : "at least ",
			  r->lost);

	log_done("recorded %d process%s, %d %s%s%s, %" PRIu64 " event%s, %s "
		 "lost, %.3f MB",
		r->processes, r->processes == 1 ? "" : "es", n, what,
		text_plural((unsigned)n), and, r->events,
		text_plural(r->events), lost, (double)r->bytes / 1e6);
	say_ends(r, what);
	if (r->salvaged > 0)
		log_note("%" PRIu64 " bytes were salvaged from ring buffers of "
			 "dead processes",
			r->salvaged);
}

void
recorded_say(struct arena *a, const struct recorded *r, const char *full,
	bool has_warned)
{
	/* streams of CTF reserve room for the number of lost events */
	bool is_known = r->stopped == 0 && (full == NULL || r->threads == 0);
	const char *were = r->lost == 1 ? "was" : "were";

	say_counts(a, r, is_known);
	if (full != NULL && is_known && r->lost > 0)
		log_warning("%s: the disk is full: recording stopped, and "
			    "%" PRIu64 " event%s %s lost; %s",
			full, r->lost, text_plural(r->lost), were,
			room_full_advice(a, full));
	else if (full != NULL)
		log_warning("%s: the disk is full: events %s; %s", full,
			has_warned ? "were lost (the recorder's warning above "
				     "says how many)"
				   : "may be lost",
			room_full_advice(a, full));
	else if (r->stopped > 0)
		log_warning("the recording of %d thread%s stopped early: later "
			    "events were lost%s; weft check shows which "
			    "threads",
			r->stopped, text_plural((unsigned)r->stopped),
			log_is_quiet() ? "" : " (a warning above says why)");
	else if (r->lost > 0)
		log_warning("%" PRIu64 " event%s %s lost: %s", r->lost,
			text_plural(r->lost), were,
			room_advice(a, r->most_threads, r->most_bytes));
}
