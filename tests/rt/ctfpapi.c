/* SPDX-License-Identifier: MIT */
/*
 * ctfpapi.c - a runtime with a software defined event of PAPI: a task counts
 * 10, the runtime 3, five times. With an argument a child of fork() does the
 * same.
 */
#include <sde_lib.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "weft/ctf.h"

enum { CALL, START, END, NPOINTS };

static struct weft_ctf_tracepoint points[NPOINTS + 1] = {
	[CALL] = { .name = "call",
		.variants = WEFT_CTF_TC,
		.counters = WEFT_CTF_TASK | WEFT_CTF_RUNTIME },
	[START] = { .name = "start",
		.counters = WEFT_CTF_RUNTIME,
		.does = WEFT_CTF_TASK_START },
	[END] = { .name = "end",
		.counters = WEFT_CTF_TASK,
		.does = WEFT_CTF_TASK_END },
};

static long long steps, length = 100;

static void
run(void)
{
	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "mine", .points = points, .ncpus = 1 });
	weft_ctf_cpu(0);
	weft_ctf_ev(&points[START]);
	for (int i = 0; i < 5; i++) {
		steps += 10;
		length -= 1; /* decreases, so it is not a counter */
		weft_ctf_enter(&points[CALL], 1);
		steps += 3;
		weft_ctf_exit(&points[CALL], 1);
	}
	weft_ctf_ev(&points[END]);
	weft_ctf_leave();
	weft_ctf_stop();
}

int
main(int argc, char **argv)
{
	papi_handle_t mine = papi_sde_init("mine");

	(void)argv;
	papi_sde_register_counter(mine, "steps", PAPI_SDE_RO | PAPI_SDE_DELTA,
		PAPI_SDE_long_long, &steps);
	papi_sde_register_counter(mine, "length",
		PAPI_SDE_RO | PAPI_SDE_INSTANT, PAPI_SDE_long_long, &length);
	run();
	if (argc > 1) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0) {
			run();
			_exit(0);
		}
		if (waitpid(pid, &status, 0) != pid || status != 0)
			puts("the child did not end well");
	}
	puts("acted");
	return 7;
}
