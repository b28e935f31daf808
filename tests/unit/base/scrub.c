/* SPDX-License-Identifier: MIT */
#include "base/scrub.h"

#include "base/arena.h"
#include "test.h"

#define HOMES \
	"/" \
	"home/" /* split, because the lint of paths would find the whole text \
	         */

/* The text without "node7.cluster.org", "gw" and the user "eva". */
static bool
becomes(const char *text, const char *want)
{
	struct arena a = { 0 };
	struct scrub s = { 0 };
	struct out json, out;
	bool ok;

	scrub_name(&s, &a, "node7.cluster.org", SCRUB_HOST);
	scrub_name(&s, &a, "eva", SCRUB_USER);
	scrub_name(&s, &a, "gw", SCRUB_HOST);
	scrub_name(&s, &a, NULL, SCRUB_HOST);
	scrub_name(&s, &a, "GW", SCRUB_HOST);
	out_open_memory(&json);
	out_open_memory(&out);
	out_puts(&json, "\"");
	out_puts(&json, text);
	out_puts(&json, "\"");
	scrub_json(&s, &out, json.buf, (size_t)(json.at - json.buf));
	out_put(&out, "", 1);
	ok = strncmp(out.buf + 1, want, strlen(want)) == 0 &&
		strcmp(out.buf + 1 + strlen(want), "\"") == 0;
	if (!ok)
		test_fail(__FILE__, __LINE__, out.buf);
	out_close(&json);
	out_close(&out);
	arena_fini(&a);
	return ok;
}

TEST(names_go_as_whole_words)
{
	CHECK(becomes("on node7.cluster.org", "on host1"));
	CHECK(becomes("NODE7: eva", "host1: user"));
	CHECK(becomes("loom.node7.12/x", "loom.host1.12/x"));
	CHECK(becomes("evaluate, node77, gwx, xgw",
		"evaluate, node77, gwx, "
		"xgw"));
	CHECK(becomes("gw", "host2"));
	CHECK(becomes("gw_ib0, trace_gw/a", "host2_ib0, trace_host2/a"));
	CHECK(becomes("gw.secretlab, gw.lab.org.7", "host2, host2.7"));
	CHECK(becomes("gw.c:12, gw.7", "host2.c:12, host2.7"));
	CHECK(becomes("gw.lan, gw.de: gw.prv", "host2, host2: host2.prv"));
	CHECK(becomes("", ""));
}

TEST(paths_lose_their_directories)
{
	CHECK(becomes(HOMES "eva/heat.c:12 and", "heat.c:12 and"));
	CHECK(becomes("in /opt/app/bin/heat", "in (path)"));
	CHECK(becomes(HOMES "eva.b", "(path)"));
	CHECK(becomes("file:///data/x.c", "file://x.c"));
	CHECK(becomes("(/a/b.so)", "(b.so)"));
	CHECK(becomes("~/src/heat.c", "~/src/heat.c"));
	CHECK(becomes("and/or, 10 / 2, MPI_Send/Recv",
		"and/or, 10 / 2, MPI_Send/Recv"));
	CHECK(becomes(HOMES "x/eva.c", "user.c"));
}

TEST(paths_may_have_blanks)
{
	CHECK(becomes(
		"in /srv/My Traces/acme corp/heat/loom: x", "in (path): x"));
	CHECK(becomes("/srv/a big (old) dir/heat.c:3 b", "heat.c:3 b"));
	CHECK(becomes("/srv/al\\\"ice/private.txt", "private.txt"));
	CHECK(becomes("/srv/a /srv/b.c", "(path) b.c"));
	CHECK(becomes("/srv/a.c on node7, and/or", "a.c on host1, and/or"));
	CHECK(becomes("in /srv/Muster, A/heat.c", "in heat.c"));
	CHECK(becomes("in /srv/a b c d e f g h/heat.c", "in heat.c"));
	CHECK(becomes("/srv/A Muster/secret data", "(path)"));
	CHECK(becomes("/srv/A Muster/secret data.txt", "secret data.txt"));
}

TEST(paths_of_windows_lose_their_directories)
{
	CHECK(becomes("in C:\\\\Users\\\\me\\\\x", "in (path)"));
	CHECK(becomes("C:\\\\Users\\\\me\\\\heat.c:12 and", "heat.c:12 and"));
	CHECK(becomes("d:\\\\Program Files (x86)\\\\Acme Corp\\\\a.exe failed",
		"a.exe failed"));
	CHECK(becomes("C:\\\\users\\\\carla.b", "(path)"));
	CHECK(becomes("on \\\\\\\\srv\\\\share\\\\a b\\\\x.c", "on x.c"));
	CHECK(becomes("C:\\\\Users/me/x.c, x", "x.c, x"));
	CHECK(becomes("C:\\\\j\\u00fcrgen\\\\geheim", "(path)"));
	CHECK(becomes("case A:\\nfoo, abc:\\\\n, A: b\\\\c",
		"case A:\\nfoo, abc:\\\\n, A: b\\\\c"));
}

