/* SPDX-License-Identifier: MIT */
/*
 * printf.c - formatted output to streams and descriptors, formatted input, and
 * single characters of standard streams. The functions with "..." pass their
 * arguments to those with a va_list.
 */
#include <stdarg.h>
#include <stdio.h>

#include "inproc/collect/call.h"

/* NOLINTBEGIN(bugprone-macro-parentheses,bugprone-reserved-identifier,readability-function-size)
 * - the arguments are lists of parameters; names of the C library */

/* With so many bytes left in its buffer a stream is not flushed, except by
 * longer outputs, which are not timed then. */
enum { PLENTY = 1024 };

static inline bool
fits(const FILE *f)
{
	return f != NULL && f->_IO_write_end - f->_IO_write_ptr >= PLENTY;
}

/* Records a call for a stream that was long. */
static int
end_call(struct call_time start, enum call kind, FILE *f, int r,
	const void *caller)
{
	if (call_was_long(start, kind, caller) &&
		call_is_told(start, kind, caller))
		call_was(kind, fd_stream_number(f), r < 0 ? -errno : r, caller);
	return r;
}

/* A function with a va_list that prints to the stream. */
#define VPRINT(name, version, stream, params, args) \
	CALL_REAL(int, name, version, params); \
	int wrap_##name params \
	{ \
		struct call_time start; \
\
		if (fits(stream) || !collect_does(IO)) \
			return REAL_OF(name) args; \
		start = call_time(); \
		return end_call(start, CALL_WRITE, stream, REAL_OF(name) args, \
			CALLER); \
	}

VPRINT(vprintf, "2.2.5", stdout, (const char *format, va_list list),
	(format, list))
VPRINT(__vprintf_chk, "2.3.4", stdout,
	(int flag, const char *format, va_list list), (flag, format, list))
VPRINT(vfprintf, "2.2.5", f, (FILE * f, const char *format, va_list list),
	(f, format, list))
VPRINT(__vfprintf_chk, "2.3.4", f,
	(FILE * f, int flag, const char *format, va_list list),
	(f, flag, format, list))

/* A function with "...": `f` is the stream, `v` the function with a va_list. */
#define PRINT(name, version, stream, v, params, args) \
	WRAPPER int wrap_##name params; \
	ONE_VERSION(name, version); \
	int wrap_##name params \
	{ \
		FILE *to = stream; \
		bool is_timed = !fits(to) && collect_does(IO); \
		struct call_time start = { 0, 0 }; \
		va_list list; \
		int r; \
\
		if (is_timed) \
			start = call_time(); \
		va_start(list, format); \
		r = REAL_OF(v) args; \
		va_end(list); \
		return is_timed ? end_call(start, CALL_WRITE, to, r, CALLER) \
				: r; \
	}

PRINT(printf, "2.2.5", stdout, vfprintf, (const char *format, ...),
	(to, format, list))
PRINT(fprintf, "2.2.5", f, vfprintf, (FILE * f, const char *format, ...),
	(to, format, list))
PRINT(__printf_chk, "2.3.4", stdout, __vfprintf_chk,
	(int flag, const char *format, ...), (to, flag, format, list))
PRINT(__fprintf_chk, "2.3.4", f, __vfprintf_chk,
	(FILE * f, int flag, const char *format, ...), (to, flag, format, list))

/* Input, which waits if the buffer has too little: always timed. */
#define VSCAN(name, version, stream, params, args) \
	CALL_REAL(int, name, version, params); \
	int wrap_##name params \
	{ \
		struct call_time start; \
\
		if (!collect_does(IO)) \
			return REAL_OF(name) args; \
		start = call_time(); \
		return end_call( \
			start, CALL_READ, stream, REAL_OF(name) args, CALLER); \
	}

VSCAN(vfscanf, "2.2.5", f, (FILE * f, const char *format, va_list list),
	(f, format, list))
VSCAN(vscanf, "2.2.5", stdin, (const char *format, va_list list),
	(format, list))
