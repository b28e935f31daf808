/* SPDX-License-Identifier: MIT */
/*
 * text.h - reader of hand-written traces, for tests and bug reports.
 *
 * A file whose name ends in .tt, at most 64 MiB, one statement per line:
 *
 *	# comment, to the end of the line; also after a statement
 *	node NAME [INDEX:PHYID ...]
 *	process PID [node NAME] [app N] [rank R/N]
 *	thread NAME [tid N] [process PID] [require MODEL VERSION]... [killed]
 *	       [no-breakdown]
 *	counters NAME [model MODEL] ["COUNTER"]...
 *	mark TYPE single|stack "title" [VALUE "label"]...
 *	lost NAME FROM TO N
 *	TIME THREAD EVENT[+] [ARG...]
 *	expect ...
 *
 * node: a set of CPUs (ovni: loom). Without a node line there is one node,
 * named "node", with the CPUs 0:0 and 1:1. process: its node defaults to the
 * last node, its app to 1. Without a process line there is process 1. thread:
 * its process defaults to the last process, its tid to 1, 2, 3...; `killed`
 * says that its stream is incomplete, `no-breakdown` that nosv did not tell all
 * that a breakdown needs. counters: the hardware counters that a thread
 * declares for a model, by default nosv. lost: N events of a thread were lost,
 * the first at FROM, the last at TO; lost lines of a thread are in order of
 * time. Each name is declared before it is used, and a default that was used
 * cannot be replaced later.
 *
 * An event line has the time in ns, the name of the thread and the name of the
 * event class; `+` at the end of the name marks a jumbo. Arguments are integers
 * (decimal, negative, 0x) or strings in quotes (escapes: \" \\ \n \0), both
 * optionally with a name (id=5); their class is described, with fields of type
 * i64 or str. Or the only argument is the raw payload, :01:ff:80, as event.data
 * holds it (of a jumbo: without the size word); then the class is not
 * described.
 *
 *	10 a OHx 0 -1 0
 *	20 a 6Yc+ id=1 label="my \"task\""
 *	30 a 6Tc :01:00:00:00:01:00:00:00
 *
 * Threads may come in any order: events are merged by time; events of the same
 * time stay in file order. If the time goes back inside a thread, that is a
 * finding, and the event gets the time of the previous one. Lines from `expect`
 * to the next empty line are skipped: see tests/emu.
 *
 * event.offset is a line number. A syntax error is an error and not a finding:
 * "x.tt: line 4: column 9: expected a time".
 */
#ifndef WEFT_TRACE_TEXT_TEXT_H
#define WEFT_TRACE_TEXT_TEXT_H

#include "trace/source.h"

extern const struct source_ops source_text;

#endif