TEST(paths_may_have_letters_that_json_escapes)
{
	CHECK(becomes(HOMES "j\\u00fcrgen/proj geheim/heat.c", "heat.c"));
	CHECK(becomes("in /\\u00fc/a", "in (path)"));
}

TEST(paths_may_begin_at_another_directory)
{
	CHECK(becomes("in ../../" HOMES "carla/x.c", "in x.c"));
	CHECK(becomes("in ~carla/heat.c", "in heat.c"));
	CHECK(becomes("~10, a..b/c, ...", "~10, a..b/c, ..."));
}

TEST(words_of_weft_stay_in_json)
{
	static const char json[] =
		"{\"class\":\"gw\",\"name\":\"gw \\\"gw\\\"\",\"rows\":"
		"\"r0-3\",\"text\":\"a\\n/srv/eva/b.c\\u0001gw\",\"n\":12,"
		"\"a\":[\n\"gw\"\n]}";
	static const char want[] =
		"{\"class\":\"gw\",\"name\":\"host1 \\\"host1\\\"\",\"rows\":"
		"\"r0-3\",\"text\":\"a\\nb.c\\u0001host1\",\"n\":12,"
		"\"a\":[\n\"host1\"\n]}";
	static const char *const own[] = { "class", "rows", NULL };
	struct arena a = { 0 };
	struct scrub s = { .own = own };
	struct out out;

	scrub_name(&s, &a, "gw", SCRUB_HOST);
	out_open_memory(&out);
	scrub_json(&s, &out, json, sizeof json - 1);
	CHECK_INT((long)(out.at - out.buf), (long)sizeof want - 1);
	CHECK(memcmp(out.buf, want, sizeof want - 1) == 0);
	out_close(&out);
	/* An input that is not JSON is read only to its end. */
	for (size_t n = 0; n < sizeof json; n++) {
		out_open_memory(&out);
		scrub_json(&s, &out, json, n);
		out_close(&out);
	}
	arena_fini(&a);
}

/* The same, in a document that keeps its length. */
static bool
is_long_as(const char *text, const char *want)
{
	static const char *const own[] = { "name", NULL };
	struct arena a = { 0 };
	struct scrub s = { .same_length = true, .own = own };
	char *all = arena_strdup(&a, text);
	bool ok;

	scrub_name(&s, &a, "node7.cluster.org", SCRUB_HOST);
	scrub_name(&s, &a, "eva", SCRUB_USER);
	scrub_name(&s, &a, "gw", SCRUB_HOST);
	scrub_name(&s, &a, "login03", SCRUB_HOST);
	scrub_document(&s, all, strlen(all));
	ok = strcmp(all, want) == 0 && !s.is_full;
	if (!ok)
		test_fail(__FILE__, __LINE__, all);
	arena_fini(&a);
	return ok;
}

TEST(texts_keep_their_length)
{
	CHECK(is_long_as("{\"a\": \"node7, node7.cluster.org\"}",
		"{\"a\": \"host1, host1.xxxxxxx.xxx\"}"));
	CHECK(is_long_as(
		"[\"gw and login03 of eva\"]", "[\"h1 and host001 of use\"]"));
	CHECK(is_long_as("{\"a\":\"" HOMES "eva/heat.c:12 /opt/bin/heat\"}",
		"{\"a\":\"/xxxx/xxx/heat.c:12 /xxx/xxx/xxxx\"}"));
	CHECK(is_long_as("{\"name\":\"gw\",\"argv\":[\"heat\",\"-n\"],"
			 "\"n\":1}",
		"{\"name\":\"gw\",\"argv\":[\"xxxx\",\"xx\"],"
		"\"n\":1}"));
	CHECK(is_long_as("/* gw */ env { hostname = \"gw\"; binary_name = "
			 "\"heat\"; };",
		"/* h1 */ env { hostname = \"h1\"; binary_name = "
		"\"xxxx\"; };"));
}

