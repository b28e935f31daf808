/* SPDX-License-Identifier: MIT */
/*
 * session.h - which folders of CTF are one trace.
 *
 * Those of Nanos6, and what LTTng writes of one session: also when it is
 * rotated, when it records on behind that, or when a snapshot is taken.
 */
#ifndef WEFT_TRACE_CTF_SESSION_H
#define WEFT_TRACE_CTF_SESSION_H

#include <stdbool.h>

#include "base/err.h"

struct ctf_folders;
struct trace;

/* False with err, if they are several traces. */
bool ctf_session_check(
	const struct ctf_folders *f, const char *path, struct err *err);

/* Notes a session that was rotated and not ended: one of its folders lies
 * outside of the archives. */
void ctf_session_report(const struct trace *t);

bool ctf_session_is_lttng(const struct trace *t);

#endif
