/* SPDX-License-Identifier: MIT */
#include "inproc/core/unsaid.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(struct unsaid) == UNSAID_PAGE, "it is one page");

/* Set at load. */
static struct unsaid *page;
static bool is_silent;
static char folder[PATH_MAX]; /* of weft run; empty: unknown */

static struct unsaid *
map(const char *file)
{
	struct stat st;
	void *at = MAP_FAILED;
	int fd = open(file, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && st.st_size == UNSAID_PAGE)
		at = mmap(NULL, UNSAID_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
			fd, 0);
	close(fd);
	return at == MAP_FAILED ? NULL : at;
}

void
weft_rt_unsaid_load(void)
{
	const char *file = secure_getenv("WEFT_UNSAID");
	const char *slash = file != NULL ? strrchr(file, '/') : NULL;

	is_silent = file != NULL;
	if (slash == NULL || (size_t)(slash - file) >= sizeof folder)
		return;
	page = map(file);
	memcpy(folder, file, (size_t)(slash - file));
}

const char *
weft_rt_unsaid_folder(void)
{
	return folder;
}

bool
weft_rt_unsaid_is_elsewhere(void)
{
	return folder[0] != '\0' && access(folder, F_OK) != 0 &&
		errno == ENOENT;
}

bool
weft_rt_unsaid_keep(const char *line, size_t n)
{
	uint32_t at;

	if (page == NULL || strstr(page->text, line) != NULL)
		return page != NULL || is_silent;
	at = __atomic_fetch_add(&page->used, (uint32_t)n, __ATOMIC_RELAXED);
	if (at < sizeof page->text && n < sizeof page->text - at)
		memcpy(page->text + at, line, n);
	return true;
}

bool
weft_rt_unsaid_is_first(void)
{
	if (page == NULL)
		return !is_silent;
	return __atomic_exchange_n(&page->has_trouble, 1, __ATOMIC_RELAXED) ==
		0;
}
