/* SPDX-License-Identifier: MIT */
/*
 * session.h - which CTF directories are one trace.
 *
 * The directories of Nanos6 are one trace, and so are the directories of one
 * LTTng session, including rotated sessions, sessions that record on after a
 * rotation, and snapshots.
 */
#ifndef WEFT_TRACE_CTF_SESSION_H
#define WEFT_TRACE_CTF_SESSION_H

#include <stdbool.h>

#include "base/err.h"

struct ctf_folders;
struct trace;

/* Returns false with err if the directories are several traces. */
bool ctf_session_check(
	const struct ctf_folders *f, const char *path, struct err *err);

/* Notes a session that was rotated and not stopped: one of its directories is
 * outside of archives/. */
void ctf_session_report(const struct trace *t);

/* Returns true if the trace was written from a recording of the whole system
 * (trace/ctf_out). */
bool ctf_session_is_system(const struct trace *t);

bool ctf_session_is_lttng(const struct trace *t);

#endif
