/* SPDX-License-Identifier: MIT */
/*
 * stream.h - one file of a CTF trace, event by event, through a window.
 *
 * A file is packets; one without sizes is a single packet up to its end. What
 * is damaged costs the rest of its packet, or of the file where nothing says
 * how long the packet is, and is a finding. The window is read with pread and
 * grows only for an event that does not fit.
 */
#ifndef WEFT_TRACE_CTF_STREAM_H
#define WEFT_TRACE_CTF_STREAM_H

#include "trace/ctf/window.h"

/*
 * Opens a file and reads its first packet's header. window: bytes to read at a
 * time. False with a finding if it is no stream of the trace.
 */
bool ctf_stream_open(
	struct ctf_stream *s, const char *file, size_t window, bool keep_open);

/* Takes back that it was opened: it can be opened again, from the begin. */
void ctf_stream_rewind(struct ctf_stream *s);

/* Leaves out packets that end before the time, but not the last of all, of
 * which more than the header is read. The current event may go, too. */
void ctf_stream_skip(struct ctf_stream *s, int64_t time);

/* Moves to the next event; false at the end. */
bool ctf_stream_next(struct ctf_stream *s);

/* The other streams begin about that time: the first event, which is the
 * current one, gets it if its own is months away and nothing else says when the
 * stream begins. True if so. */
bool ctf_stream_begin_at(struct ctf_stream *s, int64_t time);

void ctf_stream_close(struct ctf_stream *s);

/* file_pread() of its file, open as fd, and of the tail behind it. */
int64_t ctf_stream_pread(const struct ctf_stream *s, int fd, void *data,
	size_t n, int64_t offset);

/* Bytes of the file that were read. */
int64_t ctf_stream_done(const struct ctf_stream *s);

#endif
