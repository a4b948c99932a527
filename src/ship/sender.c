// SPDX-License-Identifier: GPL-2.0-or-later
/* sender - delivers batches to a ClickHouse server by HTTP, and waits longer after each failure */
#include "ship/sender.h"

#define CURL_DISABLE_TYPECHECK /* its macros take calls by name alone */
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/library.h"
#include "base/monotonic.h"
#include "export/clickhouse/clickhouse.h"

#define SENDER_CONNECT_MS 5000l
#define SENDER_SLOW_S 30l /* gives up what moves less than SENDER_SLOW_BYTES a second for so long */
#define SENDER_SLOW_BYTES 1000l
#define SENDER_FIRST_WAIT_MS 500
#define SENDER_MOST_WAIT_MS 60000
#define SENDER_REPLY_BYTES 300u      /* of an error */

#define SENDER_CALLS(CALL) \
	CALL(curl_easy_cleanup) \
	CALL(curl_easy_escape) CALL(curl_easy_getinfo) CALL(curl_easy_init) CALL(curl_easy_perform) \
		CALL(curl_easy_setopt) CALL(curl_easy_strerror) CALL(curl_free) CALL(curl_global_cleanup) \
			CALL(curl_global_init)

static struct { SENDER_CALLS(RS_LIBRARY_CALL) } sender_curl;

#define SENDER_SYMBOL(name) RS_LIBRARY_SYMBOL(sender_curl, name)
static const struct rs_library_symbol sender_symbols[] = { SENDER_CALLS(SENDER_SYMBOL) { 0 } };

struct rs_sender {
	CURL *curl;
	char base[512], database[128];
	char why[CURL_ERROR_SIZE];       /* the library's words for the last failure */
	const char *warning;             /* NULL: none */
	char reply[SENDER_REPLY_BYTES + 1];
	size_t reply_len;
	bool has_schema;                 /* the tables are there */
	int64_t wait_ms, again_ms;       /* after a failure */
};

/* ---- who and where ---- */

/* The first line of the file. The password is for the owner alone. */
static int sender_read_line(const char *path, char *line, size_t size, struct rs_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st = { 0 };
	ssize_t len = fd < 0 || fstat(fd, &st) < 0 ? -1 : read(fd, line, size - 1);

	if (len < 0)
		rs_fail(err, "cannot read '%.200s': %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (len < 0)
		return -1;
	if (st.st_mode & 077)
		return rs_fail(err, "'%.200s' can be read by others (chmod 600 it)", path);
	line[len] = '\0';
	if ((size_t)len == size - 1 && !strchr(line, '\n'))
		return rs_fail(err, "'%.200s': the first line is too long for USER:PASSWORD", path);
	line[strcspn(line, "\r\n")] = '\0';
	return strchr(line, ':') ? 0 : rs_fail(err, "'%.200s' has no line USER:PASSWORD", path);
}

static int sender_read_credentials(CURL *curl, const char *path, struct rs_error *err)
{
	char line[256] = "";
	int ret = sender_read_line(path, line, sizeof line, err);

	if (ret == 0) {
		sender_curl.curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
		sender_curl.curl_easy_setopt(curl, CURLOPT_USERPWD, line);
	}
	explicit_bzero(line, sizeof line);
	return ret;
}

/* What is sent to it stays on this machine. */
static bool sender_is_local(const char *url)
{
	const char *host = strstr(url, "://") + 3;
	size_t len = *host == '[' ? strcspn(host, "/") : strcspn(host, ":/");

	return (len == 9 && !strncmp(host, "localhost", len)) || !strncmp(host, "[::1]", 5) ||
	       (!strncmp(host, "127.", 4) && strspn(host, "0123456789.") == len);
}

static bool sender_is_database(const char *name)
{
	return strlen(name) < sizeof((struct rs_sender *)0)->database &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
		       strlen(name);
}

/* "http://HOST:8123/DATABASE" in two. */
static int sender_split_url(struct rs_sender *s, const char *url, struct rs_error *err)
{
	const char *host = strstr(url, "://"), *slash = host ? strchr(host + 3, '/') : NULL;
	size_t len = slash ? (size_t)(slash - url) : strlen(url);

	if (memchr(url, '@', len)) /* the URL is not repeated: it has a password */
		return rs_fail_usage(err, "--to: a user and password in the URL are seen by everybody who "
					  "lists processes (write USER:PASSWORD "
					  "to a file, and name it by --credentials)");
	if (!host || (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0) ||
	    len >= sizeof s->base - 1 || (slash && !sender_is_database(slash + 1)))
		return rs_fail_usage(err, "--to '%.100s': not of the form http://HOST:8123/DATABASE", url);
	snprintf(s->base, sizeof s->base, "%.*s/", (int)len, url);
	snprintf(s->database, sizeof s->database, "%s", slash ? slash + 1 : "");
	return 0;
}

static size_t sender_on_reply(char *bytes, size_t size, size_t nr, void *arg)
{
	struct rs_sender *s = arg;
	size_t room = SENDER_REPLY_BYTES - s->reply_len, len = size * nr < room ? size * nr : room;

	memcpy(s->reply + s->reply_len, bytes, len);
	s->reply_len += len;
	s->reply[s->reply_len] = '\0';
	return size * nr;
}

/* Redirects are not followed: the password is for this server alone. */
static void sender_set_options(struct rs_sender *s)
{
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_NOSIGNAL, 1L);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_PROTOCOLS_STR, "http,https");
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_FOLLOWLOCATION, 0L);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_CONNECTTIMEOUT_MS, SENDER_CONNECT_MS);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_LOW_SPEED_TIME, SENDER_SLOW_S);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_LOW_SPEED_LIMIT, SENDER_SLOW_BYTES);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_WRITEFUNCTION, sender_on_reply);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_WRITEDATA, s);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_ERRORBUFFER, s->why);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_USERAGENT, "ringside");
	if (sender_is_local(s->base)) /* not by a proxy of the environment */
		sender_curl.curl_easy_setopt(s->curl, CURLOPT_PROXY, "");
}

