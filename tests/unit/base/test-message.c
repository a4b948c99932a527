// SPDX-License-Identifier: GPL-2.0-or-later
/* test-message - structs to JSON and back, and what a hostile sender makes of each kind of member */
#include <check.h>
#include <string.h>

#include "base/message.h"

static const struct rs_word colors[] = { { "red", 0 }, { "blue", 2 }, { 0 } };

struct part { uint64_t from, to; };
struct whole {
	uint64_t u64, most9;
	int32_t id;
	uint16_t kind;
	struct rs_value maybe, offset, color_or_none;
	bool flag;
	const char *text;
	unsigned int color, colors;
	struct rs_scalar scalar;
	const struct part *object, *parts;
	size_t nr_parts;
	const uint64_t *numbers;
	size_t nr_numbers;
	const struct part *map;
	size_t nr_map;
};

static bool part_is_valid(const void *message)
{
	return ((const struct part *)message)->from < ((const struct part *)message)->to;
}

RS_MESSAGE(part)
	{ "from", RS_NUMBER, RS_AT(from), .required = true },
	{ "to", RS_NUMBER, RS_AT(to), .required = true },
RS_MESSAGE_END(part, RS_TUPLE_OF, part_is_valid)

RS_MESSAGE(whole)
	{ "u64", RS_NUMBER, RS_AT(u64), .otherwise = 7 },
	{ "most9", RS_NUMBER, RS_AT(most9), .most = 9 },
	{ "id", RS_NUMBER, RS_AT(id), .most = INT32_MAX },
	{ "kind", RS_NUMBER, RS_AT(kind) },
	{ "maybe", RS_MAYBE, RS_AT(maybe) },
	{ "offset", RS_MAYBE_SIGNED, RS_AT(offset) },
	{ "color_or_none", RS_WORD, RS_AT(color_or_none), .words = colors },
	{ "flag", RS_BOOL, RS_AT(flag) },
	{ "text", RS_STRING, RS_AT(text) },
	{ "color", RS_WORD, RS_AT(color), .words = colors },
	{ "colors", RS_WORDS, RS_AT(colors), .words = colors },
	{ "scalar", RS_SCALAR, RS_AT(scalar) },
	{ "object", RS_OBJECT, RS_AT(object), .of = &part_message },
	{ "parts", RS_LIST, RS_AT(parts), .most = 2, .of = &part_message },
	{ "numbers", RS_LIST, RS_AT(numbers), .of = &rs_message_u64 },
RS_MESSAGE_END(whole, RS_OBJECT_OF, NULL)

/* NULL: refused; *why says it. */
static const struct whole *read(const char *text, struct rs_error *why)
{
	struct rs_frame_message *f;
	const struct whole *w;

	*why = (struct rs_error){ 0 };
	f = rs_message_parse(text, strlen(text), why);
	w = f ? rs_message_read(f, &whole_message, why) : NULL;
	if (!w)
		rs_message_free(f);
	return w;
}

START_TEST(what_is_written_is_read)
{
	static const uint64_t numbers[] = { 0, 1, (1ull << 53) - 1, 1ull << 53, (1ull << 53) + 1, UINT64_MAX };
	static const struct part parts[] = { { 1, 2 }, { 3, UINT64_MAX } };
	const struct whole out = {
		.u64 = UINT64_MAX, .most9 = 9, .id = INT32_MAX, .kind = UINT16_MAX, .maybe = { .u = 1ull << 60, .known = true },
		.offset = { .i = -(1ll << 60), .known = true }, .color_or_none = { .u = 2, .known = true }, .flag = true, .text = "\"\n",
		.color = 2, .colors = 5, .scalar = { .is = RS_SCALAR_NEGATIVE, .i = -5 }, .object = parts, .parts = parts, .nr_parts = 2,
		.numbers = numbers, .nr_numbers = 6,
	};
	struct rs_buf text = RS_BUF_INIT;
	const struct whole *in;
	struct rs_error err;
	struct rs_json j;

	rs_json_init(&j, &text);
	rs_message_put(&j, &whole_message, &out);
	in = read(text.data, &err);
	ck_assert_msg(in != NULL, "%s: %s", text.data, err.text);
	ck_assert_uint_eq(in->u64, UINT64_MAX);
	ck_assert_int_eq(in->id, INT32_MAX);
	ck_assert_uint_eq(in->kind, UINT16_MAX);
	ck_assert_uint_eq(in->maybe.u, 1ull << 60);
	ck_assert_int_eq(in->offset.i, -(1ll << 60));
	ck_assert_uint_eq(in->color_or_none.u, 2);
	ck_assert(in->flag);
	ck_assert_str_eq(in->text, "\"\n");
	ck_assert_uint_eq(in->color, 2);
	ck_assert_uint_eq(in->colors, 5);
	ck_assert_int_eq(in->scalar.i, -5);
	ck_assert_uint_eq(in->object->to, 2);
	ck_assert_uint_eq(in->nr_parts, 2);
	ck_assert_uint_eq(in->parts[1].to, UINT64_MAX);
	for (int i = 0; i < 6; i++)
		ck_assert_uint_eq(in->numbers[i], numbers[i]);
	rs_message_drop(in);
	rs_buf_done(&text);
}
END_TEST

