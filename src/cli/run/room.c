/* SPDX-License-Identifier: MIT */
#include "cli/run/room.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/arena.h"
#include "cli/run/memory_limit.h"

#define MAX_MB (1u << 30)

enum {
	LEAST_FREE = 65536, /* bytes; a disk with less is full */
	USUAL_KB = 1024,    /* default size of a ring buffer */
	LEAST_KB = 64,
	MOST_KB = 4194304,
	RINGS = 1024, /* the memory that holds so many rings is enough */
	NEAR = 8, /* a limit counts as reached if this fraction of it is left */
};

/* Returns the number, 0 if the text is no number or one above most. */
static uint64_t
number_of(const char *text, uint64_t most)
{
	char *end;
	unsigned long long n;

	if (*text < '0' || *text > '9')
		return 0;
	n = strtoull(text, &end, 10);
	return *end != '\0' || n > most ? 0 : n;
}

static const char *
max_text(void)
{
	const char *text = getenv("WEFT_MAX_MB");

	return text == NULL ? "" : text;
}

uint64_t
room_max_bytes(void)
{
	return number_of(max_text(), MAX_MB) << 20;
}

bool
room_check_max(struct err *err)
{
	const char *text = max_text();
	int digits = (int)strspn(text, "0123456789");
	const char *unit = text + digits;

	if (*text == '\0' || number_of(text, MAX_MB) > 0)
		return true;
	if (digits > 0 &&
		(strcmp(unit, "M") == 0 || strcmp(unit, "MB") == 0 ||
			strcmp(unit, "MiB") == 0))
		return err_set(err, ERR_INPUT,
			"WEFT_MAX_MB=%s: not a number of MB from 1 to %u; "
			"leave out the unit: WEFT_MAX_MB=%.*s",
			text, MAX_MB, digits, text);
	return err_set(err, ERR_INPUT,
		"WEFT_MAX_MB=%s: not a number of MB from 1 to %u; set a number "
		"in the environment, or unset it to record without a limit",
		text, MAX_MB);
}

void
room_fit_rings(struct arena *a)
{
	uint64_t kb = memory_limit(a, "/proc/self/cgroup", "/sys/fs/cgroup") /
		(uint64_t)(RINGS * 1024);

	if (kb >= USUAL_KB || getenv("WEFT_RING_KB") != NULL)
		return;
	while ((kb & (kb - 1)) != 0)
		kb &= kb - 1;
	setenv("WEFT_RING_KB",
		arena_printf(a, "%" PRIu64, kb < LEAST_KB ? LEAST_KB : kb), 1);
}

static bool
is_full_said(const char *word)
{
	const char *text = getenv("WEFT_FULL");

	return text != NULL && strcmp(text, word) == 0;
}

bool
room_is_overwriting(void)
{
	return is_full_said("overwrite");
}

bool
room_has(const char *folder, uint64_t bytes)
{
	struct statvfs disk;

	return statvfs(folder, &disk) == 0 &&
		(uint64_t)disk.f_bavail * disk.f_frsize >= bytes;
}

bool
room_is_full(const char *folder)
{
	struct statvfs disk;

	return statvfs(folder, &disk) == 0 &&
		((uint64_t)disk.f_bavail * disk.f_frsize < LEAST_FREE ||
			(disk.f_files > 0 && disk.f_favail == 0));
}

static const char *
temp_folder(void)
{
	const char *temp = getenv("OVNI_TMPDIR");

	return temp == NULL || *temp == '\0' ? NULL : temp;
}

const char *
room_full_disk(const char *folder)
{
	const char *temp = temp_folder();

	if (temp != NULL && room_is_full(temp))
		return temp;
	return room_is_full(folder) ? folder : NULL;
}

const char *
room_full_advice(struct arena *a, const char *folder)
{
	const char *temp = temp_folder();

	return arena_printf(a, "make room, %s, and record again%s",
		temp != NULL && strcmp(temp, folder) == 0
			? "or name a directory on another disk in OVNI_TMPDIR"
			: "or name a directory on another disk with -o",
		room_max_bytes() == 0 ? "; WEFT_MAX_MB ends a recording before "
					"the disk is full"
				      : "");
}

/* Returns the size of a ring buffer, rounded as the recorder does. */
static uint64_t
ring_bytes(void)
{
	const char *text = getenv("WEFT_RING_KB");
	uint64_t want = number_of(text == NULL ? "" : text, MOST_KB);
	uint64_t kb = LEAST_KB;

	while (kb < (want < LEAST_KB ? USUAL_KB : want))
		kb *= 2;
	return kb << 10;
}

/* Returns the advice for a flight recorder, whose events stay in the ring
 * buffers until the end. */
static const char *
flight_advice(int threads)
{
	uint64_t most = room_max_bytes();
	uint64_t n = threads > 0 ? (uint64_t)threads : 1;

	if (most == 0 || n * ring_bytes() * 2 <= most)
		return "a flight recorder keeps the newest; a larger "
		       "WEFT_RING_KB keeps more of them";
	return n * ring_bytes() > most
		? "a flight recorder keeps the newest; a larger WEFT_MAX_MB "
		  "keeps more of them"
		: "a flight recorder keeps the newest; a larger WEFT_RING_KB "
		  "and WEFT_MAX_MB keep more of them";
}

const char *
room_advice(struct arena *a, int threads, uint64_t bytes)
{
	uint64_t most = room_max_bytes();

	if (room_is_overwriting())
		return flight_advice(threads);
	if (most > 0 && bytes >= most - most / NEAR)
		return arena_printf(a,
			"WEFT_MAX_MB=%s was reached; a larger one, or fewer "
			"events (-e), keeps all",
			max_text());
	return arena_printf(a,
		"a larger WEFT_RING_KB%s%s, or fewer events "
		"(-e), keeps all",
		most > 0 ? " or WEFT_MAX_MB" : "",
		is_full_said("drop") ? ", WEFT_FULL=block" : "");
}
