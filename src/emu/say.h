/* SPDX-License-Identifier: MIT */
/*
 * say.h - what the emulator finds wrong with the current event, in words.
 */
#ifndef WEFT_EMU_SAY_H
#define WEFT_EMU_SAY_H

#include <stddef.h>
#include <stdint.h>

#include "emu/chan.h"
#include "trace/finding.h"

struct emu;
struct holder;

/* Something about the current event: where it lies and who sent it is added. */
void emu_finding(struct emu *emu, enum finding_severity severity,
	const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

/* The same about what is not the thread that sent it. */
void emu_finding_of(struct emu *emu, const struct holder *of,
	enum finding_severity severity, const char *fmt, ...)
	__attribute__((format(printf, 4, 5), cold));

/* A warning about the current event; the ovni tools stop there. */
void emu_tolerate(struct emu *emu, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));

/* Why the channel could not be changed. */
void emu_chan_finding(struct emu *emu, const struct holder *of, int chan,
	enum chan_fault fault, int64_t value);

/* The label of a channel's value for messages: as text, or as a number. */
const char *emu_value_text(
	const struct emu *emu, int chan, int64_t value, char to[64]);

/* The same in that much room; what is cut ends with a character. */
const char *emu_value_whole(
	const struct emu *emu, int chan, int64_t value, char *to, size_t room);

#endif
