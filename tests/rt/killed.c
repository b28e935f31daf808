/* SPDX-License-Identifier: MIT */
/*
 * killed.c - SIGKILL at random instants: what is lost is the event being
 * recorded. With an argument: so many times.
 *
 * A page that outlives the child counts before and after each event; file and
 * ring together must have all that were done, in order. One in two runs has a
 * handler that records as well.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#include "ovni.h"
#include "rt/ringfile.h"
#include "rt/run.h"
#include "test.h"
#include "weft/trace.h"

enum { MAIN, HANDLER, NORIGINS };

static int runs = 200;
static bool has_handler;
static struct {
	volatile uint64_t begun[NORIGINS], done[NORIGINS];
	char padding[64];
	volatile int is_up;
} * witness;

static void
emit(int origin)
{
	uint64_t n = witness->begun[origin];

	witness->begun[origin] = n + 1;
	weft_ev_u64("OB.", (uint64_t)origin << 56 | n);
	witness->done[origin] = n + 1;
}

static void
on_alarm(int sig)
{
	(void)sig;
	emit(HANDLER);
}

static void
record(void)
{
	struct itimerval every = { { 0, 50 }, { 0, 50 } };

	ovni_proc_init(1, "node.1", 1);
	ovni_thread_init(1);
	if (has_handler) {
		signal(SIGALRM, on_alarm);
		setitimer(ITIMER_REAL, &every, NULL);
	}
	witness->is_up = 1;
	for (;;)
		emit(MAIN);
}

/* The text between quotes behind a key of stream.json. */
static bool
text_of(const struct stream *json, const char *key, char *text, size_t size)
{
	const char *at = json->data ? strstr((char *)json->data, key) : NULL;
	size_t n = 0;

	if (!at)
		return false;
	at = strchr(at + strlen(key), '"') + 1;
	for (; *at != '"' && n < size - 1; at++)
		if (*at != '\\')
			text[n++] = *at;
	text[n] = '\0';
	return true;
}

/* The file's bytes and behind them those that only the ring has. */
static struct stream
whole(void)
{
	struct stream json = run_read(run_find("stream.json"), 0);
	struct stream s = stream_read(), ring = { NULL, 0 };
	struct ringfile *f;
	char path[4200];

	if (text_of(&json, "\"file\":", path, sizeof(path))) {
		ring = run_read(path, 0);
		unlink(path);
	}
	free(json.data);
	if (!ring.data)
		return s;
	f = (struct ringfile *)ring.data;
	s.data = realloc(s.data, s.n + f->size + 32);
	for (uint64_t at = s.n; at < f->head; at++)
		s.data[s.n++] = ring.data[RINGFILE_PAGE + (at & (f->size - 1))];
	free(ring.data);
	return s;
}

static void
check(const struct stream *s)
{
	uint64_t next[NORIGINS] = { 0 }, last = 0, time, n;

	for (size_t at = 0; at + 12 <= s->n; at += 12) {
		memcpy(&time, s->data + at + 4, 8);
		CHECK(time >= last);
		last = time;
		if (memcmp(s->data + at + 1, "OB.", 3) != 0)
			continue; /* a flush */
		memcpy(&n, s->data + at + 12, 8);
		at += 8;
		if (n >> 56 >= NORIGINS) {
			CHECK(n >> 56 < NORIGINS);
			return;
		}
		if ((n & 0xffffffffffffff) != next[n >> 56])
			printf("# origin %d at %zu of %zu\n", (int)(n >> 56),
				at, s->n);
		CHECK_INT(n & 0xffffffffffffff, next[n >> 56]);
		next[n >> 56] = (n & 0xffffffffffffff) + 1;
	}
	/* a handler's events fall with the one it came in between */
	for (int i = 0; i < NORIGINS; i++)
		CHECK(next[i] >= witness->done[i] ||
			witness->begun[MAIN] > witness->done[MAIN]);
	CHECK(next[MAIN] >= witness->done[MAIN]);
	CHECK(next[MAIN] <= witness->begun[MAIN]);
}

static void
one(unsigned *seed)
{
	struct timespec t = { 0, 0 };
	struct stream s;
	pid_t pid;

	run_fresh();
	memset(witness, 0, sizeof(*witness));
	pid = fork();
	if (pid == 0) {
		record();
		_exit(0);
	}
	while (!witness->is_up)
		usleep(50);
	t.tv_nsec = rand_r(seed) % 3000000;
	nanosleep(&t, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	s = whole();
	check(&s);
	free(s.data);
}

TEST(only_the_event_being_recorded_is_lost)
{
	unsigned seed = (unsigned)time(NULL);

	printf("# seed %u\n", seed);
	witness = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < runs && !test_failed; i++) {
		has_handler = i % 2;
		one(&seed);
	}
}

int
main(int argc, char **argv)
{
	static const struct test all[] = { RUN(
		only_the_event_being_recorded_is_lost) };

	if (argc > 1)
		runs = atoi(argv[1]);
	return test_run_all(all, 1);
}
