/* SPDX-License-Identifier: MIT */
/* Of a build without esbuild. */
#include "serve/report_page.h"

const struct report_page report_page = { NULL, 0, NULL, 0 };
