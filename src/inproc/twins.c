/* SPDX-License-Identifier: MIT */
/* Exports the inline functions of <weft/trace.h> and <weft/ctf.h> as symbols,
 * for languages that cannot read C headers. The definitions serve as
 * declarations. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define WEFT_OUT_OF_LINE
#include "weft/ctf.h"
