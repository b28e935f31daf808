/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"

/*
 * Formats the text and the tail into to[size]; the tail always fits. If both do
 * not fit, the text is cut: it is usually a long path, and the tail is the
 * cause.
 */
static void __attribute__((format(printf, 4, 0))) format_with_tail(
	char *to, size_t size, const char *tail, const char *fmt, va_list ap)
{
	size_t tail_size = strlen(tail) + 1;
	int n;

	n = vsnprintf(to, size - tail_size + 1, fmt, ap);
	if (n < 0)
		n = 0;
	if ((size_t)n > size - tail_size)
		n = (int)(size - tail_size);
	memcpy(to + n, tail, tail_size);
}

bool
err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	int number = errno;
	char tail[128] = "", scratch[96];
	va_list ap;

	BUG_ON(kind == ERR_NONE);
	if (err->kind != ERR_NONE)
		return false;
	if (kind == ERR_SYSTEM)
		snprintf(tail, sizeof tail, ": %s",
			strerror_r(number, scratch, sizeof scratch));
	err->kind = kind;
	va_start(ap, fmt);
	format_with_tail(err->text, sizeof err->text, tail, fmt, ap);
	va_end(ap);
	errno = number;
	return false;
}

bool
err_in(struct err *err, const char *fmt, ...)
{
	char tail[sizeof err->text + 2]; /* ": " and the cause */
	va_list ap;

	BUG_ON(err->kind == ERR_NONE);
	if (strlen(err->text) + 3 > sizeof err->text)
		/* If there is no room for both, the cause is more useful. */
		return false;
	snprintf(tail, sizeof tail, ": %s", err->text);
	va_start(ap, fmt);
	format_with_tail(err->text, sizeof err->text, tail, fmt, ap);
	va_end(ap);
	return false;
}
