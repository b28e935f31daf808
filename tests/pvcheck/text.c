/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "pvcheck.h"

#define SAID_MAX 5

void
complain(struct check *c, enum rule rule, const char *fmt, ...)
{
	va_list ap;

	if ((c->except >> rule & 1) != 0)
		return;
	c->errors++;
	if (++c->said[rule] > SAID_MAX)
		return;
	printf("%s:%d: rule %d: ", c->file, c->line, (int)rule);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

void
warn(struct check *c, const char *fmt, ...)
{
	va_list ap;

	c->warnings++;
	if (c->quiet)
		return;
	printf("%s:%d: warning: ", c->file, c->line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

/* Returns whether the file is a regular one: pipes and /dev/zero may never
 * end. */
static bool
is_regular(FILE *f)
{
	struct stat info;

	return fstat(fileno(f), &info) == 0 && S_ISREG(info.st_mode);
}

bool
text_open(struct check *c, struct text *t, const char *path)
{
	FILE *f = fopen(path, "rb");
	size_t room = 1 << 16, n = 0, got;

	*t = (struct text){ .at = NULL };
	if (f != NULL && !is_regular(f)) {
		fclose(f);
		f = NULL;
	}
	if (f == NULL)
		return false;
	c->file = path;
	c->line = 0;
	c->files++;
	memset(c->said, 0, sizeof c->said);
	t->at = mem_resize(NULL, room + 1, 1);
	while ((got = fread(t->at + n, 1, room - n, f)) > 0) {
		n += got;
		if (n == room)
			t->at = mem_resize(t->at, (room *= 2) + 1, 1);
	}
	fclose(f);
	t->at[n] = '\0';
	t->end = t->at + n;
	t->bytes = t->at;
	return true;
}

char *
text_line(struct check *c, struct text *t)
{
	char *line = t->at, *end;

	if (line >= t->end)
		return NULL;
	end = memchr(line, '\n', (size_t)(t->end - line));
	if (end == NULL)
		end = t->end;
	*end = '\0';
	t->at = end + 1;
	c->line++;
	return line;
}

bool
text_number(const char **at, int64_t *n)
{
	const char *c = *at;
	bool negative = *c == '-';
	uint64_t sum = 0;
	int digits = 0;

	for (c += negative; *c >= '0' && *c <= '9'; c++, digits++)
		sum = digits < 19 ? sum * 10 + (uint64_t)(*c - '0') : sum;
	/* Leading zeros do not count as digits. */
	while (digits > 19 && (*at)[negative] == '0') {
		(*at)++;
		digits--;
		if (digits <= 19)
			return text_number(at, n);
	}
	if (digits == 0)
		return false;
	if (digits > 19 || sum > INT64_MAX)
		sum = INT64_MAX;
	*n = negative ? -(int64_t)sum : (int64_t)sum;
	*at = c;
	return true;
}

bool
text_is_integer(const char *s, int64_t low, int64_t high)
{
	int64_t n;

	return text_number(&s, &n) && *s == '\0' && n >= low && n <= high;
}

bool
text_is_real(const char *s)
{
	char *end;

	if (*s == '\0' || strspn(s, "+-.0123456789eE") != strlen(s))
		return false;
	(void)strtod(s, &end);
	return *end == '\0';
}

void
text_close(struct text *t)
{
	mem_free(t->bytes);
}
