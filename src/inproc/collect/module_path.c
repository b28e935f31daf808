/* SPDX-License-Identifier: MIT */
#include "inproc/collect/module_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 256 }; /* bytes that are read at once: the stack may be small */

/* A line of /proc/self/maps: "5600-5700 r-xp 00000000 08:01 1234   /lib/a.so"
 */
struct line {
	uint64_t number, lo; /* the number that is read now, and the first */
	int field;           /* that the last character belongs to: 1... */
	char last;           /* character */
};

enum { ADDRESSES = 1, PATH = 6 };

static void
read_address(struct line *l, char c)
{
	if (c == '-') {
		l->lo = l->number;
		l->number = 0;
	} else
		l->number = l->number << 4 |
			(uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Returns true for a character of a path, which may have spaces. */
static bool
read_char(struct line *l, char c)
{
	bool begins = l->last == ' ' || l->last == '\n';

	if (c != ' ' && begins && l->field < PATH)
		l->field++;
	l->last = c;
	if (l->field == ADDRESSES && c != ' ')
		read_address(l, c);
	return l->field == PATH;
}

/* Returns the length of a path without what the kernel adds to that of a file
 * which is gone. */
static size_t
length(const char *path, size_t n)
{
	static const char gone[] = " (deleted)";
	size_t more = sizeof gone - 1;

	if (n == 0 || path[0] != '/')
		return 0;
	return n > more && memcmp(path + n - more, gone, more) == 0 ? n - more
								    : n;
}

static size_t
find(int fd, uint64_t at, char *to, size_t room)
{
	struct line l = { .last = '\n' };
	char text[CHUNK];
	size_t n = 0;
	ssize_t got;

	while ((got = read(fd, text, sizeof text)) > 0)
		for (ssize_t i = 0; i < got; i++) {
			bool is_it = l.lo <= at && at < l.number;

			if (text[i] == '\n' && is_it)
				return length(to, n);
			if (text[i] == '\n')
				l = (struct line){ .last = '\n' };
			else if (read_char(&l, text[i]) && is_it && n < room)
				to[n++] = text[i];
		}
	return 0;
}

size_t
module_path(const void *at, char *to, size_t room)
{
	int error = errno, fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t n = 0;

	if (fd >= 0) {
		n = find(fd, (uint64_t)(uintptr_t)at, to, room);
		close(fd);
	}
	errno = error;
	return n;
}
