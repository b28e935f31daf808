/* SPDX-License-Identifier: MIT */
#include "emu/models/models.h"

#include <stddef.h>

const struct model *const models[] = {
	&model_nanos6,
	&model_nodes,
	&model_kernel,
	&model_mpi,
	&model_ovni,
	&model_openmp,
	&model_tampi,
	&model_nosv,
	&model_wait,
	&model_linux,
	&model_nanos6_ctf,
	NULL,
};
