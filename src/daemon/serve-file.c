// SPDX-License-Identifier: GPL-2.0-or-later
/* serve-file.c - the main thread analyses and answers, one reads the past again, one has the clients */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "rpc/frame.h"
#include "daemon/serve.h"

#define SPANS_BYTES (256u << 20)

struct file {
	struct rs_service *service;
	struct rs_server *server;
};

static void *serve_file_run_thread(void *arg)
{
	rs_service_work(((struct file *)arg)->service);
	return NULL;
}

static void *serve_file_serve(void *arg)
{
	struct file *file = arg;

	rs_server_run(file->server, file->service);
	return NULL;
}

/* No client is left: the other threads end. */
static void serve_file_on_ended(void *arg)
{
	rs_service_quit(((struct file *)arg)->service);
}

static int serve_file_run_analysis(struct file *file, struct rs_source *source, struct rs_error *err)
{
	pthread_t worker, server;
	int failed = pthread_create(&worker, NULL, serve_file_run_thread, file);

	if (failed)
		return rs_fail(err, "cannot make a thread: %s", rs_thread_why(failed));
	failed = pthread_create(&server, NULL, serve_file_serve, file);
	if (!failed) {
		rs_service_run(file->service, source);
		rs_server_quit(file->server);
		pthread_join(server, NULL);
	}
	rs_service_quit(file->service);
	pthread_join(worker, NULL);
	rs_server_failure(file->server, err);
	return failed               ? rs_fail(err, "cannot make a thread: %s", rs_thread_why(failed)) :
	       err->status == RS_OK ? 0 :
				      -1;
}

int rs_serve_file(const struct rs_serve_config *config, struct rs_source *source, uint64_t begin_ns,
		  struct rs_error *err)
{
	struct file file = { 0 };
	int status = -1;

	file.server = rs_server_new(&(struct rs_server_config){
		.listen_fd = config->listen_fd, .client_fd = config->client_fd, .rules = config->rules,
		.ended = serve_file_on_ended, .arg = &file }, err);
	if (!file.server)
		return -1;
	file.service = rs_service_new(&(struct rs_service_config){
		.session = config->session, .source = config->source, .path = config->path,
		.window_bytes = config->window_bytes ? config->window_bytes : SPANS_BYTES,
		.begin_ns = begin_ns,
		.done = rs_server_done, .failed = rs_server_failed, .arg = file.server }, err);
	if (file.service)
		status = serve_file_run_analysis(&file, source, err);
	rs_server_free(file.server);
	rs_service_free(file.service);
	return status;
}

void rs_serve_failed(int client_fd, const struct rs_error *err)
{
	rs_frame_send_failed(client_fd, err->text);
}