static int sender_configure(struct rs_sender *s, const struct rs_sender_config *config, struct rs_error *err)
{
	if (sender_split_url(s, config->url, err) < 0)
		return -1;
	sender_set_options(s);
	if (config->credentials && sender_read_credentials(s->curl, config->credentials, err) < 0)
		return -1;
	if (config->credentials && !strncmp(s->base, "http://", 7) && !sender_is_local(s->base))
		s->warning = "the password goes to the server in plain text, and the rows, too: everybody on "
			     "the way can read them (use https)";
	if (config->authority && access(config->authority, R_OK) < 0)
		return rs_fail(err, "cannot read '%.200s': %s (--cacert)", config->authority,
			       strerror(errno));
	if (config->authority)
		sender_curl.curl_easy_setopt(s->curl, CURLOPT_CAINFO, config->authority);
	return 0;
}

struct rs_sender *rs_sender_new(const struct rs_sender_config *config, struct rs_error *err)
{
	struct rs_sender *s;

	if (rs_library_load("libcurl.so.4", "libcurl4", sender_symbols, err) < 0)
		return NULL;
	s = calloc(1, sizeof *s);
	if (!s || sender_curl.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
	    !(s->curl = sender_curl.curl_easy_init())) {
		rs_fail(err, "cannot ship: out of memory");
		free(s);
		return NULL;
	}
	if (sender_configure(s, config, err) < 0) {
		rs_sender_free(s);
		return NULL;
	}
	return s;
}

const char *rs_sender_warning(const struct rs_sender *s)
{
	return s->warning;
}

void rs_sender_free(struct rs_sender *s)
{
	if (!s)
		return;
	sender_curl.curl_easy_cleanup(s->curl);
	sender_curl.curl_global_cleanup();
	free(s);
}

/* ---- one request ---- */

static void sender_set_url(struct rs_sender *s, const char *query)
{
	char *escaped = sender_curl.curl_easy_escape(s->curl, query, 0);
	char url[2048];

	/* a Distributed table answers only when its shards have the rows */
	snprintf(url, sizeof url, "%s?insert_distributed_sync=1&%s%s%squery=%s", s->base,
		 *s->database ? "database=" : "", s->database, *s->database ? "&" : "",
		 escaped ? escaped : "");
	sender_curl.curl_free(escaped);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_URL, url);
}

/* Why the server's certificate is refused, and what to do. */
static const char *sender_certificate_advice(CURL *curl)
{
	long result = 0;

	/* X509_V_...; 1: the name is compared before the chain */
	sender_curl.curl_easy_getinfo(curl, CURLINFO_SSL_VERIFYRESULT, &result);
	switch (result) {
	case 0: case 1:
		return "its certificate is for another name: --to must have the name that is in it";
	case 9: case 10:
		return "its certificate is valid at another time: renew it, or correct this machine's clock";
	default:
		return "who signed its certificate is not trusted: --cacert names a file with the "
		       "authority's certificate";
	}
}

static int sender_say_unreachable(const struct rs_sender *s, CURLcode code, struct rs_error *err)
{
	const char *why = *s->why ? s->why : sender_curl.curl_easy_strerror(code);

	if (code == CURLE_PEER_FAILED_VERIFICATION)
		return rs_fail(err, "%.200s is not trusted, and nothing was sent: %s (%s)", s->base, why,
			       sender_certificate_advice(s->curl));
	if (code == CURLE_SSL_CACERT_BADFILE)
		return rs_fail(err, "cannot read the certificates of --cacert: %s", why);
	return rs_fail(err, "cannot reach %.200s: %s", s->base, why);
}

