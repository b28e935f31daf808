/* SPDX-License-Identifier: MIT */
/* A team of processes of this machine, which fork() makes; each two of them
 * have a pair of sockets. */
#include "base/team_fork.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* There is one team in a process. */
static struct {
	int rank, size;
	int fd[TEAM_FORK_MOST];    /* socket to each other rank; -1: none */
	pid_t pid[TEAM_FORK_MOST]; /* in rank 0: of each other rank */
	void (*on_failure)(const char *why);
} team;

static void __attribute__((noreturn)) fail(void)
{
	if (team.rank == 0)
		team.on_failure("another process of the command has ended");
	_exit(3);
}

/* What is left of a message. */
struct rest {
	char *at;
	size_t left;
	int fd;
};

/* Sends or receives what is possible now. */
static void
move(struct rest *r, bool out)
{
	ssize_t n = out
		? send(r->fd, r->at, r->left, MSG_DONTWAIT | MSG_NOSIGNAL)
		: recv(r->fd, r->at, r->left, MSG_DONTWAIT);

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		fail();
	if (n > 0) {
		r->at += n;
		r->left -= (size_t)n;
	}
}

static void
exchange(const struct team_swap *s)
{
	struct rest o = { (char *)(uintptr_t)s->out, (size_t)s->nout,
		s->to == TEAM_NOBODY ? -1 : team.fd[s->to] };
	struct rest i = { s->in, (size_t)s->nin,
		s->from == TEAM_NOBODY ? -1 : team.fd[s->from] };

	/* poll() wakes up as soon as the other process has written, so that a
	 * conversation, too, needs no spinning. */
	while (o.left > 0 || i.left > 0) {
		struct pollfd fd[2] = {
			{ .fd = o.left > 0 ? o.fd : -1, .events = POLLOUT },
			{ .fd = i.left > 0 ? i.fd : -1, .events = POLLIN },
		};

		if (poll(fd, 2, -1) < 0 && errno != EINTR)
			fail();
		if (fd[0].revents != 0)
			move(&o, true);
		if (fd[1].revents != 0)
			move(&i, false);
	}
}

static void
send_to(int to, const void *data, int n)
{
	exchange(&(struct team_swap){
		.to = to, .out = data, .nout = n, .from = TEAM_NOBODY });
}

static void
receive_from(int from, void *data, int n)
{
	exchange(&(struct team_swap){
		.to = TEAM_NOBODY, .from = from, .in = data, .nin = n });
}

static const char *
version(void)
{
	return "processes of this machine";
}

static void
start(int *rank, int *size, void (*on_failure)(const char *why))
{
	*rank = team.rank;
	*size = team.size;
	team.on_failure = on_failure;
}

static void
bcast(int root, void *data, int n)
{
	for (int i = 0; i < team.size && team.rank == root; i++)
		if (i != root)
			send_to(i, data, n);
	if (team.rank != root)
		receive_from(root, data, n);
}

static void
allgatherv(const void *mine, int n, void *all, const int *size, const int *at)
{
	memcpy((char *)all + at[team.rank], mine, (size_t)n);
	for (int i = 0; i < team.size; i++)
		bcast(i, (char *)all + at[i], size[i]);
}

static int64_t
combine(int64_t a, int64_t b, enum team_op op)
{
	switch (op) {
	case TEAM_MIN:
		return a < b ? a : b;
	case TEAM_MAX:
		return a > b ? a : b;
	case TEAM_OR:
		return a | b;
	case TEAM_SUM:
		break;
	}
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Rank by rank, each receives the values of the lower ranks from the one before
 * it. */
static void
exscan(int64_t *value, int n, enum team_op op)
{
	for (int i = 0; i < n; i++) {
		int64_t before = 0, sum = value[i];

		if (team.rank > 0) {
			receive_from(team.rank - 1, &before, sizeof before);
			sum = combine(before, sum, op);
		}
		if (team.rank + 1 < team.size)
			send_to(team.rank + 1, &sum, sizeof sum);
		value[i] = before;
	}
}

static void
reduce(int64_t *value, int n, enum team_op op)
{
	for (int i = 0; i < n; i++) {
		int64_t other;

		if (team.rank > 0)
			send_to(0, &value[i], sizeof *value);
		for (int from = 1; from < team.size && team.rank == 0; from++) {
			receive_from(from, &other, sizeof other);
			value[i] = combine(value[i], other, op);
		}
	}
}

static void
barrier(void)
{
	int64_t none = 0;

	reduce(&none, 1, TEAM_SUM);
	bcast(0, &none, sizeof none);
}

static void
stop(void)
{
	for (int i = 0; i < team.size; i++)
		if (i != team.rank)
			close(team.fd[i]);
	if (team.rank > 0)
		_exit(0);
	for (int i = 1; i < team.size; i++)
		while (waitpid(team.pid[i], NULL, 0) < 0 && errno == EINTR)
			;
}

static const struct team_ops ops = {
	.layout = TEAM_LAYOUT,
	.name = "fork",
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

/* Sockets between all pairs: pair[a][b] is the end that a keeps. */
static int pair[TEAM_FORK_MOST][TEAM_FORK_MOST];

static void
close_all(int size)
{
	for (int a = 0; a < size; a++)
		for (int b = 0; b < size; b++)
			if (a != b && pair[a][b] >= 0)
				close(pair[a][b]);
}

static bool
make_pairs(int size, struct err *err)
{
	memset(pair, 0xff, sizeof pair);
	for (int a = 0; a < size; a++)
		for (int b = a + 1; b < size; b++) {
			int fd[2];

			if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				    fd) != 0) {
				close_all(size);
				return err_set(err, ERR_SYSTEM,
					"cannot connect %d processes", size);
			}
			pair[a][b] = fd[0];
			pair[b][a] = fd[1];
		}
	return true;
}

/* Keeps the sockets of this rank. */
static void
become(int rank)
{
	team.rank = rank;
	for (int a = 0; a < team.size; a++)
		for (int b = 0; b < team.size; b++) {
			if (a == b)
				continue;
			if (a == rank)
				team.fd[b] = pair[a][b];
			else
				close(pair[a][b]);
		}
}

/* Ends the processes that were made, when another cannot be. */
static bool
give_up(int made, struct err *err)
{
	err_set(err, ERR_SYSTEM, "cannot start another process");
	close_all(team.size);
	for (int i = 1; i < made; i++)
		while (waitpid(team.pid[i], NULL, 0) < 0 && errno == EINTR)
			;
	return false;
}

bool
team_fork(struct team *t, int size, void (*on_failure)(const char *why),
	struct err *err)
{
	pid_t parent = getpid();

	team.size = size;
	*t = (struct team){ .size = 1, .piece = TEAM_PIECE };
	if (!make_pairs(size, err))
		return false;
	for (int i = 1; i < size; i++) {
		team.pid[i] = fork();
		if (team.pid[i] < 0)
			return give_up(i, err);
		if (team.pid[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != parent)
				_exit(3);
			become(i);
			break;
		}
	}
	if (getpid() == parent)
		become(0);
	t->ops = &ops;
	ops.start(&t->rank, &t->size, on_failure);
	return true;
}
