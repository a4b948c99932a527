// SPDX-License-Identifier: GPL-2.0-or-later
/* message - structs that travel as JSON: a table of members for each, from which writer and reader follow */
#include "base/message.h"

#include <string.h>

#include "base/units.h"

#define EXACT (UINT64_C(1) << 53) /* up to here a double holds every integer */

#define OF_ONE(name, member_type, c_type, ...) \
	static const struct rs_member *message_##name##_members(void) \
	{ \
		static const struct rs_member members[] = { \
			{ "each item", member_type, 0, sizeof(c_type), __VA_ARGS__ }, { 0 } \
		}; \
		return members; \
	} \
	const struct rs_message rs_message_##name = { RS_VALUE_OF, message_##name##_members, sizeof(c_type), \
						      NULL }

OF_ONE(string, RS_STRING, const char *, .required = true);
OF_ONE(u64, RS_NUMBER, uint64_t, .required = true);
OF_ONE(u32, RS_NUMBER, uint32_t, .required = true);
OF_ONE(i32, RS_NUMBER, int32_t, .required = true, .most = INT32_MAX);
OF_ONE(scalar, RS_SCALAR, struct rs_scalar, .required = false);
OF_ONE(maybe, RS_MAYBE, struct rs_value, .required = false);

const char *rs_message_word(const struct rs_word *words, unsigned int number)
{
	for (; words->word; words++)
		if (words->number == number)
			return words->word;
	return NULL;
}

/* ---- values ---- */

static void message_put_digits(struct rs_json *j, const char *digits, size_t len)
{
	char text[RS_UNIT_TEXT + 1];

	memcpy(text, digits, len);
	text[len] = '\0';
	rs_json_str(j, text);
}

void rs_message_put_u64(struct rs_json *j, uint64_t v)
{
	char digits[RS_UNIT_TEXT];

	if (v <= EXACT)
		rs_json_u64(j, v);
	else
		message_put_digits(j, digits, rs_units_put_u64(digits, v));
}

static void message_put_i64(struct rs_json *j, int64_t v)
{
	char digits[RS_UNIT_TEXT];

	if (v <= (int64_t)EXACT && v >= -(int64_t)EXACT)
		rs_json_i64(j, v);
	else
		message_put_digits(j, digits, rs_units_put_i64(digits, v));
}

void rs_message_put_scalar(struct rs_json *j, const struct rs_scalar *scalar)
{
	switch (scalar->is) {
	case RS_SCALAR_NULL: rs_json_null(j); break;
	case RS_SCALAR_STRING: rs_json_str(j, scalar->s); break;
	case RS_SCALAR_UNSIGNED: rs_message_put_u64(j, scalar->u); break;
	case RS_SCALAR_NEGATIVE: message_put_i64(j, scalar->i); break;
	}
}

static uint64_t number_at(const struct rs_member *m, const void *at)
{
	switch (m->bytes) {
	case 1: return *(const bool *)at;
	case 2: return *(const uint16_t *)at;
	case 4: return *(const uint32_t *)at;
	default: return *(const uint64_t *)at; /* also the union that struct rs_value begins with */
	}
}

static bool is_value(const struct rs_member *m)
{
	return m->type == RS_MAYBE || m->type == RS_MAYBE_SIGNED ||
	       (m->type == RS_WORD && m->bytes == sizeof(struct rs_value));
}

/* In a request it is left out then, in an answer most are null. */
static bool is_unset(const struct rs_member *m, const void *at)
{
	if (is_value(m))
		return !((const struct rs_value *)at)->known;
	switch (m->type) {
	case RS_NUMBER: case RS_BOOL: return !number_at(m, at);
	case RS_WORD: case RS_WORDS: return false;
	case RS_SCALAR: return ((const struct rs_scalar *)at)->is == RS_SCALAR_NULL;
	default: return !*(const void *const *)at;
	}
}

static const char *message_word_of(const struct rs_member *m, unsigned int number)
{
	return m->words ? rs_message_word(m->words, number) : m->word(number);
}

