// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/attach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/listen.h"
#include "rpc/wire.h"

const char *rs_attach_socket_path(const struct rs_options *opt)
{
	const char *path = opt->socket ? opt->socket : getenv("RINGSIDE_SOCKET");

	return path && *path ? path : RS_SOCKET_PATH;
}

struct rs_client *rs_attach_unasked(const struct rs_options *opt, struct rs_error *err)
{
	const char *path = rs_attach_socket_path(opt);
	int fd = rs_listen_connect(path);

	if (fd < 0 && (errno == ENOENT || errno == ECONNREFUSED))
		rs_fail(err, "no daemon runs at '%s' (sudo ringside daemon begins one)", path);
	else if (fd < 0 && errno == EACCES)
		rs_fail(err, "may not ask the daemon at '%s': only root and the members of its group may (see Rights in ringside-daemon(1))", path);
	else if (fd < 0)
		rs_fail(err, "cannot connect to '%s': %s", path, strerror(errno));
	return fd < 0 ? NULL : rs_client_new(fd, err);
}

struct rs_client *rs_attach(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_client *c = rs_attach_unasked(opt, err);

	if (c && rs_client_hello(c, "ringside", err) == 0)
		return c;
	rs_client_free(c);
	return NULL;
}

static void attach_on_answer(void *arg, const cJSON *reply)
{
	*(cJSON **)arg = cJSON_Duplicate(reply, true);
}

cJSON *rs_attach_ask(struct rs_client *c, int passed_fd, struct rs_error *err)
{
	cJSON *reply = NULL;
	const char *why, *code;

	if (rs_client_wait(c, rs_client_send(c, passed_fd, attach_on_answer, &reply), -1, err) < 0)
		return NULL;
	why = reply ? rs_wire_text_of(reply, "error") : "out of memory";
	if (!why)
		return reply;
	code = reply ? rs_wire_text_of(reply, "code") : NULL;
	(code && !strcmp(code, "usage") ? rs_fail_usage : rs_fail)(err, "%s", why);
	cJSON_Delete(reply);
	return NULL;
}

int rs_attach_clock(struct rs_client *c, struct rs_moment_clock *clock, struct rs_error *err)
{
	const cJSON *about = rs_client_details(c), *offset = cJSON_GetObjectItemCaseSensitive(about, "realtime_offset_ns");
	uint64_t u;
	cJSON *state;
	bool ok;

	*clock = (struct rs_moment_clock){ .has_wall = cJSON_IsNumber(offset) || cJSON_IsString(offset) };
	if (rs_wire_u64_read(offset, &u))
		clock->wall_offset_ns = (int64_t)u;
	else if (cJSON_IsNumber(offset))
		clock->wall_offset_ns = (int64_t)offset->valuedouble;
	rs_client_begin(c, "state");
	state = rs_attach_ask(c, -1, err);
	if (!state)
		return -1;
	ok = rs_wire_u64_of(about, "begin_ns", 0, &clock->begin_ns) && rs_wire_u64_of(state, "now_ns", 0, &clock->end_ns) &&
	     clock->end_ns;
	cJSON_Delete(state);
	return ok ? 0 : rs_fail(err, "the daemon does not say what time it is");
}
