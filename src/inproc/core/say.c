/* SPDX-License-Identifier: MIT */
#include "inproc/core/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/core/hush.h"
#include "inproc/core/unsaid.h"

static __thread bool is_aside;

void
weft_rt_say_from_aside(void)
{
	is_aside = true;
}

/* Returns the program's standard error; the caller closes it if this thread has
 * its own table. */
static int
borrow(void)
{
	char path[48];
	int process, fd = STDERR_FILENO;

	if (!is_aside)
		return fd;
	process = (int)syscall(SYS_pidfd_open, getpid(), 0);
	fd = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, fd, 0);
	if (process >= 0)
		close(process);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(),
		STDERR_FILENO);
	return open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
}

/* Writes the line in one piece, so that other processes' lines do not mix with
 * it. */
static void
write_line(const char *line, size_t n)
{
	struct hush pipe, limit;
	int fd = borrow();

	weft_rt_hush(&pipe, SIGPIPE);
	weft_rt_hush(&limit, SIGXFSZ);
	while (write(fd, line, n) < 0 && errno == EINTR)
		;
	weft_rt_unhush(&limit);
	weft_rt_unhush(&pipe);
	if (is_aside && fd >= 0)
		close(fd);
}

const char *
weft_rt_reason(int error)
{
	const char *text = strerrordesc_np(error);

	return text ? text : "unknown error";
}

/* may_wait: weft run may say the line later instead. */
static void
say(const char *kind, bool may_wait, const char *where, const char *format,
	va_list args)
{
	char line[1024];
	int error = errno,
	    n = snprintf(line, sizeof(line), "%s: %s%s", kind, where,
		    where[0] != '\0' ? ": " : "");
	int most = (int)sizeof(line) - 1;

	n += vsnprintf(line + n, sizeof(line) - (size_t)n, format, args);
	if (n < most && line[n - 1] == ':')
		n += snprintf(line + n, sizeof(line) - (size_t)n, " %s",
			weft_rt_reason(error));
	if (n > most - 1)
		n = most - 1;
	line[n++] = '\n';
	line[n] = '\0';
	if (!may_wait || !weft_rt_unsaid_keep(line, (size_t)n))
		write_line(line, (size_t)n);
	errno = error;
}

void
weft_rt_die(const char *where, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("FATAL", false, where, format, args);
	va_end(args);
	abort();
}

void
weft_rt_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("WARN", true, "", format, args);
	va_end(args);
}
