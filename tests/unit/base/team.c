/* SPDX-License-Identifier: MIT */
/* team OLD ALONE OTHER - loads three modules: OLD has another layout, ALONE has
 * a job of one process, OTHER is no module of team.h. */
#include "base/team.h"

#include <sys/stat.h>

#include "base/arena.h"
#include "scratch.h"
#include "test.h"

#define OPENMPI "weft-openmpi.so"
#define OPENMPI_OF_2 "OMPI_COMM_WORLD_RANK 1 OMPI_COMM_WORLD_SIZE 2"

static const char *old, *alone, *other;
static const char *installed; /* path of the module */
static const char *const variables[] = { "OMPI_COMM_WORLD_RANK",
	"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK",
	"SLURM_NTASKS", "SLURM_PROCID", "SLURM_STEP_ID", "FLUX_TASK_RANK",
	"FLUX_JOB_SIZE", "WEFT_MPI" };

/* Sets the variables of a launcher: "NAME VALUE NAME VALUE", and no others. */
static void
launch(const char *words)
{
	char name[64], value[64];
	int n;

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		unsetenv(variables[i]);
	while (sscanf(words, "%63s %63s%n", name, value, &n) == 2) {
		setenv(name, value, 1);
		words += n;
	}
}

static void
on_failure(const char *why)
{
	test_fail(__FILE__, __LINE__, why);
}

/*
 * Copies a module into a new directory and makes that the only directory of
 * modules. It is new each time, because the loader does not read a path again
 * that it has loaded.
 */
static void
install(const char *module, const char *as)
{
	static struct arena a;
	static int n;
	char *dir = realpath(".", NULL);
	const char *to = arena_printf(&a, "%s/%d", dir, n++);

	CHECK(mkdir(to, 0777) == 0);
	setenv("WEFT_MPI_DIR", to, 1);
	installed = arena_printf(&a, "%s/%s", to, as);
	CHECK(system(arena_printf(&a, "cp '%s' '%s'", module, installed)) == 0);
	free(dir);
}

/* Checks that a job of two processes is refused with this text. */
static void
check_refused(const char *launcher, const char *want)
{
	struct team t;
	struct err err = { 0 };

	launch(launcher);
	CHECK(!team_open(&t, NULL, on_failure, &err));
	if (strstr(err.text, want) == NULL)
		CHECK_STR(err.text, want);
	CHECK_INT(t.size, 1);
	team_close(&t);
}

static void
check_alone(const char *launcher, const char *mpi)
{
	struct team t;
	struct err err = { 0 };

	launch(launcher);
	CHECK(team_open(&t, mpi, on_failure, &err));
	CHECK_INT(t.rank, 0);
	CHECK_INT(t.size, 1);
	CHECK(t.ops == NULL);
	team_close(&t);
}

TEST(a_process_without_launcher_is_alone)
{
	install(old, OPENMPI); /* installed, but must not be loaded */
	check_alone("", NULL);
	check_alone("OMPI_COMM_WORLD_RANK 0 OMPI_COMM_WORLD_SIZE 1", NULL);
	check_alone("PMI_RANK 0 PMI_SIZE 1", NULL);
	check_alone("OMPI_COMM_WORLD_RANK 0", NULL);
	check_alone("OMPI_COMM_WORLD_RANK x OMPI_COMM_WORLD_SIZE 2", NULL);
	check_alone("OMPI_COMM_WORLD_RANK 2 OMPI_COMM_WORLD_SIZE 2", NULL);
	check_alone("PMI_RANK -1 PMI_SIZE 2", NULL);
	check_alone("PMI_RANK 0 PMI_SIZE 99999999999999999999", NULL);
	check_alone(OPENMPI_OF_2, "off");
	check_alone(OPENMPI_OF_2 " WEFT_MPI off", NULL);
	/* The batch script of a Slurm job has a rank that means nothing. */
	check_alone(
		"SLURM_PROCID 0 SLURM_NTASKS 2 SLURM_STEP_ID 4294967291", NULL);
}

TEST(one_rank_prints_for_all)
{
	launch("");
	CHECK(team_is_first());
	launch("PMI_RANK 0 PMI_SIZE 2");
	CHECK(team_is_first());
	launch(OPENMPI_OF_2);
	CHECK(!team_is_first());
	launch("SLURM_PROCID 1 SLURM_NTASKS 2 SLURM_STEP_ID 0");
	CHECK(!team_is_first());
}

