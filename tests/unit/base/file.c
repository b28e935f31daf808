/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/arena.h"
#include "scratch.h"
#include "test.h"

static struct arena arena;

static void
put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

TEST(makes_folders_and_their_parents)
{
	struct err err = { 0 };

	CHECK(file_mkdir("a/b/c", &err));
	CHECK(file_is_dir("a/b/c"));
	CHECK(file_mkdir("a/b/c", &err));
	CHECK(file_mkdir("a//b/d//", &err));
	CHECK(file_is_dir("a/b/d"));
	CHECK(file_mkdir("/", &err));
	CHECK(file_mkdir(".", &err));
	CHECK_STR(err.text, "");
}

TEST(says_which_folder_cannot_be_made)
{
	struct err err = { 0 };
	char name[5000];

	put("plain", "x");
	CHECK(!file_mkdir("plain/sub", &err));
	CHECK_STR(err.text, "cannot create directory plain: Not a directory");
	err = (struct err){ 0 };
	CHECK(!file_mkdir("", &err));
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	err = (struct err){ 0 };
	CHECK(!file_mkdir(name, &err));
	CHECK(strstr(err.text, ": File name too long") != NULL);
}

TEST(knows_folders_and_files)
{
	CHECK(file_is_dir("a"));
	CHECK(!file_is_dir("plain"));
	CHECK(!file_is_dir("none"));
	CHECK(file_is_regular("plain"));
	CHECK(!file_is_regular("a"));
	CHECK(!file_is_regular("none"));
}

TEST(reads_a_whole_file_with_a_nul)
{
	struct err err = { 0 };
	size_t n = 99;
	char *text;

	put("whole", "some text");
	text = file_read(&arena, "whole", 9, &n, &err);
	CHECK_STR(text, "some text");
	CHECK_INT(n, 9);
	put("empty", "");
	text = file_read(&arena, "empty", 0, &n, &err);
	CHECK_STR(text, "");
	CHECK_INT(n, 0);
}

static const char *
why_not(const char *path)
{
	struct err err = { 0 };
	size_t n;

	CHECK(file_read(&arena, path, 8, &n, &err) == NULL);
	return arena_strdup(&arena, err.text);
}

TEST(reads_only_regular_files_within_the_limit)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "sock" };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK_STR(why_not("whole"), "larger than 8 bytes");
	CHECK_STR(why_not("none"),
		"cannot be found, check the path: No such file or directory");
	CHECK_STR(why_not("a"), "not a regular file");
	CHECK_STR(why_not("/dev/zero"), "not a regular file");
	CHECK_INT(mkfifo("fifo", 0600), 0);
	alarm(60); /* a pipe must not hang */
	CHECK_STR(why_not("fifo"), "not a regular file");
	alarm(0);
	CHECK_INT(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
	CHECK_STR(why_not("sock"), "not a regular file");
	close(fd);
}

TEST(reads_at_an_offset_up_to_the_end)
{
	char to[16] = "";
	int fd = open("whole", O_RDONLY | O_CLOEXEC);

	CHECK_INT(file_pread(fd, to, 4, 5), 4);
	CHECK_STR(to, "text");
	CHECK_INT(file_pread(fd, to, 10, 7), 2);
	CHECK_INT(file_pread(fd, to, 10, 9), 0);
	CHECK_INT(file_pread(fd, to, 0, 0), 0);
	close(fd);
	CHECK_INT(file_pread(-1, to, 1, 0), -1);
	CHECK_INT(errno, EBADF);
}

static char found[8000], bad[8000];

static void
add_found(void *arg, const char *path, const char *relative)
{
	(void)arg;
	snprintf(found + strlen(found), sizeof found - strlen(found), "%s=%s\n",
		path, relative);
}

static void
add_bad(void *arg, const char *path, const char *why)
{
	size_t n = strlen(path);

	(void)arg;
	snprintf(bad + strlen(bad), sizeof bad - strlen(bad), "%s: %s\n",
		n < 200 ? path : "(long)", why);
}

static int levels;

static bool
walk(const char *root, struct err *err)
{
	found[0] = bad[0] = '\0';
	const struct file_visitor v = {
		.file = add_found, .unreadable = add_bad, .levels = levels
	};

	return file_find(&arena, root, "s.json", &v, err);
}

