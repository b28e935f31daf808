/* SPDX-License-Identifier: MIT */
/* left [events] - its main thread ends first, by pthread_exit(). The other
 * thread allocates for a while, prints a line and returns. With the argument
 * "events" both threads also emit some events. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <weft/trace.h>

static struct weft_region work = WEFT_REGION("work");
static bool has_events;

static void *
outlives_main(void *main)
{
	clock_t until = clock() + CLOCKS_PER_SEC / 20;

	pthread_join(*(pthread_t *)main, NULL);
	if (has_events)
		weft_enter(&work);
	while (clock() < until)
		free(malloc(5000));
	if (has_events)
		weft_leave(&work);
	return write(STDOUT_FILENO, "acted\n", 6) == 6 ? NULL : main;
}

int
main(int argc, char *argv[])
{
	static pthread_t me, other;

	(void)argv;
	has_events = argc > 1;
	if (has_events) {
		weft_enter(&work);
		weft_leave(&work);
	}
	me = pthread_self();
	pthread_create(&other, NULL, outlives_main, &me);
	pthread_exit(NULL);
}
