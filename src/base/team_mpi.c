/* SPDX-License-Identifier: MIT */
/* The module for an implementation of MPI: built once with the headers of each
 * (MPI_NAME). */
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/now.h"
#include "base/team_ops.h"

static void (*report)(const char *why);

/* Ends the job; MPI calls it when a call fails. */
static void
on_error(MPI_Comm *comm, int *code, ...)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	struct timespec nap = { .tv_nsec = 100000000 };
	int n;

	(void)comm;
	MPI_Error_string(*code, text, &n);
	report(text);
	/* MPICH's launcher loses what a process prints just before it aborts */
	nanosleep(&nap, NULL);
	MPI_Abort(MPI_COMM_WORLD, 1);
	exit(1); /* not reached */
}

static const char *
version(void)
{
	static char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int n;

	MPI_Get_library_version(text, &n);
	text[strcspn(text, ",\n")] = '\0';
	for (char *tab = text; (tab = strchr(tab, '\t')) != NULL;)
		*tab = ' ';
	return text;
}

static void
start(int *rank, int *size, void (*on_failure)(const char *why))
{
	MPI_Errhandler handler;
	int provided;

	report = on_failure;
	MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_create_errhandler(on_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Errhandler_free(&handler);
	MPI_Comm_rank(MPI_COMM_WORLD, rank);
	MPI_Comm_size(MPI_COMM_WORLD, size);
}

static void
stop(void)
{
	MPI_Finalize();
}

/*
 * Waits for one or two requests of MPI. MPI's own functions keep the CPU while
 * they wait, although another rank may need it. Sleeps are short: ranks
 * exchange records thousands of times, and each sleep that is too long delays
 * all of them. With `talks`, the time before the first sleep is much longer
 * than the kernel takes to wake a process: else two ranks that talk could both
 * sleep in each round trip, of which weft sync would take the offsets of
 * clocks.
 */
static void
finish(int n, MPI_Request *request, bool talks)
{
	enum { SPIN_NS = 20000, TALK_NS = 500000, LONGEST_NS = 50000 };
	struct timespec nap = { .tv_nsec = talks ? 10000 : 20000 };
	int64_t begin = now_ns(), waited;
	MPI_Status status[2];
	int done = 0;

	for (;;) {
		MPI_Testall(n, request, &done, status);
		if (done)
			return;
		waited = now_ns() - begin;
		if (waited < SPIN_NS)
			continue;
		if (talks && waited < TALK_NS) {
			sched_yield();
			continue;
		}
		nanosleep(&nap, NULL);
		if (nap.tv_nsec < LONGEST_NS)
			nap.tv_nsec *= 2;
	}
}

static void
exchange(const struct team_swap *s)
{
	int from = s->from == TEAM_NOBODY ? MPI_PROC_NULL : s->from;
	int to = s->to == TEAM_NOBODY ? MPI_PROC_NULL : s->to;
	MPI_Request request[2];

	MPI_Irecv(
		s->in, s->nin, MPI_BYTE, from, 0, MPI_COMM_WORLD, &request[0]);
	MPI_Isend(
		s->out, s->nout, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request[1]);
	finish(2, request, s->talks);
}

static void
barrier(void)
{
	MPI_Request request;

	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	finish(1, &request, false);
}

static void
bcast(int root, void *data, int n)
{
	MPI_Request request;

	MPI_Ibcast(data, n, MPI_BYTE, root, MPI_COMM_WORLD, &request);
	finish(1, &request, false);
}

static void
allgatherv(const void *mine, int n, void *all, const int *size, const int *at)
{
	MPI_Request request;

	MPI_Iallgatherv(mine, n, MPI_BYTE, all, size, at, MPI_BYTE,
		MPI_COMM_WORLD, &request);
	finish(1, &request, false);
}

static MPI_Op
mpi_op(enum team_op op)
{
	switch (op) {
	case TEAM_MIN:
		return MPI_MIN;
	case TEAM_MAX:
		return MPI_MAX;
	case TEAM_OR:
		return MPI_BOR;
	case TEAM_SUM:
	default:
		return MPI_SUM;
	}
}

static void
exscan(int64_t *value, int n, enum team_op op)
{
	MPI_Request request;

	MPI_Iexscan(MPI_IN_PLACE, value, n, MPI_INT64_T, mpi_op(op),
		MPI_COMM_WORLD, &request);
	finish(1, &request, false);
}

static void
reduce(int64_t *value, int n, enum team_op op)
{
	MPI_Request request;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Ireduce(rank == 0 ? MPI_IN_PLACE : value, value, n, MPI_INT64_T,
		mpi_op(op), 0, MPI_COMM_WORLD, &request);
	finish(1, &request, false);
}

extern const struct team_ops weft_team;

__attribute__((visibility("default"))) const struct team_ops weft_team = {
	.layout = TEAM_LAYOUT,
	.name = MPI_NAME,
	.version = version,
	.start = start,
	.stop = stop,
	.exchange = exchange,
	.barrier = barrier,
	.bcast = bcast,
	.allgatherv = allgatherv,
	.exscan = exscan,
	.reduce = reduce,
};
