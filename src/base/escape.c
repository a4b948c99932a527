// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * escape - makes traced bytes safe to show
 *
 * Four rules for four readers, over one decoder:
 *
 *   text, UTF-8 locale   what could act on the terminal or be invisible is escaped
 *   text, other locale   all that is not ASCII is escaped, as ls and coreutils do
 *                        it: sent raw it would be other letters, or C1 controls
 *   CSV                  as text in UTF-8, whatever the locale: it is data
 *   JSON                 \uXXXX
 *
 * \xNN is always a byte, \u{NNNN} always a character.
 */
#include "base/escape.h"

#include <langinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/digits.h"

#define REPLACEMENT 0xFFFD

/* ---- decoding ---- */

size_t rs_escape_utf8_next(const char *s, size_t len, uint32_t *code)
{
	const uint8_t *p = (const uint8_t *)s;
	uint32_t c, least;
	size_t nr;

	*code = 0;
	if (!len)
		return 0;
	if (p[0] < 0x80) {
		*code = p[0];
		return 1;
	}
	nr = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
	least = nr == 4 ? 0x10000 : nr == 3 ? 0x800 : 0x80;
	if (p[0] < 0xC0 || p[0] >= 0xF8 || nr > len)
		goto invalid;
	c = p[0] & (0x7F >> nr);
	for (size_t i = 1; i < nr; i++) {
		if ((p[i] & 0xC0) != 0x80)
			goto invalid;
		c = c << 6 | (p[i] & 0x3F);
	}
	if (c < least || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
		goto invalid;
	*code = c;
	return nr;
invalid:
	*code = REPLACEMENT;
	return 1;
}

/* ---- what may not be shown as it is ---- */

/*
 * Bidi controls reorder what stands around them, line separators break the
 * line, what Unicode calls default-ignorable makes two names look alike, and a
 * few letters are drawn many columns wide although they count as one.
 */
static bool deceives(uint32_t c)
{
	static const struct {
		uint32_t from, to;
	} ranges[] = {
		{ 0xAD, 0xAD }, { 0x34F, 0x34F }, { 0x61C, 0x61C }, { 0x115F, 0x1160 }, { 0x17B4, 0x17B5 },
		{ 0x180B, 0x180F }, { 0x200B, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F },
		{ 0x2E3A, 0x2E3B }, { 0x3164, 0x3164 }, { 0xA9C5, 0xA9C5 }, { 0xFDFD, 0xFDFD },
		{ 0xFE00, 0xFE0F }, { 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 }, { 0xFFF0, 0xFFFB },
		{ 0x12219, 0x12219 }, { 0x1242B, 0x1242B }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A },
		{ 0xE0000, 0xE0FFF },
	};

	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
		if (c >= ranges[i].from && c <= ranges[i].to)
			return true;
	return false;
}

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

static bool plain_ascii(char c)
{
	return c >= 0x20 && c < 0x7F;
}

/*
 * The locale says what the terminal can show: main calls setlocale(LC_CTYPE, "").
 * Without it, or in LANG=C, it is ASCII. wcwidth() too knows widths only there.
 */
bool rs_escape_locale_is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* ---- text ---- */

static void cell_printf(struct rs_shown *cell, const char *fmt, unsigned int v)
{
	cell->len = cell->width = (size_t)snprintf(cell->bytes, sizeof cell->bytes, fmt, v);
}

size_t rs_escape_next(const char *s, size_t len, bool utf8, struct rs_shown *cell)
{
	uint32_t c;
	size_t nr = rs_escape_utf8_next(s, len, &c);
	bool broken = c == REPLACEMENT && nr == 1;
	int width;

	if (c < 0x80 && plain_ascii((char)c)) {
		cell->bytes[0] = (char)c;
		cell->len = cell->width = 1;
	} else if (c < 0x80 || (broken && !utf8)) {
		cell_printf(cell, "\\x%02X", (uint8_t)*s);
	} else if (broken) {
		memcpy(cell->bytes, "\xEF\xBF\xBD", 3);
		cell->len = 3;
		cell->width = 1;
	} else if (!utf8 || is_control(c) || deceives(c)) {
		cell_printf(cell, "\\u{%X}", c);
	} else {
		memcpy(cell->bytes, s, nr);
		cell->len = nr;
		/* -1: newer than this C library; or CSV in the C locale, where no width counts */
		width = wcwidth((wchar_t)c);
		cell->width = width < 0 ? 1 : (size_t)width;
	}
	return nr;
}

