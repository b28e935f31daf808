/* SPDX-License-Identifier: MIT */
/*
 * events.h - ovnievents: the events of the models of ovni, as a page in
 * Markdown with lists in HTML.
 */
#ifndef WEFT_CLI_OLD_EVENTS_H
#define WEFT_CLI_OLD_EVENTS_H

/* Runs the tool. Returns 0 or 1. */
int old_events(int argc, char *argv[]);

#endif
