/* SPDX-License-Identifier: MIT */
/*
 * tasks.cpp - each form of a task, for the test `openmp`: prints sums that tell
 * whether data and copies arrive. The argument is the number of rounds, in each
 * of which one task has more data than the collector passes on.
 */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <string>

static std::atomic<long> ran, failed;

/* A large object that is aligned, copied and destroyed. */
struct alignas(128) wide {
	long sum;
	char room[600];
	std::string text;

	wide()
	    : sum(7), room{}, text("a text that does not fit into the object")
	{
	}
	wide(const wide &from) : sum(from.sum + 1), room{}, text(from.text)
	{
		if (reinterpret_cast<unsigned long>(this) % 128 != 0)
			failed++;
	}
	wide &operator=(const wide &) = default;
};

static void
copies()
{
	std::string text = "a string that lies on the heap, for it is long";
	wide big;

#pragma omp task firstprivate(text)
	ran += text.size() == 46;
#pragma omp task firstprivate(big)
	ran += big.sum > 7 && big.text.size() == 40;
#pragma omp task firstprivate(big, text) if (0)
	ran += big.sum > 7 && text.size() == 46;
#pragma omp task final(1) firstprivate(big)
	{
#pragma omp task firstprivate(big)
		ran += big.sum > 7;
	}
	char bytes[70000] = { 'x' };
#pragma omp task firstprivate(bytes)
	ran += bytes[0] == 'x';
#pragma omp taskwait
}

static void
loops()
{
	std::string text = "a string that lies on the heap, for it is long";
	wide big;
	long sum = 0;

#pragma omp taskloop firstprivate(text, big) num_tasks(5)
	for (int i = 0; i < 20; i++)
		ran += text.size() == 46 && big.sum > 7;
#pragma omp taskloop reduction(+ : sum) grainsize(3)
	for (int i = 0; i < 20; i++)
		sum += i;
#pragma omp taskloop nogroup
	for (unsigned long long i = 0; i < 20; i++)
		ran++;
#pragma omp taskwait
	ran += sum == 190;
}

static void
depend()
{
	int order[3] = { 0, 0, 0 }, n = 0;

#pragma omp task depend(out : n) shared(order, n)
	order[0] = ++n;
#pragma omp task depend(inout : n) shared(order, n) priority(5)
	order[1] = ++n;
#pragma omp task depend(in : n) shared(order, n) untied
	order[2] = n;
#pragma omp taskwait depend(in : n)
#pragma omp taskwait
	ran += order[0] == 1 && order[1] == 2 && order[2] == 2;
}

static void
detach()
{
	std::string text = "a string that lies on the heap, for it is long";
	omp_event_handle_t event{};
	int n = 0;

	(void)n; /* names a dependence only */

#pragma omp task detach(event) firstprivate(text) depend(out : n)
	{
		ran += text.size() == 46;
		omp_fulfill_event(event);
	}
#pragma omp task detach(event) depend(in : n)
	{
		ran++;
		omp_fulfill_event(event);
	}
#pragma omp taskwait
}

static void
reduce()
{
	long sum = 0;

#pragma omp taskgroup task_reduction(+ : sum)
	{
		for (int i = 0; i < 10; i++)
#pragma omp task in_reduction(+ : sum) firstprivate(i)
			sum += i;
	}
	ran += sum == 45;
}

static void
cancel()
{
#pragma omp taskgroup
	{
		for (int i = 0; i < 10; i++)
#pragma omp task
		{
#pragma omp cancel taskgroup
		}
	}
}

static void
throws()
{
#pragma omp task
	{
		try {
			throw 5;
		} catch (int i) {
			ran += i == 5;
		}
	}
#pragma omp taskwait
}

int
main(int argc, char **argv)
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
	long sum = 0;

	for (int r = 0; r < rounds; r++) {
#pragma omp parallel num_threads(3) reduction(task, + : sum)
		{
#pragma omp single
			{
				copies();
				loops();
				depend();
				detach();
				reduce();
				cancel();
				throws();
			}
#pragma omp task in_reduction(+ : sum)
			sum++;
		}
	}
	std::printf("%ld %ld %ld\n", ran.load() / rounds, failed.load(),
		sum / rounds);
	return failed != 0;
}
