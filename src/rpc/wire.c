// SPDX-License-Identifier: GPL-2.0-or-later
/* Values as the protocol has them: integers exact, whatever the reader's numbers are made of. */
#include "rpc/wire.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define EXACT (UINT64_C(1) << 53) /* up to here a double holds every integer */

static void put_digits(struct rs_json *j, const char *digits, size_t len)
{
	char text[RS_UNIT_TEXT + 1];

	memcpy(text, digits, len);
	text[len] = '\0';
	rs_json_str(j, text);
}

void rs_wire_u64(struct rs_json *j, uint64_t v)
{
	char digits[RS_UNIT_TEXT];

	if (v <= EXACT)
		rs_json_u64(j, v);
	else
		put_digits(j, digits, rs_units_put_u64(digits, v));
}

static void wire_put_i64(struct rs_json *j, int64_t v)
{
	char digits[RS_UNIT_TEXT];

	if (v <= (int64_t)EXACT && v >= -(int64_t)EXACT)
		rs_json_i64(j, v);
	else
		put_digits(j, digits, rs_units_put_i64(digits, v));
}

void rs_wire_value(struct rs_json *j, const struct rs_column *column, const struct rs_value *value)
{
	if (!value->known)
		rs_json_null(j);
	else if (column->type == RS_TYPE_TEXT)
		rs_json_str(j, value->s);
	else if (column->flags & RS_COLUMN_SIGNED)
		wire_put_i64(j, value->i);
	else
		rs_wire_u64(j, value->u);
}

bool rs_wire_u64_read(const cJSON *json, uint64_t *v)
{
	char *end;

	if (cJSON_IsNumber(json)) {
		if (!(json->valuedouble >= 0 && json->valuedouble <= (double)EXACT) || floor(json->valuedouble) != json->valuedouble)
			return false;
		*v = (uint64_t)json->valuedouble;
		return true;
	}
	if (!cJSON_IsString(json) || json->valuestring[0] < '0' || json->valuestring[0] > '9')
		return false;
	errno = 0;
	*v = strtoull(json->valuestring, &end, 10);
	return !errno && !*end;
}

static bool read_i64(const cJSON *json, int64_t *v)
{
	uint64_t u;
	char *end;

	if (rs_wire_u64_read(json, &u) && u <= INT64_MAX) {
		*v = (int64_t)u;
		return true;
	}
	if (cJSON_IsNumber(json)) {
		if (!(json->valuedouble < 0 && json->valuedouble >= -(double)EXACT) || floor(json->valuedouble) != json->valuedouble)
			return false;
		*v = (int64_t)json->valuedouble;
		return true;
	}
	if (!cJSON_IsString(json) || json->valuestring[0] != '-')
		return false;
	errno = 0;
	*v = strtoll(json->valuestring, &end, 10);
	return !errno && !*end;
}

bool rs_wire_value_read(const cJSON *json, const struct rs_column *column, struct rs_value *value)
{
	*value = rs_null();
	if (cJSON_IsNull(json))
		return true;
	value->known = true;
	if (column->type == RS_TYPE_TEXT) {
		value->s = cJSON_IsString(json) ? json->valuestring : "";
		return cJSON_IsString(json);
	}
	return column->flags & RS_COLUMN_SIGNED ? read_i64(json, &value->i) : rs_wire_u64_read(json, &value->u);
}

bool rs_wire_u64_of(const cJSON *object, const char *name, uint64_t otherwise, uint64_t *v)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);

	if (!member || cJSON_IsNull(member)) {
		*v = otherwise;
		return true;
	}
	return rs_wire_u64_read(member, v);
}

int64_t rs_wire_number_of(const cJSON *object, const char *name)
{
	uint64_t v;

	return rs_wire_u64_of(object, name, 0, &v) && v <= INT64_MAX ? (int64_t)v : 0;
}

const char *rs_wire_text_of(const cJSON *object, const char *name)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);

	return cJSON_IsString(member) ? member->valuestring : NULL;
}
