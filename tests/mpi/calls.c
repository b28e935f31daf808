/* SPDX-License-Identifier: MIT */
/* calls - a program for mpirun: makes each call of base/team.h and compares
 * what arrives. Prints "ok SIZE" at rank 0; other lines say what is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"

enum { LONGEST = 900 };

static struct team t;
static int wrong;

static void
check(bool is_right, const char *what)
{
	if (!is_right)
		printf("rank %d of %d: %s\n", t.rank, t.size, what);
	wrong |= !is_right;
}

/* The file for the reason of a failure: a launcher may lose what a process
 * prints just before it aborts the job. */
static const char *reason;

static void
on_failure(const char *why)
{
	FILE *file = reason != NULL ? fopen(reason, "a") : NULL;

	if (file == NULL)
		return;
	fprintf(file, "rank %d: MPI: %s\n", t.rank, why);
	fclose(file);
}

/* Byte i of the message from one rank to another. */
static char
byte_of(int from, int to, size_t i)
{
	return (char)(31 * from + 7 * to + (int)(i % 251));
}

/* Returns the size in bytes of the message between two ranks; some messages are
 * empty. */
static size_t
size_of(int from, int to)
{
	return (size_t)((from * 5 + to * 3) % 4) * (LONGEST / 3);
}

static void
fill(char *data, size_t size, int from, int to)
{
	for (size_t i = 0; i < size; i++)
		data[i] = byte_of(from, to, i);
}

static bool
is_filled(const char *data, size_t size, int from, int to)
{
	for (size_t i = 0; i < size; i++)
		if (data[i] != byte_of(from, to, i))
			return false;
	return true;
}

/* Each rank sends to the next one; rank 0 begins. */
static void
around(void)
{
	int next = (t.rank + 1) % t.size, last = (t.rank + t.size - 1) % t.size;
	char data[LONGEST];

	if (t.size == 1)
		return;
	if (t.rank == 0) {
		fill(data, LONGEST, 0, next);
		team_send(&t, next, data, LONGEST);
	}
	team_receive(&t, last, data, LONGEST);
	check(is_filled(data, LONGEST, last, t.rank), "receive");
	if (t.rank != 0) {
		fill(data, LONGEST, t.rank, next);
		team_send(&t, next, data, LONGEST);
	}
}

static void
from_each(void)
{
	char data[LONGEST];

	for (int root = 0; root < t.size; root++) {
		memset(data, 0, sizeof data);
		if (t.rank == root)
			fill(data, LONGEST, root, 0);
		team_bcast(&t, root, data, LONGEST);
		check(is_filled(data, LONGEST, root, 0), "bcast");
	}
}

static struct team_parts
parts(bool is_out)
{
	size_t n = (size_t)t.size, end = 0;
	size_t *size = calloc(n, sizeof *size), *at = calloc(n, sizeof *at);

	for (int i = 0; i < t.size; i++) {
		size[i] = is_out ? size_of(t.rank, i) : size_of(i, t.rank);
		at[i] = end;
		end += size[i] + 1; /* between two parts lies a byte that no
		                     * call may write */
	}
	return (struct team_parts){ calloc(1, end), size, at };
}

static void
release(struct team_parts *p)
{
	free(p->data);
	free((void *)p->size);
	free((void *)p->at);
}

static void
to_each(void)
{
	struct team_parts out = parts(true), in = parts(false);

	for (int i = 0; i < t.size; i++)
		fill((char *)out.data + out.at[i], out.size[i], t.rank, i);
	team_alltoallv(&t, &out, &in);
	for (int i = 0; i < t.size; i++) {
		const char *part = (const char *)in.data + in.at[i];

		check(is_filled(part, in.size[i], i, t.rank), "alltoallv");
		check(part[in.size[i]] == 0, "alltoallv: a gap");
	}
	release(&out);
	release(&in);
}

/* The size of a rank's part is that of its message to rank 0, at each rank. */
static void
of_each(void)
{
	char mine[LONGEST], all[16 * LONGEST] = { 0 };
	size_t size[16], at[16];

	if (t.size > 16)
		return;
	for (int i = 0; i < t.size; i++) {
		size[i] = size_of(i, 0);
		at[i] = (size_t)(t.size - 1 - i) * LONGEST; /* backwards */
	}
	fill(mine, size[t.rank], t.rank, 0);
	team_allgatherv(&t, mine, &(struct team_parts){ all, size, at });
	for (int i = 0; i < t.size; i++)
		check(is_filled(all + at[i], size[i], i, 0), "allgatherv");
}

static void
numbers(void)
{
	enum { N = 40 };
	int64_t v[N], below = 0, bits = 0;

	for (int i = 0; i < N; i++)
		v[i] = t.rank + i;
	team_exscan(&t, v, N, TEAM_SUM);
	for (int i = 0; i < t.rank; i++)
		below += i;
	for (int i = 0; i < N; i++)
		check(v[i] == below + (int64_t)i * t.rank, "exscan of sums");
	v[0] = 10 - t.rank;
	v[1] = -t.rank;
	team_exscan(&t, v, 2, TEAM_MIN);
	check(v[0] == (t.rank == 0 ? INT64_MAX : 11 - t.rank), "exscan: least");
	v[0] = t.rank;
	team_exscan(&t, v, 1, TEAM_MAX);
	check(v[0] == (t.rank == 0 ? INT64_MIN : t.rank - 1), "exscan: most");
	for (int i = 0; i < N; i++)
		v[i] = INT64_C(1) << (t.rank + i % 40);
	team_reduce(&t, v, N, TEAM_OR);
	for (int i = 0; i < t.size; i++)
		bits |= INT64_C(1) << i;
	for (int i = 0; i < N; i++)
		check(v[i] ==
				(t.rank == 0 ? bits : INT64_C(1) << t.rank)
					<< (i % 40),
			"reduce");
	v[0] = t.rank;
	team_reduce(&t, v, 1, TEAM_MAX);
	check(v[0] == (t.rank == 0 ? t.size - 1 : t.rank), "reduce: most");
}

/* With one more argument, a call fails, and its reason goes to that file. */
int
main(int argc, char *argv[])
{
	static const size_t pieces[] = { 1 << 30, 500, 90 };
	struct err err = { 0 };
	int64_t failed;

	if (argc > 1)
		reason = argv[1];
	if (!team_open(&t, NULL, on_failure, &err)) {
		printf("%s\n", err.text);
		return 1;
	}
	if (reason != NULL && t.ops != NULL && t.rank == 0)
		t.ops->bcast(t.size + 5, &failed, sizeof failed);
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		t.piece = pieces[i];
		around();
		from_each();
		to_each();
		of_each();
		numbers();
		team_barrier(&t);
	}
	failed = wrong;
	team_reduce(&t, &failed, 1, TEAM_SUM);
	if (t.rank == 0 && failed == 0)
		printf("ok %d\n", t.size);
	team_close(&t);
	return wrong;
}
