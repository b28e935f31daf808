/* SPDX-License-Identifier: MIT */
/*
 * decoder.h - the functions of Zydis, which decodes instructions.
 *
 * They are apart from the program's own copy of Zydis, if it has one. The
 * preloaded recorder loads the shared library (decoder.c). A static program has
 * no loader, and distributions have no static Zydis: the recorder in it
 * contains the file of the shared library, and relocates it in memory
 * (mem/static/decoder.c).
 */
#ifndef WEFT_INPROC_CODE_DECODER_H
#define WEFT_INPROC_CODE_DECODER_H

#include <Zydis/Zydis.h>
#include <stdbool.h>

struct decoder {
	ZyanStatus (*init)(ZydisDecoder *, ZydisMachineMode, ZydisStackWidth);
	ZyanStatus (*head)(const ZydisDecoder *, ZydisDecoderContext *,
		const void *, ZyanUSize, ZydisDecodedInstruction *);
	ZyanStatus (*operands)(const ZydisDecoder *,
		const ZydisDecoderContext *, const ZydisDecodedInstruction *,
		ZydisDecodedOperand *, ZyanU8);
	ZydisRegister (*enclosing)(ZydisMachineMode, ZydisRegister);
};

/* Names of the functions, in the order of struct decoder. */
#define DECODER_NAMES \
	{ \
		"ZydisDecoderInit", "ZydisDecoderDecodeInstruction", \
			"ZydisDecoderDecodeOperands", \
			"ZydisRegisterGetLargestEnclosing" \
	}
enum { DECODER_FUNCTIONS = 4 };

/* Finds the functions. Returns false if there is no such library. */
bool decoder_find(struct decoder *d);

#endif
