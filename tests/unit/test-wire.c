// SPDX-License-Identifier: GPL-2.0-or-later
/* test-wire - numbers between an engine and its clients, which JSON's own readers would round */
#include <check.h>

#include "base/json.h"
#include "rpc/wire.h"

START_TEST(integers_are_exact_on_the_wire)
{
	static const uint64_t numbers[] = { 0, 1, (1ull << 53) - 1, 1ull << 53, (1ull << 53) + 1, UINT64_MAX };
	struct rs_buf text = RS_BUF_INIT;
	struct rs_json j;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		cJSON *read;
		uint64_t v;

		rs_buf_clear(&text);
		rs_json_init(&j, &text);
		rs_wire_u64(&j, numbers[i]);
		read = cJSON_Parse(text.data);
		ck_assert(rs_wire_u64_read(read, &v));
		ck_assert_uint_eq(v, numbers[i]);
		cJSON_Delete(read);
	}
	rs_buf_done(&text);
}
END_TEST

START_TEST(what_is_no_integer_is_none)
{
	static const char *const texts[] = { "-1", "1.5", "1e300", "\"\"", "\"-1\"", "\" 1\"", "\"1x\"", "true", "null", "[]",
		"\"18446744073709551616\"" };
	uint64_t v;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		cJSON *read = cJSON_Parse(texts[i]);

		ck_assert_msg(!rs_wire_u64_read(read, &v), "%s", texts[i]);
		cJSON_Delete(read);
	}
}
END_TEST

Suite *rs_suite_wire(void)
{
	Suite *s = suite_create("wire");
	TCase *t = tcase_create("numbers");

	tcase_add_test(t, integers_are_exact_on_the_wire);
	tcase_add_test(t, what_is_no_integer_is_none);
	suite_add_tcase(s, t);
	return s;
}
