/* SPDX-License-Identifier: MIT */
/*
 * killed WITNESS [RUNS] - kills a program with SIGKILL at random instants: only
 * the event being recorded is lost, and events of a signal handler that
 * interrupted it.
 *
 * File and ring together must have, in order, all events that the witness
 * counts as recorded. In every other run a signal handler records as well; the
 * runs record ovni and CTF in turn.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "inproc/core/ringfile.h"
#include "inproc/ctf/wire.h"
#include "rt/run.h"
#include "rt/witness.h"
#include "test.h"

static int runs = 200;
static const char *program;
static volatile struct witness *witness;

/* Returns the text in quotes after a key of stream.json. */
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

/* Returns the bytes of the complete packets, without their headers. */
static struct stream
packets_read(void)
{
	struct stream s = run_read(run_find("channel_0"), 0);
	struct ctfwire_head h;
	size_t at = 0, n = 0, size;

	for (; at + sizeof(h) <= s.n; at += size) {
		memcpy(&h, s.data + at, sizeof(h));
		size = h.packet_bits / 8;
		if (at + size > s.n)
			break;
		memmove(s.data + n, s.data + at + sizeof(h), size - sizeof(h));
		n += size - sizeof(h);
	}
	s.n = n;
	return s;
}

/* Joins the bytes of the file and the bytes that are only in the ring. */
static struct stream
whole(bool is_ctf)
{
	struct stream json = run_read(
		run_find(is_ctf ? ".channel_0.ring" : "stream.json"), 0);
	struct stream s = is_ctf ? packets_read() : stream_read();
	struct stream ring = { NULL, 0 };
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

/* Checks that the numbers of each origin have no gap; next: the number expected
 * next. */
static bool
check_number(uint64_t value, uint64_t next[WITNESS_ORIGINS])
{
	uint64_t origin = value >> WITNESS_SHIFT;
	uint64_t n = value & ((UINT64_C(1) << WITNESS_SHIFT) - 1);

	CHECK(origin < WITNESS_ORIGINS);
	if (origin >= WITNESS_ORIGINS)
		return false;
	CHECK_INT(n, next[origin]);
	next[origin] = n + 1;
	return true;
}

static size_t
look_at(const unsigned char *record, bool is_ctf, uint64_t *time, uint64_t *n)
{
	size_t size = is_ctf ? 17 : 12 + (record[0] ? record[0] + 1u : 0);

	memcpy(time, record + (is_ctf ? 1 : 4), 8);
	memcpy(n, record + (is_ctf ? 9 : 12), 8);
	return size;
}

static void
check(const struct stream *s, bool is_ctf)
{
	uint64_t next[WITNESS_ORIGINS] = { 1, 1 }, last = 0, time, n;
	size_t size;

	for (size_t at = 0; at + 12 <= s->n; at += size) {
		size = look_at(s->data + at, is_ctf, &time, &n);
		CHECK(time >= last);
		last = time;
		if ((is_ctf || memcmp(s->data + at + 1, "OM=", 3) == 0) &&
			!check_number(n, next))
			return;
	}
	/* a handler's events are lost with the event that it interrupted */
	for (int i = 0; i < WITNESS_ORIGINS; i++)
		CHECK(next[i] > witness[i].done ||
			witness[WITNESS_MAIN].begun >
				witness[WITNESS_MAIN].done);
	CHECK(next[WITNESS_MAIN] > witness[WITNESS_MAIN].done);
	CHECK(next[WITNESS_MAIN] <= witness[WITNESS_MAIN].begun + 1);
}

/* Maps the page that the witness counts in. */
static void
look(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (witness)
		munmap((void *)witness, 4096);
	witness = fd >= 0 && ftruncate(fd, 4096) == 0
		? mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0)
		: MAP_FAILED;
	close(fd);
	if (witness == MAP_FAILED)
		_exit(79);
}

static void
one(unsigned *seed, const char *how)
{
	struct timespec t = { 0, 0 };
	char path[600];
	bool is_ctf = strncmp(how, "ctf-", 4) == 0;
	struct stream s;
	pid_t pid;

	run_fresh();
	/* removes the directory, with the rings of threads that recorded
	 * nothing */
	mkdir(run_folder, 0700);
	setenv("WEFT_RING_DIR", run_folder, 1);
	setenv("WEFT_CTF_DIR", run_folder, 1);
	snprintf(path, sizeof(path), "%s.count", run_folder);
	look(path);
	pid = fork();
	if (pid == 0) {
		run_program(program,
			(const char *[]){ "witness", path, how, "0", NULL });
	}
	while (witness[WITNESS_MAIN].done == 0) {
		if (waitpid(pid, NULL, WNOHANG) != 0) {
			test_fail(__FILE__, __LINE__,
				"the witness runs until it is killed");
			unlink(path);
			return;
		}
		usleep(50);
	}
	t.tv_nsec = rand_r(seed) % 3000000;
	nanosleep(&t, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	s = whole(is_ctf);
	check(&s, is_ctf);
	free(s.data);
	unlink(path);
}

TEST(only_the_event_being_recorded_is_lost)
{
	static const char *const how[] = { "fast", "ctf-fast", "handler",
		"ctf-handler" };
	unsigned seed = (unsigned)time(NULL);

	printf("# seed %u\n", seed);
	for (int i = 0; i < runs && !test_failed; i++)
		one(&seed, how[i % 4]);
}

int
main(int argc, char **argv)
{
	static const struct test all[] = { RUN(
		only_the_event_being_recorded_is_lost) };

	if (argc < 2)
		return 2;
	program = argv[1];
	if (argc > 2)
		runs = atoi(argv[2]);
	return test_run_all(all, 1);
}
