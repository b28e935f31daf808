/* SPDX-License-Identifier: MIT */
/*
 * measure.c - runs a command and writes "wall user system peak_kib status" to
 * a file: seconds, and the peak of resident memory.
 *
 * This is a small program because the kernel adds the memory of the forking
 * process to the peak of the child: a script would add its own size.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "bench.h"

static pid_t
start(char **argv)
{
	pid_t pid = fork();

	if (pid < 0)
		bench_die(BENCH_COULD_NOT, "fork: %s", strerror(errno));
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* if this program is
		                                   * killed, the command is
		                                   * killed, too */
		execvp(argv[0], argv);
		fprintf(stderr, "measure: cannot run %s: %s\n", argv[0],
			strerror(errno));
		_exit(127);
	}
	return pid;
}

int
main(int argc, char **argv)
{
	struct rusage u;
	double wall;
	int status;
	pid_t pid;
	FILE *to;

	if (argc < 3 || argv[1][0] == '-') {
		fprintf(stderr,
			"usage: measure RESULT COMMAND [ARGUMENT...]\n");
		return BENCH_USAGE;
	}
	to = fopen(argv[1], "we");
	if (to == NULL)
		bench_die(BENCH_COULD_NOT, "cannot create %s: %s", argv[1],
			strerror(errno));
	wall = bench_wall();
	pid = start(argv + 2);
	while (wait4(pid, &status, 0, &u) < 0)
		if (errno != EINTR)
			bench_die(BENCH_COULD_NOT, "wait: %s", strerror(errno));
	wall = bench_wall() - wall;
	status = WIFEXITED(status) ? WEXITSTATUS(status)
				   : 128 + WTERMSIG(status);
	fprintf(to, "%.6f %.6f %.6f %ld %d\n", wall, bench_seconds(u.ru_utime),
		bench_seconds(u.ru_stime), u.ru_maxrss, status);
	if (fclose(to) != 0)
		bench_die(BENCH_COULD_NOT, "cannot write %s: %s", argv[1],
			strerror(errno));
	return 0;
}
