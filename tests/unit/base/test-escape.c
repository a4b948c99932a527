// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/escape.h"

#include <check.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define BROKEN "\xEF\xBF\xBD" /* U+FFFD */

/* The same names through each escaper. */
static const struct {
	const char *in, *utf8, *ascii, *json, *csv;
	size_t width; /* in a UTF-8 locale */
} names[] = {
	{ "", "", "", "", "", 0 },
	{ "kworker/0:1", "kworker/0:1", "kworker/0:1", "kworker/0:1", "kworker/0:1", 11 },
	{ "a\"b\\c", "a\"b\\c", "a\"b\\c", "a\\\"b\\\\c", "\"a\"\"b\\c\"", 5 },
	{ "a,b", "a,b", "a,b", "a,b", "\"a,b\"", 3 },
	{ "#x", "#x", "#x", "#x", "\"#x\"", 2 },
	{ " x", " x", " x", " x", "\" x\"", 2 },
	{ "x ", "x ", "x ", "x ", "\"x \"", 2 },
	{ "\x1b[2J", "\\x1B[2J", "\\x1B[2J", "\\u001B[2J", "\\x1B[2J", 7 },
	{ "a\nb\tc\r", "a\\x0Ab\\x09c\\x0D", "a\\x0Ab\\x09c\\x0D", "a\\u000Ab\\u0009c\\u000D",
	  "a\\x0Ab\\x09c\\x0D", 15 },
	{ "\x7f", "\\x7F", "\\x7F", "\\u007F", "\\x7F", 4 },
	/* C1: CSI as U+009B */
	{ "\xc2\x9b"
	  "2J",
	  "\\u{9B}2J", "\\u{9B}2J", "\\u009B2J", "\\u{9B}2J", 8 },
	{ "\xc3\xa9", "\xc3\xa9", "\\u{E9}", "\xc3\xa9", "\xc3\xa9", 1 },
	{ "\xe6\xbc\xa2", "\xe6\xbc\xa2", "\\u{6F22}", "\xe6\xbc\xa2", "\xe6\xbc\xa2", 2 },
	{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "\\u{1F600}", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", 2 },
	{ "e\xcc\x81", "e\xcc\x81", "e\\u{301}", "e\xcc\x81", "e\xcc\x81", 1 },
	/* right-to-left override, line separator, zero width space, the widest letter there is */
	{ "\xe2\x80\xae"
	  "x",
	  "\\u{202E}x", "\\u{202E}x", "\\u202Ex", "\\u{202E}x", 9 },
	{ "\xe2\x80\xa8", "\\u{2028}", "\\u{2028}", "\\u2028", "\\u{2028}", 8 },
	{ "\xe2\x80\x8b", "\\u{200B}", "\\u{200B}", "\\u200B", "\\u{200B}", 8 },
	{ "\xef\xb7\xbd", "\\u{FDFD}", "\\u{FDFD}", "\\uFDFD", "\\u{FDFD}", 8 },
	/* a lone continuation, a cut sequence, overlong '/', a surrogate, above U+10FFFF, 0xFF */
	{ "\x80", BROKEN, "\\x80", BROKEN, BROKEN, 1 },
	{ "\xe6\xbc", BROKEN BROKEN, "\\xE6\\xBC", BROKEN BROKEN, BROKEN BROKEN, 2 },
	{ "\xc0\xaf", BROKEN BROKEN, "\\xC0\\xAF", BROKEN BROKEN, BROKEN BROKEN, 2 },
	{ "\xed\xa0\x80", BROKEN BROKEN BROKEN, "\\xED\\xA0\\x80", BROKEN BROKEN BROKEN, BROKEN BROKEN BROKEN,
	  3 },
	{ "\xf4\x90\x80\x80", BROKEN BROKEN BROKEN BROKEN, "\\xF4\\x90\\x80\\x80",
	  BROKEN BROKEN BROKEN BROKEN, BROKEN BROKEN BROKEN BROKEN, 4 },
	{ "\xff"
	  "a",
	  BROKEN "a", "\\xFFa", BROKEN "a", BROKEN "a", 2 },
	/* U+FFFD that was there is one character in every locale */
	{ BROKEN, BROKEN, "\\u{FFFD}", BROKEN, BROKEN, 1 },
};

static void utf8_locale(void)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
}

static void c_locale(void)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C"));
}

static void check(void (*escape)(struct rs_buf *, const char *), const char *in, const char *expected)
{
	struct rs_buf b = RS_BUF_INIT;

	rs_buf_putc(&b, '>');
	escape(&b, in);
	ck_assert_str_eq(b.data + 1, expected);
	rs_buf_done(&b);
}

START_TEST(names_in_utf8)
{
	utf8_locale();
	check(rs_escape_text, names[_i].in, names[_i].utf8);
	check(rs_escape_json, names[_i].in, names[_i].json);
	check(rs_escape_csv, names[_i].in, names[_i].csv);
	ck_assert_uint_eq(rs_escape_width(names[_i].in), names[_i].width);
}
END_TEST

/* LANG=C: text is ASCII, and the data formats are the same bytes as ever. */
START_TEST(names_in_ascii)
{
	c_locale();
	check(rs_escape_text, names[_i].in, names[_i].ascii);
	check(rs_escape_json, names[_i].in, names[_i].json);
	check(rs_escape_csv, names[_i].in, names[_i].csv);
	ck_assert_uint_eq(rs_escape_width(names[_i].in), strlen(names[_i].ascii));
}
END_TEST

