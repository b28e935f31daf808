/* SPDX-License-Identifier: MIT */
/* weft sync - measures how far the clocks of machines are apart. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/now.h"
#include "base/team.h"
#include "base/text.h"
#include "cli/cmd.h"
#include "cli/ranks.h"
#include "cli/table_print.h"
#include "cli/times.h"
#include "cli/trace/sync.h"
#include "cli/trace/sync_solve.h"
#include "cli/undo.h"
#include "trace/align/table.h"
#include "trace/finding.h"

#define TABLE_MAX (64u << 20) /* bytes */

struct sync_job {
	struct arena arena;
	struct team team;
	struct sync sync;
	const char *trace, *output; /* arguments */
	const char *every, *until;
	const char *solve;  /* file of constraints, or NULL */
	int64_t step, time; /* ns between two rounds; ns of all rounds */
	bool append, show;
	int format;
	const char *path; /* path of the table */
	struct clock_table table;
	struct align align;
};

/* Reads a table of weft sync. Returns false after a message. */
static bool
read_table(struct sync_job *j, struct clock_table *table)
{
	struct findings fs;
	struct err err = { 0 };
	size_t size;
	char *text = file_read(&j->arena, j->path, TABLE_MAX, &size, &err);
	bool ok;

	if (text == NULL) {
		log_error("%s: %s", j->path, err.text);
		return false;
	}
	if (!clock_table_is(text)) {
		log_error("%s: not a table of weft sync (its first line is not "
			  "\"weft clocks 1\")",
			j->path);
		return false;
	}
	findings_init(&fs, &j->arena, 20);
	ok = clock_table_parse(table, &j->arena, text, j->path, &fs);
	for (int i = 0; i < fs.list.n; i++) {
		char line[600];

		finding_text(&fs.list.at[i], line, (int)sizeof line);
		log_warning("%s", line);
	}
	return ok;
}

/* Returns the table's path: that of the option, or of a trace's directory. */
static const char *
table_path(struct sync_job *j)
{
	const char *dir = j->trace != NULL ? j->trace : getenv("OVNI_TRACEDIR");

	if (j->output != NULL)
		return j->output;
	if (dir == NULL || dir[0] == '\0')
		dir = "ovni";
	return j->show && file_is_regular(dir)
		? dir
		: arena_printf(&j->arena, "%s/" CLOCK_TABLE_FILE, dir);
}

static const struct table_column columns[] = {
	{ .name = "host" },
	{ .name = "boot", .in = TABLE_IN_DATA },
	{ .name = "offset", .kind = TABLE_TIME },
	{ .name = "drift_ppm", .title = "drift ppm", .kind = TABLE_NUMBER },
	{ .name = "error", .title = "error", .kind = TABLE_TIME },
	{ .name = "worst_error", .title = "at most", .kind = TABLE_TIME },
	{ .name = "points", .kind = TABLE_NUMBER },
	{ .name = "how" },
};

enum { NCOLUMNS = sizeof columns / sizeof columns[0] };

