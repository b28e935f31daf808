/* SPDX-License-Identifier: MIT */
/* say.h - findings about the current event. */
#ifndef WEFT_EMU_SAY_H
#define WEFT_EMU_SAY_H

#include <stddef.h>
#include <stdint.h>

#include "emu/chan.h"
#include "trace/finding.h"

struct emu;
struct holder;

/* Adds a finding about the current event, with its position and its sender. */
void emu_finding(struct emu *emu, enum finding_severity severity,
	const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

/* Adds a note about the current event that only weft check and the viewer list.
 */
void emu_aside(struct emu *emu, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));

/* Adds a finding about another thread or CPU than the sender. */
void emu_finding_of(struct emu *emu, const struct holder *of,
	enum finding_severity severity, const char *fmt, ...)
	__attribute__((format(printf, 4, 5), cold));

/* Adds a warning about the current event, at which the ovni tools stop. */
void emu_tolerate(struct emu *emu, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));

/* Adds a finding that says why the channel could not be changed. */
void emu_chan_finding(struct emu *emu, const struct holder *of, int chan,
	enum chan_fault fault, int64_t value);

/* Returns the label of a channel's value, or the number, for messages. */
const char *emu_value_text(
	const struct emu *emu, int chan, int64_t value, char to[64]);

/* Does the same, with `room` bytes; a long text is cut between characters. */
const char *emu_value_whole(
	const struct emu *emu, int chan, int64_t value, char *to, size_t room);

#endif