TEST(bytes_have_backslashes_of_one_byte)
{
	struct arena a = { 0 };
	struct scrub s = { .same_length = true };
	char text[] = "C:\\Users\\me\\x.c ok, \\\\srv\\a\\b, gw.lan";
	char json[] = "{\"a\": \"C:\\\\Us\\\\j\\u00fc\\\\x.c\"}";

	scrub_name(&s, &a, "gw", SCRUB_HOST);
	scrub_bytes(&s, text, sizeof text - 1);
	CHECK_STR(text, "xxxxxxxxxxxxx.c ok, xxxxxxxxx, h1.xxx");
	scrub_document(&s, json, sizeof json - 1);
	CHECK_STR(json, "{\"a\": \"xxxxxxxxxxxxxxxxxx.c\"}");
	arena_fini(&a);
}

/* With the square of the length this would take an hour. */
TEST(long_names_in_paths_of_windows_take_no_time)
{
	enum { LONG = 1 << 20 };
	struct arena a = { 0 };
	struct scrub s = { .same_length = true };
	char *text = ARENA_ARRAY(&a, char, LONG);

	memset(text, 'a', LONG);
	memcpy(text, "C:\\", 3);
	memcpy(text + LONG - 2, ".c", 2);
	scrub_bytes(&s, text, LONG);
	CHECK(memcmp(text, "xxxa", 4) == 0);
	CHECK(memcmp(text + LONG - 3, "a.c", 3) == 0);
	arena_fini(&a);
}

/* Words behind a path of Windows belong to it if a backslash follows soon. */
TEST(paths_of_windows_have_blanks)
{
	static const struct {
		const char *text, *becomes;
	} cases[] = {
		{ "C:\\a b c\\d e", "xxxxxxxxxx e" },
		{ "C:\\a.c b c d\\e", "xxxxxxxxxxxxxx" },
		{ "C:\\a.c b c d e\\f", "xxxa.c b c d e\\f" },
		{ "C:\\a 2 3 4 5 6 7 8 9 a b c d e f g\\h",
			"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" },
		{ "C:\\a 2 3 4 5 6 7 8 9 a b c d e f g h\\i",
			"xxxx 2 3 4 5 6 7 8 9 a b c d e f g h\\i" },
	};
	struct scrub s = { .same_length = true };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[64];

		snprintf(text, sizeof text, "%s", cases[i].text);
		scrub_bytes(&s, text, strlen(text));
		CHECK_STR(text, cases[i].becomes);
	}
}

/* Hosts with the same short name stay apart, and domains go. */
TEST(hosts_of_two_domains_differ)
{
	struct arena a = { 0 };
	struct scrub s = { .same_length = true };
	char text[] = "node12.a.org node12.b.org node12 loom.node12.a.org.7/";

	scrub_name(&s, &a, "node12", SCRUB_HOST);
	scrub_name(&s, &a, "node12.a.org", SCRUB_HOST);
	scrub_name(&s, &a, "node12.b.org", SCRUB_HOST);
	scrub_bytes(&s, text, sizeof text - 1);
	CHECK(strcmp(text,
		      "host01.x.xxx host02.x.xxx host01 "
		      "loom.host01.x.xxx.7/") == 0);
	arena_fini(&a);
}

TEST(names_that_remain_are_found)
{
	static const char text[] = "{\"gw\": 1, \"use\": 2}";
	struct arena a = { 0 };
	struct scrub s = { .same_length = true };
	const char *found;

	scrub_name(&s, &a, "user", SCRUB_USER);
	CHECK(scrub_find(&s, "user", 4) == NULL); /* becomes itself */
	CHECK(scrub_find(&s, text, sizeof text - 1) == NULL);
	scrub_name(&s, &a, "gw", SCRUB_HOST);
	found = scrub_find(&s, text, sizeof text - 1);
	CHECK(found != NULL && strcmp(found, "gw") == 0);
	scrub_name(&s, &a, "h1", SCRUB_HOST);
	CHECK(scrub_find(&s, "h1 h2", 5) == NULL); /* is what gw becomes */
	for (int i = 0; i < 10; i++)
		scrub_name(&s, &a, arena_printf(&a, "n%d", i), SCRUB_HOST);
	CHECK(s.is_full);
	arena_fini(&a);
}

TEST_MAIN(RUN(names_go_as_whole_words), RUN(paths_lose_their_directories),
	RUN(paths_may_have_blanks),
	RUN(paths_may_have_letters_that_json_escapes),
	RUN(paths_of_windows_lose_their_directories),
	RUN(bytes_have_backslashes_of_one_byte),
	RUN(paths_may_begin_at_another_directory),
	RUN(paths_of_windows_have_blanks), RUN(hosts_of_two_domains_differ),
	RUN(words_of_weft_stay_in_json), RUN(texts_keep_their_length),
	RUN(names_that_remain_are_found),
	RUN(long_names_in_paths_of_windows_take_no_time))
