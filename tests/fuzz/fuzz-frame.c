// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-frame.c - any bytes as what a client sends: every request is answered by an object, or the connection ends
 *
 * An engine over a small recording, as it answers when it has read all of it. Each frame is parsed as the server does,
 * and the request is run, wherever it would have been run. What the answer holds is JSON within the protocol's bounds.
 */
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../unit/trace-bytes.h"
#include "rpc/frame.h"
#include "service/service.h"

#define RECORDING_BYTES 3000
#define MAX_BYTES 8000       /* a socket takes that at once */
#define MAX_AGAIN 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void broken(const char *what, const char *text)
{
	fprintf(stderr, "%s: %.300s\n", what, text);
	abort();
}

static void done(void *arg, struct rs_job *job)
{
	rs_job_free(job);
}

static void failed(void *arg, bool fatal, const char *why)
{
	if (fatal)
		broken("cannot begin", why);
}

/* It was told to quit before it began: so it reads the recording, and comes back instead of waiting for jobs. */
static struct rs_service *begin(void)
{
	uint8_t bytes[RECORDING_BYTES];
	struct bytes_options options;
	struct rs_service_config config = { .source = "file", .window_bytes = 1 << 20, .done = done, .failed = failed };
	struct rs_error err = { 0 };
	struct rs_service *service;
	struct rs_source *source;
	uint64_t end_ns;

	srand(7);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(rand() >> 8);
	source = rs_bytes_source(bytes, sizeof bytes, &options, &config.begin_ns, &end_ns);
	for (size_t i = 0; rs_plugins_all()[i]; i++)
		if (!rs_plugins_all()[i]->by_name)
			config.session.analyses[config.session.nr_analyses++] = rs_plugins_all()[i];
	service = rs_service_new(&config, &err);
	if (!source || !service)
		broken("cannot begin", err.text);
	rs_service_quit(service);
	rs_service_run(service, source);
	return service;
}

static void check_answer(const struct rs_job *job)
{
	cJSON *answer = cJSON_ParseWithLength(job->text.data, job->text.len);
	const cJSON *ok = cJSON_GetObjectItemCaseSensitive(answer, "ok");

	if (!cJSON_IsObject(answer) || job->text.len > RS_ANSWER_BYTES)
		broken("the answer is no object", job->text.data);
	if (!cJSON_IsBool(ok) || (cJSON_IsFalse(ok) && !cJSON_IsString(cJSON_GetObjectItemCaseSensitive(answer, "error"))))
		broken("neither an answer nor a refusal", job->text.data);
	cJSON_Delete(answer);
}

/* As the thread of the analysis does it, and the worker's. */
static void answer(struct rs_job *job)
{
	struct rs_error err = { 0 };
	unsigned int turns = 0;

	if (rs_job_read_request(job, &err) < 0 || rs_service_prepare(job->service, job, &err) < 0) {
		rs_job_fail(job, &err);
		return;
	}
	while (!rs_job_run(job))
		if (++turns == MAX_AGAIN)
			broken("no end", job->text.data);
}

/* The request becomes the job's. */
static void run(struct rs_service *service, struct rs_frame_message *frame)
{
	struct rs_error err = { 0 };
	const struct rs_request_head *head = rs_message_read(frame, &rs_request_head_message, &err);
	struct rs_job *job = rs_job_new(rs_job_find_op(head ? head->op : NULL), service, frame);

	if (!job)
		return;
	if (job->op) {
		job->fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		answer(job);
		check_answer(job);
	}
	rs_job_free(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct rs_service *service;
	struct rs_error err = { 0 };
	struct rs_frames frames;
	const char *text;
	size_t frame_len;
	struct rs_frame_message *request;
	int fds[2];

	if (!service)
		service = begin();
	if (len > MAX_BYTES || socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0)
		return 0;
	if (write(fds[1], data, len) < 0)
		abort();
	close(fds[1]);
	rs_frames_init(&frames, fds[0], RS_REQUEST_BYTES);
	while (rs_frames_read(&frames, &err) == 0)
		while ((text = rs_frames_next(&frames, &frame_len, &err)) && (request = rs_message_parse(text, frame_len, &err)))
			run(service, request);
	rs_frames_done(&frames);
	return 0;
}
