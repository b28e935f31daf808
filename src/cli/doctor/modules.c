/* SPDX-License-Identifier: MIT */
/* Checks libraries that a build may lack. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/module.h"
#include "base/team_ops.h"
#include "cli/doctor/doctor.h"
#include "cli/run/measure.h"
#include "inproc/ctf/papi_module.h"
#include "mem/structure/demangle.h"
#include "mem/structure/module.h"
#include "serve/serve.h"

/* Finds the module where weft is installed or was built: it lies near the
 * memory recorder. */
static const char *
papi_path(struct doctor *d)
{
	static const char *const near[] = { "weft", ".." };
	const char *library = measure_library(&d->arena, MEASURE_LIBRARY);

	for (size_t i = 0; library != NULL && i < 2; i++) {
		const char *path =
			arena_printf(&d->arena, "%.*s/%s/weft-papi.so",
				(int)(strrchr(library, '/') - library), library,
				near[i]);

		if (access(path, F_OK) == 0)
			return path;
	}
	return NULL;
}

static void
papi(struct doctor *d)
{
	const char *path = papi_path(d), *why;
	const struct papi_module *module;
	struct err err = { 0 };

	if (path == NULL) {
		doctor_tell(d, "PAPI", DOCTOR_NO,
			"weft-papi.so is not beside the libraries: install "
			"libpapi-dev, build again");
		return;
	}
	if (!module_is_whole(path, &err)) {
		doctor_tell(d, "PAPI", DOCTOR_NO, "%s", err.text);
		return;
	}
	module = papi_module_load(path, &why);
	if (module == NULL)
		doctor_tell(d, "PAPI", DOCTOR_NO, "%s", why);
	else if ((why = module->add("PAPI_TOT_INS")) != NULL)
		doctor_tell(d, "PAPI", DOCTOR_PARTLY,
			"it is loaded, but counts no instructions here (%s)",
			why);
	else
		doctor_tell(d, "PAPI", DOCTOR_YES, "%s", path);
}

/* Adds a row for each MPI: whether its module and its library can be loaded. */
static void
mpi(struct doctor *d)
{
	for (const struct team_mpi *m = team_mpis; m->word != NULL; m++) {
		struct err err = { 0 };
		const struct team_ops *ops = team_load(m, &err);

		if (ops == NULL) {
			doctor_tell(d, m->name, DOCTOR_NO,
				"ovnisync needs it under the mpirun of %s: %s",
				m->name, err.text);
			continue;
		}
		doctor_tell(d, m->name, DOCTOR_YES, "for ovnisync: %s",
			ops->version());
	}
}

static void
viewer(struct doctor *d)
{
	struct err err = { 0 };

	if (serve_is_possible(&err))
		doctor_tell(d, "viewer", DOCTOR_YES,
			"for weft view: traces in a browser");
	else
		doctor_tell(d, "viewer", DOCTOR_NO, "%s", err.text);
}

void
doctor_modules(struct doctor *d)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	if (*module_library() != '\0')
		doctor_tell(d, "names and lines", DOCTOR_YES, "%s",
			module_library());
	else
		doctor_tell(d, "names and lines", DOCTOR_NO,
			"built without libdw: install libdw-dev, and build "
			"again");
	if (names_can_demangle())
		doctor_tell(d, "names of C++", DOCTOR_YES, "libiberty");
	else
		doctor_tell(d, "names of C++", DOCTOR_NO,
			"built without libiberty: install libiberty-dev, and "
			"build again");
	if (servers != NULL && *servers != '\0')
		doctor_tell(d, "debug files of a server", DOCTOR_YES, "%s",
			servers);
	else
		doctor_tell(d, "debug files of a server", DOCTOR_PARTLY,
			"DEBUGINFOD_URLS names no server: only debug files on "
			"this machine are read");
	papi(d);
	mpi(d);
	viewer(d);
}
