/* SPDX-License-Identifier: MIT */
#include "base/team_fork.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

enum { RANKS = 4, LONG = 300000 };

static volatile int *wrong; /* shared by all processes */

static void
expect(bool is_right)
{
	if (!is_right)
		*wrong = 1;
}

static void
never(const char *why)
{
	(void)why;
	*wrong = 2;
}

static void
make(struct team *t)
{
	struct err err = { 0 };

	wrong = mmap(NULL, sizeof *wrong, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	fflush(NULL);
	CHECK(team_fork(t, RANKS, never, &err));
}

/* Combines numbers of all ranks. */
static void
combine(struct team *t)
{
	int64_t value[2] = { t->rank + 1, 1 << t->rank };

	team_exscan(t, value, 1, TEAM_SUM);
	expect(value[0] == t->rank * (t->rank + 1) / 2);
	team_reduce(t, &value[1], 1, TEAM_OR);
	expect(t->rank > 0 || value[1] == (1 << RANKS) - 1);
	value[0] = t->rank;
	team_reduce(t, value, 1, TEAM_MAX);
	team_bcast(t, 0, value, sizeof *value);
	expect(value[0] == RANKS - 1);
	team_barrier(t);
}

/* Every rank sends more to every other one than a socket holds. */
static void
send_much(struct team *t)
{
	size_t size[RANKS], at[RANKS];
	char *out = malloc((size_t)RANKS * LONG),
	     *in = malloc((size_t)RANKS * LONG);

	for (int i = 0; i < RANKS; i++) {
		size[i] = LONG;
		at[i] = (size_t)i * LONG;
		memset(out + at[i], t->rank * RANKS + i, LONG);
	}
	team_alltoallv(t, &(struct team_parts){ out, size, at },
		&(struct team_parts){ in, size, at });
	for (int i = 0; i < RANKS; i++)
		expect(in[at[i]] == i * RANKS + t->rank &&
			in[at[i] + LONG - 1] == i * RANKS + t->rank);
	free(out);
	free(in);
}

TEST(forked_processes_exchange_data)
{
	struct team t;

	make(&t);
	combine(&t);
	send_much(&t);
	team_close(&t);
	CHECK_INT(*wrong, 0);
}

static void
leave(const char *why)
{
	(void)why;
	_exit(7);
}

TEST(the_death_of_one_is_told_to_the_first)
{
	pid_t pid;
	int status;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		struct team t;
		struct err err = { 0 };

		if (!team_fork(&t, RANKS, leave, &err))
			_exit(1);
		if (t.rank == 2)
			raise(SIGKILL);
		team_barrier(&t);
		team_close(&t);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	CHECK_INT(WEXITSTATUS(status), 7);
}

TEST_MAIN(RUN(forked_processes_exchange_data),
	RUN(the_death_of_one_is_told_to_the_first))
