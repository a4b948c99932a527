// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * theme.c - styles as colors and attributes: one row for each style, with each theme; ringside/wait.h has
 * those of states and causes, heat.c those of heat maps
 *
 * The terminal's background is kept: "dark" and "light" tell which colors are readable on it.
 */
#include "tui/toolkit/theme.h"

#include <string.h>

#include "base/palette.h"
#include "tui/toolkit/heat.h"

enum { B = RS_ATTR_BOLD, D = RS_ATTR_DIM, U = RS_ATTR_UNDERLINE, R = RS_ATTR_REVERSE };
enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, OWN = -1 };

/*
 * Without colors, glyphs and letters tell states and heat apart; only neighboring slices need different
 * styles.
 */
static const struct {
	struct { struct rs_style of_256, of_8; } dark, light;
	uint8_t mono;
} styles[RS_NR_STYLES] = {
	[RS_STYLE_TEXT] = { { { OWN, OWN, 0 }, { OWN, OWN, 0 } }, { { OWN, OWN, 0 }, { OWN, OWN, 0 } }, 0 },
	[RS_STYLE_DIM] = { { { 245, OWN, 0 }, { OWN, OWN, D } }, { { 242, OWN, 0 }, { OWN, OWN, D } }, D },
	[RS_STYLE_BOLD] = { { { OWN, OWN, B }, { OWN, OWN, B } }, { { OWN, OWN, B }, { OWN, OWN, B } }, B },
	[RS_STYLE_TITLE] = { { { 231, 24, B }, { WHITE, BLUE, B } }, { { 231, 24, B }, { WHITE, BLUE, B } },
			     B | R },
	[RS_STYLE_HEADING] = { { { 252, 237, B }, { BLACK, WHITE, 0 } },
			       { { 235, 252, B }, { WHITE, BLACK, 0 } }, B | U },
	[RS_STYLE_SORTED] = { { { 16, 114, B }, { BLACK, GREEN, 0 } },
			      { { 231, 28, B }, { BLACK, GREEN, 0 } }, B | R },
	[RS_STYLE_KEY] = { { { 81, OWN, B }, { CYAN, OWN, B } }, { { 25, OWN, B }, { BLUE, OWN, B } }, B },
	[RS_STYLE_SELECTED] = { { { 231, 25, B }, { BLACK, CYAN, 0 } },
				{ { 16, 117, B }, { BLACK, CYAN, 0 } }, R },
	[RS_STYLE_PATH] = { { { 16, 214, B }, { BLACK, YELLOW, 0 } },
			    { { 16, 214, B }, { BLACK, YELLOW, 0 } }, R },
	[RS_STYLE_MARKED] = { { { 221, OWN, B }, { YELLOW, OWN, B } },
			      { { 94, OWN, B }, { MAGENTA, OWN, B } }, B | U },
	[RS_STYLE_GOOD] = { { { 114, OWN, 0 }, { GREEN, OWN, 0 } }, { { 28, OWN, 0 }, { GREEN, OWN, 0 } },
			    0 },
	[RS_STYLE_WARN] = { { { 221, OWN, 0 }, { YELLOW, OWN, U } }, { { 130, OWN, 0 }, { MAGENTA, OWN, U } },
			    U },
	[RS_STYLE_BAD] = { { { 210, OWN, B }, { RED, OWN, B } }, { { 160, OWN, B }, { RED, OWN, B } },
			   B | R },
	[RS_STYLE_QUIET] = { { { 239, OWN, 0 }, { OWN, OWN, D } }, { { 249, OWN, 0 }, { OWN, OWN, D } }, D },
	[RS_STYLE_SLICE] = { { { 16, 110, 0 }, { BLACK, CYAN, 0 } }, { { 16, 153, 0 }, { BLACK, CYAN, 0 } },
			     R },
	[RS_STYLE_SLICE + 1] = { { { 16, 150, 0 }, { BLACK, GREEN, 0 } },
				 { { 16, 157, 0 }, { BLACK, GREEN, 0 } }, U },
	[RS_STYLE_SLICE + 2] = { { { 16, 180, 0 }, { BLACK, YELLOW, 0 } },
				 { { 16, 223, 0 }, { BLACK, YELLOW, 0 } }, B | R },
	[RS_STYLE_SLICE + 3] = { { { 16, 175, 0 }, { BLACK, MAGENTA, 0 } },
				 { { 16, 218, 0 }, { BLACK, MAGENTA, 0 } }, B | U },
	[RS_STYLE_SLICE + 4] = { { { 16, 73, 0 }, { WHITE, BLUE, 0 } },
				 { { 16, 116, 0 }, { WHITE, BLUE, 0 } }, R | U },
	[RS_STYLE_SLICE + 5] = { { { 16, 146, 0 }, { BLACK, WHITE, 0 } },
				 { { 16, 189, 0 }, { WHITE, BLACK, 0 } }, B },
	[RS_STYLE_MORE] = { { { 16, 224, 0 }, { BLACK, RED, 0 } }, { { 16, 224, 0 }, { BLACK, RED, 0 } }, B },
	[RS_STYLE_MORE + 1] = { { { 16, 210, 0 }, { WHITE, RED, 0 } }, { { 16, 210, 0 }, { WHITE, RED, 0 } },
				R },
	[RS_STYLE_MORE + 2] = { { { 231, 160, B }, { WHITE, RED, B } },
				{ { 231, 160, B }, { WHITE, RED, B } }, B | R },
	[RS_STYLE_LESS] = { { { 16, 189, 0 }, { BLACK, BLUE, 0 } }, { { 16, 189, 0 }, { BLACK, BLUE, 0 } },
			    U },
	[RS_STYLE_LESS + 1] = { { { 16, 111, 0 }, { WHITE, BLUE, 0 } },
				{ { 16, 111, 0 }, { WHITE, BLUE, 0 } }, R | U },
	[RS_STYLE_LESS + 2] = { { { 231, 26, B }, { WHITE, BLUE, B } },
				{ { 231, 26, B }, { WHITE, BLUE, B } }, B | U },
};

