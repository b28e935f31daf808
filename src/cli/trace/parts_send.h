/* SPDX-License-Identifier: MIT */
/* parts_send.h - what the processes of a team send each other about their parts
 * of a trace (parts.h). */
#ifndef WEFT_CLI_TRACE_PARTS_SEND_H
#define WEFT_CLI_TRACE_PARTS_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct team;
struct err;

/* Bytes that grow. */
struct parts_bytes {
	struct arena *arena;
	char *at;
	size_t n, room;
};

void parts_put(struct parts_bytes *b, const void *data, size_t n);
void parts_put_i64(struct parts_bytes *b, int64_t value);
void parts_put_text(struct parts_bytes *b, const char *text); /* or NULL */

/* Read from *at; texts are borrowed from the bytes. */
int64_t parts_take_i64(const char **at);
const char *parts_take_text(const char **at);

/* The bytes of all processes. */
struct parts_all {
	const char **at;
	size_t *size;
};

/* Collects the bytes of all processes at all of them. */
struct parts_all parts_gather(
	struct arena *a, struct team *t, const struct parts_bytes *mine);

/* Combines a value of all processes; all of them get the result. */
int64_t parts_sum(struct team *t, int64_t value);
int64_t parts_most(struct team *t, int64_t value);
/* Sets the flags that are set in any process. arg: the team */
void parts_any(void *arg, bool *flags, size_t n);

/* Returns true if err is set in no process. Else sets it in the first process,
 * with that process's rank and host. */
bool parts_agree(struct arena *a, struct team *t, struct err *err);

#endif
