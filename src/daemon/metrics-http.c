// SPDX-License-Identifier: GPL-2.0-or-later
/* metrics-http - serves a daemon's metrics by HTTP: GET /metrics */
#include "daemon/metrics-http.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/library.h"
#include "daemon/http-clients.h"

#define METRICS_HTTP_BACKLOG 128       /* those who come while one is answered */
#define METRICS_HTTP_MEMORY_BYTES 8192u /* of a request: its line and headers */
#define METRICS_HTTP_IDLE_S 15u
#define METRICS_HTTP_ANSWER_MS 2000    /* a scrape's usual limit is 10 s */

#define METRICS_HTTP_CALLS(CALL) \
	CALL(MHD_add_response_header) \
	CALL(MHD_create_response_from_buffer) CALL(MHD_destroy_response) CALL(MHD_get_connection_info) \
		CALL(MHD_lookup_connection_value) CALL(MHD_queue_response) CALL(MHD_start_daemon) \
			CALL(MHD_stop_daemon)

static struct { METRICS_HTTP_CALLS(RS_LIBRARY_CALL) } http_library;

#define METRICS_HTTP_SYMBOL(name) RS_LIBRARY_SYMBOL(http_library, name)
static const struct rs_library_symbol http_symbols[] = { METRICS_HTTP_CALLS(METRICS_HTTP_SYMBOL) { 0 } };

struct rs_metrics_http {
	struct MHD_Daemon *daemon;
	struct rs_metrics *metrics;
	struct rs_http_clients clients; /* the server's thread alone */
};

/* ---- the address ---- */

/* "ADDRESS:PORT" in two; false: not of that form. */
static bool metrics_http_split(const char *address, char host[64], char port[8])
{
	const char *colon = strrchr(address, ':');
	size_t len = colon ? (size_t)(colon - address) : 0;
	const char *begin = address;

	if (len >= 2 && *begin == '[' && begin[len - 1] == ']') {
		begin++;
		len -= 2;
	}
	snprintf(host, 64, "%.*s", (int)len, begin);
	snprintf(port, 8, "%s", colon ? colon + 1 : address);
	if (!len || !strcmp(host, "localhost"))
		strcpy(host, "127.0.0.1");
	return len < 63 && strlen(colon ? colon + 1 : address) < 7;
}

static int metrics_http_bind(const struct addrinfo *at)
{
	int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, errnum;

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
	    bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, METRICS_HTTP_BACKLOG) == 0)
		return fd;
	errnum = errno;
	close(fd);
	errno = errnum;
	return -1;
}

int rs_metrics_http_listen(const char *address, struct rs_error *err)
{
	const struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
					.ai_socktype = SOCK_STREAM };
	char host[64], port[8];
	struct addrinfo *at;
	int fd;

	if (!metrics_http_split(address, host, port) || getaddrinfo(host, port, &hints, &at) != 0)
		return rs_fail_usage(err,
				     "--metrics '%.80s': no address (write PORT, ADDRESS:PORT or "
				     "[ADDRESS]:PORT, with numbers)",
				     address);
	fd = metrics_http_bind(at);
	freeaddrinfo(at);
	if (fd < 0)
		return rs_fail(err, "cannot serve metrics at %.80s: %s (--metrics names another address)",
			       address, strerror(errno));
	return fd;
}

/* ---- connections ---- */

static void metrics_http_on_connection(void *arg, struct MHD_Connection *c, void **client,
				       enum MHD_ConnectionNotificationCode code)
{
	struct rs_metrics_http *h = arg;
	const union MHD_ConnectionInfo *fd, *address;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		fd = http_library.MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
		address = http_library.MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
		*client = rs_http_clients_add(&h->clients, fd->connect_fd, address->client_addr);
	} else {
		rs_http_clients_remove(*client);
		*client = NULL;
	}
}

static void metrics_http_mark(struct rs_metrics_http *h, struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *client =
		http_library.MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	rs_http_clients_answered(&h->clients, client->socket_context);
}

/* ---- requests ---- */