static int sender_say_status(struct rs_sender *s, long status, struct rs_error *err)
{
	char *to = NULL;

	sender_curl.curl_easy_getinfo(s->curl, CURLINFO_REDIRECT_URL, &to);
	if (to)
		return rs_fail(err,
			       "%.200s answers %ld, a redirect to %.100s, which is not followed (--to names "
			       "the server itself)",
			       s->base, status, to);
	s->reply[strcspn(s->reply, "\n")] = '\0'; /* of several lines only the first */
	return rs_fail(err, "%.200s answers %ld: %.200s", s->base, status, s->reply);
}

/* A server says what is wrong in the body. */
static int sender_perform(struct rs_sender *s, struct rs_error *err)
{
	CURLcode code;
	long status = 0;

	s->reply_len = 0;
	s->reply[0] = s->why[0] = '\0';
	code = sender_curl.curl_easy_perform(s->curl);
	if (code != CURLE_OK)
		return sender_say_unreachable(s, code, err);
	sender_curl.curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
	return status == 200 ? 0 : sender_say_status(s, status, err);
}

static int sender_statement(struct rs_sender *s, const char *statement, size_t len, struct rs_error *err)
{
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_POST, 1L);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_READFUNCTION, NULL);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_SEEKFUNCTION, NULL);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len);
	sender_curl.curl_easy_setopt(s->curl, CURLOPT_COPYPOSTFIELDS, statement);
	sender_set_url(s, "");
	return sender_perform(s, err);
}

/* The tables, if they are not there: by HTTP one statement at a time. */
static int sender_make_tables(struct rs_sender *s, struct rs_error *err)
{
	for (const char *at = rs_clickhouse_schema, *end; !s->has_schema && (end = strstr(at, ";\n"));
	     at = end + 2)
		if (sender_statement(s, at, (size_t)(end - at), err) < 0)
			return -1;
	s->has_schema = true;
	return 0;
}

static size_t sender_read(char *to, size_t size, size_t nr, void *arg)
{
	ssize_t n = read(*(const int *)arg, to, size * nr);

	return n < 0 ? CURL_READFUNC_ABORT : (size_t)n;
}

/*
 * A connection that was left open may turn out to be closed when half is sent: it is sent again on a new one.
 */
static int sender_seek(void *arg, curl_off_t offset, int origin)
{
	return lseek(*(const int *)arg, offset, origin) < 0 ? CURL_SEEKFUNC_FAIL : CURL_SEEKFUNC_OK;
}

static int sender_insert(struct rs_sender *s, const char *folder, const char *table, struct rs_error *err)
{
	char path[PATH_MAX + 64], query[128];
	struct stat st;
	int fd, ret = 0;

	snprintf(path, sizeof path, "%s/%s.json", folder, table);
	snprintf(query, sizeof query, "INSERT INTO %s FORMAT JSONEachRow", table);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0) {
		ret = rs_fail(err, "cannot read '%.200s': %s", path, strerror(errno));
	} else if (st.st_size) {
		sender_curl.curl_easy_setopt(s->curl, CURLOPT_POST, 1L);
		sender_curl.curl_easy_setopt(s->curl, CURLOPT_POSTFIELDS, NULL);
		sender_curl.curl_easy_setopt(s->curl, CURLOPT_READFUNCTION, sender_read);
		sender_curl.curl_easy_setopt(s->curl, CURLOPT_READDATA, &fd);
		sender_curl.curl_easy_setopt(s->curl, CURLOPT_SEEKFUNCTION, sender_seek);
		sender_curl.curl_easy_setopt(s->curl, CURLOPT_SEEKDATA, &fd);
		sender_curl.curl_easy_setopt(s->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)st.st_size);
		sender_set_url(s, query);
		ret = sender_perform(s, err);
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

/* ---- batches ---- */

/* The table of batches comes last: a batch that is in it is whole. */
static int sender_deliver_batch(struct rs_sender *s, const struct rs_spool *spool, uint64_t number,
				struct rs_error *err)
{
	char folder[PATH_MAX];

	rs_spool_path(spool, number, folder);
	for (unsigned int table = 0; table < RS_CLICKHOUSE_NR_TABLES; table++)
		if (sender_insert(s, folder, rs_clickhouse_tables[table], err) < 0)
			return -1;
	return 0;
}

static int sender_failed(struct rs_sender *s)
{
	s->wait_ms = !s->wait_ms                          ? SENDER_FIRST_WAIT_MS :
		     s->wait_ms * 2 < SENDER_MOST_WAIT_MS ? s->wait_ms * 2 :
							    SENDER_MOST_WAIT_MS;
	s->again_ms = rs_monotonic_ms() + s->wait_ms;
	return -1;
}

int rs_sender_deliver(struct rs_sender *s, struct rs_spool *spool, struct rs_error *err)
{
	uint64_t number;
	int nr = 0;

	if (rs_monotonic_ms() < s->again_ms)
		return 0;
	for (; rs_spool_first(spool, &number); nr++)
		if (sender_make_tables(s, err) < 0 || sender_deliver_batch(s, spool, number, err) < 0 ||
		    rs_spool_remove(spool, number, err) < 0)
			return sender_failed(s);
	s->wait_ms = 0;
	return nr;
}
