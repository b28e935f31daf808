/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/arena.h"
#include "cli/trace/formats.h"
#include "export/csv/csv.h"
#include "export/prv/prv.h"
#include "export/sinks.h"
#include "trace/ctf/ctf.h"
#include "trace/ctf_out/ctf_out.h"
#include "trace/source.h"

TEST(the_table_has_every_sink_and_every_source_once)
{
	for (int i = 0; sinks[i] != NULL; i++) {
		int n = 0;

		for (const struct format *f = formats; f->use != NULL; f++)
			n += f->out == sinks[i];
		CHECK_INT(n, 1);
	}
	for (int i = 0; sources[i] != NULL; i++) {
		int n = 0;

		for (const struct format *f = formats; f->use != NULL; f++)
			n += f->events == sources[i];
		/* CTF 1.8 and CTF 2 are two formats to be written. */
		CHECK_INT(n, sources[i] == &source_ctf ? 2 : 1);
	}
}

TEST(every_row_is_complete)
{
	for (const struct format *f = formats; f->use != NULL; f++) {
		const char *at = format_extensions(f);

		CHECK(f->events != NULL || f->in != NULL || f->out != NULL);
		CHECK(format_find(format_name(f)) == f);
		CHECK(strlen(f->use) < 60);
		for (; *at != '\0'; at += strspn(at, " ")) {
			CHECK(*at == '.');
			at += strcspn(at, " ");
		}
	}
}

TEST(an_extension_names_the_output)
{
	CHECK(format_of_output("a/fib.prv")->out == &sink_prv);
	CHECK(format_of_output("fib.prv.gz")->out == &sink_prv);
	CHECK(format_of_output("x.y.csv.zst")->out == &sink_csv);
	CHECK(format_of_output("a/fib.ctf/")->writer == &writer_ctf);
	CHECK(format_of_output("fib.ctf2")->writer == &writer_ctf2);
	CHECK(format_of_output("fib") == NULL);
	CHECK(format_of_output("fib.gz") == NULL);
	CHECK(format_of_output("fib.prv/x") == NULL);
	CHECK(format_of_output("prv") == NULL);
	CHECK(format_of_output("a/.prv") == NULL); /* only a suffix */
	CHECK(format_of_output(".gz") == NULL);
	CHECK(format_of_output("/") == NULL);
	CHECK(format_of_output("") == NULL);
	CHECK(format_of_output("fib.tt") == NULL); /* weft only reads it */
}

TEST(the_extensions_of_outputs_are_listed)
{
	struct arena a = { 0 };
	const char *list = format_outputs(&a);

	CHECK(strncmp(list, ".ctf, .ctf2, .prv, ", 19) == 0);
	CHECK(strstr(list, ".tt") == NULL);
	arena_fini(&a);
}

TEST(what_no_format_recognises_is_no_input)
{
	CHECK(format_of_input("\0\0\0\0", 4) == NULL);
	CHECK(format_of_input("", 0) == NULL);
}

TEST_MAIN(RUN(the_table_has_every_sink_and_every_source_once),
	RUN(every_row_is_complete), RUN(an_extension_names_the_output),
	RUN(the_extensions_of_outputs_are_listed),
	RUN(what_no_format_recognises_is_no_input))
