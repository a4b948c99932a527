// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * message-read.c - reads JSON from outside
 *
 * The tree of cJSON stays, because strings point into it; structs and lists lie in blocks beside it. Every
 * value is checked against its row before memory is taken for it.
 */
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"

#define READ_EXACT (UINT64_C(1) << 53)
#define BLOCK_BYTES 4000

struct message_block {
	struct message_block *next;
	size_t used, size;
	max_align_t data[];
};

struct rs_frame_message {
	cJSON *json;
	struct message_block *blocks;
};

/* Before each message that was read, so that it can be dropped by itself. */
struct message_head {
	struct rs_frame_message *frame;
	max_align_t message[];
};

struct message_reader {
	struct rs_frame_message *frame;
	struct rs_error *err;
};

/* ---- what came ---- */

void rs_message_init(void)
{
	static cJSON_Hooks counted = { malloc, free };

	cJSON_InitHooks(&counted);
}

const char *rs_message_reader_version(void)
{
	return cJSON_Version();
}

/* cJSON goes a thousand deep before it refuses: on a small stack that is too late. */
static bool is_shallow(const char *text, size_t len)
{
	unsigned int depth = 0;
	bool in_string = false;

	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (in_string && c == '\\')
			i++;
		else if (c == '"')
			in_string = !in_string;
		else if (!in_string && (c == '{' || c == '[') && ++depth > RS_MESSAGE_DEPTH)
			return false;
		else if (!in_string && (c == '}' || c == ']') && depth)
			depth--;
	}
	return true;
}

/* Threads do this at once: cJSON_GetErrorPtr() must not be used, because it is global. */
struct rs_frame_message *rs_message_parse(const char *text, size_t len, struct rs_error *err)
{
	struct rs_frame_message *f;

	if (!is_shallow(text, len)) {
		rs_fail(err, "a frame that is nested more than %d deep", RS_MESSAGE_DEPTH);
		return NULL;
	}
	f = calloc(1, sizeof *f);
	if (f)
		f->json = cJSON_ParseWithLength(text, len);
	if (f && cJSON_IsObject(f->json))
		return f;
	rs_fail(err, f ? "a frame that is no JSON object" : "out of memory");
	rs_message_free(f);
	return NULL;
}

void rs_message_free(struct rs_frame_message *f)
{
	if (!f)
		return;
	while (f->blocks) {
		struct message_block *next = f->blocks->next;

		free(f->blocks);
		f->blocks = next;
	}
	cJSON_Delete(f->json);
	free(f);
}

void rs_message_drop(const void *message)
{
	if (message)
		rs_message_free(
			((const struct message_head *)(const void *)((const char *)message -
								     offsetof(struct message_head, message)))
				->frame);
}

/* Zeroed. */
static void *message_alloc(struct message_reader *r, size_t nr, size_t bytes)
{
	struct message_block *b = r->frame->blocks;
	/* nr: of items that came, each has some bytes */
	size_t size = (nr * bytes + sizeof *b->data - 1) / sizeof *b->data * sizeof *b->data;
	void *at;

	if (!b || b->size - b->used < size) {
		size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;

		b = malloc(sizeof *b + room);
		if (!b) {
			rs_fail(r->err, "out of memory");
			return NULL;
		}
		*b = (struct message_block){ .next = r->frame->blocks, .size = room };
		r->frame->blocks = b;
	}
	at = (char *)b->data + b->used;
	b->used += size;
	return memset(at, 0, size);
}

/* ---- values ---- */

static bool is_integer(double v)
{
	return v >= -(double)READ_EXACT && v <= (double)READ_EXACT && floor(v) == v;
}

static bool read_scalar(const cJSON *json, struct rs_scalar *to)
{
	*to = (struct rs_scalar){ .is = RS_SCALAR_NULL };
	if (!json || cJSON_IsNull(json))
		return true;
	if (cJSON_IsString(json))
		*to = (struct rs_scalar){ .is = RS_SCALAR_STRING, .s = json->valuestring };
	else if (!cJSON_IsNumber(json) || !is_integer(json->valuedouble))
		return false;
	else if (json->valuedouble < 0)
		*to = (struct rs_scalar){ .is = RS_SCALAR_NEGATIVE, .i = (int64_t)json->valuedouble };
	else
		*to = (struct rs_scalar){ .is = RS_SCALAR_UNSIGNED, .u = (uint64_t)json->valuedouble };
	return true;
}

bool rs_message_scalar_u64(const struct rs_scalar *scalar, uint64_t *v)
{
	char *end;

	if (scalar->is == RS_SCALAR_UNSIGNED)
		*v = scalar->u;
	if (scalar->is != RS_SCALAR_STRING || scalar->s[0] < '0' || scalar->s[0] > '9')
		return scalar->is == RS_SCALAR_UNSIGNED;
	errno = 0;
	*v = strtoull(scalar->s, &end, 10);
	return !errno && !*end;
}

