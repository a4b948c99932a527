// SPDX-License-Identifier: GPL-2.0-or-later
/* test-bprint - texts of trace_printk from the kernel's list of formats and packed arguments, which a file may damage */
#include <check.h>
#include <string.h>

#include "decode/bprint.h"

static const char formats[] =
	"0xffffffff81000010 : \"cpu: %d freq: %u load: %s\\n\"\n"
	"0xffffffff81000020 : \"%5d|%-4u|%04x|%#lx|%c%%\"\n"
	"0xffffffff81000030 : \"%hhu %hd %llu %ld\"\n"
	"0xffffffff81000040 : \"%.2s %p %q %d\"\n"
	"not a format\n";

/* 64 bits, in our own byte order. */
static const struct rs_trace_info info = {
	.long_bytes = 8, .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
	.printk_formats = { formats, sizeof formats - 1 },
};

struct args {
	_Alignas(4) uint8_t bytes[64];
	size_t len;
};

static void add(struct args *a, size_t align, const void *bytes, size_t len)
{
	a->len = (a->len + align - 1) / align * align;
	memcpy(a->bytes + a->len, bytes, len);
	a->len += len;
}

#define ADD(a, type, value, align) add(a, align, &(type){ value }, sizeof(type))

static const char *text_of(uint64_t fmt, const struct args *a, size_t len)
{
	static struct rs_buf out = RS_BUF_INIT;
	struct rs_bprint *b = rs_bprint_new(&info);

	ck_assert_ptr_nonnull(b);
	rs_buf_clear(&out);
	rs_bprint_put(b, fmt, a->bytes, len, &out);
	rs_bprint_free(b);
	return out.data;
}

START_TEST(numbers_and_strings)
{
	struct args a = { .len = 0 };

	ADD(&a, int32_t, -3, 4);
	ADD(&a, uint32_t, 800000, 4);
	add(&a, 1, "low", 4);
	ck_assert_str_eq(text_of(0xffffffff81000010, &a, a.len), "cpu: -3 freq: 800000 load: low");
}
END_TEST

START_TEST(widths)
{
	struct args a = { .len = 0 };

	ADD(&a, int32_t, 42, 4);
	ADD(&a, uint32_t, 7, 4);
	ADD(&a, uint32_t, 0xbe, 4);
	ADD(&a, uint64_t, 0xabc, 4);
	ADD(&a, char, 'x', 1);
	ck_assert_str_eq(text_of(0xffffffff81000020, &a, a.len), "   42|7   |00be|0xabc|x%");
}
END_TEST

/* Each lies at a multiple of its size, of 8 bytes at one of 4. */
START_TEST(sizes)
{
	struct args a = { .len = 0 };

	ADD(&a, uint8_t, 200, 1);
	ADD(&a, int16_t, -2, 2);
	ADD(&a, uint64_t, 1ull << 40, 4);
	ADD(&a, int64_t, -5, 4);
	ck_assert_str_eq(text_of(0xffffffff81000030, &a, a.len), "200 -2 1099511627776 -5");
}
END_TEST

/* An unknown letter, and all that comes after it, is not guessed; nor is what the record does not hold. */
START_TEST(what_is_not_known)
{
	struct args a = { .len = 0 };

	add(&a, 1, "abc", 4);
	ADD(&a, uint64_t, 0x10, 4);
	ADD(&a, int32_t, 1, 4);
	ck_assert_str_eq(text_of(0xffffffff81000040, &a, a.len), "ab 0x10 ? ?");
	ck_assert_str_eq(text_of(0xffffffff81000040, &a, 4), "ab ? ? ?");
	ck_assert_str_eq(text_of(0xffffffff81000040, &a, 0), "? ? ? ?");
	ck_assert_str_eq(text_of(0xffffffff81000041, &a, a.len), "0xffffffff81000041");
}
END_TEST

/* A string without its NUL ends with the record. */
START_TEST(cut_string)
{
	struct args a = { .len = 0 };

	ADD(&a, int32_t, 1, 4);
	ADD(&a, int32_t, 2, 4);
	add(&a, 1, "lowlowlow", 9);
	ck_assert_str_eq(text_of(0xffffffff81000010, &a, 8 + 5), "cpu: 1 freq: 2 load: lowlo");
}
END_TEST

Suite *rs_suite_bprint(void)
{
	Suite *s = suite_create("bprint");
	TCase *t = tcase_create("bprint");

	tcase_add_test(t, numbers_and_strings);
	tcase_add_test(t, widths);
	tcase_add_test(t, sizes);
	tcase_add_test(t, what_is_not_known);
	tcase_add_test(t, cut_string);
	suite_add_tcase(s, t);
	return s;
}
