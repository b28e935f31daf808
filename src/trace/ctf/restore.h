/* SPDX-License-Identifier: MIT */
/*
 * restore.h - reads back a trace of ovni that trace/ctf_out wrote as CTF.
 *
 * Such a trace has the tables of the original in its environment
 * (weft_streams), and the name of each event in the event's URI. The source
 * returned here stands in front of that of the CTF trace: it has the tables,
 * names and payloads of the original, so models and filters work as with the
 * original.
 */
#ifndef WEFT_TRACE_CTF_RESTORE_H
#define WEFT_TRACE_CTF_RESTORE_H

#include "trace/source.h"

/*
 * Returns a source with the original tables that owns `ctf`, an open source of
 * CTF; or `ctf` itself if the trace was not written from one of ovni, or its
 * tables cannot be used.
 */
struct source *ctf_restore(struct arena *a, struct source *ctf);

#endif
