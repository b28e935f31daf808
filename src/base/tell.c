/* SPDX-License-Identifier: MIT */
#include "base/tell.h"

#include <stdarg.h>
#include <stdio.h>

void
tell_user(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	flockfile(stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	funlockfile(stderr);
	va_end(ap);
}
