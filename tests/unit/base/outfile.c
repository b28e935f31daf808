/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/file.h"
#include "base/leftover.h"
#include "scratch.h"
#include "test.h"

static struct arena arena;

static const char *
content(const char *path)
{
	struct err err = { 0 };
	size_t n;

	return file_read(&arena, path, 1 << 20, &n, &err);
}

static bool
exists(const char *path)
{
	return access(path, F_OK) == 0;
}

TEST(takes_its_name_when_closed)
{
	struct outfile f;
	struct err err = { 0 };

	CHECK(outfile_open(&f, &arena, "name", 100, &err));
	outfile_puts(&f, "text");
	outfile_flush(&f);
	CHECK(!exists("name"));
	CHECK(exists(f.tmp));
	CHECK_STR(f.tmp, arena_printf(&arena, "name.tmp-%d", (int)getpid()));
	CHECK(outfile_close(&f, &err));
	CHECK_STR(content("name"), "text");
	CHECK(!exists(f.tmp));
	outfile_discard(&f);
	CHECK(exists("name"));
}

/* Writes n bytes over the file "over". Returns true if the file is the same
 * afterwards. */
static bool
stays(size_t n)
{
	struct stat before, after;
	struct outfile f;
	struct err err = { 0 };
	char *text = ARENA_ARRAY(&arena, char, n + 1);

	memset(text, 'x', n);
	CHECK(stat("over", &before) == 0);
	CHECK(outfile_open_over(&f, &arena, "over", 2 * OVER_MAX, &err));
	outfile_puts(&f, text);
	CHECK(outfile_close(&f, &err));
	CHECK(stat("over", &after) == 0);
	CHECK_STR(content("over"), text);
	CHECK(!exists(arena_printf(&arena, "over.tmp-%d", (int)getpid())));
	return before.st_ino == after.st_ino;
}

TEST(few_bytes_are_written_over_a_file_that_is_there)
{
	struct outfile f;
	struct err err = { 0 };

	CHECK(outfile_open_over(&f, &arena, "over", 100, &err));
	outfile_puts(&f, "new");
	CHECK(!exists("over"));
	CHECK(outfile_close(&f, &err));
	CHECK_STR(content("over"), "new");
	CHECK(stays(3));
	CHECK(stays(OVER_MAX));
	CHECK(!stays(OVER_MAX + 1)); /* more than a page */
	CHECK(!stays(9));            /* fewer than before */
	CHECK(outfile_open_over(&f, &arena, "over", 100, &err));
	outfile_puts(&f, "left out");
	outfile_discard(&f);
	CHECK_STR(content("over"), "xxxxxxxxx");
	CHECK(outfile_open_over(&f, &arena, "no/folder", 100, &err));
	outfile_puts(&f, "lost");
	CHECK(!outfile_close(&f, &err));
	CHECK(strstr(err.text, "cannot create no/folder") != NULL);
}

TEST(inserts_before_what_is_written)
{
	struct outfile f;
	struct err err = { 0 };

	CHECK(outfile_open(&f, &arena, "inserted", 3, &err));
	outfile_puts(&f, "head: a body of some buffers");
	outfile_insert(&f, 5, 4);
	outfile_patch(&f, 5, "MORE", 4);
	outfile_puts(&f, ", and");
	outfile_insert(&f, outfile_tell(&f), 2);
	outfile_patch(&f, outfile_tell(&f) - 2, " a", 2);
	outfile_puts(&f, " tail");
	CHECK_INT(outfile_tell(&f), 44);
	CHECK(outfile_close(&f, &err));
	CHECK_STR(content("inserted"),
		"head:MORE a body of some buffers, and a tail");
	unlink("inserted");
}

TEST(a_signal_removes_a_tree_and_nothing_else)
{
	struct err err = { 0 };
	struct outfile f;
	int kept, tree;

	CHECK(file_mkdir("tree/in/deep", &err));
	CHECK(file_mkdir("other", &err));
	CHECK(outfile_open(&f, &arena, "other/file", 100, &err));
	CHECK(outfile_close(&f, &err));
	CHECK(outfile_open(&f, &arena, "tree/in/deep/file", 100, &err));
	CHECK(outfile_close(&f, &err));
	CHECK_INT(symlink("../other", "tree/link"), 0);
	kept = leftover_add("other"); /* not empty, so rmdir() fails */
	tree = leftover_add_tree("tree");
	leftovers_remove();
	leftover_drop(tree);
	leftover_drop(kept);
	CHECK(!exists("tree"));
	CHECK(exists("other/file"));
	file_remove_tree("other");
}

static bool interrupts; /* mkdtemp() sends a signal */

/* Stands in for that of the C library. */
char *
mkdtemp(char *path)
{
	strcpy(path + strlen(path) - strlen("XXXXXX"), "number");
	if (mkdir(path, 0700) != 0)
		return NULL;
	if (interrupts)
		raise(SIGTERM);
	return path;
}

