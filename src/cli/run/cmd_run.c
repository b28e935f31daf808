/* SPDX-License-Identifier: MIT */
/* weft run - runs a program with recording on. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/leftover.h"
#include "base/log.h"
#include "base/now.h"
#include "cli/run/collect.h"
#include "cli/run/execs.h"
#include "cli/run/job.h"
#include "cli/run/kernel.h"
#include "cli/run/room.h"
#include "cli/run/run_dir.h"
#include "cli/run/unsaid_page.h"
#include "cli/shell.h"
#include "cli/trace/pipeline.h"

/* SAMPLE: the pause between samples of readiness, beside context switches and
 * instead of them. */
enum {
	NS_PER_MS = 1000000,
	KERNEL_BYTES = 16, /* of an event */
	SAMPLE_MS = 25,
	SAMPLE_ALONE_MS = 10,
	/* bytes of streams that wait in memory: of at most 8192 threads, whose
	 * files take 64 MiB */
	HELD = 2 << 20,
	HELD_FILES = 64 << 20
};

static bool
make_folder(struct run_job *j, const char *program, struct err *err)
{
	j->folder = run_dir_make(&j->arena, &j->output, program, err);
	if (j->folder == NULL)
		return false;
	j->ovni = arena_printf(&j->arena, "%s/ovni", j->folder);
	j->seen = arena_printf(&j->arena, "%s/threads", j->folder);
	return true;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists the traces in the directory: "ovni", and those of CTF. */
static void
list_traces(struct run_job *j)
{
	DIR *d = opendir(j->folder);

	j->traces.n = 0;
	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
		if (strcmp(e->d_name, "ovni") == 0 ||
			strncmp(e->d_name, "trace_", 6) == 0)
			VEC_PUSH(&j->traces, &j->arena,
				arena_strdup(&j->arena, e->d_name));
	if (d)
		closedir(d);
	if (j->traces.n > 0)
		qsort(j->traces.at, (size_t)j->traces.n, sizeof *j->traces.at,
			by_name);
}

/* Returns true if the program has begun to record by itself. */
static bool
is_recording(struct run_job *j)
{
	list_traces(j);
	return j->traces.n > 0;
}

static void
begin_watch(struct run_job *j)
{
	if (j->how == HOW_OFF)
		return;
	if (j->how != HOW_PROC) {
		if (watch_perf_open(&j->perf, j->launch.pid)) {
			j->how = HOW_PERF;
			if (j->adds_kernel)
				watch_perf_add_wakes(&j->perf, j->launch.pid);
		} else {
			j->why = errno;
			j->how = HOW_PROC;
		}
	}
	j->has_samples = j->adds_kernel;
	if (j->has_samples)
		ready_open(&j->ready, j->launch.pid,
			j->how == HOW_PERF ? SAMPLE_MS : SAMPLE_ALONE_MS,
			j->how == HOW_PERF);
	watch_init(&j->watch, j->seen, j->how == HOW_PROC ? WATCH_PROC_HZ : 0,
		room_max_bytes());
	if (j->adds_kernel && !j->is_wanted)
		watch_hold(&j->watch, HELD);
	if (j->how == HOW_PROC)
		watch_proc_open(&j->proc, &j->watch, j->launch.pid);
}

/* Returns for how many ms the loop may wait; -1: without limit. */
static int
wait_ms(const struct run_job *j)
{
	int64_t sample = (j->next_sample - now_ns()) / NS_PER_MS;
	int ms = j->how == HOW_OFF   ? -1
		: j->how == HOW_PERF ? j->perf.wait_ms
				     : 1000 / WATCH_PROC_HZ;

	if (!j->has_samples || (ms >= 0 && ms < sample))
		return ms;
	return sample < 1 ? 1 : (int)sample;
}

static void
look(struct run_job *j, bool is_last)
{
	if (j->has_samples && now_ns() >= j->next_sample)
		j->next_sample =
			now_ns() + (int64_t)ready_look(&j->ready) * NS_PER_MS;
	if (j->how == HOW_PERF)
		watch_perf_read(&j->perf, &j->watch, is_last);
	else if (j->how == HOW_PROC && !is_last)
		watch_proc_look(&j->proc, &j->watch);
}

static void
drop_watch(struct run_job *j)
{
	if (j->how == HOW_PERF)
		watch_perf_close(&j->perf);
	else if (j->how == HOW_PROC)
		watch_proc_close(&j->proc);
	watch_fini(&j->watch);
}

/* Drops the record of where threads ran, because the program's own trace shows
 * that, too. Both together would show each thread twice. */
static void
stop_watch(struct run_job *j)
{
	if (j->how == HOW_OFF)
		return;
	drop_watch(j);
	file_remove_tree(j->seen);
	j->how = HOW_OFF;
}

/* Puts a record that is removed again into memory, if nothing of it is on the
 * disk yet: ext4 takes long to make and remove thousands of small files. */
static void
place_seen(struct run_job *j)
{
	const char *rings = getenv("WEFT_RING_DIR");
	char *folder;
	int leftover;

	if (rings == NULL || *rings == '\0')
		rings = "/dev/shm";
	folder = arena_printf(&j->arena, "%s/weft-threads-XXXXXX", rings);
	if (!room_has(rings, 2 * HELD_FILES) ||
		!leftover_mkdtemp(folder, true, &leftover))
		return;
	if (watch_place(&j->watch, folder)) {
		j->seen = folder;
	} else {
		rmdir(folder);
		leftover_drop(leftover);
	}
}

/* Makes the record of where threads ran the trace, or a second trace beside the
 * program's own. */
static bool
keep_watch(struct run_job *j, bool own, struct err *err)
{
	bool ok;

	if (j->how == HOW_OFF)
		return true;
	look(j, true);
	j->cut = j->watch.cut;
	if (own && !j->is_wanted)
		place_seen(j);
	ok = watch_close(&j->watch, now_ns(), err);
	j->has_both = ok && own && j->watch.threads.n > 0;
	if (ok && !own && j->watch.threads.n > 0 &&
		rename(j->seen, j->ovni) != 0)
		ok = err_set(err, ERR_SYSTEM, "cannot create %s", j->ovni);
	drop_watch(j);
	return ok;
}

/* Returns true if the record of where threads ran is of use beside the
 * program's own trace. Samples of /proc are not: they miss switches. */
static bool
keeps_watch(const struct run_job *j)
{
	return j->is_wanted || (j->adds_kernel && j->how == HOW_PERF);
}

/* Adds what the kernel said of the threads to the program's own trace. Without
 * one, the record of where threads ran is the trace: samples would only put
 * guesses over it. */
static bool
add_kernel(struct run_job *j, bool own, struct recorded *r, struct err *err)
{
	bool has_switches = j->how == HOW_PERF && j->has_both, ok = true;
	uint64_t added = 0;

	if (!j->has_samples || !own)
		return true;
	if (r->running > 0)
		log_note("a process still runs: --collect kernel is left out");
	else
		ok = kernel_merge(has_switches ? j->seen : NULL, j->ovni,
			     &j->launch, &j->ready, &added, err) ||
			err_in(err,
				"context switches are missing in the trace");
	r->events += added;
	r->bytes += added * KERNEL_BYTES;
	return ok;
}

static void
set_environment(struct run_job *j)
{
	unsaid_begin(&j->arena, j->folder);
	setenv("OVNI_TRACEDIR", j->ovni, 1);
	setenv("WEFT_CTF_DIR", j->folder, 1);
	room_fit_rings(&j->arena);
	if (j->memory.others != NULL)
		setenv("WEFT_EVENTS", j->memory.others, 1);
	collect_select_events(&j->arena, j->collect);
	if (collect_is_any(&j->arena, j->collect))
		execs_begin(&j->arena, j->folder);
}

static void
remove_files(struct run_job *j)
{
	unsaid_end(&j->arena, j->folder, &j->unsaid);
	j->others = execs_end(&j->arena, j->folder);
}

static bool
run_program(struct run_job *j, struct err *err)
{
	set_environment(j);
	if (!launch_start(&j->launch, j->argv, err))
		return false;
	begin_watch(j);
	if (!launch_go(&j->launch, err)) {
		stop_watch(j);
		if (j->has_samples)
			ready_close(&j->ready);
		return false;
	}
	do {
		look(j, false);
		if (!keeps_watch(j) && is_recording(j))
			stop_watch(j);
	} while (!launch_wait(&j->launch, wait_ms(j)));
	return true;
}

/* Salvages and counts all traces. Returns false and sets err to the first
 * failure. */
static bool
take(struct run_job *j, bool own, struct recorded *r, struct err *err)
{
	bool ok = keep_watch(j, own, err);

	list_traces(j);
	for (int i = 0; i < j->traces.n && (own || ok); i++) {
		struct err why = { 0 };
		const char *path = arena_printf(
			&j->arena, "%s/%s", j->folder, j->traces.at[i]);

		if (!recorded_take(path, r, &why) && ok) {
			*err = why;
			ok = false;
		}
	}
	return ok;
}

static void
finish(struct run_job *j)
{
	struct recorded r = { 0 };
	struct err err = { 0 };
	bool own = is_recording(j), measured = false;
	/* If weft was called by a path, the shell may not find the plain name
	 * "weft": advice then repeats the path. */
	const char *weft = shell_word(&j->arena,
		strchr(program_invocation_name, '/') != NULL
			? program_invocation_name
			: "weft");

	j->full = room_full_disk(j->output);
	if (own && !keeps_watch(j))
		stop_watch(j);
	if (!take(j, own, &r, &err) || !add_kernel(j, own, &r, &err))
		log_error("%s", err.text);
	if (own && !j->is_wanted) { /* it is part of the program's trace */
		file_remove_tree(j->seen);
		j->has_both = false;
	}
	if (j->has_samples)
		ready_close(&j->ready);
	launch_say_end(&j->launch);
	job_say_unsaid(j);
	job_say_others(j);
	measured = job_say_memory(j, weft, own && r.events > 0);
	if (r.threads > 0 || r.streams > 0) {
		job_say_recorded(j, &r, own, weft);
	} else if (j->how == HOW_PROC && !own && !measured) {
		log_note("no thread was recorded: no sample (100 a second) "
			 "found one on a CPU");
		rmdir(j->folder);
	} else if (!measured && rmdir(j->folder) != 0) {
		log_done("output: %s", j->output);
	}
}

/* Prepares the memory recorder. It records threads itself, so they are not
 * observed. */
static bool
prepare_memory(struct run_job *j, struct err *err)
{
	if (j->memory.n == 0)
		return true;
	if (j->how == HOW_AUTO)
		j->how = HOW_OFF;
	return measure_prepare(&j->memory,
		arena_printf(&j->arena, "%s/mem", j->folder), j->argv[0], err);
}

static int
work(struct run_job *j)
{
	struct err err = { 0 };
	bool is_run;

	launch_keep_environment(&j->launch, &j->arena);
	if (!make_folder(j, j->argv[0], &err)) {
		pipeline_unable_output(&err);
		return EXIT_UNABLE;
	}
	if (!prepare_memory(j, &err) ||
		!collect_prepare(
			&j->arena, j->collect, j->is_usual, j->argv[0], &err)) {
		log_error("%s", err.text);
		rmdir(j->folder);
		return EXIT_UNABLE;
	}
	is_run = run_program(j, &err);
	remove_files(j);
	if (is_run) {
		finish(j);
	} else {
		log_error("%s: %s%s", j->argv[0], err.text,
			launch_advice(j->argv[0]));
		if (j->memory.folder != NULL)
			rmdir(j->memory.folder);
		rmdir(j->folder);
	}
	return launch_code(&j->launch);
}

/* Returns true for an -o that begins a rule such as -ovni:..., which belongs to
 * the -e before it. */
static bool
is_rule(const char *output)
{
	return output != NULL && strncmp(output, "vni", 3) == 0 &&
		(output[3] == '\0' || output[3] == ':');
}

static enum exit_code
check_options(struct run_job *j)
{
	struct err err = { 0 };

	for (int i = 0; i < CMD_TEXTS && j->events[i] != NULL; i++)
		if (!measure_parse(&j->memory, j->events[i], &err))
			return cmd_usage_error(&cmd_run, "-e %s", err.text);
	if (!collect_check(&j->arena, j->collect, &err))
		return cmd_usage_error(&cmd_run, "--collect %s", err.text);
	if (!room_check_max(&err))
		return cmd_usage_error(&cmd_run, "%s", err.text);
	if (j->events[0] != NULL && is_rule(j->output))
		return cmd_usage_error(&cmd_run,
			"-o%s: a rule belongs to the -e before it: -e %s,-o%s",
			j->output, j->events[0], j->output);
	if (room_is_overwriting() && (j->how == HOW_PERF || j->how == HOW_PROC))
		return cmd_usage_error(&cmd_run,
			"--threads does not work with WEFT_FULL=overwrite, "
			"because context switches are not overwritten; "
			"WEFT_MAX_MB limits them");
	/* only the program's own recorder can overwrite */
	j->is_refused = room_is_overwriting() && j->how == HOW_AUTO;
	if (room_is_overwriting())
		j->how = HOW_OFF;
	return EXIT_YES;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct run_job j = { 0 };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'o', "output", "DIR",
		  "record into DIR, a new directory (default: PROG-N.weft)",
		  .text = &j.output },
		{ 'e', "event", "LIST",
		  "only these events: \"none\", \"nanos6:-memory\"; of memory: "
		  "datacentric...",
		  .texts = j.events, .words = measure_words },
		{ 0, "collect", "LIST",
		  "what threads do: openmp,locks,io,sleep,kernel (default), compat or none",
		  .text = &j.collect, .words = collect_words },
		{ 0, "threads", "HOW",
		  "record where threads run: auto (if it emits no events), perf, proc, off",
		  .choice = &j.how, .choices = "auto,perf,proc,off" },
		OLD_WORD("events", "event"),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;
	int n = cmd_parse(&cmd_run, opts, argc, argv, &code);

	if (n < 0)
		return code;
	argv[n] = NULL;
	j.argv = argv;
	j.memory.arena = &j.arena;
	code = check_options(&j);
	j.is_usual = j.collect == NULL;
	if (j.is_usual)
		j.collect = collect_usual(j.events[0] != NULL);
	j.is_wanted = j.how == HOW_PERF || j.how == HOW_PROC;
	j.adds_kernel = collect_has(&j.arena, j.collect, "kernel");
	if (code == EXIT_YES)
		code = (enum exit_code)work(&j);
	arena_fini(&j.arena);
	return code;
}