bool rs_message_scalar_i64(const struct rs_scalar *scalar, int64_t *v)
{
	uint64_t u;
	char *end;

	if (scalar->is == RS_SCALAR_NEGATIVE) {
		*v = scalar->i;
		return true;
	}
	if (rs_message_scalar_u64(scalar, &u) && u <= INT64_MAX) {
		*v = (int64_t)u;
		return true;
	}
	if (scalar->is != RS_SCALAR_STRING || scalar->s[0] != '-' || scalar->s[1] < '0' || scalar->s[1] > '9')
		return false;
	errno = 0;
	*v = strtoll(scalar->s, &end, 10);
	return !errno && !*end;
}

static bool wrong(struct message_reader *r, const struct rs_member *m, const char *what)
{
	if (m->most)
		rs_fail_usage(r->err, "%s is %s up to %llu", rs_message_wire(m), what,
			      (unsigned long long)m->most);
	else
		rs_fail_usage(r->err, "%s is %s", rs_message_wire(m), what);
	return false;
}

static void store_number(const struct rs_member *m, void *to, uint64_t v)
{
	switch (m->bytes) {
	case 1: *(bool *)to = v; break;
	case 2: *(uint16_t *)to = (uint16_t)v; break;
	case 4: *(uint32_t *)to = (uint32_t)v; break;
	case 8: *(uint64_t *)to = v; break;
	default: *(struct rs_value *)to = rs_u(v);
	}
}

static uint64_t largest_number(const struct rs_member *m)
{
	return m->most ? m->most : m->bytes == 4 ? UINT32_MAX : m->bytes == 2 ? UINT16_MAX : UINT64_MAX;
}

static bool read_number(struct message_reader *r, const struct rs_member *m, const cJSON *json, void *to)
{
	struct rs_scalar scalar;
	uint64_t v;

	if (!read_scalar(json, &scalar) || !rs_message_scalar_u64(&scalar, &v) || v > largest_number(m))
		return wrong(r, m, "a number");
	store_number(m, to, v);
	return true;
}

static bool read_signed(struct message_reader *r, const struct rs_member *m, const cJSON *json,
			struct rs_value *to)
{
	struct rs_scalar scalar;

	to->known = read_scalar(json, &scalar) && rs_message_scalar_i64(&scalar, &to->i);
	return to->known || wrong(r, m, "a number");
}

/* "slice", "state" or "counter" */
static bool wrong_word(struct message_reader *r, const struct rs_member *m)
{
	struct rs_buf list = RS_BUF_INIT;

	for (const struct rs_word *w = m->words; w && w->word; w++)
		rs_buf_printf(&list, "%s\"%s\"", w == m->words ? "" : w[1].word ? ", " : " or ", w->word);
	wrong(r, m, m->words ? list.data : "a word that is known");
	rs_buf_done(&list);
	return false;
}

static const struct rs_word *find_word(const struct rs_member *m, const cJSON *json)
{
	for (const struct rs_word *w = m->words; cJSON_IsString(json) && w->word; w++)
		if (!strcmp(w->word, json->valuestring))
			return w;
	return NULL;
}

static bool read_word(struct message_reader *r, const struct rs_member *m, const cJSON *json, void *to)
{
	const struct rs_word *word = m->words ? find_word(m, json) : NULL;
	unsigned int number = word ? word->number : 0;

	if (!word && (m->words || !cJSON_IsString(json) || !m->find(json->valuestring, &number)))
		return wrong_word(r, m);
	store_number(m, to, number);
	return true;
}

static bool read_words(struct message_reader *r, const struct rs_member *m, const cJSON *json,
		       unsigned int *to)
{
	const cJSON *at;

	if (!cJSON_IsArray(json))
		return wrong(r, m, "a list");
	cJSON_ArrayForEach(at, json) {
		const struct rs_word *word = find_word(m, at);

		*to |= word ? 1u << word->number : 0;
	}
	return true;
}

/* ---- structs and lists ---- */

static bool read_item(struct message_reader *r, const struct rs_message *type, const char *name,
		      const cJSON *json, void *to);

static bool read_object(struct message_reader *r, const struct rs_member *m, const cJSON *json,
			const void **to)
{
	void *item = message_alloc(r, 1, m->of->bytes);

	*to = item;
	return item && read_item(r, m->of, rs_message_wire(m), json, item);
}

/* A list of plain values may be one of them. */
static size_t message_list_length(const struct rs_member *m, const cJSON *json)
{
	return cJSON_IsArray(json)        ? (size_t)cJSON_GetArraySize(json) :
	       m->of->form == RS_VALUE_OF ? 1 :
					    SIZE_MAX;
}

static bool read_list(struct message_reader *r, const struct rs_member *m, const cJSON *json, const void **to,
		      size_t *nr)
{
	size_t length = message_list_length(m, json), bytes = m->of->bytes;
	char *at = NULL;

	if (length == SIZE_MAX || (m->most && length > m->most))
		return wrong(r, m, "a list");
	*to = at = message_alloc(r, length + 1, bytes); /* the one behind ends an array */
	*nr = 0;
	for (const cJSON *item = cJSON_IsArray(json) ? json->child : json; at && *nr < length;
	     item = item->next, ++*nr)
		if (!read_item(r, m->of, rs_message_wire(m), item, at + *nr * bytes))
			return false;
	return at;
}