static size_t plain_run(const char *s, size_t len)
{
	size_t nr = 0;

	while (nr < len && plain_ascii(s[nr]))
		nr++;
	return nr;
}

/*
 * Adds as much of s as fits into width columns; an escape or a wide letter that does not fit whole is left
 * out. Returns how many columns it takes. out NULL: adds nothing. utf8 -1: the locale's, which only a letter
 * beyond ASCII looks up.
 */
static size_t escape_cut(struct rs_buf *out, const char *s, size_t left, int utf8, size_t width)
{
	struct rs_shown cell;
	size_t used = 0, nr;

	while (left) {
		nr = plain_run(s, left < width - used ? left : width - used);
		if (out)
			rs_buf_add(out, s, nr);
		used += nr;
		s += nr;
		left -= nr;
		if (!left)
			break;
		if (utf8 < 0)
			utf8 = rs_escape_locale_is_utf8();
		nr = rs_escape_next(s, left, utf8, &cell);
		if (cell.width > width - used)
			break;
		if (out)
			rs_buf_add(out, cell.bytes, cell.len);
		used += cell.width;
		s += nr;
		left -= nr;
	}
	return used;
}

void rs_escape_text(struct rs_buf *out, const char *s)
{
	escape_cut(out, s, strlen(s), -1, SIZE_MAX);
}

size_t rs_escape_width(const char *s)
{
	return escape_cut(NULL, s, strlen(s), -1, SIZE_MAX);
}

void rs_escape_padded(struct rs_buf *out, const char *s, int width)
{
	size_t columns = width < 0 ? -(size_t)width : (size_t)width, start = out->len, used;

	used = escape_cut(out, s, strlen(s), -1, columns);
	if (width >= 0) {
		rs_buf_pad(out, ' ', columns - used);
	} else if (rs_buf_reserve(out, columns - used)) {
		size_t len = out->len - start;

		rs_buf_pad(out, ' ', columns - used);
		memmove(out->data + start + (columns - used), out->data + start, len);
		memset(out->data + start, ' ', columns - used);
	}
}

/* ---- XML ---- */

void rs_escape_xml(struct rs_buf *out, const char *s)
{
	static const char *const entities[] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"
	};
	struct rs_shown shown;

	for (size_t left = strlen(s), nr; left; s += nr, left -= nr) {
		nr = rs_escape_next(s, left, true, &shown);
		if (nr == 1 && (unsigned char)*s < sizeof entities / sizeof *entities &&
		    entities[(unsigned char)*s])
			rs_buf_puts(out, entities[(unsigned char)*s]);
		else
			rs_buf_add(out, shown.bytes, shown.len);
	}
}

/* ---- CSV ---- */

/*
 * Quoted: what RFC 4180 asks for, a '#' in front, which would make the row look
 * like the comment at the end, and blanks at the ends, which some readers strip.
 */
static bool csv_needs_quotes(const char *s)
{
	size_t len = strlen(s);

	return strpbrk(s, "\",") || *s == '#' || (len && (*s == ' ' || s[len - 1] == ' '));
}

void rs_escape_csv(struct rs_buf *out, const char *s)
{
	bool quoted = csv_needs_quotes(s);
	const char *quote;

	if (quoted)
		rs_buf_putc(out, '"');
	for (; (quote = strchr(s, '"')); s = quote + 1) {
		escape_cut(out, s, (size_t)(quote - s), true, SIZE_MAX);
		rs_buf_add(out, "\"\"", 2);
	}
	escape_cut(out, s, strlen(s), true, SIZE_MAX);
	if (quoted)
		rs_buf_putc(out, '"');
}

void rs_escape_word(struct rs_buf *out, const char *s)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-:,=@%";
	const char *quote;

	if (*s && !s[strspn(s, plain)]) {
		rs_buf_puts(out, s);
		return;
	}
	rs_buf_putc(out, '\'');
	for (; (quote = strchr(s, '\'')); s = quote + 1)
		rs_buf_printf(out, "%.*s'\\''", (int)(quote - s), s);
	rs_buf_printf(out, "%s'", s);
}

