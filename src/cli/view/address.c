/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/view/view.h"
#include "serve/serve.h"

#define ADDRESS (VIEW_TEXT + 96)
#define COLUMN 58 /* column of the hint after the address */

extern char **environ;

static pid_t browser; /* 0: none, or it has ended */

/* Starts a browser with the address and does not wait for it. The user sees on
 * the screen whether it works. */
static void
start_browser(char *address)
{
	char program[] = "xdg-open", *argv[] = { program, address, NULL };
	posix_spawn_file_actions_t files;

	posix_spawn_file_actions_init(&files);
	for (int fd = 0; fd < 3; fd++)
		posix_spawn_file_actions_addopen(
			&files, fd, "/dev/null", fd == 0 ? 0 : 1, 0);
	if (posix_spawnp(&browser, program, &files, NULL, argv, environ) != 0)
		browser = 0;
	posix_spawn_file_actions_destroy(&files);
}

void
view_reap_browser(void)
{
	if (browser > 0 && waitpid(browser, NULL, WNOHANG) != 0)
		browser = 0;
}

static bool
has_screen(void)
{
	return (getenv("DISPLAY") != NULL ||
		       getenv("WAYLAND_DISPLAY") != NULL) &&
		isatty(STDOUT_FILENO);
}

void
view_browse(char *address)
{
	if (has_screen())
		start_browser(address);
}

/* The browser keeps the text after "#" when the server redirects it to the
 * page. */
static void
write_address(char to[ADDRESS], int port, const char *secret, const char *view)
{
	snprintf(to, ADDRESS, "http://127.0.0.1:%d/?%s%s%s", port, secret,
		*view == '\0' ? "" : "#", view);
}

bool
view_print_address(const struct serve *s, const char *view, bool no_open)
{
	char address[ADDRESS], secret[32], host[HOST_NAME_MAX + 1] = "";
	int port = serve_port(s);

	snprintf(secret, sizeof secret, "t=%s", serve_token(s));
	write_address(address, port, secret, view);
	printf("open  %-*s (Ctrl-C ends)\n", COLUMN - 7, address);
	if (getenv("SSH_CONNECTION") != NULL) {
		gethostname(host, sizeof host - 1);
		printf("from another machine:  ssh -N -L %d:127.0.0.1:%d %s    "
		       "then open the same address\n",
			port, port, host);
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		return false; /* main() reports the failure */
	if (no_open || !has_screen())
		return true;
	snprintf(secret, sizeof secret, "k=%s", serve_ticket(s));
	write_address(address, port, secret, view);
	start_browser(address);
	return true;
}
