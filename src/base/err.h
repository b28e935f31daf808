/* SPDX-License-Identifier: MIT */
/*
 * err.h - how a function that can fail reports the cause.
 *
 * The caller owns the struct and passes it down. The function that first meets
 * the problem fills it with err_set(); functions in between just return false.
 * They add context with err_in() only where the reader needs it: which file,
 * which thread, which event.
 *
 * Nothing here allocates or prints; src/cli decides what is shown.
 */
#ifndef WEFT_BASE_ERR_H
#define WEFT_BASE_ERR_H

#include <stdbool.h>

enum err_kind {
	ERR_NONE,
	ERR_INPUT,   /* the bytes we read are wrong */
	ERR_SYSTEM,  /* a system call failed: errno text is appended */
	ERR_LIMIT,   /* valid, but larger than we handle */
	ERR_USAGE,   /* the user asked for what must not be done */
	ERR_FORMAT,  /* nothing of a format that we read is there */
	ERR_SEVERAL, /* several traces are there, none of them was named */
};

/* {0} is "no error". Lives on the caller's stack. */
struct err {
	enum err_kind kind;
	char text[508];
};

/*
 * Records the cause and returns false, so that a function can end with it. A
 * cause recorded earlier stays, because the first one is what the user needs.
 * ERR_SYSTEM appends ": " and strerror(errno). Texts are cut at the size of the
 * struct.
 */
bool err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

/* Puts "fmt: " in front of the recorded cause and returns false. */
bool err_in(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));

#endif