static enum MHD_Result metrics_http_reply(struct MHD_Connection *c, unsigned int status, const char *type,
					  const char *text, size_t len_bytes)
{
	/* NOLINT: it is copied */
	struct MHD_Response *r = http_library.MHD_create_response_from_buffer(len_bytes, (void *)text,
									      MHD_RESPMEM_MUST_COPY);
	enum MHD_Result result;

	if (!r)
		return MHD_NO;
	http_library.MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		http_library.MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	result = http_library.MHD_queue_response(c, status, r);
	http_library.MHD_destroy_response(r);
	return result;
}

static enum MHD_Result metrics_http_text(struct MHD_Connection *c, unsigned int status, const char *text)
{
	return metrics_http_reply(c, status, "text/plain; charset=utf-8", text, strlen(text));
}

static enum MHD_Result metrics_http_metrics(struct rs_metrics_http *h, struct MHD_Connection *c)
{
	static const char *const types[] = {
		[RS_METRICS_TEXT] = "text/plain; version=0.0.4; charset=utf-8",
		[RS_METRICS_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
	};
	const char *accept = http_library.MHD_lookup_connection_value(c, MHD_HEADER_KIND,
								      MHD_HTTP_HEADER_ACCEPT);
	enum rs_metrics_format format = accept && strstr(accept, "application/openmetrics-text") ?
						RS_METRICS_OPENMETRICS :
						RS_METRICS_TEXT;
	struct rs_buf text = RS_BUF_INIT;
	enum MHD_Result result;

	if (rs_metrics_ask(h->metrics, format, METRICS_HTTP_ANSWER_MS, &text))
		result = metrics_http_reply(c, MHD_HTTP_OK, types[format], text.data, text.len);
	else
		result = metrics_http_text(c, MHD_HTTP_SERVICE_UNAVAILABLE,
					   "the engine did not answer in time\n");
	rs_buf_done(&text);
	return result;
}

static enum MHD_Result metrics_http_on_request(void *arg, struct MHD_Connection *c, const char *url,
					       const char *method, const char *version, const char *upload,
					       size_t *upload_bytes, void **state)
{
	static int seen; /* its address marks a request whose headers came */

	(void)version, (void)upload;
	if (!*state) { /* called again once the body has come: there is none to answer before */
		*state = &seen;
		return MHD_YES;
	}
	if (*upload_bytes) {
		*upload_bytes = 0;
		return MHD_YES;
	}
	metrics_http_mark(arg, c);
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return metrics_http_text(c, MHD_HTTP_METHOD_NOT_ALLOWED, "GET alone\n");
	if (!strcmp(url, "/metrics"))
		return metrics_http_metrics(arg, c);
	if (!strcmp(url, "/"))
		return metrics_http_text(c, MHD_HTTP_OK, "ringside: /metrics\n");
	return metrics_http_text(c, MHD_HTTP_NOT_FOUND, "not found: /metrics is all there is\n");
}

struct rs_metrics_http *rs_metrics_http_start(int fd, struct rs_metrics *metrics, struct rs_error *err)
{
	struct rs_metrics_http *h;

	if (rs_library_load("libmicrohttpd.so.12", "libmicrohttpd12", http_symbols, err) < 0)
		return NULL;
	h = calloc(1, sizeof *h);
	if (!h) {
		rs_fail(err, "cannot serve metrics: out of memory");
		return NULL;
	}
	h->metrics = metrics;
	h->daemon = http_library.MHD_start_daemon(
		MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC, 0, NULL, NULL,
		metrics_http_on_request, h, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
		RS_HTTP_CLIENTS_SLOTS, MHD_OPTION_CONNECTION_TIMEOUT, METRICS_HTTP_IDLE_S,
		MHD_OPTION_NOTIFY_CONNECTION, metrics_http_on_connection, h,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)METRICS_HTTP_MEMORY_BYTES, MHD_OPTION_END);
	if (h->daemon)
		return h;
	rs_fail(err, "cannot serve metrics: the HTTP server does not start");
	free(h);
	return NULL;
}

void rs_metrics_http_stop(struct rs_metrics_http *h)
{
	if (!h)
		return;
	http_library.MHD_stop_daemon(h->daemon);
	free(h);
}