VSCAN(__isoc99_vfscanf, "2.7", f, (FILE * f, const char *format, va_list list),
	(f, format, list))
VSCAN(__isoc99_vscanf, "2.7", stdin, (const char *format, va_list list),
	(format, list))
VSCAN(__isoc23_vfscanf, "2.38", f, (FILE * f, const char *format, va_list list),
	(f, format, list))
VSCAN(__isoc23_vscanf, "2.38", stdin, (const char *format, va_list list),
	(format, list))

#define SCAN(name, version, stream, v, params) \
	WRAPPER int wrap_##name params; \
	ONE_VERSION(name, version); \
	int wrap_##name params \
	{ \
		FILE *from = stream; \
		bool is_timed = collect_does(IO); \
		struct call_time start = { 0, 0 }; \
		va_list list; \
		int r; \
\
		if (is_timed) \
			start = call_time(); \
		va_start(list, format); \
		r = REAL_OF(v)(from, format, list); \
		va_end(list); \
		return is_timed ? end_call(start, CALL_READ, from, r, CALLER) \
				: r; \
	}

SCAN(scanf, "2.2.5", stdin, vfscanf, (const char *format, ...))
SCAN(fscanf, "2.2.5", f, vfscanf, (FILE * f, const char *format, ...))
SCAN(__isoc99_scanf, "2.7", stdin, __isoc99_vfscanf, (const char *format, ...))
SCAN(__isoc99_fscanf, "2.7", f, __isoc99_vfscanf,
	(FILE * f, const char *format, ...))
SCAN(__isoc23_scanf, "2.38", stdin, __isoc23_vfscanf, (const char *format, ...))
SCAN(__isoc23_fscanf, "2.38", f, __isoc23_vfscanf,
	(FILE * f, const char *format, ...))

/* Output to a descriptor, which may block. */
#define VPRINT_FD(name, version, params, args) \
	CALL(IO, int, name, version, CALL_WRITE, fd_waits(fd), fd_number(fd), \
		params, args)

VPRINT_FD(vdprintf, "2.2.5", (int fd, const char *format, va_list list),
	(fd, format, list))
VPRINT_FD(__vdprintf_chk, "2.8",
	(int fd, int flag, const char *format, va_list list),
	(fd, flag, format, list))

/* The function with a va_list is the wrapper, which records. */
#define PRINT_FD(name, version, v, params, args) \
	WRAPPER int wrap_##name params; \
	ONE_VERSION(name, version); \
	int wrap_##name params \
	{ \
		va_list list; \
		int r; \
\
		va_start(list, format); \
		r = wrap_##v args; \
		va_end(list); \
		return r; \
	}

PRINT_FD(dprintf, "2.2.5", vdprintf, (int fd, const char *format, ...),
	(fd, format, list))
PRINT_FD(__dprintf_chk, "2.8", __vdprintf_chk,
	(int fd, int flag, const char *format, ...), (fd, flag, format, list))

/* A character of a standard stream. */
#define CHARACTER(name, kind, stream, has, params, args) \
	CALL_REAL(int, name, "2.2.5", params); \
	int wrap_##name params \
	{ \
		struct call_time start; \
\
		if ((has) || !collect_does(IO)) \
			return REAL_OF(name) args; \
		start = call_time(); \
		return end_call( \
			start, kind, stream, REAL_OF(name) args, CALLER); \
	}

#define HAS_INPUT (stdin->_IO_read_end > stdin->_IO_read_ptr)
#define HAS_ROOM (stdout->_IO_write_end > stdout->_IO_write_ptr)

CHARACTER(getchar, CALL_READ, stdin, HAS_INPUT, (void), ())
CHARACTER(getchar_unlocked, CALL_READ, stdin, HAS_INPUT, (void), ())
CHARACTER(putchar, CALL_WRITE, stdout, HAS_ROOM, (int c), (c))
CHARACTER(putchar_unlocked, CALL_WRITE, stdout, HAS_ROOM, (int c), (c))

/* NOLINTEND(bugprone-macro-parentheses,bugprone-reserved-identifier,readability-function-size)
 */
