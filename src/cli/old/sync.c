/* SPDX-License-Identifier: MIT */
#include "cli/old/sync.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/leftover.h"
#include "base/log.h"
#include "base/now.h"
#include "base/team.h"
#include "cli/old/options.h"
#include "cli/ranks.h"
#include "cli/undo.h"
#include "trace/probe.h"

enum { WARM = 20, SAMPLES = 100, MOST = 1000000, SECONDS = 5 };

/* The settings that must be the same in all ranks: rank 0 sends them. */
struct plan {
	double wait;    /* seconds between two lines of the drift table */
	int32_t n;      /* round trips of a burst */
	int32_t lines;  /* lines of the drift table; 1: write the table of
	                 * offsets instead */
	int32_t is_on;  /* rank 0 can write the file */
	int32_t prints; /* -v */
};

/* The answer of one rank: its host, and its offset to rank 0. */
struct offset {
	char host[HOST_NAME_MAX + 1];
	struct probe_summary is;
};

/* A line of the drift table. */
struct drift {
	struct timespec wall; /* CLOCK_REALTIME of rank 0 */
	int64_t *offset;      /* by rank */
};

struct sync {
	struct arena arena;
	struct team team;
	struct plan plan;
	const char *path;
	struct outfile out;
	struct offset *offset; /* by rank; only rank 0 has all of them */
	struct probe *probe;   /* room for plan.n round trips */
};

static int
usage(void)
{
	if (team_is_first())
		fprintf(stderr,
			"Usage: ovnisync [-o file] [-d ndrift] [-w seconds] "
			"[-n nsamples] [-v] [-h]\n"
			"\n"
			"Measures the clock offsets between the nodes of an "
			"MPI job: mpirun -n 4 ovnisync.\n"
			"\n"
			"  -o file      the table (default: clock-offsets.txt "
			"in $OVNI_TRACEDIR or ovni)\n"
			"  -d ndrift    write a table of the drift with ndrift "
			"lines, if more than 1\n"
			"  -w seconds   time between two lines of that table "
			"(default: %d)\n"
			"  -n nsamples  round trips to each rank (default: "
			"%d)\n"
			"  -v           print each round trip\n"
			"  -h           this text\n",
			SECONDS, SAMPLES);
	return 1;
}

/* Reads a number from `least` to MOST. Returns false after a message. */
static bool
read_number(int option, const char *text, double least, double *to)
{
	char *end;

	*to = strtod(text, &end);
	if (end != text && *end == '\0' && *to >= least && *to <= MOST)
		return true;
	if (team_is_first())
		log_error("-%c %s: not a number from %.0f to %d", option, text,
			least, MOST);
	return false;
}

static bool
read_count(int option, const char *text, int least, int32_t *to)
{
	double n;

	if (!read_number(option, text, least, &n))
		return false;
	*to = (int32_t)n;
	if (*to == n)
		return true;
	if (team_is_first())
		log_error("-%c %s: not a whole number", option, text);
	return false;
}

/* Returns true if the command line is valid; prints why not. */
static bool
parse(struct sync *s, int argc, char *argv[])
{
	struct plan *p = &s->plan;
	bool ok = true;
	int c;

	opterr = 0;
	while (ok && (c = getopt(argc, argv, OLD_SYNC_OPTIONS)) != -1) {
		if (c == 'o')
			s->path = optarg;
		else if (c == 'v')
			p->prints = 1;
		else if (c == 'd')
			ok = read_count(c, optarg, 0, &p->lines);
		else if (c == 'n')
			ok = read_count(c, optarg, 1, &p->n);
		else if (c == 'w')
			ok = read_number(c, optarg, 0, &p->wait);
		else
			return usage() == 0;
	}
	if (ok && optind < argc && team_is_first())
		fprintf(stderr, "error: unexpected extra arguments\n");
	return ok && optind == argc;
}

static const char *
default_path(struct arena *a)
{
	const char *dir = getenv("OVNI_TRACEDIR");

	return arena_printf(a, "%s/clock-offsets.txt",
		dir != NULL && dir[0] != '\0' ? dir : "ovni");
}

/* Opens the file under its temporary name. */
static bool
open_table(struct sync *s)
{
	struct err err = { 0 };

	if (file_mkdir(file_parent(&s->arena, s->path), &err) &&
		outfile_open(&s->out, &s->arena, s->path, 4096, &err))
		return true;
	log_error("%s", err.text);
	return false;
}

/* Returns true if the table can be written. Only opens it for a moment, so that
 * a job that is killed during the measurement leaves no table behind. */
static bool
can_write(struct sync *s)
{
	if (access(s->path, F_OK) == 0 && !file_is_dir(s->path) &&
		!file_is_regular(s->path))
		return true; /* a pipe must not be opened twice */
	if (!open_table(s))
		return false;
	outfile_discard(&s->out);
	return true;
}

static void
name_host(struct offset *o)
{
	if (gethostname(o->host, sizeof o->host - 1) != 0 || o->host[0] == '\0')
		strcpy(o->host, "node");
}

static void
print_probes(const struct sync *s, int rank)
{
	const struct offset *o = &s->offset[rank];

	for (int i = 0; i < s->plan.n; i++)
		printf("rank=%d  sample=%d  delta=%" PRId64 "  ref=%" PRId64
		       "  cur=%" PRId64 "\n",
			rank, i, probe_offset(&s->probe[i]),
			s->probe[i].reference, s->probe[i].local);
	log_note("rank %d on %s: the shortest round trip took %" PRId64
		 " ns: the offset %" PRId64 " is at most %" PRId64 " ns wrong",
		rank, o->host, o->is.delay, o->is.offset,
		(o->is.delay + 1) / 2);
}

