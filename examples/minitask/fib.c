/* SPDX-License-Identifier: MIT */
/*
 * fib [N [DEPTH]] - computes the N-th Fibonacci number with two tasks for each
 * call: in parallel down to DEPTH, on the same thread for DEPTH more levels,
 * and by plain calls below.
 */
#include "program.h"

static long depth;

struct call {
	long n, level;
	long *result;
};

static void fib(void *arg);
static struct mt_type type = MT_TYPE("fib", fib, struct call);
static struct mt_type main_type = MT_TYPE("main", fib, struct call);

static long
plain(long n)
{
	return n < 2 ? n : plain(n - 1) + plain(n - 2);
}

static void
fib(void *arg)
{
	const struct call *call = arg;
	long a, b;
	struct call first = { call->n - 1, call->level + 1, &a };
	struct call second = { call->n - 2, call->level + 1, &b };

	if (call->n < 2 || call->level >= 2 * depth) {
		*call->result = plain(call->n);
		return;
	}
	if (call->level < depth) {
		mt_spawn(&type, &first, NULL);
		mt_spawn(&type, &second, NULL);
		mt_taskwait();
	} else {
		mt_inline(&type, &first);
		mt_inline(&type, &second);
	}
	*call->result = a + b;
}

int
main(int argc, char *argv[])
{
	long n = argument(argc, argv, 1, 24, 60);
	long result = 0;

	depth = argument(argc, argv, 2, 4, 15);
	mt_start();
	mt_run(&main_type, &(struct call){ n, 0, &result });
	mt_stop();
	printf("fib: fib(%ld) = %ld\n", n, result);
	return verdict("fib", result == plain(n));
}