static void message_put_words(struct rs_json *j, const struct rs_word *words, unsigned int flags)
{
	rs_json_open(j, '[');
	for (; words->word; words++)
		if (flags & 1u << words->number)
			rs_json_str(j, words->word);
	rs_json_close(j, ']');
}

static void put_items(struct rs_json *j, const struct rs_message *type, const char *at, size_t nr)
{
	rs_json_open(j, '[');
	for (size_t i = 0; i < nr; i++)
		rs_message_put(j, type, at + i * type->bytes);
	rs_json_close(j, ']');
}

static size_t array_length(const struct rs_message *type, const char *at)
{
	size_t nr = 0;

	while (at && *(const char *const *)(const void *)(at + nr * type->bytes + type->members()->offset))
		nr++;
	return nr;
}

static void put_member(struct rs_json *j, const struct rs_member *m, const void *at);

static void put_map(struct rs_json *j, const struct rs_message *type, const struct rs_items *items)
{
	const struct rs_member *name = type->members(), *value = name + 1;

	rs_json_open(j, '{');
	for (const char *at = items->at, *end = at + items->nr * type->bytes; at < end; at += type->bytes) {
		rs_json_key(j, *(const char *const *)(const void *)(at + name->offset));
		put_member(j, value, at + value->offset);
	}
	rs_json_close(j, '}');
}

static void put_member(struct rs_json *j, const struct rs_member *m, const void *at)
{
	const struct rs_items *items = at;

	if (is_unset(m, at) && m->type != RS_BOOL && m->type != RS_ARRAY &&
	    (m->type != RS_NUMBER || m->optional)) {
		rs_json_null(j);
		return;
	}
	switch (m->type) {
	case RS_NUMBER: case RS_MAYBE: rs_message_put_u64(j, number_at(m, at)); break;
	case RS_MAYBE_SIGNED: message_put_i64(j, ((const struct rs_value *)at)->i); break;
	case RS_BOOL: rs_json_bool(j, *(const bool *)at); break;
	case RS_STRING: rs_json_str(j, *(const char *const *)at); break;
	case RS_WORD: rs_json_str(j, message_word_of(m, (unsigned int)number_at(m, at))); break;
	case RS_WORDS: message_put_words(j, m->words, *(const unsigned int *)at); break;
	case RS_SCALAR: rs_message_put_scalar(j, at); break;
	case RS_OBJECT: rs_message_put(j, m->of, *(const void *const *)at); break;
	case RS_LIST: put_items(j, m->of, items->at, items->nr); break;
	case RS_ARRAY:
		put_items(j, m->of, *(const void *const *)at, array_length(m->of, *(const void *const *)at));
		break;
	case RS_MAP: put_map(j, m->of, items); break;
	case RS_MEMBERS: break;
	}
}

/* ---- messages ---- */

/* brief: what is not set is left out. */
static void put_members(struct rs_json *j, const struct rs_message *type, const void *message, bool brief)
{
	for (const struct rs_member *m = type->members(); m->name; m++) {
		const void *at = (const char *)message + m->offset;

		if (m->type == RS_MEMBERS) {
			put_members(j, m->of, at, brief);
		} else if (!m->streamed && (!brief || !is_unset(m, at))) {
			rs_json_key(j, rs_message_wire(m));
			put_member(j, m, at);
		}
	}
}

void rs_message_put_members(struct rs_json *j, const struct rs_message *type, const void *message)
{
	put_members(j, type, message, type->form == RS_REQUEST_OF);
}

void rs_message_put(struct rs_json *j, const struct rs_message *type, const void *message)
{
	const char *at = message;

	if (type->form == RS_VALUE_OF) {
		put_member(j, type->members(), at + type->members()->offset);
	} else if (type->form == RS_TUPLE_OF) {
		rs_json_open(j, '[');
		for (const struct rs_member *m = type->members(); m->name; m++)
			put_member(j, m, at + m->offset);
		rs_json_close(j, ']');
	} else {
		rs_json_open(j, '{');
		rs_message_put_members(j, type, message);
		rs_json_close(j, '}');
	}
}

void rs_message_open_list(struct rs_json *j, const char *name)
{
	rs_json_key(j, name);
	rs_json_open(j, '[');
}
