// SPDX-License-Identifier: GPL-2.0-or-later
/* attach - a command as the daemon's client */
#include "cli/attach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/option-words.h"
#include "cli/own-engine.h"
#include "daemon/listen.h"
#include "link/host.h"

const char *rs_attach_socket_path(const struct rs_options *opt)
{
	const char *path = opt->socket ? opt->socket : getenv("RINGSIDE_SOCKET");

	return path && *path ? path : RS_SOCKET_PATH;
}

void rs_attach_engine_words(const struct rs_options *opt, struct rs_buf *quoted)
{
	struct rs_buf words = RS_BUF_INIT;

	if (rs_own_engine_is_needed(opt))
		rs_option_words_pick(opt->words, RS_OWN_ENGINE_OPTIONS ",COMMAND", &words);
	rs_option_words_quote(&words, quoted);
	rs_buf_done(&words);
}

static struct rs_client *attach_host(const struct rs_options *opt, struct rs_host_clock *clock,
				     struct rs_error *err)
{
	struct rs_buf words = RS_BUF_INIT;
	int fd;

	if (opt->nr_hosts > 1)
		return rs_fail_usage(err, "one --host at a time, here"), NULL;
	rs_attach_engine_words(opt, &words);
	fd = rs_host_connect(&(struct rs_host){ opt->hosts[0], opt->remote, words.data }, clock, err);
	rs_buf_done(&words);
	return fd < 0 ? NULL : rs_client_new(fd, err);
}

static struct rs_client *attach_daemon(const struct rs_options *opt, struct rs_error *err)
{
	const char *path = rs_attach_socket_path(opt);
	int fd = rs_listen_connect(path);

	if (fd < 0 && (errno == ENOENT || errno == ECONNREFUSED))
		rs_fail(err, "no daemon runs at '%s' (sudo ringside daemon begins one)", path);
	else if (fd < 0 && errno == EACCES)
		rs_fail(err,
			"may not ask the daemon at '%s': only root and the members of its group may (see "
			"Rights in ringside-daemon(1))",
			path);
	else if (fd < 0)
		rs_fail(err, "cannot connect to '%s': %s", path, strerror(errno));
	return fd < 0 ? NULL : rs_client_new(fd, err);
}

struct rs_client *rs_attach_unasked(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_host_clock ignored;

	return opt->nr_hosts ? attach_host(opt, &ignored, err) : attach_daemon(opt, err);
}

static struct rs_client *attach_hello(struct rs_client *c, struct rs_error *err)
{
	if (c && rs_client_hello(c, "ringside", err) == 0)
		return c;
	rs_client_free(c);
	return NULL;
}

struct rs_client *rs_attach(const struct rs_options *opt, struct rs_error *err)
{
	return attach_hello(rs_attach_unasked(opt, err), err);
}

struct rs_client *rs_attach_host(const struct rs_options *opt, struct rs_host_clock *clock,
				 struct rs_error *err)
{
	return attach_hello(attach_host(opt, clock, err), err);
}

int rs_attach_clock(struct rs_client *c, struct rs_moment_clock *clock, struct rs_error *err)
{
	const struct rs_hello_reply *hello = rs_client_hello_reply(c);
	const struct rs_state_reply *state = rs_client_call(c, "state", NULL, -1, err);

	if (!state)
		return -1;
	*clock = (struct rs_moment_clock){
		.has_wall = hello->realtime_offset_ns.known, .wall_offset_ns = hello->realtime_offset_ns.i,
		.begin_ns = hello->begin_ns,
		.end_ns = state->now_ns.u,
	};
	rs_message_drop(state);
	return clock->end_ns ? 0 : rs_fail(err, "the daemon does not say what time it is");
}

void rs_attach_put_status(const struct rs_status_reply *s, struct rs_buf *out)
{
	struct rs_json j;

	rs_json_init(&j, out);
	rs_message_put(&j, &rs_status_reply_message, s);
	rs_buf_puts(out, "\n");
}