TEST(finds_files_in_byte_order)
{
	struct err err = { 0 };

	file_mkdir("t/a/deep", &err);
	file_mkdir("t/a.b", &err);
	file_mkdir("t/B", &err);
	file_mkdir("t/dir/s.json", &err);
	put("t/a/s.json", "");
	put("t/a/deep/s.json", "");
	put("t/a.b/s.json", "");
	put("t/B/s.json", "");
	put("t/dir/s.json/s.json", "");
	put("t/s.json", "");
	put("t/other.json", "");
	CHECK_INT(mkfifo("t/a/deep/pipe", 0600), 0);
	CHECK(walk("t", &err));
	CHECK_STR(found,
		"t/B/s.json=B/s.json\n"
		"t/a.b/s.json=a.b/s.json\n"
		"t/a/deep/s.json=a/deep/s.json\n"
		"t/a/s.json=a/s.json\n"
		"t/dir/s.json/s.json=dir/s.json/s.json\n"
		"t/s.json=s.json\n");
	CHECK_STR(bad, "t/dir/s.json: not a regular file\n");
	CHECK(walk("t/a/deep//", &err));
	CHECK_STR(found, "t/a/deep/s.json=s.json\n");
	CHECK(walk("a", &err));
	CHECK_STR(found, "");
}

TEST(searches_as_deep_as_asked)
{
	struct err err = { 0 };

	file_mkdir("n/1/2", &err);
	put("n/1/s.json", "");
	put("n/1/2/s.json", "");
	levels = 1;
	CHECK(walk("n", &err));
	levels = 0;
	CHECK_STR(found, "n/1/s.json=1/s.json\n");
}

TEST(follows_links_to_files_and_not_to_folders)
{
	struct err err = { 0 };

	file_mkdir("l/x", &err);
	file_mkdir("l/y", &err);
	CHECK_INT(symlink("..", "l/x/up"), 0);
	CHECK_INT(symlink("../../whole", "l/x/s.json"), 0);
	CHECK_INT(symlink("nowhere", "l/y/s.json"), 0);
	CHECK_INT(symlink("l", "root"), 0);
	CHECK(walk("l", &err));
	CHECK_STR(found, "l/x/s.json=x/s.json\n");
	CHECK(walk("root", &err));
	CHECK_STR(found, "root/x/s.json=x/s.json\n");
}

TEST(a_root_that_is_no_folder_is_an_error)
{
	struct err err = { 0 };

	CHECK(!walk("none", &err));
	CHECK_STR(err.text,
		"cannot read directory none: No such file or directory");
	err = (struct err){ 0 };
	CHECK(!walk("plain", &err));
	CHECK_STR(err.text, "cannot read directory plain: Not a directory");
	err = (struct err){ 0 };
	CHECK(!walk("", &err));
}

TEST(a_closed_folder_is_told_and_left_out)
{
	struct err err = { 0 };

	if (geteuid() == 0)
		TEST_SKIP("root reads every folder");
	file_mkdir("c/no", &err);
	put("c/s.json", "");
	CHECK_INT(chmod("c/no", 0), 0);
	CHECK(walk("c", &err));
	CHECK_STR(found, "c/s.json=s.json\n");
	CHECK_STR(bad, "c/no: Permission denied\n");
	CHECK_INT(chmod("c/no", 0700), 0);
}

/* Makes that many nested directories of one name, with a file in the last. */
static void
dig(const char *root, const char *name, int depth)
{
	int fd, next;

	mkdir(root, 0777);
	fd = open(root, O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < depth; i++) {
		CHECK_INT(mkdirat(fd, name, 0777), 0);
		next = openat(fd, name, O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = next;
	}
	close(openat(fd, "s.json", O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
	close(fd);
}

TEST(depth_costs_no_descriptors)
{
	struct rlimit old, few;
	struct err err = { 0 };

	dig("mine", "d", 200);
	getrlimit(RLIMIT_NOFILE, &old);
	few = (struct rlimit){ 16, old.rlim_max };
	setrlimit(RLIMIT_NOFILE, &few);
	CHECK(walk("mine", &err));
	setrlimit(RLIMIT_NOFILE, &old);
	CHECK_INT(strlen(found), strlen("mine/s.json=s.json\n") + 800U);
	CHECK_STR(bad, "");
}

/* The path is longer than open() accepts. */
TEST(a_path_that_is_too_long_is_told_and_left_out)
{
	struct err err = { 0 };
	char name[251];

	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	dig("shaft", name, 25);
	CHECK(walk("shaft", &err));
	CHECK_STR(found, "");
	CHECK_STR(bad, "(long): File name too long\n");
}

static const struct test tests[] = { RUN(makes_folders_and_their_parents),
	RUN(says_which_folder_cannot_be_made), RUN(knows_folders_and_files),
	RUN(reads_a_whole_file_with_a_nul),
	RUN(reads_only_regular_files_within_the_limit),
	RUN(reads_at_an_offset_up_to_the_end), RUN(finds_files_in_byte_order),
	RUN(searches_as_deep_as_asked),
	RUN(follows_links_to_files_and_not_to_folders),
	RUN(a_root_that_is_no_folder_is_an_error),
	RUN(a_closed_folder_is_told_and_left_out),
	RUN(depth_costs_no_descriptors),
	RUN(a_path_that_is_too_long_is_told_and_left_out) };

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
