/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alias.h"
#include "base/progress.h"
#include "base/text.h"

/* Set once for the process: a command has one terminal. */
static const char *prefix = "weft";
static bool is_quiet;

/* The words that begin a line, by level. */
struct words {
	const char *done, *note, *warning, *error;
};

static const struct words new_words = { "", "note: ", "warning: ", "error: " };
static const struct words old_words = {
	"INFO: ", "INFO: ", "WARN: ", "ERROR: "
};
static const struct words *words = &new_words;

void
log_start(const char *text)
{
	prefix = text;
}

void
log_old_words(void)
{
	words = &old_words;
}

bool
log_has_old_words(void)
{
	return words == &old_words;
}

void
log_quiet(bool quiet)
{
	is_quiet = quiet;
}

bool
log_is_quiet(void)
{
	return is_quiet;
}

bool
log_colour(FILE *to)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no != NULL && no[0] != '\0')
		return false;
	if (term == NULL || strcmp(term, "dumb") == 0)
		return false;
	return isatty(fileno(to)) == 1;
}

/* Writes the line with one write(), so that lines of two processes do not
 * mix. */
static void __attribute__((format(printf, 3, 0)))
say(const char *level, const char *colour, const char *fmt, va_list ap)
{
	char text[2048], line[sizeof text + 256];
	bool coloured = colour[0] != '\0' && log_colour(stderr);
	int n;

	vsnprintf(text, sizeof text, fmt, ap);
	alias_text(text, sizeof text);
	text_disarm(text); /* the text may quote names from traces */
	n = snprintf(line, sizeof line - 1, "%s: %s%s%s%s", prefix,
		coloured ? colour : "", level, coloured ? "\033[0m" : "", text);
	if (n < 0)
		return;
	if ((size_t)n > sizeof line - 2)
		n = (int)sizeof line - 2;
	line[n++] = '\n';
	progress_hide();
	fwrite(line, 1, (size_t)n, stderr);
}

void
log_done(const char *fmt, ...)
{
	va_list ap;

	if (is_quiet)
		return;
	va_start(ap, fmt);
	say(words->done, "", fmt, ap);
	va_end(ap);
}

void
log_note(const char *fmt, ...)
{
	va_list ap;

	if (is_quiet)
		return;
	va_start(ap, fmt);
	say(words->note, "", fmt, ap);
	va_end(ap);
}

void
log_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(words->warning, "\033[1;33m", fmt, ap);
	va_end(ap);
}

void
log_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(words->error, "\033[1;31m", fmt, ap);
	va_end(ap);
}
