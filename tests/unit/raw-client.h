/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * raw-client.h - requests as JSON that a test writes, answers as the JSON that came: what other programs would see
 *
 *	struct rs_json *j = raw_begin("rows");
 *	rs_json_put_str(j, "view", "sched");
 *	cJSON *answer = raw_send(fd, -1);             // the caller's; waits five seconds at most
 */
#ifndef TEST_RAW_CLIENT_H
#define TEST_RAW_CLIENT_H

#include <cjson/cJSON.h>

#include "base/json.h"

struct rs_json *raw_begin(const char *op);
cJSON *raw_send(int fd, int passed_fd);
const char *raw_text_of(const cJSON *object, const char *name);             /* NULL: no string */
bool raw_u64_of(const cJSON *object, const char *name, uint64_t *v);        /* false: no number */

#endif