static const struct {
	const char *in;
	int width;
	const char *expected;
} padded[] = {
	{ "sh", 5, "sh   " },
	{ "sh", -5, "   sh" },
	{ "sh", 2, "sh" },
	{ "bash", 2, "ba" },
	{ "bash", -2, "ba" },
	{ "sh", 0, "" },
	{ "", 3, "   " },
	{ "", -3, "   " },
	/* two wide letters in three columns: one, and a blank */
	{ "\xe6\xbc\xa2\xe6\xbc\xa2", 3, "\xe6\xbc\xa2 " },
	{ "\xe6\xbc\xa2\xe6\xbc\xa2", -3, " \xe6\xbc\xa2" },
	{ "a\xe6\xbc\xa2", 5, "a\xe6\xbc\xa2  " },
	/* an escape is never cut in half */
	{ "a\x1b", 4, "a   " },
	{ "a\x1b", 5, "a\\x1B" },
	{ "e\xcc\x81z", 3, "e\xcc\x81z " },
};

START_TEST(padding)
{
	struct rs_buf b = RS_BUF_INIT;

	utf8_locale();
	rs_buf_putc(&b, '>');
	rs_escape_padded(&b, padded[_i].in, padded[_i].width);
	ck_assert_str_eq(b.data + 1, padded[_i].expected);
	rs_buf_done(&b);
}
END_TEST

START_TEST(utf8_decoding)
{
	uint32_t c = 1;

	ck_assert_uint_eq(rs_escape_utf8_next("", 0, &c), 0);
	ck_assert_uint_eq(rs_escape_utf8_next("\xe6\xbc\xa2", 3, &c), 3);
	ck_assert_uint_eq(c, 0x6F22);
	/* the length bounds it, not the NUL */
	ck_assert_uint_eq(rs_escape_utf8_next("\xe6\xbc\xa2", 2, &c), 1);
	ck_assert_uint_eq(c, 0xFFFD);
	ck_assert_uint_eq(rs_escape_utf8_next("\xf4\x8f\xbf\xbf", 4, &c), 4);
	ck_assert_uint_eq(c, 0x10FFFF);
	ck_assert_uint_eq(rs_escape_utf8_next("\xed\x9f\xbf", 3, &c), 3);
	ck_assert_uint_eq(c, 0xD7FF);
	ck_assert_uint_eq(rs_escape_utf8_next("\xe0\x9f\xbf", 3, &c), 1);
	ck_assert_uint_eq(c, 0xFFFD);
}
END_TEST

/* Eight bytes are looked at together: each byte at each place among plain ones is what it is alone. */
START_TEST(json_at_each_place)
{
	struct rs_buf alone = RS_BUF_INIT, whole = RS_BUF_INIT;
	char text[20] = "", one[2] = "", copy[20];

	for (int byte = 1; byte < 256; byte++)
		for (size_t at = 0; at < sizeof text - 1; at++) {
			memset(text, 'a', sizeof text - 1);
			text[at] = one[0] = (char)byte;
			rs_buf_clear(&alone);
			rs_buf_clear(&whole);
			rs_buf_pad(&alone, 'a', at);
			rs_escape_json(&alone, one);
			rs_buf_pad(&alone, 'a', sizeof text - 2 - at);
			rs_escape_json(&whole, text);
			ck_assert_str_eq(whole.data, alone.data);
			for (size_t from = 0; from <= at; from++) { /* of every length, and the byte at every place */
				bool plain = rs_escape_copy_json(copy, text + from, strlen(text + from));

				ck_assert(plain == (whole.len == sizeof text - 1 && !strchr("\"\\", byte)));
				ck_assert(!plain || !memcmp(copy, text + from, strlen(text + from)));
			}
		}
	rs_buf_done(&alone);
	rs_buf_done(&whole);
}
END_TEST

/* What a shell reads back as the same word. */
START_TEST(words_of_commands)
{
	static const char *const words[][2] = {
		{ "/var/log/trace.dat", "/var/log/trace.dat" }, { "", "''" }, { "a b", "'a b'" }, { "it's", "'it'\\''s'" },
		{ "$(rm x)", "'$(rm x)'" }, { "dev == \"8,0\"", "'dev == \"8,0\"'" }, { "'", "''\\'''" },
	};
	struct rs_buf out = RS_BUF_INIT;

	rs_escape_word(&out, words[_i][0]);
	ck_assert_str_eq(out.data, words[_i][1]);
	rs_buf_done(&out);
}
END_TEST

Suite *rs_suite_escape(void);
Suite *rs_suite_escape(void)
{
	Suite *s = suite_create("escape");
	TCase *t = tcase_create("names");

	tcase_add_loop_test(t, names_in_utf8, 0, sizeof names / sizeof names[0]);
	tcase_add_loop_test(t, names_in_ascii, 0, sizeof names / sizeof names[0]);
	tcase_add_loop_test(t, padding, 0, sizeof padded / sizeof padded[0]);
	tcase_add_loop_test(t, words_of_commands, 0, 7);
	tcase_add_test(t, utf8_decoding);
	tcase_add_test(t, json_at_each_place);
	tcase_add_checked_fixture(t, NULL, c_locale);
	suite_add_tcase(s, t);
	return s;
}
