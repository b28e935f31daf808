/* SPDX-License-Identifier: MIT */
/*
 * main.c - the `weft` command: finds the verb and runs it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "cli/cmd.h"
#include "cli/old/old.h"
#include "cli/screen.h"
#include "cli/undo.h"
#include "store/address.h"

static const char start_here[] =
	"Weft shows what every thread, CPU and task of a program was doing, "
	"and when.\n"
	"\n"
	"To start with:\n"
	"  weft run PROG         run a program and record what it does\n"
	"  weft view TRACE       show its trace in a browser\n"
	"  weft stat TRACE       print how long each state took\n"
	"  weft emu TRACE        write timelines for Paraver\n"
	"  weft help             list all commands\n";

/* Returns true if an argument has a password: messages repeat arguments, but
 * must not print passwords. The arguments of a program that weft runs are not
 * checked. */
static bool
has_secret(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++)
		if (store_address_has_secret(argv[i])) {
			log_error(STORE_ADDRESS_SECRET
				": set WEFT_STORE_PASSWORD, or "
				"WEFT_STORE_PASSWORD_FILE to a file with it");
			return true;
		}
	return false;
}

static enum exit_code
run(const struct cmd *cmd, int argc, char *argv[])
{
	static char prefix[64]; /* messages use it until the process ends */

	snprintf(prefix, sizeof prefix, "weft %s", cmd->name);
	log_start(prefix);
	undo_begin(prefix);
	if (cmd != &cmd_run && has_secret(argc, argv))
		return EXIT_UNABLE;
	return cmd->run(argc, argv);
}

static enum exit_code
dispatch(int argc, char *argv[])
{
	const struct cmd *cmd;

	if (argc < 2) {
		screen_text(start_here);
		return EXIT_YES;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		cmd = &cmd_help;
	else if (strcmp(argv[1], "--version") == 0 ||
		strcmp(argv[1], "-V") == 0)
		cmd = &cmd_version;
	else
		cmd = cmd_find(argv[1]);
	if (cmd == NULL && has_secret(2, argv))
		return EXIT_USAGE;
	if (cmd == NULL)
		return cmd_unknown(argv[1]);
	return run(cmd, argc - 1, argv + 1);
}

/* Opens whichever of standard input, output and error the caller has closed.
 * Otherwise a file that weft opens would get that number, and with it the lines
 * meant for the terminal. Reading and writing fail as before, also in a program
 * that weft starts. */
static void
fill_closed(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
			open("/dev/null",
				(fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) |
					O_CLOEXEC) != fd)
			return;
}

static bool
is_written(void)
{
	struct err err = { 0 };

	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	err_set(&err, errno != 0 ? ERR_SYSTEM : ERR_INPUT,
		"cannot write to standard output");
	log_error("%s", err.text);
	return false;
}

int
main(int argc, char *argv[])
{
	const struct old *old;
	enum exit_code code;
	int old_code;

	fill_closed();
	old = old_find(argv[0]);
	if (old != NULL && has_secret(argc, argv))
		return 1;
	if (old != NULL) {
		old_code = old->run(argc, argv);
		return is_written() || old_code != 0 ? old_code : 1;
	}
	log_start("weft");
	code = dispatch(argc, argv);
	if (!is_written())
		code = EXIT_UNABLE;
	undo_end();
	return (int)code;
}
