/* SPDX-License-Identifier: MIT */
/*
 * stream.h - one file of a CTF trace, event by event, through a window.
 *
 * A file consists of packets; a file without packet sizes is a single packet.
 * Damage costs the rest of its packet (of the file, if the size of the packet
 * is not known) and yields a finding. The window is read with pread, and grows
 * only for an event that does not fit.
 */
#ifndef WEFT_TRACE_CTF_STREAM_H
#define WEFT_TRACE_CTF_STREAM_H

#include "trace/ctf/window.h"

/*
 * Opens a file and reads the header of its first packet. window: bytes to read
 * at a time. Returns false with a finding if the file is not a stream of the
 * trace.
 */
bool ctf_stream_open(
	struct ctf_stream *s, const char *file, size_t window, bool keep_open);

/* Closes the stream and resets it, so that it can be opened again from its
 * begin. */
void ctf_stream_rewind(struct ctf_stream *s);

/* Skips packets that end before the time, but never the last packet of the
 * stream. The current event may be skipped, too. */
void ctf_stream_skip(struct ctf_stream *s, int64_t time);

/* Moves to the next event. Returns false at the end. */
bool ctf_stream_next(struct ctf_stream *s);

/* Corrects the first event, which must be the current one: if its time is
 * months from `time`, at which the other streams begin, and no packet header
 * says when the stream begins, the event gets that time. Returns true if it
 * did. */
bool ctf_stream_begin_at(struct ctf_stream *s, int64_t time);

void ctf_stream_close(struct ctf_stream *s);

/* Reads like file_pread() from the stream's file, open as fd, and from the tail
 * behind it. */
int64_t ctf_stream_pread(const struct ctf_stream *s, int fd, void *data,
	size_t n, int64_t offset);

/* Returns the bytes of the file read so far. */
int64_t ctf_stream_done(const struct ctf_stream *s);

#endif
