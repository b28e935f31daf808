/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "inproc/ctf/papi_module.h"

bool
weft_rt_papi_is(const char *name)
{
	return strncmp(name, "PAPI_", 5) == 0 || strstr(name, "::");
}

/* Finds the module: beside the library, in its build directory, or where it was
 * to be installed. */
static bool
find(char path[PATH_MAX])
{
	static const char *const below[] = { "/weft", "" };
	Dl_info info;
	const char *slash;

	if (dladdr(below, &info) != 0 &&
		(slash = strrchr(info.dli_fname, '/')) != NULL)
		for (int i = 0; i < 2; i++) {
			snprintf(path, PATH_MAX, "%.*s%s/weft-papi.so",
				(int)(slash - info.dli_fname), info.dli_fname,
				below[i]);
			if (access(path, F_OK) == 0)
				return true;
		}
	snprintf(path, PATH_MAX, "%s/weft/weft-papi.so", RT_LIBDIR);
	return access(path, F_OK) == 0;
}

static const struct papi_module *
load(const char **why)
{
	char path[PATH_MAX];

	if (!find(path)) {
		*why = "needs weft-papi.so; build Weft with libpapi-dev, and "
		       "install it";
		return NULL;
	}
	return papi_module_load(path, why);
}

const struct papi_module *
weft_rt_papi(const char **why)
{
	static const struct papi_module *module;
	static const char *missing;

	if (!module && !missing)
		module = load(&missing);
	*why = missing;
	return module;
}
