/* SPDX-License-Identifier: MIT */
/*
 * test.h - unit tests that speak TAP.
 *
 *	TEST(pops_in_order)
 *	{
 *		CHECK_INT(heap_pop(&h).key, 1);
 *	}
 *	TEST_MAIN(RUN(pops_in_order), RUN(...))
 *
 * A name says a rule. A failed check is printed with file, line and both
 * values, and the case goes on. A case that calls TEST_SKIP says why.
 */
#ifndef WEFT_TEST_H
#define WEFT_TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Rounds of a test of random cases: n; fewer in builds that run many times
 * slower, with a sanitizer (clang's has no macro of gcc's) or emulated. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || \
	defined(__clang__) || defined(__aarch64__)
#define TEST_ROUNDS(n) ((n) / 8)
#else
#define TEST_ROUNDS(n) (n)
#endif

struct test {
	const char *name;
	void (*run)(void);
};

static int test_failed;
static const char *test_skipped;

#define TEST(name) static void test_##name(void)
#define RUN(name) \
	{ \
#name, test_##name \
	}

static inline void
test_fail(const char *file, int line, const char *what)
{
	test_failed = 1;
	printf("# %s:%d: %s\n", file, line, what);
}

#define CHECK(cond) \
	do { \
		if (!(cond)) \
			test_fail(__FILE__, __LINE__, #cond); \
	} while (0)

#define CHECK_INT(got, want) \
	do { \
		long long got_ = (long long)(got), want_ = (long long)(want); \
		if (got_ != want_) { \
			test_fail(__FILE__, __LINE__, #got); \
			printf("#   got %lld, want %lld\n", got_, want_); \
		} \
	} while (0)

#define CHECK_STR(got, want) \
	do { \
		const char *got_ = (got), *want_ = (want); \
		if (got_ == NULL || strcmp(got_, want_) != 0) { \
			test_fail(__FILE__, __LINE__, #got); \
			printf("#   got \"%s\"\n#   want \"%s\"\n", \
				got_ == NULL ? "(null)" : got_, want_); \
		} \
	} while (0)

#define TEST_SKIP(why) \
	do { \
		test_skipped = (why); \
		return; \
	} while (0)

static inline int
test_run_all(const struct test *tests, int n)
{
	int failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%d\n", n);
	for (int i = 0; i < n; i++) {
		test_failed = 0;
		test_skipped = NULL;
		tests[i].run();
		failed += test_failed;
		printf("%s %d - %s%s%s\n", test_failed ? "not ok" : "ok", i + 1,
			tests[i].name, test_skipped ? " # SKIP " : "",
			test_skipped ? test_skipped : "");
	}
	return failed > 0;
}

#define TEST_MAIN(...) \
	int main(void) \
	{ \
		static const struct test tests[] = { __VA_ARGS__ }; \
		return test_run_all( \
			tests, (int)(sizeof tests / sizeof tests[0])); \
	}

#endif
