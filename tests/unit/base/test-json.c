// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/json.h"

#include <check.h>
#include <cjson/cJSON.h>

START_TEST(nesting_and_commas)
{
	struct rs_buf b = RS_BUF_INIT;
	struct rs_json j;

	rs_json_init(&j, &b);
	rs_json_open(&j, '{');
	rs_json_key(&j, "empty");
	rs_json_open(&j, '[');
	rs_json_close(&j, ']');
	rs_json_key(&j, "list");
	rs_json_open(&j, '[');
	rs_json_u64(&j, 1);
	rs_json_open(&j, '{');
	rs_json_close(&j, '}');
	rs_json_null(&j);
	rs_json_close(&j, ']');
	rs_json_key(&j, "yes");
	rs_json_bool(&j, true);
	rs_json_key(&j, "no");
	rs_json_bool(&j, false);
	rs_json_key(&j, "name");
	rs_json_str(&j, "a\"b");
	rs_json_close(&j, '}');
	ck_assert_str_eq(b.data,
			 "{\"empty\":[],\"list\":[1,{},null],\"yes\":true,\"no\":false,\"name\":\"a\\\"b\"}");
	rs_buf_done(&b);
}
END_TEST

START_TEST(numbers)
{
	struct rs_buf b = RS_BUF_INIT;
	struct rs_json j;

	rs_json_init(&j, &b);
	rs_json_open(&j, '[');
	rs_json_u64(&j, 0);
	rs_json_u64(&j, UINT64_MAX);
	rs_json_i64(&j, INT64_MIN);
	rs_json_i64(&j, -1);
	rs_json_i64(&j, INT64_MAX);
	rs_json_milli(&j, 0);
	rs_json_milli(&j, 1);
	rs_json_milli(&j, 1500);
	rs_json_milli(&j, 2000);
	rs_json_milli(&j, 10010);
	rs_json_milli(&j, UINT64_MAX);
	rs_json_close(&j, ']');
	ck_assert_str_eq(b.data, "[0,18446744073709551615,-9223372036854775808,-1,9223372036854775807,"
				 "0,0.001,1.5,2,10.01,18446744073709551.615]");
	rs_buf_done(&b);
}
END_TEST

/* Every byte there is, as a name: an independent parser takes it, and no control is raw in it. */
START_TEST(hostile_string_parses)
{
	struct rs_buf b = RS_BUF_INIT;
	struct rs_json j;
	char name[256];
	cJSON *parsed;

	for (int i = 1; i < 256; i++)
		name[i - 1] = (char)i;
	name[255] = '\0';
	rs_json_init(&j, &b);
	rs_json_open(&j, '{');
	rs_json_key(&j, name);
	rs_json_str(&j, name);
	rs_json_close(&j, '}');
	for (size_t i = 0; i < b.len; i++)
		ck_assert((uint8_t)b.data[i] >= 0x20 && b.data[i] != 0x7F);
	parsed = cJSON_ParseWithOpts(b.data, NULL, 1);
	ck_assert_ptr_nonnull(parsed);
	ck_assert_int_eq(memcmp(parsed->child->valuestring, name, 0x7F), 0);
	ck_assert_str_eq(parsed->child->string, parsed->child->valuestring);
	cJSON_Delete(parsed);
	rs_buf_done(&b);
}
END_TEST

Suite *rs_suite_json(void);
Suite *rs_suite_json(void)
{
	Suite *s = suite_create("json");
	TCase *t = tcase_create("writer");

	tcase_add_test(t, nesting_and_commas);
	tcase_add_test(t, numbers);
	tcase_add_test(t, hostile_string_parses);
	suite_add_tcase(s, t);
	return s;
}
