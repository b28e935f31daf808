/* SPDX-License-Identifier: MIT */
/*
 * text.h - reader of traces written by hand, for tests and bug reports.
 *
 * A file whose name ends in .tt, at most 64 MiB, one statement a line:
 *
 *	# comment, to the end of the line; also after a statement
 *	node NAME [INDEX:PHYID ...]
 *	process PID [node NAME] [app N] [rank R/N]
 *	thread NAME [tid N] [process PID] [require MODEL VERSION]... [killed]
 *	mark TYPE single|stack "title" [VALUE "label"]...
 *	lost NAME FROM TO N
 *	TIME THREAD EVENT[+] [ARG...]
 *	expect ...
 *
 * node: a set of CPUs (ovni: loom). Without any node line there is one, named
 * "node", with the CPUs 0:0 and 1:1. process: on the last node, if it does not
 * name one; of app 1, if it does not say. Without any process line there is
 * process 1. thread: of the last process, if it does not name one; tids are
 * 1, 2, 3... by default; `killed` says that its writer did not end in an
 * orderly way. lost: N events of a thread were lost, the first at FROM, the
 * last at TO; those of a thread in the order of time. Each name is declared
 * before it is used, and a default that was used cannot be replaced later.
 *
 * An event line has the time in ns, the name of the thread and the name of the
 * event class; `+` at its end marks a jumbo. Arguments are integers (decimal,
 * negative, 0x), strings in quotes (escapes: \" \\ \n \0), both optionally
 * with a name (id=5), and make a described class, with fields of type i64 or
 * str. Or the only argument is the raw payload, :01:ff:80, as event.data has
 * it (of a jumbo: without the size word); then the class is not described.
 *
 *	10 a OHx 0 -1 0
 *	20 a 6Yc+ id=1 label="my \"task\""
 *	30 a 6Tc :01:00:00:00:01:00:00:00
 *
 * Threads may come in any order: events are merged by time, those of one time
 * in file order. A time that goes back inside one thread is a finding, and the
 * event takes the time of the last one. What follows `expect`, to the next
 * empty line, is not for the reader: see tests/emu.
 *
 * event.offset counts lines. A mistake in the syntax is an error and not a
 * finding: "x.tt: line 4: column 9: expected a time".
 */
#ifndef WEFT_TRACE_TEXT_TEXT_H
#define WEFT_TRACE_TEXT_TEXT_H

#include "trace/source.h"

extern const struct source_ops source_text;

#endif