static bool read_member(struct message_reader *r, const struct rs_member *m, const cJSON *json, void *to);

static bool read_map(struct message_reader *r, const struct rs_member *m, const cJSON *json,
		     struct rs_items *to)
{
	const struct rs_member *name = m->of->members(), *value = name + 1;
	struct rs_member named = *value;
	char *at = NULL;

	if (!cJSON_IsObject(json))
		return wrong(r, m, "an object");
	to->at = at = message_alloc(r, (size_t)cJSON_GetArraySize(json) + 1, m->of->bytes);
	for (const cJSON *item = json->child; at && item; item = item->next, at += m->of->bytes, to->nr++) {
		*(const char **)(void *)(at + name->offset) = named.name = item->string;
		if (!read_member(r, &named, item, at + value->offset))
			return false;
	}
	return at;
}

static bool read_value(struct message_reader *r, const struct rs_member *m, const cJSON *json, void *to)
{
	struct rs_items *items = to;
	size_t nr;

	switch (m->type) {
	case RS_NUMBER: case RS_MAYBE: return read_number(r, m, json, to);
	case RS_MAYBE_SIGNED: return read_signed(r, m, json, to);
	case RS_BOOL:
		*(bool *)to = cJSON_IsTrue(json);
		return cJSON_IsBool(json) || wrong(r, m, "true or false");
	case RS_STRING:
		*(const char **)to = cJSON_GetStringValue(json);
		return cJSON_IsString(json) || wrong(r, m, "a text");
	case RS_WORD: return read_word(r, m, json, to);
	case RS_WORDS: return read_words(r, m, json, to);
	case RS_SCALAR: return read_scalar(json, to) || wrong(r, m, "a text or a number");
	case RS_OBJECT: return read_object(r, m, json, to);
	case RS_LIST: return read_list(r, m, json, &items->at, &items->nr);
	case RS_ARRAY: return read_list(r, m, json, to, &nr);
	case RS_MAP: return read_map(r, m, json, to);
	case RS_MEMBERS: break;
	}
	return false;
}

static bool read_member(struct message_reader *r, const struct rs_member *m, const cJSON *json, void *to)
{
	if (!json || cJSON_IsNull(json)) {
		if (m->type == RS_NUMBER || m->type == RS_BOOL)
			store_number(m, to, m->otherwise);
		if (m->type == RS_ARRAY)
			*(void **)to = message_alloc(r, 1, m->of->bytes); /* an empty one */
		if (m->required)
			rs_fail_usage(r->err, "%s is missing", rs_message_wire(m));
		return !m->required;
	}
	if (read_value(r, m, json, to))
		return true;
	if (!m->lenient || r->err->status != RS_USAGE)
		return false;
	*r->err = (struct rs_error){ 0 };
	memset(to, 0, m->bytes);
	return true;
}

static bool read_members(struct message_reader *r, const struct rs_message *type, const cJSON *json, char *to)
{
	for (const struct rs_member *m = type->members(); m->name; m++) {
		bool good = m->type == RS_MEMBERS ?
				    read_members(r, m->of, json, to + m->offset) :
				    read_member(r, m,
						cJSON_GetObjectItemCaseSensitive(json, rs_message_wire(m)),
						to + m->offset);

		if (!good)
			return false;
	}
	return true;
}

static bool read_tuple(struct message_reader *r, const struct rs_message *type, const cJSON *json, char *to)
{
	const cJSON *at = json->child;

	for (const struct rs_member *m = type->members(); m->name; m++, at = at ? at->next : NULL)
		if (!read_member(r, m, at, to + m->offset))
			return false;
	return true;
}

static bool read_item(struct message_reader *r, const struct rs_message *type, const char *name,
		      const cJSON *json, void *to)
{
	const struct rs_member unnamed = { .name = name };
	bool good;

	if (type->form == RS_VALUE_OF)
		good = read_member(r, type->members(), json, (char *)to + type->members()->offset);
	else if (type->form == RS_TUPLE_OF)
		good = cJSON_IsArray(json) ? read_tuple(r, type, json, to) : wrong(r, &unnamed, "a list");
	else
		good = cJSON_IsObject(json) ? read_members(r, type, json, to) :
					      wrong(r, &unnamed, "an object");
	if (good && type->is_valid && !type->is_valid(to))
		return wrong(r, &unnamed, "inconsistent: its times or places are not in order");
	return good;
}

const void *rs_message_read(struct rs_frame_message *f, const struct rs_message *type, struct rs_error *err)
{
	struct message_reader r = { f, err };
	struct message_head *head = message_alloc(&r, 1, sizeof *head + type->bytes);

	if (!head)
		return NULL;
	head->frame = f;
	return read_item(&r, type, "the message", f->json, head->message) ? head->message : NULL;
}
