/* SPDX-License-Identifier: MIT */
/* For a build without esbuild: a report cannot be made. */
#include "serve/report_page.h"

const struct report_page report_page = { NULL, 0, NULL, 0 };