/* Of 8 colors, + 8 means bold. A cause without a color is dim or bold, as in mono. */
static struct rs_style theme_cause_style(const struct rs_cause_row *row, enum rs_theme theme,
					 enum rs_depth depth)
{
	int color = theme == RS_THEME_LIGHT ? row->light_8 : row->dark_8;
	uint8_t plain = (uint8_t)((row->bold ? B : 0) | (row->dim ? D : 0));

	if (theme == RS_THEME_MONO || depth == RS_DEPTH_MONO)
		return (struct rs_style){ OWN, OWN, plain };
	if (depth != RS_DEPTH_8)
		return (struct rs_style){ theme == RS_THEME_LIGHT ? row->light : row->dark, OWN, 0 };
	return color < 0 ? (struct rs_style){ OWN, OWN, plain } :
			   (struct rs_style){ (int16_t)(color & 7), OWN, color & 8 ? B : 0 };
}

/* Of 8 colors several causes share one: there the letters stay. A cause that is idle has an empty cell. */
static struct rs_style theme_cell_style(enum rs_theme theme, enum rs_depth depth, enum rs_style_id style_id)
{
	struct rs_style style = rs_theme_style(theme, depth, style_id);

	if (depth == RS_DEPTH_256 && theme != RS_THEME_MONO && style_id != RS_STYLE_CAUSE + RS_CAUSE_IDLE)
		style = (struct rs_style){ style.fg, style.fg, 0 };
	return style;
}

/* Black or white, whichever is easier to read on a color of 256: squares are near enough to luminance. */
static int16_t theme_ink_on(int colour)
{
	uint32_t rgb = rs_theme_paper_rgb(RS_THEME_DARK, colour), r = rgb >> 16, g = rgb >> 8 & 255,
		 b = rgb & 255;

	return r * r * 21 + g * g * 72 + b * b * 7 > 255 * 255 * 21 ? 16 : 231;
}

