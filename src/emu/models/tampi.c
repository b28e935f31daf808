/* SPDX-License-Identifier: MIT */
/*
 * tampi.c - TAMPI, the library that lets tasks wait for MPI.
 */
#include "emu/models/models.h"

enum { SUBSYSTEM };

/* clang-format off */
static const struct chan_def chans[] = {
	[SUBSYSTEM] = {
		.key = "subsystem", .title = "TAMPI subsystem", .none = "No subsystem",
		.means = MEANS_COMMUNICATION, .number = 20, .kind = CHAN_STACK,
		.thread = TRACK_ACTIVE },
};

static const struct span_def spans[] = {
	{ "TCi", "TCI", SUBSYSTEM,  1, 0, "Communication: Issuing a non-blocking operation",
	  "begins issuing a non-blocking operation" },
	{ "TGc", "TGC", SUBSYSTEM,  2, 0, "Global array: Checking pending requests",
	  "begins checking the pending requests of the global array" },
	{ "TLi", "TLI", SUBSYSTEM,  3, 0, "Library code: Interface function",
	  "enters an interface function of the library" },
	{ "TLp", "TLP", SUBSYSTEM,  4, 0, "Library code: Polling function",
	  "enters the polling function of the library" },
	{ "TQa", "TQA", SUBSYSTEM,  5, MEANS_OVERHEAD, "Queue: Adding to a queue",
	  "begins adding a request to a queue" },
	{ "TQt", "TQT", SUBSYSTEM,  6, MEANS_OVERHEAD, "Queue: Transfering to global array",
	  "begins moving requests from a queue to the global array" },
	{ "TRc", "TRC", SUBSYSTEM,  7, 0, "Request: Processing a completed request",
	  "begins processing a completed request" },
	{ "TRt", "TRT", SUBSYSTEM,  8, 0, "Request: Testing a request",
	  "begins testing a request with MPI_Test" },
	{ "TRa", "TRA", SUBSYSTEM,  9, 0, "Request: Testing all requests",
	  "begins testing requests with MPI_Testall" },
	{ "TRs", "TRS", SUBSYSTEM, 10, 0, "Request: Testing some requests",
	  "begins testing requests with MPI_Testsome" },
	{ "TTc", "TTC", SUBSYSTEM, 11, MEANS_CREATE, "Ticket: Creating a ticket",
	  "begins creating a ticket that links requests to a task" },
	{ "TTw", "TTW", SUBSYSTEM, 12, MEANS_SYNC, "Ticket: Waiting a ticket",
	  "enters the wait for a ticket" },
};
/* clang-format on */

const struct model model_tampi = {
	.id = 'T',
	.name = "tampi",
	.version = "1.0.0",
	.brief = "TAMPI: requests, tickets, polling",
	.need = NEED_RUNNING,
	MODEL_ROWS(chans),
	MODEL_ROWS(spans),
};
