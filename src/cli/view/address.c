/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/view/view.h"
#include "serve/serve.h"

#define COLUMN 58 /* where what is to be done with the address stands */

extern char **environ;

/* Starts a browser that shows the address, and does not wait for it. Whether
 * that works is seen on the screen. */
static void
start_browser(char *address)
{
	char program[] = "xdg-open", *argv[] = { program, address, NULL };
	posix_spawn_file_actions_t files;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	for (int fd = 0; fd < 3; fd++)
		posix_spawn_file_actions_addopen(
			&files, fd, "/dev/null", fd == 0 ? 0 : 1, 0);
	posix_spawnp(&pid, program, &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
}

static bool
has_screen(void)
{
	return (getenv("DISPLAY") != NULL ||
		       getenv("WAYLAND_DISPLAY") != NULL) &&
		isatty(STDOUT_FILENO);
}

void
view_print_address(const struct serve *s, bool no_open)
{
	char address[96], host[HOST_NAME_MAX + 1] = "";
	int port = serve_port(s);

	snprintf(address, sizeof address, "http://127.0.0.1:%d/?t=%s", port,
		serve_token(s));
	printf("open  %-*s (Ctrl-C ends)\n", COLUMN - 7, address);
	if (getenv("SSH_CONNECTION") != NULL) {
		gethostname(host, sizeof host - 1);
		printf("from another machine:  ssh -N -L %d:127.0.0.1:%d %s    "
		       "then open the same address\n",
			port, port, host);
	}
	fflush(stdout);
	if (no_open || !has_screen())
		return;
	snprintf(address, sizeof address, "http://127.0.0.1:%d/?k=%s", port,
		serve_ticket(s));
	start_browser(address);
}
