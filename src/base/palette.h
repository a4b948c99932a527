/* SPDX-License-Identifier: GPL-2.0-or-later */
/* palette.h - the 256 colors of terminals as 0xRRGGBB */
#ifndef RS_BASE_PALETTE_H
#define RS_BASE_PALETTE_H

#include <stdint.h>

uint32_t rs_palette_rgb(int color);

#endif
