// SPDX-License-Identifier: MIT
// ways.cpp - ways out of a wait, and into the first one, for the test `ways`.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doze.h"

static long
ms(long n)
{
	return n * MS;
}

// A handler leaves a wait by siglongjmp(); later the stack is unwound.
static thread_local sigjmp_buf back;
static std::atomic<int> step;
static int pipes[2], way;
static bool is_cancelled;
static sem_t never;

static void
jump(int)
{
	siglongjmp(back, 1);
}

static __attribute__((noinline)) void
overwrite()
{
	volatile char stack[16384];

	memset(const_cast<char *>(stack), 0x5a, sizeof stack);
	asm volatile("" : : "r"(stack) : "memory");
}

static void
wait_in_vain()
{
	char byte;

	step = 1;
	if (way == 0)
		(void)!read(pipes[0], &byte, 1);
	else if (way == 1)
		sem_wait(&never);
	else
		doze(ms(9000));
}

static void *
leave(void *)
{
	if (sigsetjmp(back, 1) == 0)
		wait_in_vain();
	overwrite();
	step = 2;
	if (!is_cancelled)
		pthread_exit(&way);
	for (;;)
		sem_wait(&never);
}

static void
left()
{
	struct sigaction action = {};
	pthread_t thread;
	void *result;

	action.sa_handler = jump;
	sigaction(SIGUSR1, &action, nullptr);
	(void)!pipe(pipes);
	sem_init(&never, 0, 0);
	for (way = 0; way < 6; way++) {
		is_cancelled = way >= 3;
		step = 0;
		pthread_create(&thread, nullptr, leave, nullptr);
		while (step != 1)
			doze(ms(1));
		doze(ms(5));
		pthread_kill(thread, SIGUSR1);
		while (step != 2)
			doze(ms(1));
		if (is_cancelled)
			pthread_cancel(thread);
		pthread_join(thread, &result);
		printf("%d %d\n", result == &way, result == PTHREAD_CANCELED);
	}
}

// A function to be run once throws; a thread that waits runs it then.
static std::once_flag flag;
static std::atomic<int> tries;
static std::atomic<long> waited;
static thread_local long ran;

static void
fail_twice()
{
	int n = tries++;

	ran = now();
	while (now() < ran + ms(20)) // this is no wait
		;
	if (n < 2)
		throw n;
}

static void *
run_once(void *)
{
	long begun = now();

	try {
		std::call_once(flag, fail_twice);
	} catch (int) {
	}
	waited += (ran == 0 ? now() : ran) - begun;
	overwrite();
	pthread_exit(nullptr);
}

static void
once()
{
	pthread_t thread[3];

	for (pthread_t &t : thread)
		pthread_create(&t, nullptr, run_once, nullptr);
	for (pthread_t t : thread)
		pthread_join(t, nullptr);
	printf("%d\n", tries.load());
	fprintf(stderr, "waited %ld\n", waited.load());
}

// Without the right to change its priority, a thread cannot take the lock.
static void
ceiling()
{
	pthread_mutexattr_t a;
	pthread_mutex_t m;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT);
	pthread_mutexattr_setprioceiling(&a, 1);
	pthread_mutex_init(&m, &a);
	printf("%d %d\n", pthread_mutex_lock(&m), pthread_mutex_lock(&m));
}

// The first wait of a thread makes its stream.
static std::mutex m;

static void
first()
{
	std::vector<std::thread> threads;

	m.lock();
	for (int i = 0; i < 20; i++)
		threads.emplace_back([] {
			long begun = now();
			m.lock();
			waited += now() - begun;
			m.unlock();
		});
	doze(ms(10));
	m.unlock();
	for (std::thread &t : threads)
		t.join();
	fprintf(stderr, "waited %ld\n", waited.load());
}

// The call that begins first ends last, and needs the same names.
static void *
read_line(void *from)
{
	FILE *stream = fdopen(*static_cast<int *>(from), "r");
	char line[8];

	if (fgets(line, sizeof line, stream) == nullptr)
		abort();
	return nullptr;
}

static void
late()
{
	pthread_t thread[4];
	int ends[4][2];

	for (int i = 0; i < 4; i++) {
		(void)!pipe(ends[i]);
		pthread_create(&thread[i], nullptr, read_line, &ends[i][0]);
		doze(ms(2));
	}
	for (int i = 3; i >= 0; i--) {
		(void)!write(ends[i][1], "x\n", 2);
		doze(ms(2));
	}
	for (pthread_t t : thread)
		pthread_join(t, nullptr);
}

// Newer system calls for futexes; 449 and later are those of all machines.
static unsigned word[2];

static void
futexes()
{
	struct {
		unsigned long value, address;
		unsigned flags, reserved;
	} one = { 0, reinterpret_cast<unsigned long>(&word[0]), 2 | 128, 0 };
	std::thread other([] {
		doze(ms(10));
		__atomic_store_n(&word[0], 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, &word[0], FUTEX_WAKE | 128, 1, nullptr);
		doze(ms(10));
		syscall(SYS_futex, &word[0], FUTEX_WAKE_OP | 128, 1, 1,
			&word[1],
			FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0));
	});

	while (__atomic_load_n(&word[0], __ATOMIC_SEQ_CST) == 0)
		if (syscall(449, &one, 1, 0, nullptr, 0) < 0 && errno == ENOSYS)
			exit(77);
	while (__atomic_load_n(&word[1], __ATOMIC_SEQ_CST) == 0)
		syscall(SYS_futex, &word[1], FUTEX_WAIT | 128, 0, nullptr);
	other.join();
}

// More files than the recorder tells apart leave room for locks.
static void
files()
{
	char path[32];

	for (int i = 0; i < 70000; i++) {
		snprintf(path, sizeof path, "/none/%d", i);
		(void)!rmdir(path);
	}
	m.lock();
	std::thread other([] { m.lock(); });
	doze(ms(10));
	m.unlock();
	other.join();
}

// Ends that run no destructors, while a thread waits.
static void
end(int how)
{
	m.lock();
	std::thread([] { m.lock(); }).detach();
	doze(ms(10));
	if (how == 0)
		quick_exit(3);
	if (how == 1)
		syscall(SYS_exit_group, 4);
	(void)!daemon(1, 1);
	for (int i = 0; i < 100; i++)
		doze(ms(1));
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*run)();
	} list[] = { { "left", left }, { "once", once }, { "ceiling", ceiling },
		{ "first", first }, { "late", late }, { "futexes", futexes },
		{ "files", files }, { "quick", [] { end(0); } },
		{ "group", [] { end(1); } }, { "daemon", [] { end(2); } } };

	for (const auto &way : list)
		if (argc > 1 && strcmp(argv[1], way.name) == 0)
			way.run();
	return 5;
}
