/* SPDX-License-Identifier: MIT */
/*
 * models.h - the models of this build, one file each, listed in models.c.
 */
#ifndef WEFT_EMU_MODELS_MODELS_H
#define WEFT_EMU_MODELS_MODELS_H

#include "emu/model.h"

extern const struct model model_kernel, model_linux, model_mpi, model_nanos6,
	model_nanos6_ctf, model_nodes, model_nosv, model_openmp, model_ovni,
	model_tampi, model_wait;

#endif
