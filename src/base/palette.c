// SPDX-License-Identifier: GPL-2.0-or-later
/* palette - the 256 colors of terminals as 0xRRGGBB */
#include "base/palette.h"

/*
 * 16 to 231 are a cube of six levels, 232 to 255 greys. Terminals differ in the first 16: these are xterm's.
 */
uint32_t rs_palette_rgb(int color)
{
	static const uint32_t first[16] = {
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};
	static const uint8_t levels[6] = { 0, 95, 135, 175, 215, 255 };

	if (color < 16)
		return first[color & 15];
	if (color >= 232)
		return (uint32_t)(8 + 10 * (color - 232)) * 0x010101;
	color -= 16;
	return (uint32_t)levels[color / 36] << 16 | (uint32_t)levels[color / 6 % 6] << 8 | levels[color % 6];
}
