// SPDX-License-Identifier: GPL-2.0-or-later
#include "raw-client.h"

#include <check.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "rpc/frame.h"

static struct rs_buf text = RS_BUF_INIT;
static struct rs_json json;

struct rs_json *raw_begin(const char *op)
{
	rs_buf_clear(&text);
	rs_json_init(&json, &text);
	rs_json_open(&json, '{');
	rs_json_put_u64(&json, "id", 1000000);
	rs_json_put_str(&json, "op", op);
	return &json;
}

cJSON *raw_send(int fd, int passed_fd)
{
	struct rs_error err = { 0 };
	struct rs_frames frames;
	const char *answer;
	cJSON *read = NULL;
	size_t len;

	rs_json_close(&json, '}');
	rs_frames_init(&frames, dup(fd), RS_ANSWER_BYTES);
	ck_assert(rs_frames_put(&frames, text.data, text.len, passed_fd));
	while (!(answer = rs_frames_next(&frames, &len, &err))) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		ck_assert_msg(rs_frames_write(&frames, &err) == 0 && poll(&p, 1, 5000) == 1 && rs_frames_read(&frames, &err) == 0,
			      "%s: no answer: %s", text.data, err.text);
	}
	read = cJSON_ParseWithLength(answer, len);
	rs_frames_done(&frames);
	return read;
}

const char *raw_text_of(const cJSON *object, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

bool raw_u64_of(const cJSON *object, const char *name, uint64_t *v)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);

	if (cJSON_IsNumber(member))
		*v = (uint64_t)member->valuedouble;
	else if (cJSON_IsString(member))
		*v = strtoull(member->valuestring, NULL, 10);
	return cJSON_IsNumber(member) || cJSON_IsString(member);
}
