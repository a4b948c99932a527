// SPDX-License-Identifier: GPL-2.0-or-later
#include "served.h"

#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

#include "lines.h"
#include "recording/recording.h"

#define RECORDING "tests/traces/debian-6.1-amd64-mixed.dat"

struct rs_source *served_source;
struct rs_client *served_client;
struct rs_serve_config served_config;
cJSON *served_answer;
const char *served_filters;
const char *served_analysis;
int served_fd;
static pthread_t engine;

static void *serve(void *arg)
{
	struct rs_error err = { 0 };

	rs_serve_file(&served_config, served_source, 1000, &err);
	return NULL;
}

void served_begin_source(struct rs_source *of, const char *path)
{
	int fds[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	served_source = of;
	served_config = (struct rs_serve_config){
		.source = "file", .path = path, .window_bytes = 1 << 20, .listen_fd = -1, .client_fd = fds[0],
	};
	served_config.session.filters = served_filters;
	for (size_t i = 0; rs_plugins_all()[i]; i++)
		if (!served_analysis || !strcmp(rs_plugins_all()[i]->name, served_analysis))
			served_config.session.analyses[served_config.session.nr_analyses++] = rs_plugins_all()[i];
	served_fd = fds[1];
	ck_assert_int_eq(pthread_create(&engine, NULL, serve, NULL), 0);
}

void served_begin(const char *const *lines)
{
	served_begin_source(rs_lines_source(lines, &rs_layouts[0]), "lines");
}

void served_end(void)
{
	pthread_join(engine, NULL);
	served_source->ops->close(served_source);
	cJSON_Delete(served_answer);
	served_answer = NULL;
}

void served_begin_client(const char *const *lines)
{
	struct rs_error err = { 0 };

	served_begin(lines);
	served_client = rs_client_new(served_fd, &err);
	ck_assert_msg(served_client && rs_client_hello(served_client, "test", &err) == 0, "%s", err.text);
}

void served_begin_recording(void)
{
	struct rs_error err = { 0 };

	served_begin_source(rs_tracedat_open(RECORDING, NULL, &err), RECORDING);
	served_client = rs_client_new(served_fd, &err);
	ck_assert_msg(served_client && rs_client_hello(served_client, "test", &err) == 0, "%s", err.text);
}

void served_end_client(void)
{
	rs_client_free(served_client);
	served_end();
}

void served_send(int passed_fd)
{
	cJSON_Delete(served_answer);
	served_answer = raw_send(served_fd, passed_fd);
}

void served_ask_rows(const char *view, const char *sort, uint64_t limit)
{
	struct rs_json *j = raw_begin("rows");

	rs_json_put_str(j, "view", view);
	if (sort)
		rs_json_put_str(j, "sort", sort);
	rs_json_put_u64(j, "limit", limit);
	served_send(-1);
}

void served_wait_loaded(void)
{
	do {
		raw_begin("state");
		served_send(-1);
	} while (!cJSON_IsTrue(cJSON_GetObjectItem(served_answer, "ended")));
}

uint64_t served_number(const char *member)
{
	uint64_t v;

	ck_assert_msg(raw_u64_of(served_answer, member, &v), "%s", member);
	return v;
}
