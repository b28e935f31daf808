/* SPDX-License-Identifier: MIT */
/*
 * model_list.h - models that are not built in: from files, or declared by a
 * trace.
 */
#ifndef WEFT_EMU_MODEL_LIST_H
#define WEFT_EMU_MODEL_LIST_H

#include "base/vec.h"
#include "emu/model.h"

struct model_list {
	VEC(const struct model *) model;
};

#endif