START_TEST(what_is_missing_is_not_known)
{
	struct rs_error err;
	const struct whole *w = read("{\"maybe\":null,\"unknown\":[1]}", &err);

	ck_assert_msg(w != NULL, "%s", err.text);
	ck_assert_uint_eq(w->u64, 7);
	ck_assert(!w->maybe.known && !w->color_or_none.known && !w->flag && !w->text && !w->object && !w->parts);
	rs_message_drop(w);
}
END_TEST

START_TEST(hostile_members_are_refused_by_name)
{
	static const struct { const char *text, *why; } bad[] = {
		{ "{\"u64\":-1}", "u64 is a number" }, { "{\"u64\":1.5}", "u64 is a number" }, { "{\"u64\":1e300}", "u64 is a number" },
		{ "{\"u64\":\"\"}", "u64 is a number" }, { "{\"u64\":\" 1\"}", "u64 is a number" }, { "{\"u64\":\"1x\"}", "u64 is a number" },
		{ "{\"u64\":true}", "u64 is a number" }, { "{\"u64\":[]}", "u64 is a number" },
		{ "{\"u64\":\"18446744073709551616\"}", "u64 is a number" },
		{ "{\"most9\":10}", "most9 is a number up to 9" }, { "{\"id\":2147483648}", "id is a number up to 2147483647" },
		{ "{\"kind\":65536}", "kind is a number" }, { "{\"maybe\":\"-1\"}", "maybe is a number" },
		{ "{\"offset\":\"-\"}", "offset is a number" }, { "{\"offset\":\"9223372036854775808\"}", "offset is a number" },
		{ "{\"flag\":1}", "flag is true or false" }, { "{\"text\":1}", "text is a text" },
		{ "{\"color\":\"green\"}", "color is \"red\" or \"blue\"" }, { "{\"color_or_none\":2}", "color_or_none is \"red\" or \"blue\"" },
		{ "{\"colors\":\"red\"}", "colors is a list" }, { "{\"scalar\":[1]}", "scalar is a text or a number" },
		{ "{\"object\":{}}", "object is a list" }, { "{\"object\":[1]}", "to is missing" },
		{ "{\"object\":[2,1]}", "object is inconsistent: its times or places are not in order" },
		{ "{\"parts\":[[1,2],[1,2],[1,2]]}", "parts is a list up to 2" }, { "{\"parts\":{}}", "parts is a list up to 2" },
		{ "{\"parts\":[[1,2],7]}", "parts is a list" }, { "{\"numbers\":[1,\"x\"]}", "each item is a number" },
		{ "[]", "a frame that is no JSON object" }, { "{", "a frame that is no JSON object" },
		{ "{\"a\":[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]}", "a frame that is nested more than 16 deep" },
	};
	struct rs_error err;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_msg(!read(bad[i].text, &err), "%s", bad[i].text);
		ck_assert_str_eq(err.text, bad[i].why);
	}
}
END_TEST

Suite *rs_suite_message(void);

Suite *rs_suite_message(void)
{
	Suite *s = suite_create("message");
	TCase *t = tcase_create("message");

	tcase_add_test(t, what_is_written_is_read);
	tcase_add_test(t, what_is_missing_is_not_known);
	tcase_add_test(t, hostile_members_are_refused_by_name);
	suite_add_tcase(s, t);
	return s;
}
