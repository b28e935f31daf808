/* SPDX-License-Identifier: MIT */
/* weft version - prints the version of this build and its parts. */
#include <json-c/json_c_version.h>
#include <stdio.h>

#include "cli/cmd.h"
#include "emu/model.h"
#include "export/sinks.h"
#include "mem/structure/demangle.h"
#include "mem/structure/module.h"
#include "store/driver.h"
#include "trace/source.h"

#ifdef __clang__
static const char compiler[] = "clang";
#else
static const char compiler[] = "gcc";
#endif

static enum exit_code
run(int argc, char *argv[])
{
	const struct option_def opts[] = { { 0 } };
	enum exit_code code;

	if (cmd_parse(&cmd_version, opts, argc, argv, &code) < 0)
		return code;
	printf("weft %s\n", WEFT_VERSION);
	printf("%-10s", "reads");
	for (const struct source_ops *const *s = sources; *s != NULL; s++)
		printf(" %s%s", (*s)->name, s[1] == NULL ? "" : ",");
	printf("\n%-10s", "models");
	for (const struct model *const *m = models; *m != NULL; m++)
		printf(" %s %s%s", (*m)->name, (*m)->version,
			m[1] == NULL ? "" : ",");
	printf("\n%-10s", "writes");
	for (const struct sink_ops *const *s = sinks; *s != NULL; s++)
		printf(" %s%s", (*s)->name, s[1] == NULL ? "" : ",");
	printf("\n%-10s stream,", "stores"); /* has no driver:
	                                      * src/task/stream_store.h */
	for (const char *const *k = store_kinds; *k != NULL; k++)
		printf(" %s%s", *k, k[1] == NULL ? "" : ",");
	printf("\n%-10s json-c %s", "libraries", json_c_version());
	if (*module_library() != '\0')
		printf(", %s", module_library());
	printf("%s\n", names_can_demangle() ? ", libiberty" : "");
	printf("%-10s %s %s\n", "compiler", compiler, __VERSION__);
	return EXIT_YES;
}

const struct cmd cmd_version = {
	.name = "version",
	.brief = "print the version and what is in this build",
	.run = run,
};
