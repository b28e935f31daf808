/* SPDX-License-Identifier: MIT */
/*
 * queues.c - formatted input and output, message queues and semaphores of
 * System V, for the test `calls`: another thread gives what this one waits for,
 * 10 ms each time. On standard error it prints the times that it measured.
 */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, LINES = 3000 };

struct letter {
	long kind;
	char text[8];
};

static mqd_t queue;
static int semaphore, letters, line[2];

static long
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
doze(void)
{
	nanosleep(&(struct timespec){ 0, 10L * MS }, NULL);
}

static void *
give(void *arg)
{
	struct sembuf up = { 0, 1, 0 };
	struct letter letter = { 1, "three" };

	doze();
	mq_send(queue, "one", 4, 0);
	doze();
	semop(semaphore, &up, 1);
	doze();
	msgsnd(letters, &letter, sizeof letter.text, 0);
	doze();
	dprintf(line[1], "%d %s %.1f\n", 42, "word", 2.5);
	return arg;
}

__attribute__((format(printf, 1, 2))) static void
print(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vprintf(format, list);
	va_end(list);
}

static void
receive(void)
{
	struct sembuf down = { 0, -1, 0 };
	struct letter letter = { 0, "" };
	struct sembuf *volatile nowhere = (struct sembuf *)1;
	char text[64];
	long since = now(), after;

	print("queue %zd", mq_receive(queue, text, sizeof text, NULL));
	after = now();
	fprintf(stderr, "receive 1 %ld\n", after - since);
	print(" semaphore %d\n", semop(semaphore, &down, 1));
	fprintf(stderr, "semaphore 1 %ld\n", now() - after);
	/* operations that cannot be read are for the kernel to refuse */
	print("bad %d", semop(semaphore, nowhere, 1));
	print(" errno %d\n", errno);
	since = now();
	print("letter %zd", msgrcv(letters, &letter, sizeof letter.text, 0, 0));
	fprintf(stderr, "receive 1 %ld\n", now() - since);
	print(" %s\n", letter.text);
}

static void
read_line(void)
{
	FILE *f = fdopen(line[0], "r");
	char word[8] = "";
	double real = 0;
	int number = 0, n;
	long since = now();

	/* NOLINTNEXTLINE(cert-err34-c) - what is read is known */
	n = f == NULL ? -1 : fscanf(f, "%d %7s %lf", &number, word, &real);
	fprintf(stderr, "read 1 %ld\n", now() - since);
	print("%d %d %s %g\n", n, number, word, real);
}

int
main(void)
{
	struct mq_attr room = { .mq_maxmsg = 4, .mq_msgsize = 64 };
	char name[32];
	pthread_t other;

	snprintf(name, sizeof name, "/weft-queues-%d", (int)getpid());
	queue = mq_open(name, O_CREAT | O_RDWR, 0600, &room);
	mq_unlink(name);
	semaphore = semget(IPC_PRIVATE, 1, 0600);
	letters = msgget(IPC_PRIVATE, 0600);
	if (queue < 0 || semaphore < 0 || letters < 0 || pipe(line) != 0 ||
		pthread_create(&other, NULL, give, NULL) != 0)
		return 77;
	receive();
	read_line();
	pthread_join(other, NULL);
	semctl(semaphore, 0, IPC_RMID);
	msgctl(letters, IPC_RMID, NULL);
	for (int i = 0; i < LINES; i++)
		printf("%d%c%5.2f%s", i, ' ', i / 7.0, i % 9 == 0 ? "\n" : " ");
	putchar('\n');
	return 0;
}