static int
by_size(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* Adds the median and the largest error of a line at its points; an unknown
 * error is an empty cell. */
static void
put_errors(struct sync_job *j, struct table *t, const struct clock_line *l)
{
	int64_t *error = ARENA_ARRAY(&j->arena, int64_t, l->points.n);
	bool is_known = true;

	for (int i = 0; i < l->points.n; i++) {
		error[i] = l->points.at[i].error;
		is_known = is_known && error[i] >= 0;
	}
	qsort(error, (size_t)l->points.n, sizeof *error, by_size);
	for (int i = 0; i < 2; i++)
		if (is_known)
			table_time(t,
				error[i == 0 ? l->points.n / 2
					     : l->points.n - 1]);
		else
			table_empty(t);
}

static void
put_machine(struct sync_job *j, struct table *t, const struct clock_machine *m)
{
	const struct clock_line *l = &m->line;
	const struct clock_point *first = l->points.at;
	const struct clock_point *last = first + l->points.n - 1;

	table_word(t, m->host);
	table_word(t, m->boot);
	table_time(t, first->offset + (last->offset - first->offset) / 2);
	if (l->points.n > 1)
		table_cell(t, "%.3f",
			(double)(last->offset - first->offset) * 1e6 /
				(double)(last->local - first->local));
	else
		table_empty(t);
	put_errors(j, t, l);
	table_i64(t, l->points.n);
	table_word(t, m->how);
}

static enum exit_code
show(struct sync_job *j)
{
	struct table t = table_new(&j->arena, columns, NCOLUMNS,
		(enum table_format)j->format, "ns");
	struct clock_table *table = &j->table;

	if (!read_table(j, table))
		return EXIT_UNABLE;
	if (j->format == TABLE_TEXT)
		printf("reference: %s\n", table->host);
	for (int i = 0; i < table->machines.n; i++)
		if (table->machines.at[i].line.points.n > 0)
			put_machine(j, &t, &table->machines.at[i]);
	table_print(&t);
	return EXIT_YES;
}

static const char *
boot_of(const struct sync_machine *m)
{
	return m->boot[0] != '\0' ? m->boot : NULL;
}

/* Appends the measured points to those that the table has. */
static void
add_points(struct sync_job *j, const char *how)
{
	for (int i = 1; i < j->sync.machines.n; i++) {
		const struct sync_machine *m = &j->sync.machines.at[i];
		const struct clock_line *l = align_first(&j->align, i);
		struct clock_machine *to = clock_table_machine(
			&j->table, &j->arena, m->host, boot_of(m));

		if (to->line.points.n == 0)
			to->how = how;
		for (int k = 0; k < l->points.n; k++)
			if (!clock_line_add(
				    &to->line, &j->arena, &l->points.at[k]))
				log_warning("%s: a point is left out: its "
					    "clock has jumped since the point "
					    "before",
					m->host);
	}
}

/* Writes the table of offsets at the middle of the measurement, which the ovni
 * tools read. */
static bool
write_offsets(struct sync_job *j, const char *path, struct err *err)
{
	struct outfile out;

	if (!outfile_open(&out, &j->arena, path, 4096, err))
		return false;
	outfile_printf(&out, "%-10s %-20s %-20s %-20s %-20s\n", "rank",
		"hostname", "offset_median", "offset_mean", "offset_std");
	for (int i = 0; i < j->sync.machines.n; i++) {
		const struct sync_machine *m = &j->sync.machines.at[i];
		const struct clock_line *l = align_first(&j->align, i);
		int64_t offset = l->points.n > 0
			? l->points.at[l->points.n / 2].offset
			: 0;

		outfile_printf(&out, "%-10d %-20s %-20" PRId64 " %-20f %-20f\n",
			m->rank, m->host, offset, (double)offset, 0.0);
	}
	return outfile_close(&out, err);
}

static bool
write_table(struct sync_job *j, struct err *err)
{
	struct outfile out;

	if (!outfile_open(&out, &j->arena, j->path, 4096, err))
		return false;
	clock_table_write(&j->table, &out);
	return outfile_close(&out, err);
}

/* Writes both tables and says where. */
static bool
finish(struct sync_job *j)
{
	const char *offsets = arena_printf(&j->arena, "%s/clock-offsets.txt",
		file_parent(&j->arena, j->path));
	const struct sync_machine *first = j->sync.machines.at;
	struct err err = { 0 };
	int64_t most = 0;

	if (j->table.host == NULL) {
		j->table.host = first->host;
		j->table.boot = boot_of(first);
	}
	add_points(j, "probe");
	if (!file_mkdir(file_parent(&j->arena, j->path), &err) ||
		!write_table(j, &err) || !write_offsets(j, offsets, &err)) {
		log_error("%s", err.text);
		return false;
	}
	for (int i = 0; i < j->table.machines.n; i++) {
		const struct clock_line *l = &j->table.machines.at[i].line;

		for (int k = 0; k < l->points.n; k++)
			if (l->points.at[k].error > most)
				most = l->points.at[k].error;
	}
	log_note("%d machine%s; the offsets are at most %.3f us wrong when "
		 "measured; output: %s",
		j->sync.machines.n,
		text_plural((unsigned long long)j->sync.machines.n),
		(double)most / 1000, j->path);
	return true;
}

/* Returns true if rank 0 can go on; tells the others. */
static bool
agree(struct sync_job *j, bool go)
{
	int64_t flag = go;

	team_bcast(&j->team, 0, &flag, sizeof flag);
	return flag != 0;
}

/* Reads the table that --append continues. Returns false after a message. */
static bool
continue_table(struct sync_job *j)
{
	const struct sync_machine *first = j->sync.machines.at;

	if (!j->append || !file_is_regular(j->path))
		return true;
	if (!read_table(j, &j->table))
		return false;
	if (j->table.boot == NULL || first->boot[0] == '\0' ||
		strcmp(j->table.boot, first->boot) == 0)
		return true;
	log_error("%s: its reference is %s, and rank 0 runs on %s: start rank "
		  "0 on the same host, or write another table with -o",
		j->path, j->table.host, first->host);
	return false;
}

static void
wait_until(int64_t ns)
{
	struct timespec t = { ns / 1000000000, (long)(ns % 1000000000) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
		;
}

static enum exit_code
measure(struct sync_job *j)
{
	bool is_first = j->team.rank == 0, ok = true;
	int64_t begin, n = 0;

	sync_find(&j->sync, &j->arena, &j->team);
	if (!agree(j, !is_first || continue_table(j)))
		return is_first ? EXIT_UNABLE : EXIT_YES;
	align_init(&j->align, &j->arena, j->sync.machines.n, 0);
	begin = now_ns();
	do {
		if (n > 0 && is_first) /* the others wait for rank 0 */
			wait_until(begin + n * j->step);
		sync_round(&j->sync, &j->align);
		n++;
	} while (agree(j, j->step > 0 && n * j->step <= j->time));
	if (is_first) {
		align_begin(&j->align, begin, now_ns());
		ok = finish(j);
		align_fini(&j->align);
	}
	return ok ? EXIT_YES : EXIT_UNABLE;
}

static enum exit_code
run_job(struct sync_job *j)
{
	enum exit_code code;

	if (!ranks_open(&j->team))
		return EXIT_UNABLE;
	if (j->team.size == 1) {
		log_error("only one process: start one on each host, as in "
			  "mpirun -n 4 --map-by node weft sync");
		return EXIT_USAGE;
	}
	/* The others own no file. */
	if (j->team.rank == 0)
		undo_begin("weft sync");
	code = measure(j);
	team_close(&j->team);
	return code;
}

/* Solves a file of constraints; prints the table, or writes it with -o. */
static enum exit_code
solve(struct sync_job *j)
{
	struct err err = { 0 };
	struct outfile out;

	if (!sync_solve(&j->arena, j->solve, &j->table, &err)) {
		log_error("%s", err.text);
		return EXIT_UNABLE;
	}
	if (j->output != NULL
			? !write_table(j, &err)
			: !outfile_open_stdout(&out, &j->arena, 4096, &err)) {
		log_error("%s", err.text);
		return EXIT_UNABLE;
	}
	if (j->output != NULL)
		return EXIT_YES;
	clock_table_write(&j->table, &out);
	if (outfile_close(&out, &err))
		return EXIT_YES;
	log_error("%s", err.text);
	return EXIT_UNABLE;
}

/* Returns what goes with other actions only, or NULL. */
static const char *
solve_refuses(const struct sync_job *j)
{
	return j->trace != NULL    ? "TRACE"
		: j->append        ? "--append"
		: j->show          ? "--show"
		: j->every != NULL ? "--every"
				   : NULL;
}

/* Reads a duration. Returns false after a message. */
static bool
read_duration(const char *option, const char *text, int64_t *to)
{
	if (text == NULL || times_read(text, "ns", to))
		return true;
	cmd_usage_error(&cmd_sync, "--%s %s: not a duration, such as 10s",
		option, text);
	return false;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct sync_job j = { 0 };
	const struct option_def opts[] = {
		{ 'o', "output", "FILE",
			"the table (default: clocks.txt in TRACE)",
			.text = &j.output },
		{ .name = "append",
			.help = "add to the table that is there",
			.flag = &j.append },
		{ .name = "every",
			.arg = "T",
			.help = "measure again and again, T apart (10s)",
			.text = &j.every },
		{ .name = "for",
			.arg = "T",
			.help = "... for as long as T (1h)",
			.text = &j.until },
		{ .name = "show",
			.help = "print the table of a trace, or a table",
			.flag = &j.show },
		{ .name = "solve",
			.arg = "FILE",
			.help = "make a table of round trips and messages in "
				"FILE (-: standard input)",
			.text = &j.solve },
		{ 'f', "format", "FORMAT", "format of --show",
			.choice = &j.format, .choices = TABLE_FORMATS },
		SHORT_CSV,
		SHORT_JSON,
		{ 0 },
	};
	enum exit_code code;
	int n = cmd_parse(&cmd_sync, opts, argc, argv, &code);

	if (n < 0)
		return code;
	j.trace = n > 0 ? argv[0] : NULL;
	if (!read_duration("every", j.every, &j.step) ||
		!read_duration("for", j.until, &j.time))
		return EXIT_USAGE;
	if ((j.every == NULL) != (j.until == NULL) ||
		(j.every != NULL && j.step == 0))
		return cmd_usage_error(&cmd_sync,
			"--every and --for go together: --every 10s --for 1h");
	if (j.solve != NULL && solve_refuses(&j) != NULL)
		return cmd_usage_error(&cmd_sync,
			"--solve reads no trace and measures nothing: no %s",
			solve_refuses(&j));
	j.path = table_path(&j);
	code = j.solve != NULL ? solve(&j) : j.show ? show(&j) : run_job(&j);
	arena_fini(&j.arena);
	return code;
}

const struct cmd cmd_sync = {
	.name = "sync",
	.brief = "measure the clocks of several machines",
	.args = "[TRACE]",
	.max_args = 1,
	.help = "Measures by round trips between the processes of an MPI job "
		"how "
		"far the clocks of\ntheir machines are apart, and writes two "
		"tables into the directory of a trace\n(default: ovni): "
		"clocks.txt, with the error of each offset, and "
		"clock-offsets.txt,\nwhich the ovni tools read. Start one "
		"process on each host.\n\nClocks drift: measure before and "
		"after the program that is traced (--append), or\nbeside it "
		"(--every). weft emu and all other commands correct times "
		"along "
		"the line\nthrough the measured points. Lines of --solve are: "
		"machine HOST BOOT,\nprobe HOST OTHER T1 T2 T3 T4, message "
		"FROM TO SENT RECEIVED.",
	.examples = "  mpirun -n 4 weft sync ovni\n"
		    "  mpirun -n 4 weft sync --append ovni\n"
		    "  weft sync --show ovni\n",
	.run = run,
};
