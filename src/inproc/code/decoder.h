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
#include <stddef.h>

struct decoder {
	ZyanStatus (*init)(ZydisDecoder *, ZydisMachineMode, ZydisStackWidth);
	ZyanStatus (*head)(const ZydisDecoder *, ZydisDecoderContext *,
		const void *, ZyanUSize, ZydisDecodedInstruction *);
	ZyanStatus (*operands)(const ZydisDecoder *,
		const ZydisDecoderContext *, const ZydisDecodedInstruction *,
		ZydisDecodedOperand *, ZyanU8);
	ZydisRegister (*enclosing)(ZydisMachineMode, ZydisRegister);
};

/* Fills in the functions that find() returns for a library. Returns false if
 * one is missing. */
static inline bool
decoder_fill(struct decoder *d, void *(*find)(void *library, const char *name),
	void *library)
{
	const struct {
		const char *name;
		void **to;
	} rows[] = { { "ZydisDecoderInit", (void **)&d->init },
		{ "ZydisDecoderDecodeInstruction", (void **)&d->head },
		{ "ZydisDecoderDecodeOperands", (void **)&d->operands },
		{ "ZydisRegisterGetLargestEnclosing",
			(void **)&d->enclosing } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		*rows[i].to = find(library, rows[i].name);
		if (*rows[i].to == NULL)
			return false;
	}
	return true;
}

/* Finds the functions. Returns false if there is no such library. */
bool decoder_find(struct decoder *d);

#endif
