/* SPDX-License-Identifier: MIT */
/*
 * victim PLACE PROGRESS HOW [EVENTS] - a simulation that dies at its EVENTS-th
 * event (HOW: exit, abort or segv), runs until it is killed (kill), or ends
 * normally (end). The file PROGRESS holds three numbers, always up to date: how
 * many calls of start, end and tag have returned.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <weft/task.h>

#define OPEN 17 /* tasks that are open at the same time */

struct progress {
	volatile uint64_t started, ended, tagged;
};

static struct weft_sim_handler worker;
static struct progress *progress;
static const char *how;
static uint64_t events = 20000, ids[OPEN];

static void
die(void)
{
	if (strcmp(how, "exit") == 0)
		exit(3);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "segv") == 0)
		raise(SIGSEGV);
}

static int
work(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	static uint64_t n;
	uint64_t *id = &ids[n % OPEN];

	if (*id != 0) {
		weft_task_end(&h->domain, *id);
		progress->ended++;
	}
	*id = weft_task_start(&h->domain,
		&(struct weft_task){ .kind = "job",
			.what = n % 3 == 0 ? "thrice" : "other" });
	progress->started++;
	weft_task_tag(&h->domain, *id, "tag");
	progress->tagged++;
	if (++n == events && strcmp(how, "kill") != 0) {
		die();
		return 0;
	}
	/* meanwhile other programs read the store */
	if (n > events)
		usleep(50);
	return weft_sim_schedule(h, ev->time + 333, NULL);
}

int
main(int argc, char *argv[])
{
	struct weft_sim_engine *e = weft_sim_engine_open(NULL);
	static struct weft_tracer_store store;
	const struct rlimit none = { 0, 0 };
	int fd = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0666);

	setrlimit(RLIMIT_CORE, &none);
	if (fd < 0 || ftruncate(fd, sizeof *progress) != 0)
		return 1;
	progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
		MAP_SHARED, fd, 0);
	how = argv[3];
	if (argc > 4)
		events = strtoull(argv[4], NULL, 10);
	weft_sim_handler_init(&worker, e, NULL, "Worker");
	worker.handle = work;
	if (weft_tracer_store_init(&store, e, argv[1]) != WEFT_SIM_OK)
		return 2;
	weft_task_collect(&worker.domain, &store.tracer);
	weft_sim_schedule(&worker, 0, NULL);
	weft_sim_run(e);
	weft_sim_engine_close(e);
	return 0;
}
