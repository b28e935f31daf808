/* SPDX-License-Identifier: MIT */
#include "rt/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rt/hush.h"

static void
say(const char *kind, const char *where, const char *format, va_list args)
{
	char line[1024];
	struct hush pipe;
	int error = errno,
	    n = snprintf(line, sizeof(line), "%s: %s%s", kind, where,
		    where[0] != '\0' ? ": " : "");
	int most = (int)sizeof(line) - 1;

	n += vsnprintf(line + n, sizeof(line) - (size_t)n, format, args);
	if (n < most && line[n - 1] == ':')
		n += snprintf(line + n, sizeof(line) - (size_t)n, " %s",
			strerror(error));
	if (n > most - 1)
		n = most - 1;
	line[n++] = '\n';
	/* in one piece, between the lines of other processes */
	weft_rt_hush(&pipe, SIGPIPE);
	while (write(STDERR_FILENO, line, (size_t)n) < 0 && errno == EINTR)
		;
	weft_rt_unhush(&pipe);
	errno = error;
}

void
weft_rt_die(const char *where, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("FATAL", where, format, args);
	va_end(args);
	abort();
}

void
weft_rt_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("WARN", "", format, args);
	va_end(args);
}
