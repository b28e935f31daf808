/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "base/module.h"
#include "serve/http.h"

#ifdef HAVE_HTTP
#define IS_BUILT true
#else
#define IS_BUILT false
#endif

const struct http_ops *
http_load(struct err *err)
{
	const struct http_ops *ops;
	char path[MODULE_PATH];

	if (!IS_BUILT) {
		err_set(err, ERR_INPUT,
			"this build lacks libmicrohttpd, which serves pages: "
			"install libmicrohttpd-dev, and build again");
		return NULL;
	}
	if (!module_find(path, HTTP_MODULE, "serve", "WEFT_VIEW_DIR")) {
		err_set(err, ERR_INPUT, "%s.so is not installed", HTTP_MODULE);
		return NULL;
	}
	ops = module_load(path, HTTP_SYMBOL, "libmicrohttpd12", err);
	if (ops == NULL || ops->layout == HTTP_LAYOUT)
		return ops;
	err_set(err, ERR_INPUT, "%s is of another version of weft", path);
	return NULL;
}