const struct cmd cmd_run = {
	.name = "run",
	.brief = "run a program with recording on",
	.args = "[--] PROG [ARGUMENT...]",
	.min_args = 1,
	.max_args = INT_MAX,
	.options_first = true,
	.help = "PROG runs as it would without weft: same terminal, signals "
		"and exit code (128 + N after\nsignal N, 127 if PROG is not "
		"found, 126 if it cannot be executed). The trace is "
		"DIR/ovni.\nIf the program dies, the trace has all that was "
		"recorded before. For a program that emits\nno events, weft "
		"records every context switch of its threads, or, if the "
		"kernel does not\nreport those, where its threads run, a "
		"hundred times a second (--threads).\n\n"
		"What threads wait for is recorded, too (--collect): at the "
		"end weft prints where the time\nwent and the largest causes "
		"(docs/user/any-program.md); weft stat --causes prints it "
		"again.\n\n"
		"Three lines give a program a timeline; link it with -lovni:\n"
		"  #include <weft/trace.h>\n"
		"  static struct weft_region solve = WEFT_REGION(\"solve\");\n"
		"  weft_enter(&solve); ... weft_leave(&solve);\n"
		"\n"
		"Memory, for any dynamically linked program, or one linked by "
		"weft mem link\n(docs/user/memory.md):\n"
		"  -e datacentric  time by variable; one page fault in 257\n"
		"  -e faults       every page fault: who touches memory first\n"
		"  -e time         time by code\n"
		"  @500, @f2000    after a name: a sample every 500 us (or "
		"faults), or 2000 a second\n"
		"\n"
		"Environment of the program (docs/user/recording.md has all):\n"
		"  WEFT_EVENTS   what to record: all, none, nanos6:-memory (-e "
		"sets it)\n"
		"  WEFT_FULL     when the disk is too slow: block, drop, or "
		"overwrite the oldest\n"
		"  WEFT_RING_KB  KB of buffer for each thread (1024), in "
		"WEFT_RING_DIR (/dev/shm)\n"
		"  WEFT_MAX_MB   stop recording at this size\n"
		"  WEFT_WRITER   thread, or inline: weft starts no thread in "
		"the program\n"
		"  WEFT_CLOCK    gettime: do not use the time-stamp counter\n"
		"  WEFT_APP      number of the program in the trace (1)\n"
		"  OVNI_TMPDIR   record into this directory, move the trace at "
		"the end\n",
	.examples =
		"  weft run ./heat 100              trace in heat-1.weft\n"
		"  weft run -o t -e nanos6:-memory ./heat\n"
		"  weft run -e data ./heat 100      memory: heat-1.weft/mem\n",
	.run = run,
};
