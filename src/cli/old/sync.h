/* SPDX-License-Identifier: MIT */
/*
 * sync.h - ovnisync: measures the clock offsets between the nodes of a job and
 * writes the table that ovniemu -c reads.
 *
 *	mpirun -n 4 --map-by node ovnisync -o clock-offsets.txt
 */
#ifndef WEFT_CLI_OLD_SYNC_H
#define WEFT_CLI_OLD_SYNC_H

/* Runs the tool. Returns 0 or 1. */
int old_sync(int argc, char *argv[]);

#endif
