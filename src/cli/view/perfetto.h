/* SPDX-License-Identifier: MIT */
/*
 * perfetto.h - opens a file in Perfetto's page without giving it away.
 *
 * The page ui.perfetto.dev may fetch a trace from 127.0.0.1:9001 only. A server
 * there sends the one file, once, to whoever knows the secret part of its
 * address; the browser reads it, and it never leaves the machine.
 */
#ifndef WEFT_CLI_VIEW_PERFETTO_H
#define WEFT_CLI_VIEW_PERFETTO_H

#include <stdbool.h>

#include "cli/cmd.h"

#define PERFETTO_PORT 9001 /* the only one that the page may use */

/* Serves the file until it was read completely, or for two minutes. */
enum exit_code perfetto_serve(const char *path, int port, bool no_open);

#endif
