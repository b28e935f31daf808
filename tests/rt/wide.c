/* SPDX-License-Identifier: MIT */
/* wide.c - a program whose thread-local data is larger than the writer thread's
 * stack would be. */
#include <dirent.h>
#include <stdlib.h>

#include "rt/run.h"
#include "test.h"
#include "weft/trace.h"

static __thread char wide[4 << 20];

/* Returns how many threads of this process have that name. */
static int
tasks_of(const char *name)
{
	DIR *d = opendir("/proc/self/task");
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)) != NULL) {
		char path[300], text[32] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm",
			e->d_name);
		f = fopen(path, "r");
		if (f && fgets(text, sizeof(text), f))
			text[strcspn(text, "\n")] = '\0';
		if (f)
			fclose(f);
		n += strcmp(text, name) == 0;
	}
	if (d)
		closedir(d);
	return n;
}

static void
record(void)
{
	*(volatile char *)wide = 1;
	weft_ev("OB.");
	fprintf(stderr, "%d writers", tasks_of("weft-writer"));
}

TEST(writer_has_room_for_the_data_of_its_thread)
{
	run_fresh();
	CHECK_INT(run_child(record), 0);
	CHECK_STR(run_said, "1 writers");
}

TEST_MAIN(RUN(writer_has_room_for_the_data_of_its_thread))