static void
remove_leftovers(int number)
{
	(void)number;
	leftovers_remove();
}

TEST(a_signal_removes_a_directory_that_was_just_made)
{
	char path[] = "made-XXXXXX", again[] = "made-XXXXXX";
	int number;

	signal(SIGTERM, remove_leftovers);
	interrupts = true;
	CHECK(leftover_mkdtemp(path, true, &number));
	interrupts = false;
	signal(SIGTERM, SIG_DFL);
	CHECK(!exists("made-number"));
	leftover_drop(number);
	CHECK(leftover_mkdtemp(again, false, &number));
	leftover_drop(number);
	CHECK(exists(again));
	strcpy(path, "made-XXXXXX");
	CHECK(!leftover_mkdtemp(path, true, &number));
	CHECK_INT(number, -1);
	rmdir(again);
}

TEST(discard_leaves_the_old_file)
{
	struct outfile f;
	struct err err = { 0 };

	CHECK(outfile_open(&f, &arena, "name", 100, &err));
	outfile_puts(&f, "new");
	outfile_discard(&f);
	CHECK(!exists(f.tmp));
	CHECK_STR(content("name"), "text");
}

TEST(writes_of_any_size_go_through_a_small_buffer)
{
	struct outfile f;
	struct err err = { 0 };
	char want[20000] = "";
	size_t n = 0;

	CHECK(outfile_open(&f, &arena, "sizes", 32, &err));
	for (int i = 0; i < 100; i++) {
		char text[200];

		memset(text, 'a' + i % 26, sizeof text);
		memcpy(want + n, text, (size_t)i);
		n += (size_t)i;
		outfile_write(&f, text, (size_t)i);
		n += (size_t)snprintf(want + n, 200, "<%*d>", i, i);
		outfile_printf(&f, "<%*d>", i, i);
		f.at = digits_u64(outfile_room(&f, DIGITS_MAX), (uint64_t)i);
		n += (size_t)snprintf(want + n, 200, "%d", i);
		CHECK_INT(outfile_tell(&f), n);
	}
	CHECK(outfile_close(&f, &err));
	CHECK_STR(content("sizes"), want);
}

TEST(patches_what_is_on_disk_and_what_is_not)
{
	struct outfile f;
	struct err err = { 0 };

	CHECK(outfile_open(&f, &arena, "patched", 100, &err));
	outfile_puts(&f, "0123456789");
	outfile_flush(&f);
	outfile_puts(&f, "abcdefghij");
	outfile_patch(&f, 2, "XX", 2);
	outfile_patch(&f, 8, "YYYY", 4);
	outfile_patch(&f, 18, "ZZ", 2);
	outfile_patch(&f, 20, "", 0);
	outfile_puts(&f, ".");
	CHECK(outfile_close(&f, &err));
	CHECK_STR(content("patched"), "01XX4567YYYYcdefghZZ.");
}

static void
patch_past_the_end(void)
{
	struct outfile f;
	struct err err = { 0 };

	outfile_open(&f, &arena, "bug", 100, &err);
	outfile_puts(&f, "0123");
	outfile_patch(&f, 3, "XX", 2);
}

static void
room_for_too_much(void)
{
	struct outfile f;
	struct err err = { 0 };

	outfile_open(&f, &arena, "bug", 100, &err);
	outfile_room(&f, 101);
}

TEST(misuse_is_a_bug)
{
	char text[1];

	CHECK_INT(scratch_child(patch_past_the_end, text, 1), 134);
	CHECK_INT(scratch_child(room_for_too_much, text, 1), 134);
}

TEST(a_full_disk_is_told_once_at_close)
{
	struct outfile f;
	struct err err = { 0 };

	if (!exists("/dev/full"))
		TEST_SKIP("no /dev/full");
	CHECK(outfile_open(&f, &arena, "/dev/full", 64, &err));
	for (int i = 0; i < 100; i++)
		outfile_puts(&f, "0123456789");
	CHECK_INT(outfile_tell(&f), 1000);
	outfile_patch(&f, 1, "x", 1);
	outfile_patch(&f, 2000, "x", 1);
	outfile_insert(&f, 2000, 1);
	CHECK(!outfile_close(&f, &err));
	CHECK_INT(err.kind, ERR_SYSTEM);
	CHECK_STR(err.text, "cannot write /dev/full: No space left on device");
	CHECK(exists("/dev/full"));
}

static void
hit_size_limit(void)
{
	struct rlimit limit = { 1000, 1000 };
	struct outfile f;
	struct err err = { 0 };

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	outfile_open(&f, &arena, "limited", 64, &err);
	for (int i = 0; i < 200; i++)
		outfile_puts(&f, "0123456789");
	if (outfile_close(&f, &err))
		_exit(1);
	dprintf(STDERR_FILENO, "%s", err.text);
	_exit(exists(f.tmp) || exists("limited") ? 2 : 0);
}