TEST(calls_of_a_team_of_one)
{
	size_t size = 3, at = 1;
	char from[8] = "-abc", to[8] = "12345";
	int64_t values[2] = { 5, -7 };
	struct team t;
	struct err err = { 0 };

	launch("");
	CHECK(team_open(&t, NULL, on_failure, &err));
	team_barrier(&t);
	team_bcast(&t, 0, from, sizeof from);
	CHECK_STR(from, "-abc");
	team_allgatherv(&t, "xyz", &(struct team_parts){ to, &size, &at });
	CHECK_STR(to, "1xyz5");
	team_alltoallv(&t, &(struct team_parts){ from, &size, &at },
		&(struct team_parts){ to, &size, &at });
	CHECK_STR(to, "1abc5");
	team_reduce(&t, values, 2, TEAM_MAX);
	CHECK_INT(values[0], 5);
	CHECK_INT(values[1], -7);
	team_exscan(&t, values, 1, TEAM_SUM);
	team_exscan(&t, values + 1, 1, TEAM_MIN);
	CHECK_INT(values[0], 0);
	CHECK_INT(values[1], INT64_MAX);
	team_close(&t);
}

TEST(a_job_needs_a_module)
{
	setenv("WEFT_MPI_DIR", "/nonexistent", 1);
	check_refused(OPENMPI_OF_2, "2 processes need MPI: ");
	check_refused("PMI_RANK 0 PMI_SIZE 2", "2 processes need MPI: ");
	check_refused(OPENMPI_OF_2 " WEFT_MPI lam",
		"\"lam\" is no MPI: openmpi, mpich or off");
}

TEST(a_damaged_module_is_refused)
{
	install(alone, OPENMPI);
	CHECK(truncate(installed, 4000) == 0);
	check_refused(OPENMPI_OF_2, "is damaged: install weft again");
	CHECK(truncate(installed, 0) == 0);
	check_refused(OPENMPI_OF_2, "is damaged");
	CHECK(unlink(installed) == 0 && mkdir(installed, 0777) == 0);
	check_refused(OPENMPI_OF_2, "2 processes need MPI: ");
}

TEST(a_module_of_another_version_is_refused)
{
	install(old, OPENMPI);
	check_refused(OPENMPI_OF_2, "is of another version of weft");
}

TEST(a_file_that_is_no_module_for_a_team_is_refused)
{
	install(other, OPENMPI);
	check_refused(OPENMPI_OF_2, "is of another version of weft");
}

TEST(an_mpi_that_does_not_know_the_launcher_is_refused)
{
	install(alone, "weft-mpich.so");
	check_refused("PMI_RANK 0 PMI_SIZE 2",
		"as one of 2 processes, but Fake MPI sees 1");
	/* The launcher belongs to another MPI than the installed module. */
	check_refused("PMIX_RANK 0 SLURM_NTASKS 2", "but Fake MPI sees 1");
	check_refused(OPENMPI_OF_2 " WEFT_MPI mpich", "but Fake MPI sees 1");
	check_refused("SLURM_PROCID 0 SLURM_NTASKS 2 SLURM_STEP_ID 0",
		"2 processes that cannot find each other: use srun --mpi=pmix");
	check_refused(OPENMPI_OF_2, "2 processes need MPI: ");
}

int
main(int argc, char *argv[])
{
	static const struct test tests[] = {
		RUN(a_process_without_launcher_is_alone),
		RUN(one_rank_prints_for_all),
		RUN(calls_of_a_team_of_one),
		RUN(a_job_needs_a_module),
		RUN(a_damaged_module_is_refused),
		RUN(a_module_of_another_version_is_refused),
		RUN(a_file_that_is_no_module_for_a_team_is_refused),
		RUN(an_mpi_that_does_not_know_the_launcher_is_refused),
	};
	char dir[64];
	int code;

	if (argc < 4)
		return 2;
	old = realpath(argv[1], NULL);
	alone = realpath(argv[2], NULL);
	other = realpath(argv[3], NULL);
	scratch_enter(dir);
	code = test_run_all(tests, (int)(sizeof tests / sizeof *tests));
	scratch_leave(dir);
	return code;
}
