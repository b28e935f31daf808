/* SPDX-License-Identifier: MIT */
#include "emu/models/models.h"

#include <stddef.h>

const struct model *const models[] = {
	&model_nanos6,
	&model_ovni,
	&model_linux,
	&model_nanos6_ctf,
	NULL,
};