TEST(a_failed_write_leaves_nothing)
{
	char text[200];

	CHECK_INT(scratch_child(hit_size_limit, text, sizeof text), 0);
	CHECK_STR(text, "cannot write limited: File too large");
}

TEST(a_name_that_cannot_be_made_is_told_at_once)
{
	struct outfile f;
	struct err err = { 0 };

	CHECK(!outfile_open(&f, &arena, "no/such/name", 64, &err));
	CHECK_STR(err.text,
		"cannot create no/such/name: No such file or directory");
	outfile_discard(&f);
	err = (struct err){ 0 };
	CHECK(!outfile_close(&f, &err));
	CHECK_INT(err.kind, ERR_SYSTEM);

	mkdir("folder", 0777);
	err = (struct err){ 0 };
	CHECK(!outfile_open(&f, &arena, "folder", 64, &err));
	CHECK_STR(err.text, "cannot create folder: Is a directory");
}

TEST(a_link_and_a_pipe_are_written_in_place)
{
	struct outfile f;
	struct err err = { 0 };
	struct stat st;
	char text[5] = "";
	int fd;

	CHECK_INT(symlink("target", "link"), 0);
	CHECK(outfile_open(&f, &arena, "link", 64, &err));
	outfile_puts(&f, "via");
	CHECK(outfile_close(&f, &err));
	CHECK_STR(content("target"), "via");
	CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));

	CHECK_INT(mkfifo("pipe", 0600), 0);
	fd = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	CHECK(outfile_open(&f, &arena, "pipe", 64, &err));
	outfile_puts(&f, "flow");
	CHECK(outfile_close(&f, &err));
	CHECK_INT(read(fd, text, 4), 4);
	CHECK_STR(text, "flow");
	close(fd);
}

TEST(a_leftover_of_the_same_number_is_replaced)
{
	struct outfile f;
	struct err err = { 0 };
	const char *tmp = arena_printf(&arena, "again.tmp-%d", (int)getpid());

	CHECK_INT(symlink("/dev/null", tmp), 0);
	CHECK(outfile_open(&f, &arena, "again", 64, &err));
	outfile_puts(&f, "here");
	CHECK(outfile_close(&f, &err));
	CHECK_STR(content("again"), "here");
}

TEST(two_write_their_lines_into_one_file)
{
	struct outfile f[2];
	struct err err = { 0 };
	int fd = open("common", O_WRONLY | O_CREAT, 0666);
	int64_t end = 2;

	for (int i = 0; i < 2; i++) {
		CHECK(outfile_open(&f[i], &arena, i ? "b" : "a", 4, &err));
		outfile_hold(&f[i], true);
		outfile_puts(&f[i], "h");
		CHECK_INT(outfile_held(&f[i]), 0);
		outfile_puts(&f[i], i ? "\nlong line of b\n" : "\na\n");
	}
	for (int i = 0; i < 2; i++) {
		size_t n = outfile_held(&f[i]);

		CHECK_INT(f[i].flushed, 2);
		CHECK_INT(n, i ? 15 : 2);
		outfile_place(&f[i], fd, end);
		end += (int64_t)n;
		outfile_puts(&f[i], "again\n");
		CHECK_INT(outfile_held(&f[i]), 6);
		outfile_place(&f[i], fd, end);
		end += 6;
		outfile_hold(&f[i], false);
		outfile_patch(&f[i], 0, "H", 1);
		CHECK(outfile_close(&f[i], &err));
		CHECK_STR(content(i ? "b" : "a"), "H\n");
	}
	CHECK_INT(pwrite(fd, "H\n", 2, 0), 2);
	close(fd);
	CHECK_STR(content("common"), "H\na\nagain\nlong line of b\nagain\n");
}

static const struct test tests[] = { RUN(takes_its_name_when_closed),
	RUN(few_bytes_are_written_over_a_file_that_is_there),
	RUN(two_write_their_lines_into_one_file),
	RUN(inserts_before_what_is_written), RUN(discard_leaves_the_old_file),
	RUN(writes_of_any_size_go_through_a_small_buffer),
	RUN(patches_what_is_on_disk_and_what_is_not), RUN(misuse_is_a_bug),
	RUN(a_full_disk_is_told_once_at_close),
	RUN(a_failed_write_leaves_nothing),
	RUN(a_name_that_cannot_be_made_is_told_at_once),
	RUN(a_link_and_a_pipe_are_written_in_place),
	RUN(a_leftover_of_the_same_number_is_replaced),
	RUN(a_signal_removes_a_tree_and_nothing_else),
	RUN(a_signal_removes_a_directory_that_was_just_made) };

int
main(void)
{
	char dir[64];
	int code;

	scratch_enter(dir);
	code = test_run_all(tests, sizeof tests / sizeof tests[0]);
	scratch_leave(dir);
	arena_fini(&arena);
	return code;
}
