/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stddef.h>

#include "base/module.h"
#include "serve/http.h"

#ifdef HAVE_HTTP
#define IS_BUILT true
#else
#define IS_BUILT false
#endif

#define MISSING "this %s lacks libmicrohttpd, which serves pages: install %s"

const struct http_ops *
http_load(struct err *err)
{
	const struct http_ops *ops = NULL;
	char path[MODULE_PATH];
	void *module;

	if (!IS_BUILT) {
		err_set(err, ERR_INPUT, MISSING, "build",
			"libmicrohttpd-dev, and build again");
		return NULL;
	}
	if (!module_find(path, HTTP_MODULE, "serve", "WEFT_VIEW_DIR")) {
		err_set(err, ERR_INPUT, "%s.so is not installed", HTTP_MODULE);
		return NULL;
	}
	module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (module != NULL)
		ops = dlsym(module, HTTP_SYMBOL);
	if (ops == NULL) {
		err_set(err, ERR_INPUT, MISSING " (%s)", "machine",
			"libmicrohttpd12", dlerror());
		return NULL;
	}
	if (ops->layout == HTTP_LAYOUT)
		return ops;
	err_set(err, ERR_INPUT, "%s is of another version of weft", path);
	return NULL;
}
