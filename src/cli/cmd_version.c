/* SPDX-License-Identifier: MIT */
/* weft version - says what this build is and what is in it. */
#include <json-c/json_c_version.h>
#include <stdio.h>

#include "cli/cmd.h"
#include "emu/model.h"
#include "export/sinks.h"
#include "trace/source.h"

static enum exit_code
run(int argc, char *argv[])
{
	const struct option_def opts[] = { { 0 } };
	enum exit_code code;

	if (cmd_parse(&cmd_version, opts, argc, argv, &code) < 0)
		return code;
	printf("weft %s\n", WEFT_VERSION);
	printf("reads:   ");
	for (const struct source_ops *const *s = sources; *s != NULL; s++)
		printf(" %s", (*s)->name);
	printf("\nmodels:  ");
	for (const struct model *const *m = models; *m != NULL; m++)
		printf(" %s %s%s", (*m)->name, (*m)->version,
			m[1] == NULL ? "" : ",");
	printf("\nwrites:  ");
	for (const struct sink_ops *const *s = sinks; *s != NULL; s++)
		printf(" %s", (*s)->name);
	printf("\nlibraries: json-c %s\n", json_c_version());
	printf("compiler: %s\n", __VERSION__);
	return EXIT_YES;
}

const struct cmd cmd_version = {
	.name = "version",
	.brief = "print the version and what is in this build",
	.run = run,
};
