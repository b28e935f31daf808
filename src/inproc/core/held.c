/* SPDX-License-Identifier: MIT */
/* Compiled only where there are asserts. */
#include "inproc/core/held.h"

__thread unsigned weft_rt_held;
