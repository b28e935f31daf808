/* SPDX-License-Identifier: MIT */
#include "cli/trace/job.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/leftover.h"
#include "base/log.h"
#include "base/team_fork.h"
#include "cli/ranks.h"
#include "cli/trace/parts_send.h"

#define SAID 4096 /* bytes of a message of another process */

/* Another process of ours has died. */
static void
process_died(const char *why)
{
	log_error("%s", why);
	leftovers_remove();
	fflush(NULL);
	_exit(EXIT_UNABLE);
}

/* Lets another process than the first one say nothing; its messages go to a
 * file in memory. */
static void
hush(struct job *j)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		close(null);
	}
	j->said = memfd_create("weft", MFD_CLOEXEC);
	if (j->said >= 0)
		dup2(j->said, STDERR_FILENO);
	log_quiet(true);
}

bool
job_begin(struct job *j)
{
	bool first = team_is_first();
	int out = -1, err = -1;

	*j = (struct job){ .said = -1 };
	if (!first) {
		out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		hush(j);
	}
	if (!ranks_open(&j->team))
		return false;
	if (!first && j->team.size == 1) { /* WEFT_MPI is off */
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		log_quiet(false);
	}
	if (!first) {
		close(out);
		close(err);
	}
	return true;
}

void
job_fork(struct job *j, int n)
{
	struct err err = { 0 };

	if (j->team.size > 1 || n < 2)
		return;
	fflush(NULL);
	if (!team_fork(&j->team, n < TEAM_FORK_MOST ? n : TEAM_FORK_MOST,
		    process_died, &err)) {
		log_note("%s: one process does all", err.text);
		return;
	}
	j->is_forked = true;
	if (j->team.rank > 0)
		hush(j);
}

/* Returns the last line that this process has said, without the name of the
 * command and the severity. */
static const char *
last_words(struct job *j)
{
	static char text[SAID];
	char *line;
	int64_t size = j->said < 0 ? 0 : lseek(j->said, 0, SEEK_END);
	int64_t from = size > SAID - 1 ? size - (SAID - 1) : 0;
	int64_t n = size == 0 ? 0 : file_pread(j->said, text, SAID - 1, from);

	text[n > 0 ? n : 0] = '\0';
	if (n > 0 && text[n - 1] == '\n')
		text[n - 1] = '\0';
	line = strrchr(text, '\n');
	line = line == NULL ? text : line + 1;
	return strstr(line, "error: ") == NULL
		? line
		: strstr(line, "error: ") + strlen("error: ");
}

bool
job_agree(struct job *j, bool ok)
{
	struct err err = { 0 };

	if (j->team.size == 1)
		return ok;
	if (!ok)
		err_set(&err, ERR_INPUT, "%s",
			j->team.rank == 0 ? "" : last_words(j));
	if (!ok && err.text[0] == '\0')
		err = (struct err){ ERR_INPUT, "ended without a message" };
	if (parts_agree(&j->arena, &j->team, &err))
		return true;
	if (j->team.rank == 0 && ok)
		log_error("%s", err.text);
	return false;
}

bool
job_same(struct job *j, const char *things, const char *text)
{
	struct parts_bytes mine = { .arena = &j->arena };
	struct parts_all all;
	const char *first;

	if (j->team.size == 1)
		return true;
	parts_put_text(&mine, text);
	all = parts_gather(&j->arena, &j->team, &mine);
	first = parts_take_text(&(const char *){ all.at[0] });
	for (int i = 1; i < j->team.size; i++) {
		if (strcmp(parts_take_text(&(const char *){ all.at[i] }),
			    first) == 0)
			continue;
		if (j->team.rank == 0)
			log_error(
				"process %d has %s than process 0", i, things);
		return false;
	}
	return true;
}

/* Waits until all processes are done. When one exits with a code, launchers
 * send SIGTERM to those that are still there. */
static void
meet(struct team *t)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGTERM, &ignore, NULL);
	team_barrier(t);
}

enum exit_code
job_end(struct job *j, enum exit_code code)
{
	int64_t all = code;

	if (j->team.size > 1) {
		team_bcast(&j->team, 0, &all, sizeof all);
		meet(&j->team);
		/* The code of the first process is that of the job. */
		if (j->team.rank > 0)
			all = EXIT_YES;
		team_close(&j->team);
	}
	arena_fini(&j->arena);
	return (enum exit_code)all;
}
