/* SPDX-License-Identifier: MIT */
/*
 * panel.h - views that lay several types of a row over one another, as models
 * define them.
 *
 * A model names channels; each class of rows that has all of them gets the
 * panel. If a channel belongs to a disabled model, there is no panel.
 */
#ifndef WEFT_EMU_PANEL_H
#define WEFT_EMU_PANEL_H

struct emu;

/* Declares the panels of all enabled models. Call it after view_declare(). */
void panel_declare(struct emu *emu);

#endif
