/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wire.h - values as the protocol has them: a number that a double cannot hold is a string of its digits */
#ifndef RS_RPC_WIRE_H
#define RS_RPC_WIRE_H

#include <cjson/cJSON.h>

#include "base/json.h"
#include "ringside/table.h"

void rs_wire_value(struct rs_json *j, const struct rs_column *column, const struct rs_value *value);
/* text: the value's string lives in the cJSON. False: of another type than the column. */
bool rs_wire_value_read(const cJSON *json, const struct rs_column *column, struct rs_value *value);
void rs_wire_u64(struct rs_json *j, uint64_t v);
bool rs_wire_u64_read(const cJSON *json, uint64_t *v);    /* of NULL: false */
/* A member of an object; the default where there is none, false where it is something else. */
bool rs_wire_u64_of(const cJSON *object, const char *name, uint64_t otherwise, uint64_t *v);
int64_t rs_wire_number_of(const cJSON *object, const char *name);   /* 0: none, or no number from 0 to 2^63 */
const char *rs_wire_text_of(const cJSON *object, const char *name); /* NULL: none, or no string */

#endif
