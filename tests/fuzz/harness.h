/* SPDX-License-Identifier: MIT */
/*
 * harness.h - what the fuzz targets share: one trace on a memory file system,
 * of which a target rewrites one file for each input.
 *
 *	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
 *	{
 *		static struct harness h;
 *
 *		harness_write(&h, "stream.obs", data, size);
 *		harness_emulate(&h, "", NULL);
 *		return 0;
 *	}
 *
 * A sink in front checks that the emulator keeps the rules of export/sink.h,
 * so that a broken promise is a crash too.
 */
#ifndef WEFT_FUZZ_HARNESS_H
#define WEFT_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

#define HARNESS_FILES 5

struct harness {
	char dir[64]; /* a directory of this process; "" before the first use */
	struct {
		const char *name;
		int fd;
	} file[HARNESS_FILES];
};

/* The directory is made when it is first needed, and removed at exit; name may
 * name a file in one of its subdirectories. */
void harness_write(
	struct harness *h, const char *name, const void *data, size_t size);

/*
 * Emulates dir/name to its end, and puts every finding into words. formats: as
 * --format takes them; NULL adds up times and writes no files.
 */
void harness_emulate(struct harness *h, const char *name, const char *formats);

/* Removes a directory with all in it, which may only be files and directories.
 * Returns the bytes of the files. */
int64_t harness_remove(const char *path);

/* The entry of libFuzzer, which has no header for C. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
