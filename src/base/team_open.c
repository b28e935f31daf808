/* SPDX-License-Identifier: MIT */
/* Finds out which launcher started the process, and loads its MPI. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/module.h"
#include "base/team.h"
#include "base/team_ops.h"

#ifdef HAVE_OPENMPI
#define OPENMPI_IS_BUILT true
#else
#define OPENMPI_IS_BUILT false
#endif
#ifdef HAVE_MPICH
#define MPICH_IS_BUILT true
#else
#define MPICH_IS_BUILT false
#endif

enum { OPENMPI, MPICH, MPIS };

const struct team_mpi team_mpis[] = {
	[OPENMPI] = { "openmpi", "Open MPI", "libopenmpi-dev", "libopenmpi3",
		OPENMPI_IS_BUILT },
	[MPICH] = { "mpich", "MPICH", "libmpich-dev", "libmpich12",
		MPICH_IS_BUILT },
	{ 0 },
};

/* Slurm gives numbers from here on to steps that are not programs of the user.
 * One of them is the batch script, which has a rank 0 although it is no process
 * of the job. */
#define SLURM_STEP_SPECIAL 4294967280u

/* The variables by which a launcher numbers its processes. */
struct launcher {
	const char *name;
	const char *rank, *size;
	const char *step; /* variable that must be a step of Slurm, or NULL */
	int mpi;          /* the MPI to try first */
	bool only;        /* the launcher works with no other MPI */
	/* The option without which the processes cannot find each other; NULL:
	 * they can. */
	const char *lacks;
};

static const struct launcher launchers[] = {
	{ "Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
		NULL, OPENMPI, true, NULL },
	{ "a launcher with PMI (mpirun of MPICH, srun)", "PMI_RANK", "PMI_SIZE",
		NULL, MPICH, false, NULL },
	{ "a launcher with PMIx (srun)", "PMIX_RANK", "SLURM_NTASKS", NULL,
		OPENMPI, false, NULL },
	{ "srun", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_ID", OPENMPI,
		false,
		"srun --mpi=pmix (for Open MPI) or srun --mpi=pmi2 (for "
		"MPICH)" },
	{ "flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", NULL, MPICH, false, NULL },
};

/* Reads a number from the environment. Returns false if there is none. */
static bool
number_in(const char *variable, unsigned long max, unsigned long *n)
{
	const char *text = getenv(variable);
	char *end;

	if (text == NULL || text[0] < '0' || text[0] > '9')
		return false;
	*n = strtoul(text, &end, 10);
	return *end == '\0' && *n <= max;
}

/* Returns the launcher, and sets the rank and the size that it gave this
 * process. NULL: no launcher. */
static const struct launcher *
find_launcher(int *rank, int *size)
{
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		const struct launcher *l = &launchers[i];
		unsigned long r, n, step;

		if (l->step != NULL &&
			!number_in(l->step, SLURM_STEP_SPECIAL - 1, &step))
			continue;
		if (!number_in(l->rank, INT_MAX, &r) ||
			!number_in(l->size, INT_MAX, &n) || r >= n)
			continue;
		*rank = (int)r;
		*size = (int)n;
		return l;
	}
	return NULL;
}

bool
team_is_first(void)
{
	int rank = 0, size;

	find_launcher(&rank, &size);
	return rank == 0;
}

const struct team_ops *
team_load(const struct team_mpi *mpi, struct err *err)
{
	const struct team_ops *ops;
	char path[MODULE_PATH], name[64];

	snprintf(name, sizeof name, "weft-%s", mpi->word);
	if (!module_find(path, name, "base", "WEFT_MPI_DIR")) {
		if (mpi->is_built)
			err_set(err, ERR_INPUT, "%s.so is not installed", name);
		else
			err_set(err, ERR_INPUT,
				"this build has no module for %s: install %s "
				"and build again",
				mpi->name, mpi->package);
		return NULL;
	}
	ops = module_load(path, TEAM_SYMBOL, mpi->library, err);
	if (ops == NULL || ops->layout == TEAM_LAYOUT)
		return ops;
	err_set(err, ERR_INPUT, "%s is of another version of weft", path);
	return NULL;
}

/* Loads the MPI that the launcher works with, or the other one if the launcher
 * works with both. The error is that of the first. */
static const struct team_ops *
load_for(const struct launcher *l, struct err *err)
{
	struct err other = { 0 };
	const struct team_ops *ops = team_load(&team_mpis[l->mpi], err);

	if (ops != NULL || l->only)
		return ops;
	ops = team_load(&team_mpis[(l->mpi + 1) % MPIS], &other);
	if (ops != NULL)
		*err = (struct err){ 0 };
	return ops;
}

static const struct team_ops *
load_by_word(const char *word, struct err *err)
{
	for (const struct team_mpi *m = team_mpis; m->word != NULL; m++)
		if (strcmp(m->word, word) == 0)
			return team_load(m, err);
	err_set(err, ERR_INPUT, "\"%s\" is no MPI: openmpi, mpich or off",
		word);
	return NULL;
}

/* Joins the job. Fails if MPI sees another number of processes than the
 * launcher has started. */
static bool
join(struct team *t, const struct launcher *l, int size,
	void (*on_failure)(const char *why), struct err *err)
{
	t->ops->start(&t->rank, &t->size, on_failure);
	if (t->size == size)
		return true;
	err_set(err, ERR_INPUT,
		"started by %s as one of %d processes, but %s sees %d: use the "
		"mpirun of %s, or set WEFT_MPI to openmpi or mpich",
		l->name, size, t->ops->name, t->size, t->ops->name);
	team_close(t);
	return false;
}

bool
team_open(struct team *t, const char *mpi, void (*on_failure)(const char *why),
	struct err *err)
{
	const struct launcher *l;
	int rank, size;

	*t = (struct team){ .size = 1, .piece = TEAM_PIECE };
	if (mpi == NULL)
		mpi = getenv("WEFT_MPI");
	if (mpi != NULL && mpi[0] == '\0')
		mpi = NULL;
	if (mpi != NULL && strcmp(mpi, "off") == 0)
		return true;
	l = find_launcher(&rank, &size);
	if (l == NULL || size == 1)
		return true;
	if (l->lacks != NULL)
		return err_set(err, ERR_INPUT,
			"%s has started %d processes that cannot find each "
			"other: use %s, or set WEFT_MPI=off",
			l->name, size, l->lacks);
	t->ops = mpi != NULL ? load_by_word(mpi, err) : load_for(l, err);
	if (t->ops == NULL)
		return err_in(err, "%d processes need MPI", size);
	return join(t, l, size, on_failure, err);
}
