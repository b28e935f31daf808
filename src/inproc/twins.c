/* SPDX-License-Identifier: MIT */
/* What <weft/trace.h> and <weft/ctf.h> have in line, as symbols: for languages
 * that read no header of C. Their definitions there are the declarations. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define WEFT_OUT_OF_LINE
#include "weft/ctf.h"
