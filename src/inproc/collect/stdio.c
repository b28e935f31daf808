/* SPDX-License-Identifier: MIT */
/*
 * stdio.c - streams of the C library, which reads and writes by functions that
 * no wrapper sees. A call that finds what it needs in the buffer is not even
 * timed.
 */
#include <stdio.h>
#include <string.h>

#include "inproc/collect/call.h"

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */

/* The bytes that are left in a buffer: to be read, or free to be written. */
static inline size_t
left_in(const FILE *f)
{
	return (size_t)(f->_IO_read_end - f->_IO_read_ptr);
}

static inline size_t
left_out(const FILE *f)
{
	return (size_t)(f->_IO_write_end - f->_IO_write_ptr);
}

/* fits: an expression, true if the buffer will do. */
#define STREAM(result, name, kind, fits, to_result, params, args) \
	CALL_REAL(result, name, "2.2.5", params); \
	result wrap_##name params \
	{ \
		struct call_time start; \
		result r; \
\
		if ((fits) || !collect_does(IO)) \
			return REAL_OF(name) args; \
		start = call_time(); \
		r = REAL_OF(name) args; \
		if (call_was_long(start, kind, CALLER) && \
			call_is_told(start, kind, CALLER)) \
			call_was(kind, fd_stream_number(f), to_result(r), \
				CALLER); \
		return r; \
	}

/* The functions with and without "_unlocked" in their name. */
#define BOTH(result, name, kind, fits, to_result, params, args) \
	STREAM(result, name, kind, fits, to_result, params, args) \
	STREAM(result, name##_unlocked, kind, fits, to_result, params, args)

/* The size of a write or read is a count of objects, not an errno. */
#define SIZE_RESULT(r) ((int64_t)(r))
#define CHAR_RESULT(r) ((int64_t)((r) != EOF))

/* clang-format off */
BOTH(size_t, fread, CALL_READ, size * n <= left_in(f), SIZE_RESULT,
	(void *to, size_t size, size_t n, FILE *f), (to, size, n, f))
BOTH(char *, fgets, CALL_READ, false, PTR_RESULT, (char *to, int n, FILE *f),
	(to, n, f))
BOTH(int, fgetc, CALL_READ, left_in(f) > 0, CHAR_RESULT, (FILE *f), (f))
STREAM(int, getc, CALL_READ, left_in(f) > 0, CHAR_RESULT, (FILE *f), (f))
STREAM(int, __uflow, CALL_READ, false, CHAR_RESULT, (FILE *f), (f))
STREAM(ssize_t, getline, CALL_READ, false, SIZE_RESULT,
	(char **to, size_t *n, FILE *f), (to, n, f))
STREAM(ssize_t, getdelim, CALL_READ, false, SIZE_RESULT,
	(char **to, size_t *n, int end, FILE *f), (to, n, end, f))
STREAM(ssize_t, __getdelim, CALL_READ, false, SIZE_RESULT,
	(char **to, size_t *n, int end, FILE *f), (to, n, end, f))
BOTH(size_t, fwrite, CALL_WRITE, size * n < left_out(f), SIZE_RESULT,
	(const void *from, size_t size, size_t n, FILE *f), (from, size, n, f))
BOTH(int, fputs, CALL_WRITE, false, INT_RESULT, (const char *from, FILE *f),
	(from, f))
BOTH(int, fputc, CALL_WRITE, left_out(f) > 0, CHAR_RESULT, (int c, FILE *f),
	(c, f))
STREAM(int, putc, CALL_WRITE, left_out(f) > 0, CHAR_RESULT, (int c, FILE *f),
	(c, f))
STREAM(int, __overflow, CALL_WRITE, false, CHAR_RESULT, (FILE *f, int c),
	(f, c))
BOTH(int, fflush, CALL_WRITE, false, INT_RESULT, (FILE *f), (f))
TIMED(int, puts, "2.2.5", CALL_WRITE, fd_stream_number(stdout), (const char *from),
	(from))
TIMED_PTR(FILE *, fopen, "2.2.5", CALL_OPEN, fd_path_number(path),
	(const char *path, const char *mode), (path, mode))
TIMED_PTR(FILE *, fopen64, "2.2.5", CALL_OPEN, fd_path_number(path),
	(const char *path, const char *mode), (path, mode))
/* clang-format on */

/* NOLINTEND(bugprone-macro-parentheses) */