/* ---- JSON ---- */

/* A table: names are checked one character at a time, and most need no escape. */
static const bool json_is_plain[256] = {
	[' '] = true, ['!'] = true, ['#' ... '['] = true, [']' ... '~'] = true,
};

static bool json_plain(char c)
{
	return json_is_plain[(unsigned char)c];
}

/*
 * DEL, C1 and what deceives need no escape by the standard, but JSON too is read
 * on terminals. Beyond U+FFFF the escape would be a pair of surrogates, for which
 * Perfetto refuses the whole file; there is nothing there that a terminal obeys.
 */
static bool json_needs_escape(uint32_t c)
{
	return is_control(c) || (c < 0x10000 && deceives(c));
}

static void json_character(struct rs_buf *out, const char *s, size_t nr, uint32_t c)
{
	if (c == '"' || c == '\\') {
		rs_buf_putc(out, '\\');
		rs_buf_putc(out, (char)c);
	} else if (json_needs_escape(c)) {
		rs_buf_printf(out, "\\u%04X", c);
	} else if (c == REPLACEMENT) {
		rs_buf_add(out, "\xEF\xBF\xBD", 3);
	} else {
		rs_buf_add(out, s, nr);
	}
}

/* The high bit of each byte that is below n; of a byte behind such a one it may be wrong. */
static uint64_t bytes_below(uint64_t x, unsigned char n)
{
	return (x - RS_EACH_BYTE(n)) & ~x;
}

/* All eight may stand as they are. */
static inline bool eight_plain(uint64_t x)
{
	return !((bytes_below(x, ' ') | bytes_below(x ^ RS_EACH_BYTE('"'), 1) |
		  bytes_below(x ^ RS_EACH_BYTE('\\'), 1) | x | (x + RS_EACH_BYTE(1))) &
		 RS_EACH_BYTE(0x80)); /* the last two: beyond ASCII, and DEL */
}

/* Copies the eight along. */
static inline bool copy_eight(char *to, const char *s)
{
	uint64_t x;

	memcpy(&x, s, sizeof x);
	memcpy(to, &x, sizeof x);
	return eight_plain(x);
}

typedef uint8_t sixteen __attribute__((vector_size(16)));

/* Likewise; not 0 in the place of each that may not stand as it is. */
static inline sixteen copy_sixteen(char *to, const char *s)
{
	sixteen x;

	memcpy(&x, s, sizeof x);
	memcpy(to, &x, sizeof x);
	return (sixteen)((x < ' ') | (x > '~') | (x == '"') | (x == '\\'));
}

static bool copy_long(char *to, const char *s, size_t len)
{
	sixteen bad = copy_sixteen(to + len - 16, s + len - 16); /* some of these again, perhaps */
	uint64_t halves[2];

	for (size_t nr = 0; nr + 16 < len; nr += 16)
		bad |= copy_sixteen(to + nr, s + nr);
	memcpy(halves, &bad, sizeof halves);
	return !(halves[0] | halves[1]);
}

bool rs_escape_copy_json(char *to, const char *s, size_t len)
{
	size_t nr = 0;

	if (len >= 16)
		return copy_long(to, s, len);
	if (len < 8) {
		while (nr < len && json_plain(s[nr])) {
			to[nr] = s[nr];
			nr++;
		}
		return nr == len;
	}
	return copy_eight(to, s) && copy_eight(to + len - 8, s + len - 8);
}

static size_t json_plain_run(const char *s, size_t len)
{
	uint64_t x;
	size_t nr = 0;

	for (; nr + 8 <= len; nr += 8) {
		memcpy(&x, s + nr, sizeof x);
		if (!eight_plain(x))
			break;
	}
	while (nr < len && json_plain(s[nr]))
		nr++;
	return nr;
}

void rs_escape_json(struct rs_buf *out, const char *s)
{
	size_t left = strlen(s), nr;
	uint32_t c;

	while (left) {
		nr = json_plain_run(s, left);
		rs_buf_add(out, s, nr);
		s += nr;
		left -= nr;
		if (!left)
			break;
		nr = rs_escape_utf8_next(s, left, &c);
		json_character(out, s, nr, c);
		s += nr;
		left -= nr;
	}
}