/* A text on the cause's color. */
static struct rs_style theme_frame_style(const struct rs_cause_row *row, enum rs_theme theme,
					 enum rs_depth depth)
{
	struct rs_style style = theme_cause_style(row, theme, depth);

	if (style.fg < 0)
		return (struct rs_style){ OWN, OWN, style.attrs | R };
	return (struct rs_style){ depth == RS_DEPTH_8 ? BLACK : theme_ink_on(style.fg), style.fg, 0 };
}

/*
 * The state's own color tells what the time went to. Its letters are seen here, elsewhere they are hidden in
 * their cells; the underline marks the path where all letters are seen, and where no state is known.
 */
static struct rs_style theme_on_path_style(const struct rs_cause_row *row, enum rs_theme theme,
					   enum rs_depth depth)
{
	struct rs_style style = theme_frame_style(row, theme, depth);

	if (row->rank == RS_RANK_UNKNOWN)
		return (struct rs_style){ OWN, OWN, U };
	style.attrs |= U;
	return style;
}

struct rs_style rs_theme_style(enum rs_theme theme, enum rs_depth depth, enum rs_style_id style_id)
{
	if ((unsigned int)style_id >= RS_NR_STYLES)
		style_id = RS_STYLE_TEXT;
	if (style_id >= RS_STYLE_CELL && style_id <= RS_STYLE_CELL_LAST)
		return theme_cell_style(theme, depth, style_id - RS_STYLE_CELL + RS_STYLE_CAUSE);
	if (style_id >= RS_STYLE_FRAME && style_id <= RS_STYLE_FRAME_LAST)
		return theme_frame_style(rs_cause_row((enum rs_cause)(style_id - RS_STYLE_FRAME)), theme,
					 depth);
	if (style_id >= RS_STYLE_ON_PATH && style_id <= RS_STYLE_ON_PATH_LAST)
		return theme_on_path_style(rs_cause_row((enum rs_cause)(style_id - RS_STYLE_ON_PATH)), theme,
					   depth);
	if (style_id >= RS_STYLE_CAUSE && style_id <= RS_STYLE_CAUSE_LAST)
		return theme_cause_style(rs_cause_row((enum rs_cause)(style_id - RS_STYLE_CAUSE)), theme,
					 depth);
	if (style_id >= RS_STYLE_HEAT && style_id <= RS_STYLE_HEAT_LAST)
		return rs_heat_colors(theme, depth, style_id);
	if (theme == RS_THEME_MONO || depth == RS_DEPTH_MONO)
		return (struct rs_style){ OWN, OWN, styles[style_id].mono };
	if (theme == RS_THEME_LIGHT)
		return depth == RS_DEPTH_8 ? styles[style_id].light.of_8 : styles[style_id].light.of_256;
	return depth == RS_DEPTH_8 ? styles[style_id].dark.of_8 : styles[style_id].dark.of_256;
}

/* ---- names ---- */

static const char *const names[RS_NR_THEMES] = { "dark", "light", "mono" };

const char *rs_theme_name(enum rs_theme theme)
{
	return names[theme];
}

bool rs_theme_find(const char *name, enum rs_theme *theme)
{
	for (int i = 0; i < RS_NR_THEMES; i++)
		if (!strcmp(name, names[i])) {
			*theme = (enum rs_theme)i;
			return true;
		}
	return false;
}

/* ---- colors as RGB ---- */

uint32_t rs_theme_ink_rgb(enum rs_theme theme, int colour)
{
	if (colour >= 0)
		return rs_palette_rgb(colour);
	return theme == RS_THEME_DARK ? 0xd4d4d8 : 0x24292f;
}

uint32_t rs_theme_paper_rgb(enum rs_theme theme, int colour)
{
	if (colour >= 0)
		return rs_palette_rgb(colour);
	return theme == RS_THEME_DARK ? 0x15181e : 0xffffff;
}