/* Rank 0 needs no round trips to itself. */
static void
measure_own(struct sync *s)
{
	for (int i = 0; i < s->plan.n; i++) {
		int64_t now = now_ns();

		s->probe[i] = (struct probe){ now, now, 0 };
	}
	s->offset[0].is = probe_summarize(s->probe, s->plan.n);
	if (s->plan.prints)
		print_probes(s, 0);
}

static void
measure_as_first(struct sync *s)
{
	size_t size = (size_t)s->plan.n * sizeof *s->probe;

	measure_own(s);
	for (int rank = 1; rank < s->team.size; rank++) {
		probe_answer(&s->team, rank, WARM, s->plan.n);
		team_receive(&s->team, rank, &s->offset[rank],
			sizeof s->offset[rank]);
		if (!s->plan.prints)
			continue;
		team_receive(&s->team, rank, s->probe, size);
		print_probes(s, rank);
	}
}

static void
measure_as_other(struct sync *s)
{
	struct offset *o = s->offset;

	probe_burst(&s->team, 0, WARM, s->probe, s->plan.n);
	o->is = probe_summarize(s->probe, s->plan.n);
	team_send(&s->team, 0, o, sizeof *o);
	if (s->plan.prints)
		team_send(&s->team, 0, s->probe,
			(size_t)s->plan.n * sizeof *s->probe);
}

/* Returns true if a lower rank has the same host. */
static bool
is_repeated(const struct sync *s, int rank)
{
	for (int i = 0; i < rank; i++)
		if (strcmp(s->offset[i].host, s->offset[rank].host) == 0)
			return true;
	return false;
}

static void
put_offsets(struct sync *s)
{
	outfile_printf(&s->out, "%-10s %-20s %-20s %-20s %-20s\n", "rank",
		"hostname", "offset_median", "offset_mean", "offset_std");
	for (int i = 0; i < s->team.size; i++) {
		const struct offset *o = &s->offset[i];

		if (!is_repeated(s, i))
			outfile_printf(&s->out,
				"%-10d %-20s %-20" PRId64 " %-20f %-20f\n", i,
				o->host, o->is.offset, o->is.mean,
				o->is.deviation);
	}
}

static void
put_drift_head(struct sync *s)
{
	outfile_printf(&s->out, "%-20s", "wallclock");
	for (int i = 0; i < s->team.size; i++)
		outfile_printf(&s->out, " %-20s", s->offset[i].host);
	outfile_puts(&s->out, "\n");
}

static void
put_drift(struct sync *s, const struct drift *d)
{
	char wall[40];

	snprintf(wall, sizeof wall, "%lld.%06ld", (long long)d->wall.tv_sec,
		d->wall.tv_nsec / 1000);
	outfile_printf(&s->out, "%-20s", wall);
	for (int i = 0; i < s->team.size; i++)
		outfile_printf(&s->out, " %-20" PRId64, d->offset[i]);
	outfile_puts(&s->out, "\n");
}

/* Keeps what was measured now as a line of the drift table. */
static void
keep_drift(struct sync *s, struct drift *d)
{
	clock_gettime(CLOCK_REALTIME, &d->wall);
	d->offset = ARENA_ARRAY(&s->arena, int64_t, s->team.size);
	for (int i = 0; i < s->team.size; i++)
		d->offset[i] = s->offset[i].is.offset;
}

static void
pause_for(double seconds)
{
	struct timespec t = { .tv_sec = (time_t)seconds };

	t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

/* Rank 0: measures all and writes the table. */
static bool
lead(struct sync *s)
{
	struct drift *d = ARENA_ARRAY(&s->arena, struct drift, s->plan.lines);
	struct err err = { 0 };

	for (int i = 0; i < s->plan.lines; i++) {
		if (i > 0)
			pause_for(s->plan.wait);
		measure_as_first(s);
		if (s->plan.lines > 1)
			keep_drift(s, &d[i]);
	}
	if (!open_table(s))
		return false;
	if (s->plan.lines > 1)
		put_drift_head(s);
	else
		put_offsets(s);
	for (int i = 0; s->plan.lines > 1 && i < s->plan.lines; i++)
		put_drift(s, &d[i]);
	if (outfile_close(&s->out, &err))
		return true;
	log_error("%s", err.text);
	return false;
}

/* Returns false at rank 0 if the table was not written. Other ranks do not fail
 * then: the launcher would end rank 0 at their failure. */
static bool
work(struct sync *s)
{
	bool is_first = s->team.rank == 0, ok = true;
	struct plan *p = &s->plan;

	if (is_first)
		p->is_on = can_write(s);
	team_bcast(&s->team, 0, p, sizeof *p);
	if (!p->is_on)
		return !is_first;
	s->offset = ARENA_ARRAY(
		&s->arena, struct offset, is_first ? s->team.size : 1);
	s->probe = ARENA_ARRAY(&s->arena, struct probe, p->n);
	name_host(s->offset);
	if (is_first)
		ok = lead(s);
	else
		for (int i = 0; i < p->lines; i++)
			measure_as_other(s);
	return ok;
}

int
old_sync(int argc, char *argv[])
{
	struct sync s = { .plan = { .wait = SECONDS, .n = SAMPLES } };
	bool ok;

	log_start("ovnisync");
	log_old_words();
	if (!parse(&s, argc, argv))
		return 1;
	if (s.plan.lines < 1)
		s.plan.lines = 1;
	if (s.path == NULL)
		s.path = default_path(&s.arena);
	if (!ranks_open(&s.team))
		return 1;
	/* Only rank 0 writes files and reports an interrupted job. */
	if (s.team.rank == 0)
		undo_begin("ovnisync");
	ok = work(&s);
	team_close(&s.team);
	arena_fini(&s.arena);
	return ok && fflush(stdout) == 0 ? 0 : 1;
}
