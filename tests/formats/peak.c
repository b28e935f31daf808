/* SPDX-License-Identifier: MIT */
/*
 * peak.c - runs a command and prints the largest memory that it had, in kB, as
 * the last line of standard error.
 *
 *	peak COMMAND ARG...
 *
 * The kernel counts what a process had before execve(), too. So the parent of
 * the command must be small, which an interpreter is not.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char *argv[])
{
	struct rusage usage;
	int status;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = fork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 3;
	fprintf(stderr, "\n%ld\n", usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}
