/* SPDX-License-Identifier: MIT */
/* ranks.h - commands that run as an MPI job. */
#ifndef WEFT_CLI_RANKS_H
#define WEFT_CLI_RANKS_H

#include <stdbool.h>

#include "base/team.h"

/* Joins the job (team_open()). Returns false after a message of its first
 * process. When MPI refuses a call, temporary files are removed. */
bool ranks_open(struct team *t);

#endif
