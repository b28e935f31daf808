/* SPDX-License-Identifier: MIT */
/*
 * team.h - the processes of a job that a launcher (mpirun, srun) started
 * together, and the calls by which they exchange data.
 *
 *	struct team t;
 *
 *	if (!team_open(&t, NULL, on_failure, &err))
 *		return team_is_first() ? print(&err) : false;
 *	team_bcast(&t, 0, &answer, sizeof answer);
 *	team_close(&t);
 *
 * A process that no launcher started is a team of one, and so is a job of one
 * process: neither loads MPI. Else team_open() loads weft-openmpi.so or
 * weft-mpich.so (team_ops.h), the only files that need MPI.
 *
 * The calls do not fail. When MPI refuses a call, on_failure() gets its reason,
 * and the launcher ends all processes of the job, as it does when one of them
 * dies. A rank with an error of its own tells the others by team_bcast() or
 * team_reduce(). A call that waits yields the CPU to other processes after some
 * microseconds; team_send() and team_receive() only yield it in the first 0.5
 * ms, all others sleep. Not for several threads at once.
 */
#ifndef WEFT_BASE_TEAM_H
#define WEFT_BASE_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/team_ops.h"

struct team {
	int rank, size; /* 0 <= rank < size */
	size_t piece;   /* most bytes of one message; longer ones are cut */
	const struct team_ops *ops; /* NULL: a team of one */
};

/*
 * Joins the team. `mpi` chooses the module: "openmpi", "mpich", "off" (a team
 * of one), or NULL: then the environment variable WEFT_MPI chooses, and if that
 * is not set, the launcher's variables. Returns false with err, which names
 * what to install; then the process is a team of one.
 */
bool team_open(struct team *t, const char *mpi,
	void (*on_failure)(const char *why), struct err *err);

/* Returns true in the process with number 0, and in any process without a
 * launcher. This process prints the messages that concern all processes. May be
 * called at any time. */
bool team_is_first(void);

/* Leaves the team. All ranks must call it. */
void team_close(struct team *t);

/* Send `size` bytes to another rank, or receive as many from it. */
void team_send(struct team *t, int to, const void *data, size_t size);
void team_receive(struct team *t, int from, void *data, size_t size);

/* Waits until all ranks have called it. */
void team_barrier(struct team *t);

/* Copies the data of the rank `root` to all others. */
void team_bcast(struct team *t, int root, void *data, size_t size);

/* Parts of a buffer, one for each rank. No buffer is NULL, also if all parts
 * are empty. */
struct team_parts {
	void *data;
	const size_t *size; /* bytes of each part */
	const size_t *at;   /* byte offset of each part in `data` */
};

/* Collects a part of each rank at every rank; `mine` has to->size[rank] bytes.
 */
void team_allgatherv(
	struct team *t, const void *mine, const struct team_parts *to);

/* Sends part i of `from` to rank i, and receives the part from rank i into part
 * i of `to`. Sizes must agree between the ranks. */
void team_alltoallv(struct team *t, const struct team_parts *from,
	const struct team_parts *to);

/* Replaces each of n values by the combination of the values of all lower
 * ranks. At rank 0 the result is 0, for TEAM_MIN INT64_MAX, for TEAM_MAX
 * INT64_MIN. */
void team_exscan(struct team *t, int64_t *value, size_t n, enum team_op op);

/* Replaces each of n values at rank 0 by the combination of the values of all
 * ranks. The values of other ranks stay. */
void team_reduce(struct team *t, int64_t *value, size_t n, enum team_op op);

#endif
